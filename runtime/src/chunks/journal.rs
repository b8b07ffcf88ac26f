//! How far a file of bands is complete, in a file beside it.
//!
//! The journal begins with the work ([`work`](super::work)), and has a line for each band that is on the disk. The file is made when
//! the beginning is on the disk; each line is written after the band's bytes have been forced to the disk. It has a checksum of
//! these bytes, which are compared with it before a later process relies on them, and ends with a checksum of its own, so that what a
//! crash has left of a line is not taken for one.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file::{expect_file, sync_folder};
use super::lock::Locked;
use super::work::difference;
use crate::error::BandsCause;
use crate::{Error, Result};

/// What a journal begins with.
const TITLE: &str = "td-kernel: bands that are done\n";

/// What [`super::Bands::resume_npy`] has just done.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeStep {
    /// There is a journal without bands, and no unfinished file.
    JournalCreated,
    /// There is an unfinished file, in which no band is.
    Begun,
    /// A band is in the file, and not in the journal.
    BandWritten,
    /// The band is in the journal, too.
    BandNoted,
    /// The file has its name, and the journal is still there.
    Renamed,
}

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

/// What the finished file is.
pub(super) trait Expected {
    /// The rows of all its bands.
    fn rows(&self) -> Range<usize>;

    /// Whether a file is as long.
    fn has_length(&self, file: &File) -> io::Result<bool>;

    /// Whether a file begins as it does.
    fn has_header(&self, file: &File) -> io::Result<bool>;

    /// The checksum of the bytes that a file of this length has for some rows.
    fn checksum(&self, file: &File, rows: &Range<usize>) -> io::Result<String>;
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
    /// What there is of this work; `None` where nothing was begun.
    pub(super) fn find(path: &Path, work: &str, expected: &impl Expected) -> Result<Option<Begun>> {
        let names = Names::of(path);
        let [of_journal, of_part] =
            [&names.journal, &names.part].map(|beside| move |action| failed(path, action, beside));
        let text = match fs::read(&names.journal) {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match names.part.try_exists() {
                    Ok(true) => Err(BandsCause::NoJournal { part: names.part }.into()),
                    _ => Ok(None),
                };
            }
            Err(error) => return Err(of_journal("read")(error)),
        };
        // The end of a process has left a part of the beginning: then there is no file yet.
        let lines = |text: &str| text.matches('\n').count();
        let is_torn = lines(&text) < lines(&head(work)) && !names.part.exists();
        let lines = match text.strip_prefix(&head(work)) {
            Some(lines) => lines,
            None if is_torn => "",
            None => {
                let Names { part, journal } = names;
                let there = text.strip_prefix(TITLE).unwrap_or_default();
                let difference = difference(there, work);
                let difference = difference.unwrap_or_else(|| "its beginning is damaged".into());
                return Err(BandsCause::OtherWork { part, journal, difference }.into());
            }
        };
        let options = || File::options().read(true).write(true).clone();
        let file = options().open(&names.journal).map_err(of_journal("open"))?;
        let Some(file) = Locked::new(file) else {
            return Err(BandsCause::AtWork { part: names.part }.into());
        };
        if is_torn {
            write_head(&file, work).map_err(of_journal("write"))?;
        }
        let rows = expected.rows();
        let (mut row, mut length, mut is_named) = (rows.start, head(work).len() as u64, false);
        let part = match options().open(&names.part) {
            Ok(part) => {
                // Of a file that is not as long as it was made, nothing is known.
                if expected.has_length(&part).map_err(of_part("read"))? {
                    let found = found(lines, work, &part, expected).map_err(of_part("read"))?;
                    row = found.0;
                    length += found.1;
                }
                part
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match finished(path, lines, work, expected, &names)? {
                    Some(file) => {
                        (row, is_named) = (rows.end, true);
                        file
                    }
                    None => create(&names.part).map_err(of_part("create"))?,
                }
            }
            Err(error) => return Err(of_part("open")(error)),
        };
        let journal = Journal { file, part, work: work.to_owned(), names, is_named };
        Ok(Some(Begun { journal, row, length }))
    }

    /// The first row that is not in the file.
    pub(super) fn row(&self) -> usize {
        self.row
    }

    /// The journal, to be gone on with.
    pub(super) fn go_on(self) -> io::Result<Journal> {
        let Begun { journal, length, .. } = self;
        if journal.is_named {
            return Ok(journal);
        }
        journal.file.set_len(length)?;
        (&*journal.file).seek(SeekFrom::Start(length))?;
        Ok(journal)
    }
}

/// The row before which a file has all bands of these lines, and the bytes of the lines that say so.
fn found(
    lines: &str,
    work: &str,
    file: &File,
    expected: &impl Expected,
) -> io::Result<(usize, u64)> {
    let rows = expected.rows();
    let (mut row, mut length) = (rows.start, 0);
    for line in lines.split_inclusive('\n') {
        let Some((end, of_bytes)) = line_of(line, work) else { break };
        // From the first band that is damaged, all is computed again.
        if !(row..=rows.end).contains(&end) || expected.checksum(file, &(row..end))? != of_bytes {
            break;
        }
        row = end;
        length += line.len() as u64;
    }
    Ok((row, length))
}

