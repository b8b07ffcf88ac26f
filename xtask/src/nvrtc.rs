//! NVRTC, the compiler for CUDA C++ that the tests need: the one that the user names, else that of an installed
//! toolkit, else the pinned one from the Python package index.

mod installed;
mod wheel;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::output::say;
use crate::workspace::Workspace;

/// The variable that the runtime reads first.
const VARIABLE: &str = "TD_KERNEL_NVRTC";

/// The shared library to use.
pub(crate) struct Nvrtc {
    library: PathBuf,
}

impl Nvrtc {
    /// Finds NVRTC, or fetches it.
    pub(crate) fn ready(workspace: &Workspace) -> Result<Self> {
        let (library, origin) = if let Some(library) = named_by_the_user()? {
            (library, format!("named by {VARIABLE}"))
        } else if let Some((library, origin)) = installed::find() {
            (library, origin)
        } else {
            let library = wheel::ready(workspace, &wheel::USUAL)?;
            (library, "from the Python package index".to_owned())
        };
        say(&format!("NVRTC: {} ({origin})", library.display()));
        Ok(Self { library })
    }

    /// The oldest version that is supported, fetched unless the build folder has it.
    pub(crate) fn oldest(workspace: &Workspace) -> Result<Self> {
        let library = wheel::ready(workspace, &wheel::OLDEST)?;
        say(&format!("NVRTC: {} (the oldest that is supported)", library.display()));
        Ok(Self { library })
    }

    /// Makes a command's programs use this library. An installed toolkit's library is passed too, so that the one
    /// printed above is used whatever the runtime would find first.
    pub(crate) fn give_to(&self, command: &mut Command) {
        command.env(VARIABLE, &self.library);
    }
}

fn named_by_the_user() -> Result<Option<PathBuf>> {
    let Some(value) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    // Made absolute, since each test runs in its package's folder.
    let path = std::path::absolute(&value)
        .map_err(|error| Failure::file("find", Path::new(&value), &error))?;
    if path.is_file() {
        return Ok(Some(path));
    }
    Err(Failure::new(
        format!("{VARIABLE} names {}, which is not a file", path.display()),
        format!("set {VARIABLE} to the path of the library (libnvrtc.so.13, say), or unset it"),
    ))
}

/// Whether a file's name is that of the NVRTC library: not of its `builtins`, which it loads by itself, and not of its
/// `alt` build.
fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if let Some(version) = name.strip_prefix("libnvrtc.so") {
        return version.chars().all(|c| c == '.' || c.is_ascii_digit());
    }
    let windows = name.strip_prefix("nvrtc64_");
    let version = windows.and_then(|rest| rest.strip_suffix(".dll"));
    version.is_some_and(|version| version.chars().all(|c| c == '_' || c.is_ascii_digit()))
}

/// The NVRTC library among some files. Of several, the one with the shortest name: the link to the installation's
/// current version.
fn library_among(files: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    let mut libraries: Vec<_> = files.into_iter().filter(|path| is_library(path)).collect();
    libraries.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
    libraries.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_told_from_its_neighbours() {
        let neighbours = [
            "/lib/libnvrtc-builtins.alt.so.13.0",
            "/lib/libnvrtc-builtins.so.13.0",
            "/lib/libnvrtc.alt.so.13",
            "/lib/libnvrtc_static.a",
            "/bin/nvrtc-builtins64_130.dll",
            "/bin/nvrtc64_130_0.alt.dll",
        ];
        let among = |library: &str| {
            let names = neighbours.iter().copied().chain([library]);
            library_among(names.map(PathBuf::from))
        };
        for library in ["/lib/libnvrtc.so.13", "/lib/libnvrtc.so", "/bin/nvrtc64_130_0.dll"] {
            assert_eq!(among(library), Some(library.into()));
        }
        assert_eq!(library_among(neighbours.map(PathBuf::from)), None);
    }

    #[test]
    fn of_several_names_the_shortest_is_taken() {
        let names = ["/lib/libnvrtc.so.12.4.99", "/lib/libnvrtc.so", "/lib/libnvrtc.so.12"];
        let library = library_among(names.map(PathBuf::from));
        assert_eq!(library, Some("/lib/libnvrtc.so".into()));
    }
}
