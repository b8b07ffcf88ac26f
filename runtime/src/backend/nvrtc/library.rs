//! Finds NVRTC's library before cudarc looks for it.
//!
//! cudarc loads it by its system names only, and panics if it is missing (<https://github.com/chelsea0x3b/cudarc/pull/430> lets
//! a program ask first). This module looks in more places and keeps the library loaded. cudarc then gets the same library,
//! because the system's loader recognises a loaded library by its name.

mod identity;
mod loader;

use std::ffi::{OsString, c_int};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use cudarc::nvrtc::sys;
use libloading::Library;

pub(super) use self::identity::Identity;
use crate::backend::libraries;
use crate::{Error, Result};

/// Names the library; nothing else is searched then.
const OVERRIDE: &str = "TD_KERNEL_NVRTC";

/// NVRTC's versions, newest first. cudarc's names cover them.
const VERSIONS: &[&str] = &["13", "12"];

/// The advice for an NVRTC that is too old.
const NEWER_NVRTC: &str = "install a newer CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment; then set $TD_KERNEL_NVRTC to its library, or unset it to search for the library";

/// The oldest tested version, as (major, minor).
const OLDEST: (u32, u32) = (12, 0);

/// The functions that this crate calls through cudarc, which panics if one is missing. Every NVRTC since CUDA 11.2 has them, so
/// most old ones are recognised by their version instead.
const FUNCTIONS: &[&str] = &[
    "nvrtcVersion",
    "nvrtcGetErrorString",
    "nvrtcGetNumSupportedArchs",
    "nvrtcGetSupportedArchs",
    "nvrtcCreateProgram",
    "nvrtcCompileProgram",
    "nvrtcGetProgramLogSize",
    "nvrtcGetProgramLog",
    "nvrtcGetCUBINSize",
    "nvrtcGetCUBIN",
    "nvrtcGetPTXSize",
    "nvrtcGetPTX",
    "nvrtcDestroyProgram",
];

/// NVRTC, loaded once and never unloaded.
static LOADED: Mutex<Option<Loaded>> = Mutex::new(None);

struct Loaded {
    /// Never unloaded: statics are not dropped.
    _libraries: Vec<Library>,
    /// The loaded file, if the system reports it. The file at its path may be replaced later.
    identity: Option<Identity>,
}

/// Loads NVRTC on the first call.
pub(super) fn load() -> Result<()> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if loaded.is_some() {
        return Ok(());
    }
    let mut tried = Vec::new();
    for candidate in candidates() {
        let builtins = builtins(&candidate);
        // SAFETY: the library's initialisers are the vendor's own; it is never unloaded.
        match unsafe { Library::new(&candidate) } {
            Ok(library) => {
                has_every_function(&library, &candidate)?;
                is_new_enough(&library, &candidate)?;
                agrees_with_cudarc(&library, &candidate)?;
                tracing::debug!("NVRTC is {}", candidate.display());
                let identity = loader::identity_of(&library, b"nvrtcVersion\0", &candidate);
                let libraries = builtins.into_iter().chain([library]).collect();
                *loaded = Some(Loaded { _libraries: libraries, identity });
                return Ok(());
            }
            Err(error) => tried.push(format!("{} ({})", candidate.display(), reason(&error))),
        }
    }
    Err(Error::no_compiler(format!(
        "NVRTC, the compiler of GPU kernels, not found\n  tried: {}\n  install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc` in a virtual environment, or set $TD_KERNEL_NVRTC to the library",
        tried.join("\n         ")
    )))
}

/// The file that NVRTC was loaded from, if it was loaded and the system reports it.
pub(super) fn loaded() -> Option<Identity> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.as_ref().and_then(|loaded| loaded.identity.clone())
}

/// The file that NVRTC was loaded from, or would be: the first that exists. Loads nothing.
pub(super) fn expected() -> Option<Identity> {
    if let Some(loaded) = &*LOADED.lock().unwrap_or_else(PoisonError::into_inner) {
        return loaded.identity.clone();
    }
    candidates().into_iter().find_map(|candidate| loader::find(&candidate).and_then(Identity::of))
}

/// Loads the library of built-in headers beside NVRTC, if there is one. NVRTC loads it by name only, and outside the system's
/// library path finds it only if it is already loaded.
fn builtins(library: &Path) -> Option<Library> {
    let folder = library.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut builtins = files.filter(|file| {
        let name =
            file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("libnvrtc-builtins.so.") || name.starts_with("nvrtc-builtins64_")
    });
    // SAFETY: it is the vendor's and holds data, and stays loaded as long as NVRTC.
    builtins.find_map(|file| unsafe { Library::new(file) }.ok())
}

/// Checks that the library is an NVRTC.
fn has_every_function(library: &Library, path: &Path) -> Result<()> {
    // SAFETY: a symbol's address is not used.
    let has =
        |name: &&str| unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_ok();
    match FUNCTIONS.iter().find(|name| !has(name)) {
        None => Ok(()),
        Some(function) => Err(Error::no_compiler(format!(
            "{} lacks the function `{function}`, so it is not NVRTC, or is much older than CUDA {}.{}: {NEWER_NVRTC}",
            path.display(),
            OLDEST.0,
            OLDEST.1
        ))),
    }
}

