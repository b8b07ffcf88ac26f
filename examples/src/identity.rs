//! Whether two names are those of one file, by whatever links.

use std::path::Path;

/// Whether both names lead to one file or folder. Names that lead to nothing do not.
pub(crate) fn same_file(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|one| identity(other) == Some(one))
}

/// Whether this name leads to what standard output or standard error is written to.
pub(crate) fn is_standard_stream(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::fs::File;
        use std::os::fd::{AsFd, BorrowedFd};

        let (out, err) = (std::io::stdout(), std::io::stderr());
        let leads_there = |stream: BorrowedFd<'_>| {
            let file = stream.try_clone_to_owned().map(File::from);
            let found = file.and_then(|file| file.metadata());
            found.is_ok_and(|found| identity(path) == Some(device_and_number(&found)))
        };
        leads_there(out.as_fd()) || leads_there(err.as_fd())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<[u64; 2]> {
    std::fs::metadata(path).ok().as_ref().map(device_and_number)
}

#[cfg(unix)]
fn device_and_number(found: &std::fs::Metadata) -> [u64; 2] {
    use std::os::unix::fs::MetadataExt;
    [found.dev(), found.ino()]
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<std::path::PathBuf> {
    path.canonicalize().ok()
}
