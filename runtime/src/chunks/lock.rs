//! A lock on a file, so that only the processes of one start write it.

use std::fs::File;
#[cfg(unix)]
use std::io;
use std::ops::Deref;
#[cfg(unix)]
use std::os::fd::AsRawFd;
use std::path::Path;

/// An open file that is locked until this value is dropped. Processes that [join](Locked::joined) share the lock.
#[derive(Debug)]
pub(super) struct Locked {
    file: File,
    /// The process that has locked it. After a fork, the child's copy of this value does not own the lock.
    #[cfg(unix)]
    owner: u32,
}

impl Locked {
    /// Locks the file for this process and those that join it; `None` if processes of another start have it.
    pub(super) fn first(file: File) -> Option<Locked> {
        let locked = Locked::new(file);
        // Exclusive for a moment. Before it is shared, another process may have been faster.
        #[cfg(unix)]
        let has_others = [libc::LOCK_EX, libc::LOCK_SH].iter().any(|way| !lock(&locked.file, *way));
        #[cfg(not(unix))]
        let has_others = false;
        (!has_others).then_some(locked)
    }

    /// Locks a file that the first process has locked for all.
    pub(super) fn joined(file: File) -> Locked {
        #[cfg(unix)]
        lock(&file, libc::LOCK_SH);
        Locked::new(file)
    }

    /// Whether the file still has this name.
    pub(super) fn has_name(&self, path: &Path) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let [own, found] = [self.metadata(), path.metadata()]
                .map(|found| found.ok().map(|found| (found.dev(), found.ino())));
            own.is_some() && own == found
        }
        #[cfg(not(unix))]
        path.exists()
    }

    fn new(file: File) -> Locked {
        Locked {
            file,
            #[cfg(unix)]
            owner: std::process::id(),
        }
    }
}

/// Locks a file in this way. Returns false if another process holds a conflicting lock.
#[cfg(unix)]
fn lock(file: &File, way: libc::c_int) -> bool {
    // SAFETY: the file is open, and the call changes nothing in this process.
    let outcome = unsafe { libc::flock(file.as_raw_fd(), way | libc::LOCK_NB) };
    // On file systems without locks, only one start at a time may use a file.
    outcome == 0 || io::Error::last_os_error().kind() != io::ErrorKind::WouldBlock
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl Drop for Locked {
    /// Closing the file is not enough: a child process that another thread is starting has it open too until it executes its
    /// program, and would keep the lock until then.
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
    fn lock_is_held_until_last_drop() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let open = || File::options().create(true).append(true).open(&path).unwrap();
        let locked = Locked::first(open()).unwrap();
        let joined = Locked::joined(open());
        assert!(Locked::first(open()).is_none());
        // Like the copy in a process that is being started.
        let copy = locked.try_clone().unwrap();
        drop(locked);
        assert!(Locked::first(open()).is_none());
        drop(joined);
        assert!(Locked::first(open()).is_some());
        drop(copy);
    }
}
