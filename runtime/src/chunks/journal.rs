//! Which bands of a file are on the disk: a text beside it.
//!
//! After lines that identify the work ([`work`](super::work)) and the start, it has records of the same length, one for each band.
//! Each process that writes the file has its own places for records. It writes one after the band's values were forced to the
//! disk, so a record is true whenever a process or a machine ends. It has a checksum of the band's bytes, which a later start
//! compares before it relies on them, and one of its own, which an incomplete record fails.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::disk::{if_found, read_at, sync_folder, with_ending, write_at};
use super::work::{checksum, difference};

/// What a journal begins with.
const TITLE: &str = "td-kernel: bands that are done\n";
/// The bytes of a record.
const RECORD: usize = 96;

/// A band that is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Done {
    pub(super) rows: Range<usize>,
    /// The checksum of its bytes.
    pub(super) checksum: String,
}

/// What is left of these rows, where there are bands in order.
pub(super) fn left(rows: &Range<usize>, done: &[Done]) -> Vec<Range<usize>> {
    let (mut left, mut end) = (Vec::new(), rows.start);
    for Done { rows, .. } in done {
        left.extend((rows.start > end).then_some(end..rows.start));
        end = end.max(rows.end);
    }
    left.extend((rows.end > end).then_some(end..rows.end));
    left
}

fn record(work: &str, Done { rows, checksum: of_bytes }: &Done) -> String {
    let text = format!("band {:20} {:20} {of_bytes:32} ", rows.start, rows.end);
    let own = checksum(Sha256::new_with_prefix(work).chain_update(&text));
    format!("{text}{}\n", &own[..RECORD - text.len() - 1])
}

/// The band of a record, if it is one.
fn band(work: &str, bytes: &[u8]) -> Option<Done> {
    // A record with longer fields was not written by this crate.
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() == RECORD)?;
    let mut words = text.strip_prefix("band ")?.split_whitespace();
    let (start, end) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let checksum = words.next().filter(|word| word.len() == 32)?.to_owned();
    let done = Done { rows: start..end, checksum };
    (record(work, &done) == text).then_some(done)
}

/// What precedes the records. A start has a random number, by which its processes recognise its journal. The checksums of records do
/// not cover it, because a later start keeps the records.
fn head(work: &str, start: u64) -> String {
    format!("{TITLE}{work}start: {start:016x}\n")
}

/// The bands of this journal's text, in order, whatever its start is.
///
/// # Errors
///
/// In what it differs from a journal of this work, in words about the former.
pub(super) fn read(text: &[u8], work: &str) -> Result<Vec<Done>, String> {
    if !text.starts_with(format!("{TITLE}{work}start: ").as_bytes()) {
        let found = String::from_utf8_lossy(text);
        let found = found.strip_prefix(TITLE).unwrap_or_default();
        let is_damaged = || "its beginning is damaged".into();
        return Err(difference(found, work).unwrap_or_else(is_damaged));
    }
    // The last record may be cut, and any may be missing.
    let records = text.get(head(work, 0).len()..).unwrap_or_default().chunks(RECORD);
    let mut done: Vec<_> = records.filter_map(|bytes| band(work, bytes)).collect();
    done.sort_by_key(|done| done.rows.start);
    Ok(done)
}

/// The journal of a start, as one process has it open.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    /// Where the next record of this process goes, and by how much further the one after it.
    next: u64,
    step: u64,
}

impl Journal {
    /// A journal in which these bands are done, in the place of any that there is. It is for the first of so many processes.
    pub(super) fn create(
        path: &Path,
        work: &str,
        start: u64,
        done: &[Done],
        processes: usize,
    ) -> io::Result<Journal> {
        let mut text = head(work, start);
        text.extend(done.iter().map(|done| record(work, done)));
        // Whole or not at all, also if the machine ends meanwhile.
        let new = with_ending(path, ".new");
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        sync_folder(path)?;
        Ok(Journal::at(file, work, done.len(), [0, processes.max(1)]))
    }

