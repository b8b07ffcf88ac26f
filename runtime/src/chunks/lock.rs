//! A lock on a file, so that only the processes of one start write it.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

#[cfg(unix)]
use rustix::fs::{FlockOperation, flock};

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
        let has_others =
            [FlockOperation::NonBlockingLockExclusive, FlockOperation::NonBlockingLockShared]
                .into_iter()
                .any(|way| !lock(&locked.file, way));
        #[cfg(not(unix))]
        let has_others = false;
        (!has_others).then_some(locked)
    }

    /// Locks a file that the first process has locked for all.
    pub(super) fn joined(file: File) -> Locked {
        #[cfg(unix)]
        lock(&file, FlockOperation::NonBlockingLockShared);
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
fn lock(file: &File, way: FlockOperation) -> bool {
    // On file systems without locks, only one start at a time may use a file.
    flock(file, way) != Err(rustix::io::Errno::WOULDBLOCK)
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
            let _ = flock(&self.file, FlockOperation::Unlock);
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
