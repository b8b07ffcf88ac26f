//! Takes the space for a file.

use std::fs::File;
use std::io;

use rustix::fs::{FallocateFlags, fallocate, fstatvfs};
use rustix::io::Errno;

/// Gives an empty file this length, and takes the space for it from the disk where the file system can: then no later write
/// finds the disk full.
pub(super) fn reserve(file: &File, length: u64) -> io::Result<()> {
    // Taken piece by piece, the space would be all of the disk's for a moment, and other programs' writes would fail.
    if let Ok(told) = fstatvfs(file)
        // A file system without blocks has no end.
        && told.f_blocks > 0
        && length > told.f_bavail.saturating_mul(told.f_frsize)
    {
        return Err(Errno::NOSPC.into());
    }
    loop {
        match fallocate(file, FallocateFlags::empty(), 0, length) {
            Err(Errno::INTR) => {}
            // The file system takes space only when something is written.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => break,
            Err(error) => return Err(error.into()),
            Ok(()) => return Ok(()),
        }
    }
    file.set_len(length)
}