/// Checks that this version of NVRTC is tested. This comes before the check of cudarc's search, which does not try the names of
/// older versions.
fn is_new_enough(library: &Library, path: &Path) -> Result<()> {
    type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> sys::nvrtcResult;
    // SAFETY: this is the type of NVRTC's function of that name.
    let Ok(ask) = (unsafe { library.get::<Version>(b"nvrtcVersion\0") }) else {
        return Ok(());
    };
    let (mut major, mut minor) = (0, 0);
    // SAFETY: it writes two numbers. The library is an NVRTC, since it has every function.
    unsafe { ask(&mut major, &mut minor) }.result().map_err(Error::nvrtc("report its version"))?;
    let version = (major.unsigned_abs(), minor.unsigned_abs());
    match version < OLDEST {
        true => Err(Error::no_compiler(format!(
            "{} is NVRTC {}.{}, but the oldest supported version is {}.{}: {NEWER_NVRTC}",
            path.display(),
            version.0,
            version.1,
            OLDEST.0,
            OLDEST.1
        ))),
        false => Ok(()),
    }
}

/// Checks that cudarc's own search now finds the same library.
fn agrees_with_cudarc(library: &Library, path: &Path) -> Result<()> {
    // SAFETY: a symbol's address is only compared here.
    let ours = unsafe { library.get::<unsafe extern "C" fn()>(b"nvrtcVersion\0") };
    let Some(found) = libraries::nvrtc() else { return Err(other(path)) };
    // SAFETY: as above.
    let theirs = unsafe { found.get::<unsafe extern "C" fn()>(b"nvrtcVersion\0") };
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) if std::ptr::fn_addr_eq(*ours, *theirs) => Ok(()),
        _ => Err(other(path)),
    }
}

/// The paths to try for NVRTC, in order.
fn candidates() -> Vec<PathBuf> {
    candidates_in(&|variable| env::var_os(variable))
}

/// [`candidates`] for another environment. An empty variable counts as unset: its folder would be the working directory, which
/// someone else may control.
fn candidates_in(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let variable = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = variable(OVERRIDE) {
        return vec![path];
    }
    let mut found = Vec::new();
    for home in ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(variable) {
        found.extend(toolkit(&home));
    }
    found.extend(names().into_iter().map(PathBuf::from));
    for environment in ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(variable) {
        found.extend(python(&environment));
    }
    found.extend(toolkit(Path::new("/usr/local/cuda")));
    found
}

/// The library's file names on this operating system.
fn names() -> Vec<String> {
    VERSIONS
        .iter()
        .map(|version| match env::consts::OS {
            "windows" => format!("nvrtc64_{version}0_0.dll"),
            _ => format!("libnvrtc.so.{version}"),
        })
        .collect()
}

/// The paths in a CUDA toolkit.
fn toolkit(home: &Path) -> Vec<PathBuf> {
    let folders = if cfg!(windows) { ["bin", "bin/x64"] } else { ["lib64", "lib"] };
    let files = names();
    folders
        .iter()
        .flat_map(|folder| files.iter().map(move |file| home.join(folder).join(file)))
        .collect()
}

/// The paths in the packages of a Python environment, where the folders exist.
fn python(environment: &Path) -> Vec<PathBuf> {
    let versions = fs::read_dir(environment.join("lib")).into_iter().flatten().flatten();
    let mut sites: Vec<PathBuf> =
        versions.map(|entry| entry.path().join("site-packages/nvidia")).collect();
    sites.push(environment.join("Lib/site-packages/nvidia"));
    let packages = ["cu13/lib", "cuda_nvrtc/lib", "cu13/bin", "cuda_nvrtc/bin"];
    let folders =
        sites.iter().flat_map(|site| packages.iter().map(move |package| site.join(package)));
    let files = names();
    folders
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| files.iter().map(move |file| folder.join(file)).collect::<Vec<_>>())
        .collect()
}

/// The system loader's message, without the leading path.
fn reason(error: &libloading::Error) -> String {
    let text =
        std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    text.split_once(": ").map_or(text.clone(), |(_, rest)| rest.to_owned())
}

/// The error if the system's search finds another library.
fn other(wanted: &Path) -> Error {
    let wanted = wanted.display();
    Error::no_compiler(format!(
        "NVRTC was found as {wanted}, but another NVRTC comes first on the system's library path: remove that other one, or set $TD_KERNEL_NVRTC to it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_directory_is_not_searched() {
        let empty = candidates_in(&|_| Some(OsString::new()));
        assert_eq!(empty, candidates_in(&|_| None));
        for path in empty {
            // A path with folders must be absolute: a relative one depends on the working directory.
            assert!(path.is_absolute() || path.components().count() == 1, "{}", path.display());
        }
    }

    #[test]
    fn named_library_is_the_only_candidate() {
        let named = |name: &str| (name == OVERRIDE).then(|| "/opt/libnvrtc.so.13".into());
        assert_eq!(candidates_in(&named), [PathBuf::from("/opt/libnvrtc.so.13")]);
    }
}
