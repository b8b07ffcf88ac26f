//! Files in a folder that other processes write to, too: compiled kernels, and results of tuning.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The largest file that is read, in bytes. Compiled kernels have some thousands.
const MAX_BYTES: u64 = 1 << 28;

/// Reads a file, but only a regular one: reading a pipe would block, and an endless file would take all memory.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::other("it is too large for a file of this crate"));
    }
    fs::read(path)
}

/// Writes a file that becomes visible only when it is complete, and creates the folder if missing. The file is not forced to
/// the disk: a reader must recognise a damaged file by its contents.
pub(crate) fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    create(folder)?;
    // A new file with an unpredictable name: no link is followed.
    let mut file =
        tempfile::Builder::new().prefix("td-kernel-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(folder.join(name))?;
    Ok(())
}

/// Creates the folder if missing, accessible only to the user.
fn create(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Whether every user of the machine can write to the folder.
pub(crate) fn is_open_to_all(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(folder).is_ok_and(|metadata| metadata.permissions().mode() & 0o002 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "small", b"text").unwrap();
        assert_eq!(read(&folder.path().join("small")).unwrap(), b"text");
        let path = folder.path().join("large");
        // A sparse file, which takes no space on the disk.
        fs::File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("too large"));
        assert!(read(folder.path()).unwrap_err().to_string().contains("not a file"));
    }

    #[cfg(unix)]
    #[test]
    fn folder_and_files_are_private() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("one").join("two");
        write(&folder, "name", b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!([mode(&folder), mode(&folder.join("name"))], [0o700, 0o600]);
        assert_eq!(mode(&parent.path().join("one")), 0o700);
    }

    #[cfg(unix)]
    #[test]
    fn link_is_replaced_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, "kept").unwrap();
        std::os::unix::fs::symlink(&elsewhere, folder.path().join("name")).unwrap();
        write(folder.path(), "name", b"new").unwrap();
        assert_eq!(fs::read(&elsewhere).unwrap(), b"kept");
        assert_eq!(fs::read(folder.path().join("name")).unwrap(), b"new");
    }
}
