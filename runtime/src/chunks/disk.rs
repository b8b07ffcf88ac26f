//! System calls on files: reserving space, names, and reads and writes at a position.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The path with `ending` appended to its name.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The outcome of a call; `None` if the file does not exist.
pub(super) fn if_found<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        outcome => outcome.map(Some),
    }
}

/// Forces the names in the file's folder to the disk. Does nothing on systems that do this by themselves.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// The name of a file that can exist or be written here. Checked now, so that the error does not come after everything is
/// computed.
pub(super) fn expect_file(path: &Path) -> io::Result<&OsStr> {
    let name = path.file_name().ok_or_else(|| io::Error::other("the path does not name a file"))?;
    match path.metadata() {
        Ok(found) if !found.is_file() => Err(io::Error::other("it is not a file")),
        _ => Ok(name),
    }
}

/// Gives an empty file this length, and reserves its space on the disk if the file system can: then no later write finds the
/// disk full.
pub(super) fn reserve(file: &File, length: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate};
        use rustix::io::{Errno, retry_on_intr};
        // Reserved piece by piece, the space would fill the disk for a moment, and other programs' writes would fail.
        if free_space(file).is_some_and(|free| length > free) {
            return Err(Errno::NOSPC.into());
        }
        match retry_on_intr(|| fallocate(file, FallocateFlags::empty(), 0, length)) {
            // The file system reserves space only when something is written.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
            reserved => return Ok(reserved?),
        }
    }
    file.set_len(length)
}

/// The bytes that this user can still write to the file's disk, if the system reports them.
#[cfg(target_os = "linux")]
fn free_space(file: &File) -> Option<u64> {
    let told = rustix::fs::fstatvfs(file).ok()?;
    // A file system that reports no blocks has no limit.
    (told.f_blocks > 0).then(|| told.f_bavail.saturating_mul(told.f_frsize))
}

pub(super) fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, place);
    #[cfg(not(unix))]
    {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = file;
        file.seek(SeekFrom::Start(place))?;
        file.write_all(bytes)
    }
}

pub(super) fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, place);
    #[cfg(not(unix))]
    {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = file;
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(bytes)
    }
}
