//! The folder that a kernel is built in: it goes away with its value, or by a call from outside when
//! the process is about to end.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::process;

/// Those that are there.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder for one build.
pub(super) struct Folder {
    path: PathBuf,
    /// There until the folder is to go away.
    directory: Option<TempDir>,
}

/// As long as this lives no kernel is built for the CPU: from [`remove_build_folders`].
///
/// ```
/// let no_builds = td_kernel::remove_build_folders();
/// // A program that handles signals ends here: no compiler is at work, and no folder is left behind.
/// drop(no_builds); // One that goes on builds kernels again.
/// ```
#[derive(Debug)]
#[must_use = "the next folder may be made as soon as this is dropped"]
pub struct NoBuilds {
    _folders: MutexGuard<'static, Vec<PathBuf>>,
    _compilers: MutexGuard<'static, Vec<u32>>,
}

/// Stops the compilers that are at work for the CPU, and removes the folders that kernels are being
/// built in, under `TMPDIR` or what the system has in its place. Without this both go away at the end
/// of each build, but stay where a signal ends the process meanwhile, which does not reach the
/// compilers: a program that handles signals can call it before it ends.
///
/// The builds that were going on fail, and others wait until what is returned is dropped. It waits
/// for locks and allocates, and so must not be called within a signal handler itself, but from a
/// thread that the handler wakes, as the crates `signal-hook` and `ctrlc` have one.
pub fn remove_build_folders() -> NoBuilds {
    let folders = lock();
    let compilers = process::stop_all();
    for folder in &*folders {
        // A compiler that is about to end finds no file by the old name, and makes none.
        let aside = folder.with_extension("removed");
        let gone = if std::fs::rename(folder, &aside).is_ok() { &aside } else { folder };
        // What cannot be removed stays: there is nobody to tell.
        let _ = std::fs::remove_dir_all(gone);
    }
    NoBuilds { _folders: folders, _compilers: compilers }
}

/// The system's folder for temporary files. A `TMPDIR` that is empty counts as unset, where the standard library
/// takes it for the working directory.
pub(super) fn parent() -> PathBuf {
    let folder = std::env::temp_dir();
    if folder.as_os_str().is_empty() { PathBuf::from("/tmp") } else { folder }
}

/// No panic leaves the list half changed.
fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Folder {
    /// A new folder with a name that nobody can foresee. It is its user's alone whatever the umask
    /// says: what lies in it is loaded into this process.
    pub(super) fn new(parent: &Path) -> io::Result<Folder> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        // Locked before it is there, so that whoever has the lock knows all of them.
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
    fn only_the_user_can_put_a_library_there() {
        let [one, other] = [(), ()].map(|()| Folder::new(&parent()).unwrap());
        assert_ne!(one.path(), other.path());
        assert_eq!(std::fs::metadata(one.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_folder_is_listed_as_long_as_it_is_there() {
        let folder = Folder::new(&parent()).unwrap();
        let path = folder.path().to_owned();
        assert!(lock().contains(&path));
        drop(folder);
        assert!(!path.exists());
        assert!(!lock().contains(&path));
    }
}
