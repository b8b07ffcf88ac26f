//! The folder that a kernel is built in. It is removed when its value is dropped, or by [`remove_build_folders`] before the
//! process ends.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::process;

/// The build folders that exist.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder for one build.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// `None` once the folder is being removed.
    directory: Option<TempDir>,
}

/// While this lives, no kernel is built for the CPU: see [`remove_build_folders`].
///
/// ```
/// let no_builds = td_kernel::remove_build_folders();
/// // A program that handles signals ends here: no compiler runs, and no folder is left behind.
/// drop(no_builds); // A program that continues builds kernels again.
/// ```
#[derive(Debug)]
#[must_use = "the next folder may be made as soon as this is dropped"]
pub struct BuildLock {
    _folders: MutexGuard<'static, Vec<PathBuf>>,
    _compilers: MutexGuard<'static, Vec<u32>>,
}

/// Stops the compilers that are building kernels for the CPU, and removes their build folders, which are under `TMPDIR` or the
/// system's folder for temporary files.
///
/// Each build removes its own folder when it ends. But a signal that ends the process does not reach the compilers, and the
/// folders would stay. A program that handles signals can call this function before it ends.
///
/// Running builds fail, and new ones wait until the returned value is dropped. This function waits for locks and allocates, so
/// do not call it in a signal handler. Call it from a thread that the handler wakes, such as those of the crates `signal-hook`
/// and `ctrlc`.
pub fn remove_build_folders() -> BuildLock {
    let folders = lock();
    let compilers = process::stop_all();
    for folder in &*folders {
        // Renamed first: a compiler that is still running cannot create files under the old name.
        let aside = folder.with_extension("removed");
        let gone = if std::fs::rename(folder, &aside).is_ok() { &aside } else { folder };
        // Errors are ignored: there is no caller to report them to.
        let _ = std::fs::remove_dir_all(gone);
    }
    BuildLock { _folders: folders, _compilers: compilers }
}

/// The system's folder for temporary files. An empty `TMPDIR` counts as unset; the standard library would use the working
/// directory.
pub(super) fn parent() -> PathBuf {
    let folder = std::env::temp_dir();
    if folder.as_os_str().is_empty() { PathBuf::from("/tmp") } else { folder }
}

/// Ignores poisoning: no panic leaves the list half changed.
fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Folder {
    /// A new folder with an unpredictable name. Only the user can access it, whatever the umask: its contents are loaded into
    /// this process.
    pub(super) fn new(parent: &Path) -> io::Result<Folder> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        // Locked before the folder is created, so that the holder of the lock sees every folder.
        let mut folders = lock();
        let folder = builder.prefix("td-kernel-").tempdir_in(parent)?;
        let path = folder.path().to_owned();
        folders.push(path.clone());
        Ok(Folder { path, directory: Some(folder) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut folders = lock();
        self.directory = None;
        folders.retain(|folder| *folder != self.path);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn folder_is_private() {
        let [one, other] = [(), ()].map(|()| Folder::new(&parent()).unwrap());
        assert_ne!(one.path(), other.path());
        assert_eq!(std::fs::metadata(one.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn folder_is_listed_until_dropped() {
        let folder = Folder::new(&parent()).unwrap();
        let path = folder.path().to_owned();
        assert!(lock().contains(&path));
        drop(folder);
        assert!(!path.exists());
        assert!(!lock().contains(&path));
    }
}
