//! Identifies a library's file without loading it.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

/// A library's file when this was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend::nvrtc) struct Identity {
    /// Without symbolic links. Releases installed side by side differ in it.
    pub(in crate::backend::nvrtc) path: PathBuf,
    /// In bytes.
    pub(in crate::backend::nvrtc) size: u64,
    /// When the file was written, in nanoseconds since 1970.
    pub(in crate::backend::nvrtc) modified: i128,
    /// The first bytes. They hold sizes and mostly a build number, which distinguish releases that were unpacked with a fixed
    /// time of modification.
    pub(in crate::backend::nvrtc) head: Vec<u8>,
}

/// The part of a library that a loader reads first; at most the smallest page size.
const HEAD: u64 = 4096;

impl Identity {
    /// The identity of the file at `path`, if it can be read.
    pub(super) fn of(path: PathBuf) -> Option<Identity> {
        let path = path.canonicalize().ok()?;
        // Checked first: opening a pipe would wait for its other end.
        let file = path.is_file().then(|| File::open(&path).ok()).flatten()?;
        let metadata = file.metadata().ok()?;
        let modified = metadata.modified().ok()?;
        let nanoseconds = |time: std::time::Duration| i128::try_from(time.as_nanos()).ok();
        let modified = match modified.duration_since(UNIX_EPOCH) {
            Ok(after) => nanoseconds(after)?,
            Err(before) => -nanoseconds(before.duration())?,
        };
        let mut head = Vec::new();
        file.take(HEAD).read_to_end(&mut head).ok()?;
        Some(Identity { path, size: metadata.len(), modified, head })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    #[test]
    fn changed_file_changes_identity() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library.so");
        let of = || Identity::of(path.clone()).unwrap();
        fs::write(&path, "one").unwrap();
        let time = UNIX_EPOCH + Duration::from_secs(1);
        let set = |time| File::options().write(true).open(&path).unwrap().set_modified(time);
        set(time).unwrap();
        let first = of();
        assert_eq!(first, of());
        fs::write(&path, "two").unwrap();
        set(time).unwrap();
        assert_ne!(first.head, of().head);
        fs::write(&path, "one").unwrap();
        set(UNIX_EPOCH - Duration::from_secs(1)).unwrap();
        assert_eq!(of().modified, -1_000_000_000);
        fs::write(&path, "longer").unwrap();
        assert_ne!(first.size, of().size);
    }

    #[test]
    fn missing_file_has_no_identity() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Identity::of(folder.path().to_owned()), None);
        assert_eq!(Identity::of(folder.path().join("missing")), None);
    }

    #[cfg(unix)]
    #[test]
    fn link_has_identity_of_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("lib.so.13.0"), folder.path().join("lib.so.13"));
        fs::write(&file, "library").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(Identity::of(link), Identity::of(file));
    }
}
