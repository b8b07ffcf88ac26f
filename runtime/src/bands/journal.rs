//! How far a file of bands is complete, in a file beside it.
//!
//! The journal has a line for the work, and one for each band that is on the disk. The file is made when the first line is
//! on the disk; each other line is written after the band's bytes have been forced to the disk, and ends with a checksum, so that
//! what a crash has left of a line is not taken for one.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file::expect_file;
use crate::Result;
use crate::error::{BandsCause, Cause};

/// What the first line begins with.
const TITLE: &str = "td-kernel bands 1, work ";

/// The names of a file that is not finished, and of its journal.
struct Names {
    part: PathBuf,
    journal: PathBuf,
}

impl Names {
    fn of(path: &Path) -> Names {
        let named = |ending: &str| {
            let mut name = OsString::from(path);
            name.push(ending);
            PathBuf::from(name)
        };
        Names { part: named(".part"), journal: named(".part.journal") }
    }
}

/// A file that an earlier process has begun.
pub(super) struct Begun {
    journal: Journal,
    /// The first row that is not in the file.
    row: usize,
    /// The bytes of the journal that are whole lines.
    length: u64,
}

impl Begun {
    /// What there is of this work; `None` where nothing was begun. The finished file has so many bytes.
    pub(super) fn find(
        path: &Path,
        identity: &str,
        bytes: u64,
        rows: &Range<usize>,
    ) -> Result<Option<Begun>> {
        let names = Names::of(path);
        let reading =
            |reason| Cause::Io { action: "read", path: names.journal.clone(), reason }.into();
        let text = match fs::read(&names.journal) {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match names.part.try_exists() {
                    Ok(true) => Err(BandsCause::NoJournal { part: names.part }.into()),
                    _ => Ok(None),
                };
            }
            Err(error) => return Err(reading(error)),
        };
        // The end of a process has left a part of the first line: then there is no file yet.
        let is_torn = !text.contains('\n') && !names.part.exists();
        let lines = match text.strip_prefix(&first_line(identity)) {
            Some(lines) => lines,
            None if is_torn => "",
            None => {
                let Names { part, journal } = names;
                return Err(BandsCause::OtherWork { part, journal }.into());
            }
        };
        let file = File::options().read(true).write(true).open(&names.journal).map_err(reading)?;
        if !lock(&file) {
            return Err(BandsCause::AtWork { journal: names.journal }.into());
        }
        if is_torn {
            write_first_line(&file, identity).map_err(reading)?;
        }
        let part = File::options().read(true).write(true).open(&names.part);
        let is_whole = |part: &File| part.metadata().is_ok_and(|found| found.len() == bytes);
        let (mut row, mut length) = (rows.start, first_line(identity).len() as u64);
        let part = match part {
            Ok(part) => {
                // Of a file that is not as long as it was made, nothing is known.
                if is_whole(&part) {
                    for line in lines.split_inclusive('\n') {
                        let Some(end) = line_of(line, identity) else { break };
                        if !(row..=rows.end).contains(&end) {
                            break;
                        }
                        row = end;
                        length += line.len() as u64;
                    }
                }
                part
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(&names.part).map_err(reading)?
            }
            Err(error) => return Err(reading(error)),
        };
        let journal = Journal { file, part, identity: identity.to_owned(), names };
        Ok(Some(Begun { journal, row, length }))
    }

    /// The first row that is not in the file.
    pub(super) fn row(&self) -> usize {
        self.row
    }

    /// The journal, to be gone on with.
    pub(super) fn go_on(self) -> io::Result<Journal> {
        let Begun { mut journal, length, .. } = self;
        journal.file.set_len(length)?;
        journal.file.seek(SeekFrom::Start(length))?;
        Ok(journal)
    }
}

/// How far a file is complete.
pub(super) struct Journal {
    file: File,
    part: File,
    identity: String,
    names: Names,
}

impl Journal {
    /// A journal of this work, and an empty file.
    pub(super) fn begin(path: &Path, identity: &str) -> Result<Journal> {
        let failed = |reason| Cause::Io { action: "write", path: path.to_owned(), reason }.into();
        let names = Names::of(path);
        expect_file(path).map_err(failed)?;
        let file = create(&names.journal).map_err(failed)?;
        if !lock(&file) {
            return Err(BandsCause::AtWork { journal: names.journal }.into());
        }
        write_first_line(&file, identity).map_err(failed)?;
        let part = create(&names.part).map_err(failed)?;
        sync_folder(path).map_err(failed)?;
        Ok(Journal { file, part, identity: identity.to_owned(), names })
    }

    /// The file of the bands.
    pub(super) fn part(&self) -> &File {
        &self.part
    }

    /// All rows before this one are in the file.
    pub(super) fn reached(&self, row: usize) -> io::Result<()> {
        self.part.sync_data()?;
        (&self.file).write_all(line(row, &self.identity).as_bytes())?;
        self.file.sync_data()
    }

    /// All is there: the file gets its name.
    pub(super) fn finish(self, path: &Path) -> io::Result<()> {
        self.part.sync_all()?;
        fs::rename(&self.names.part, path)?;
        sync_folder(path)?;
        fs::remove_file(&self.names.journal)
    }
}

fn first_line(identity: &str) -> String {
    format!("{TITLE}{identity}\n")
}

/// Writes the first line of a journal that has no other one.
fn write_first_line(mut file: &File, identity: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(first_line(identity).as_bytes())?;
    file.sync_all()
}

/// The line that says that all rows before this one are there.
fn line(row: usize, identity: &str) -> String {
    let text = format!("rows before {row}");
    let digest = Sha256::new().chain_update(identity).chain_update(&text).finalize();
    let checksum = base16ct::lower::encode_string(digest.get(..4).unwrap_or_default());
    format!("{text}: {checksum}\n")
}

/// The row of such a line; `None` of any other one.
fn line_of(text: &str, identity: &str) -> Option<usize> {
    let row = text.strip_prefix("rows before ")?.split_once(':')?.0.parse().ok()?;
    (line(row, identity) == text).then_some(row)
}

fn create(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

/// Has the disk know the names in the file's folder. Where a system cannot, it does so by itself.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match cfg!(unix) {
        true => File::open(folder.unwrap_or(Path::new(".")))?.sync_all(),
        false => Ok(()),
    }
}

/// Locks the file until this process closes it; false if another process has it.
fn lock(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: the file is open, and the call changes nothing in this process.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
            // File systems without locks are used by one process at a time.
            return io::Error::last_os_error().kind() != io::ErrorKind::WouldBlock;
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_count() {
        let whole = line(1234, "work");
        assert_eq!(line_of(&whole, "work"), Some(1234));
        assert_eq!(line_of(&whole, "other"), None);
        for length in 0..whole.len() {
            assert_eq!(line_of(&whole[..length], "work"), None);
        }
        assert_eq!(line_of(&whole.replace("1234", "1235"), "work"), None);
    }
}
