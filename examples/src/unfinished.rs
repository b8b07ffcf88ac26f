//! Files that are being written, under names of their own beside those that they get in the end.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// Those that are there.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that goes away with this value, unless it gets its name.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    /// There until the file is finished or to go away.
    file: Option<NamedTempFile>,
}

/// Removes those that are there. Until what is returned is dropped, there are no new ones, and none
/// gets its name.
#[cfg(unix)]
pub(crate) fn remove_all() -> impl Drop {
    let unfinished = lock();
    for path in &*unfinished {
        // What cannot be removed stays: there is nobody to tell.
        let _ = std::fs::remove_file(path);
    }
    unfinished
}

/// No panic leaves the list half changed.
fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Unfinished {
    /// A new file in `folder`.
    pub(crate) fn new(folder: &Path) -> io::Result<Unfinished> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".unfinished-");
        // By default the owner alone could read it. The user's mask still applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Locked before it is there, so that whoever has the lock knows all of them.
        let mut unfinished = lock();
        let file = builder.tempfile_in(folder)?;
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

    /// Gives it its name, in the same folder: that of another file only if `replace` says so.
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
