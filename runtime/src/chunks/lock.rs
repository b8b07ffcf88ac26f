//! A file that one process writes at a time.

use std::fs::File;
use std::io;
use std::ops::Deref;
#[cfg(unix)]
use std::os::fd::AsRawFd;

/// An open file that nobody else locks until this value is dropped.
pub(super) struct Locked {
    file: File,
    /// The process that has locked it: a copy of this value in one that was forked from it has not.
    #[cfg(unix)]
    owner: u32,
}

impl Locked {
    /// Locks the file; `None` if it is locked already.
    pub(super) fn new(file: File) -> Option<Locked> {
        #[cfg(unix)]
        {
            // SAFETY: the file is open, and the call changes nothing in this process.
            let outcome = unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) };
            // File systems without locks are used by one process at a time.
            if outcome != 0 && io::Error::last_os_error().kind() == io::ErrorKind::WouldBlock {
                return None;
            }
        }
        Some(Locked {
            file,
            #[cfg(unix)]
            owner: std::process::id(),
        })
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl Drop for Locked {
    /// Closing the file is not enough: a process that another thread is starting has it too, until it runs its program, and
    /// would keep the lock for so long.
    fn drop(&mut self) {
        #[cfg(unix)]
        if self.owner == std::process::id() {
            // SAFETY: the file is open, and the call changes nothing in this process.
            unsafe { libc::flock(self.file.as_raw_fd(), libc::LOCK_UN) };
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_until_it_is_dropped_whoever_else_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let open = || File::options().create(true).append(true).open(&path).unwrap();
        let locked = Locked::new(open()).unwrap();
        assert!(Locked::new(open()).is_none());
        // As a process has it that is being started.
        let copy = locked.try_clone().unwrap();
        drop(locked);
        assert!(Locked::new(open()).is_some());
        drop(copy);
    }
}