    /// Opens the journal of this start, with so many records, for one of so many processes; `None` where it is not there, or is
    /// that of another start.
    pub(super) fn open(
        path: &Path,
        work: &str,
        [start, records]: [u64; 2],
        place: [usize; 2],
    ) -> io::Result<Option<Journal>> {
        let opened = File::options().read(true).write(true).open(path);
        let Some(file) = if_found(opened)? else { return Ok(None) };
        let expected = head(work, start);
        let mut found = vec![0; expected.len()];
        let is_own = read_at(&file, &mut found, 0).is_ok() && found == expected.as_bytes();
        Ok(is_own.then(|| Journal::at(file, work, records as usize, place)))
    }

    fn at(file: File, work: &str, records: usize, [process, of]: [usize; 2]) -> Journal {
        let next = head(work, 0).len() + RECORD * (records + process);
        Journal { file, next: next as u64, step: (RECORD * of) as u64 }
    }

    /// Notes a band, which is on the disk.
    pub(super) fn note(&mut self, work: &str, done: &Done) -> io::Result<()> {
        write_at(&self.file, record(work, done).as_bytes(), self.next)?;
        self.file.sync_data()?;
        self.next += self.step;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: &str =
        "version: 1\nshape: a triangle of 100 elements\nvalues: <f4\nkernel: k 0\ninput: 1\n";

    fn done(rows: Range<usize>) -> Done {
        Done { rows, checksum: format!("{:032x}", 77) }
    }

    #[test]
    fn records_of_processes_are_put_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.part.journal");
        let bands = || read(&fs::read(&path).unwrap(), WORK).unwrap();
        let create = |start, done: &[Done]| Journal::create(&path, WORK, start, done, 3).unwrap();
        let open = |start, process| Journal::open(&path, WORK, [start, 2], [process, 3]).unwrap();
        assert!(open(1, 1).is_none());
        let mut first = create(1, &[done(0..7), done(90..100)]);
        // The second process has noted nothing.
        let mut third = open(1, 2).unwrap();
        third.note(WORK, &done(60..70)).unwrap();
        first.note(WORK, &done(7..9)).unwrap();
        third.note(WORK, &done(70..80)).unwrap();
        first.note(WORK, &done(20..30)).unwrap();
        assert_eq!(left(&(0..100), &bands()), [9..20, 30..60, 80..90]);
        // And from there on with other processes, who do not write to a journal that is not of their start.
        let before = bands();
        create(2, &before).note(WORK, &done(9..20)).unwrap();
        assert!(open(1, 1).is_none());
        assert_eq!(left(&(0..110), &bands()), [30..60, 80..90, 100..110]);
        assert_eq!(left(&(5..5), &[]), []);
    }

    /// Wherever it is cut, and whatever byte is another, no row is done that was not noted.
    #[test]
    fn damage_makes_nothing_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.part.journal");
        let bands = [done(3..5), done(30..40)];
        Journal::create(&path, WORK, 1, &bands, 1).unwrap();
        let whole = fs::read(&path).unwrap();
        let head = head(WORK, 1).len();
        let true_of = |found: &[Done]| found.iter().all(|found| bands.contains(found));
        for length in 0..whole.len() {
            let done = read(&whole[..length], WORK);
            assert!(if length < head - 17 { done.is_err() } else { true_of(&done.unwrap()) });
        }
        for at in head..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 1;
            let done = read(&other, WORK).unwrap();
            assert!(true_of(&done) && done.len() == 1, "{at}: {done:?}");
        }
    }

    #[test]
    fn other_works_journal_is_refused() {
        let text = |work: &str| head(work, 1).into_bytes();
        let other = read(&text(&WORK.replace("100 elements", "101 elements")), WORK).unwrap_err();
        assert!(other.starts_with("it is a triangle of 101 elements, and here it is"), "{other}");
        let damaged = String::from_utf8(text(WORK)).unwrap().replace("start", "stort");
        assert_eq!(read(damaged.as_bytes(), WORK).unwrap_err(), "its beginning is damaged");
        let none = read(b"not a journal", WORK).unwrap_err();
        assert_eq!(none, "it does not describe its work");
    }
}
