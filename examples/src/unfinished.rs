//! Unfinished files: they have temporary names, in the folder of their final name.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// The unfinished files that exist.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is removed when this value is dropped, unless it has got its name.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    /// `None` once the file is finished or removed.
    file: Option<NamedTempFile>,
}

/// Removes all unfinished files. Until the returned guard is dropped, none is created or finished.
#[cfg(unix)]
pub(crate) fn remove_all() -> impl Drop {
    let unfinished = lock();
    for path in &*unfinished {
        // What cannot be removed stays: there is no caller to report it to.
        let _ = std::fs::remove_file(path);
    }
    unfinished
}

/// Ignores poisoning: no panic leaves the list half changed.
fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Unfinished {
    /// A new file in `folder`.
    pub(crate) fn new(folder: &Path) -> io::Result<Unfinished> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".unfinished-");
        // As any new file: that of `tempfile_in` only its owner could read, and its errors tell a name that nobody has given.
        let new = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
        // Locked before the file is created, so that the holder of the lock sees every file.
        let mut unfinished = lock();
        let file = builder.make_in(folder, new)?;
        let path = file.path().to_owned();
        unfinished.push(path.clone());
        Ok(Unfinished { path, file: Some(file) })
    }

    /// The file, open for writing.
    pub(crate) fn open(&self) -> io::Result<File> {
        match &self.file {
            Some(file) => file.as_file().try_clone(),
            None => Err(io::Error::other("it is finished")),
        }
    }

    /// Gives the file its final name, in the same folder. An existing file is replaced only if `replace` says so.
    pub(crate) fn finish(mut self, name: &Path, replace: bool) -> io::Result<()> {
        let _unfinished = lock();
        let Some(file) = self.file.take() else { return Ok(()) };
        match replace {
            true => file.persist(name)?,
            false => file.persist_noclobber(name)?,
        };
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut unfinished = lock();
        self.file = None;
        unfinished.retain(|path| *path != self.path);
    }
}
