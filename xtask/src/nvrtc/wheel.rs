//! NVRTC from the Python package index, kept in the build folder.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use super::library_among;
use crate::failure::{Failure, Result};
use crate::files;
use crate::output::say;
use crate::steps;
use crate::workspace::Workspace;

/// A pinned version.
pub(super) struct Pin {
    /// The version with the hash of every platform's wheel.
    requirements: &'static str,
    /// The path of the requirements, from the workspace's root.
    file: &'static str,
    /// The subfolder of the build folder where NVRTC is kept.
    folder: &'static str,
    /// Why it is fetched, and the size of the download.
    reason: &'static str,
}

/// The version for machines without a toolkit.
pub(super) const USUAL: Pin = Pin {
    requirements: include_str!("../../nvrtc.txt"),
    file: "xtask/nvrtc.txt",
    folder: "nvrtc",
    reason: "no CUDA toolkit found: fetching NVRTC from the Python package index (about 90 MB, once)",
};

/// The oldest supported version.
pub(super) const OLDEST: Pin = Pin {
    requirements: include_str!("../../nvrtc-oldest.txt"),
    file: "xtask/nvrtc-oldest.txt",
    folder: "nvrtc-oldest",
    reason: "fetching the oldest NVRTC that is supported from the Python package index (about 25 MB, once)",
};

/// A copy of the requirements that were installed: if it is missing or differs from the pin, NVRTC is fetched again.
const MARKER: &str = "installed-from.txt";

/// The library, fetched unless the build folder has it.
pub(super) fn ready(workspace: &Workspace, pin: &Pin) -> Result<PathBuf> {
    let folder = workspace.target().join(pin.folder);
    if let Some(library) = complete(&folder, pin) {
        return Ok(library);
    }
    fetch(workspace, &folder, pin)?;
    complete(&folder, pin).ok_or_else(|| {
        Failure::new(
            format!("the wheel in {} holds no NVRTC that xtask knows", folder.display()),
            "delete that folder and run the task again; if that does not help, install a CUDA \
             toolkit and set CUDA_HOME",
        )
    })
}

/// The library in a folder, if the folder has the pinned version with all its parts.
fn complete(folder: &Path, pin: &Pin) -> Option<PathBuf> {
    if fs::read_to_string(folder.join(MARKER)).ok()? != pin.requirements {
        return None;
    }
    let library = library_among(files::all(folder).ok()?)?;
    // NVRTC needs its builtins, which the runtime loads from the same folder.
    let beside = files::all(library.parent()?).ok()?;
    let is_builtins = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains("nvrtc-builtins")
    };
    beside.iter().any(is_builtins).then_some(library)
}

/// Installs into a folder of this process and then renames it, so that a folder with the final name is always complete.
fn fetch(workspace: &Workspace, folder: &Path, pin: &Pin) -> Result<()> {
    let python = python_with_pip()?;
    let partial = folder.with_file_name(format!("{}-partial-{}", pin.folder, process::id()));
    fs::create_dir_all(&partial).map_err(|error| Failure::file("create", &partial, &error))?;
    say(pin.reason);
    let outcome =
        install(workspace, python, &partial, pin).and_then(|()| put(&partial, folder, pin));
    // After a success the folder has been renamed, and there is nothing to delete.
    let _ = fs::remove_dir_all(&partial);
    outcome
}

fn install(workspace: &Workspace, python: &str, folder: &Path, pin: &Pin) -> Result<()> {
    let mut pip = Command::new(python);
    pip.current_dir(workspace.root())
        .args(["-m", "pip", "install", "--no-deps", "--only-binary", ":all:"])
        .args(["--require-hashes", "--disable-pip-version-check", "--target"])
        .arg(folder)
        .args(["-r", pin.file])
        // A user's settings may turn these on, which conflict with --target.
        .env("PIP_USER", "0")
        .env("PIP_REQUIRE_VIRTUALENV", "0");
    steps::run(&mut pip).map_err(|failure| {
        failure.with_remedy(
            "if the package index could not be reached, check the network, or install a CUDA \
             toolkit and set CUDA_HOME. NVIDIA publishes NVRTC for Linux on x86_64 and aarch64 \
             and for Windows on x86_64",
        )
    })?;
    let marker = folder.join(MARKER);
    fs::write(&marker, pin.requirements).map_err(|error| Failure::file("write", &marker, &error))
}

/// Gives a complete installation its final name, and replaces what is there.
fn put(partial: &Path, folder: &Path, pin: &Pin) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::file("delete", folder, &error));
        }
        _ => {}
    }
    match fs::rename(partial, folder) {
        // Another process was faster, with the same content.
        Err(_) if complete(folder, pin).is_some() => Ok(()),
        renamed => renamed.map_err(|error| Failure::file("create", folder, &error)),
    }
}

fn python_with_pip() -> Result<&'static str> {
    let answers = |arguments: &[&str], python: &str| {
        let mut command = Command::new(python);
        command.args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let pythons = ["python3", "python"];
    if let Some(python) =
        pythons.into_iter().find(|python| answers(&["-m", "pip", "--version"], python))
    {
        return Ok(python);
    }
    let python = pythons.into_iter().find(|python| answers(&["--version"], python));
    let what = match python {
        Some(python) => format!("`{python}` has no pip"),
        None => "there is neither `python3` nor `python`".to_owned(),
    };
    Err(Failure::new(
        format!("cannot fetch NVRTC, which the tests compile CUDA with: {what}"),
        "install Python 3 with pip (on Debian and Ubuntu: apt-get install python3 python3-pip), \
         or install a CUDA toolkit and set CUDA_HOME, or set TD_KERNEL_NVRTC to the library's path",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, path: &str, text: &str) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn an_installation_is_complete_with_library_builtins_and_marker() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert_eq!(complete(folder, &USUAL), None);
        write(folder, "nvidia/cu13/lib/libnvrtc.so.13", "");
        write(folder, MARKER, USUAL.requirements);
        assert_eq!(complete(folder, &USUAL), None, "no builtins");
        write(folder, "nvidia/cu13/lib/libnvrtc-builtins.so.13.0", "");
        let library = folder.join("nvidia/cu13/lib/libnvrtc.so.13");
        assert_eq!(complete(folder, &USUAL), Some(library));
        assert_eq!(complete(folder, &OLDEST), None, "the other pin");
        write(folder, MARKER, "nvidia-cuda-nvrtc==12.0.0");
        assert_eq!(complete(folder, &USUAL), None, "another version");
    }

    #[test]
    fn a_whole_installation_takes_the_place_of_an_old_one() {
        let parent = tempfile::tempdir().unwrap();
        let (partial, folder) = (parent.path().join("partial"), parent.path().join("nvrtc"));
        write(&folder, "old", "");
        write(&partial, "new", "");
        put(&partial, &folder, &USUAL).unwrap();
        assert!(folder.join("new").is_file());
        assert!(!folder.join("old").exists() && !partial.exists());
    }
}
