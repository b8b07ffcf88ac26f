//! Finds NVRTC, the compiler for CUDA C++ that tests need: the user's choice, else that of an installed toolkit, else a pinned
//! one from the Python package index.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::{PushEnv, Shell, cmd};

use crate::target;

/// The variable that the runtime reads.
const VARIABLE: &str = "TD_KERNEL_NVRTC";

/// The file names of the library, on Linux and on Windows.
const NAMES: [&str; 2] = ["libnvrtc.so*", "nvrtc64_*_0.dll"];

/// The folders of an installed toolkit that may have it.
const FOLDERS: [&str; 3] = ["lib64", "bin", "bin/x64"];

/// Makes commands use NVRTC for as long as the returned value lives.
pub(crate) fn usual(shell: &Shell) -> Result<PushEnv<'_>> {
    let toolkit = ["CUDA_HOME", "CUDA_PATH"].into_iter().find_map(env::var_os);
    let toolkit = toolkit.map_or_else(|| PathBuf::from("/usr/local/cuda"), PathBuf::from);
    let library = match env::var_os(VARIABLE) {
        // Made absolute, since each test runs in its package's folder.
        Some(named) => std::path::absolute(named)?,
        None => match FOLDERS.iter().find_map(|folder| library_in(&toolkit.join(folder))) {
            Some(installed) => installed,
            None => fetched(shell, "nvrtc")?,
        },
    };
    Ok(used(shell, &library))
}

/// Like `usual`, with the oldest supported version.
pub(crate) fn oldest(shell: &Shell) -> Result<PushEnv<'_>> {
    Ok(used(shell, &fetched(shell, "nvrtc-oldest")?))
}

fn used<'a>(shell: &'a Shell, library: &Path) -> PushEnv<'a> {
    println!("NVRTC: {}", library.display());
    shell.push_env(VARIABLE, library)
}

/// The library of the wheel that `xtask/NAME.txt` pins, in a folder of that name in the target folder.
fn fetched(shell: &Shell, name: &str) -> Result<PathBuf> {
    let requirements = format!("xtask/{name}.txt");
    let folder = target(shell)?.join(name);
    // A copy of the pin. It is written last, so a folder that has it is complete.
    let marker = folder.join("installed-from.txt");
    let pin = shell.read_file(&requirements)?;
    if fs::read_to_string(&marker).ok().as_ref() != Some(&pin) {
        shell.remove_path(&folder)?;
        println!("fetching NVRTC from the Python package index (once)");
        // A user's settings may conflict with --target.
        cmd!(shell, "python3 -m pip install --no-deps --only-binary :all: --require-hashes --target {folder} -r {requirements}")
            .env("PIP_USER", "0")
            .env("PIP_REQUIRE_VIRTUALENV", "0")
            .run()
            .context(
                "cannot fetch NVRTC: install Python 3 with pip, or a CUDA toolkit and set CUDA_HOME, or set TD_KERNEL_NVRTC to \
                 the library's path. NVIDIA publishes wheels for Linux on x86_64 and aarch64 and for Windows on x86_64",
            )?;
        shell.write_file(&marker, pin)?;
    }
    library_in(&folder.join("**")).with_context(|| {
        format!("{} does not contain NVRTC: delete it, and run the task again", folder.display())
    })
}

/// The library in a folder, which may be a pattern.
fn library_in(folder: &Path) -> Option<PathBuf> {
    let patterns = NAMES.iter().filter_map(|name| folder.join(name).to_str().map(str::to_owned));
    let found = patterns.filter_map(|pattern| glob::glob(&pattern).ok()).flatten().flatten();
    // `libnvrtc.so.12` rather than `libnvrtc.so.12.4.99`: the shortest path is the name that does not change.
    found.min_by_key(|path| path.as_os_str().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_library_beside_its_builtins() {
        let folder = tempfile::tempdir().unwrap();
        let lib = folder.path().join("nvidia/cu13/lib");
        fs::create_dir_all(&lib).unwrap();
        fs::write(lib.join("libnvrtc-builtins.so.13.0"), "").unwrap();
        assert_eq!(library_in(&folder.path().join("**")), None);
        for name in ["libnvrtc.so.13.0.88", "libnvrtc.so.13", "libnvrtc.alt.so.13"] {
            fs::write(lib.join(name), "").unwrap();
        }
        assert_eq!(library_in(&folder.path().join("**")), Some(lib.join("libnvrtc.so.13")));
        assert_eq!(library_in(&lib), Some(lib.join("libnvrtc.so.13")));
    }
}