/// The file of this name where it is the finished one: an earlier process has ended between giving it the name and removing the
/// journal. `None` where nothing was written.
fn finished(
    path: &Path,
    lines: &str,
    work: &str,
    expected: &impl Expected,
    names: &Names,
) -> Result<Option<File>> {
    if !path.is_file() {
        return Ok(None);
    }
    let of_file = |reason| Error::io("read", path, reason);
    let file = File::open(path).map_err(of_file)?;
    let is_finished = || -> io::Result<bool> {
        Ok(expected.has_length(&file)?
            && expected.has_header(&file)?
            && found(lines, work, &file, expected)?.0 == expected.rows().end)
    };
    let has_line =
        lines.split_inclusive('\n').next().and_then(|line| line_of(line, work)).is_some();
    match is_finished().map_err(of_file)? {
        true => Ok(Some(file)),
        false if has_line => {
            let (part, journal) = (names.part.clone(), names.journal.clone());
            Err(BandsCause::NotFinished { path: path.to_owned(), part, journal }.into())
        }
        // The process ended before it made the unfinished file.
        false => Ok(None),
    }
}

/// How far a file is complete.
pub(super) struct Journal {
    file: Locked,
    part: File,
    work: String,
    names: Names,
    /// Whether the file has its name already.
    is_named: bool,
}

impl Journal {
    /// A journal of this work, and an empty file.
    pub(super) fn begin(
        path: &Path,
        work: &str,
        step: &mut impl FnMut(ResumeStep),
    ) -> Result<Journal> {
        let own = |reason| Error::io("write", path, reason);
        let names = Names::of(path);
        expect_file(path).map_err(own)?;
        let file = create(&names.journal).map_err(failed(path, "create", &names.journal))?;
        let Some(file) = Locked::new(file) else {
            return Err(BandsCause::AtWork { part: names.part }.into());
        };
        write_head(&file, work).map_err(failed(path, "write", &names.journal))?;
        step(ResumeStep::JournalCreated);
        let part = create(&names.part).map_err(failed(path, "create", &names.part))?;
        sync_folder(path).map_err(own)?;
        Ok(Journal { file, part, work: work.to_owned(), names, is_named: false })
    }

    /// Whether the file has its name already, with all bands in it.
    pub(super) fn is_named(&self) -> bool {
        self.is_named
    }

    /// The file of the bands.
    pub(super) fn part(&self) -> &File {
        &self.part
    }

    /// All rows before this one are in the file. The bytes of those after the line before have this checksum.
    pub(super) fn reached(&self, row: usize, checksum: &str) -> io::Result<()> {
        self.part.sync_data()?;
        (&*self.file).write_all(line(row, checksum, &self.work).as_bytes())?;
        self.file.sync_data()
    }

    /// All is there: the file gets its name.
    pub(super) fn finish(self, path: &Path, step: &mut impl FnMut(ResumeStep)) -> io::Result<()> {
        if !self.is_named {
            self.part.sync_all()?;
            fs::rename(&self.names.part, path)?;
            step(ResumeStep::Renamed);
        }
        sync_folder(path)?;
        match fs::remove_file(&self.names.journal) {
            // The process that gave the file its name was still there, and has removed it.
            Err(error) if self.is_named && error.kind() == io::ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }
}

/// What is wrong with a file beside the one of this path, which is what people know.
fn failed(path: &Path, action: &'static str, beside: &Path) -> impl FnOnce(io::Error) -> Error {
    let (path, beside) = (path.to_owned(), beside.to_owned());
    move |reason| BandsCause::Beside { path, action, beside, reason }.into()
}

/// What precedes the lines of bands.
fn head(work: &str) -> String {
    format!("{TITLE}{work}")
}

/// Writes the beginning of a journal that has no lines.
fn write_head(mut file: &File, work: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(head(work).as_bytes())?;
    file.sync_all()
}

/// The line that says that all rows before this one are there, and which checksum the bytes of its band have.
fn line(row: usize, of_bytes: &str, work: &str) -> String {
    let text = format!("rows before {row}: {of_bytes}");
    let digest = Sha256::new().chain_update(work).chain_update(&text).finalize();
    let checksum = base16ct::lower::encode_string(digest.get(..4).unwrap_or_default());
    format!("{text} {checksum}\n")
}

/// The row of such a line, and the checksum of its band's bytes; `None` of any other one.
fn line_of<'t>(text: &'t str, work: &str) -> Option<(usize, &'t str)> {
    let (row, checksums) = text.strip_prefix("rows before ")?.split_once(": ")?;
    let (row, of_bytes) = (row.parse().ok()?, checksums.split_once(' ')?.0);
    (line(row, of_bytes, work) == text).then_some((row, of_bytes))
}

fn create(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_count() {
        let whole = line(1234, "0a1b", "work");
        assert_eq!(line_of(&whole, "work"), Some((1234, "0a1b")));
        assert_eq!(line_of(&whole, "other"), None);
        for length in 0..whole.len() {
            assert_eq!(line_of(&whole[..length], "work"), None);
        }
        assert_eq!(line_of(&whole.replace("1234", "1235"), "work"), None);
        assert_eq!(line_of(&whole.replace("0a1b", "0a1c"), "work"), None);
    }
}
