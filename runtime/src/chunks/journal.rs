//! The journal beside a file: a text that lists which of the file's chunks are on the disk.
//!
//! Lines that identify the work ([`work`](super::work)) and the start come first, then records of equal length, one per chunk.
//! Each process that writes the file has its own positions for records. It writes a record after the chunk's values were forced
//! to the disk, so records are correct whenever a process or a machine ends. A record has a checksum of the chunk's bytes, which
//! a later start compares before it relies on them, and a checksum of its own, which detects an incomplete record.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::disk::{if_found, read_at, sync_folder, with_ending, write_at};
use super::work::{checksum, difference};

/// The first line of a journal.
const TITLE: &str = "td-kernel: chunks that are done\n";
/// The bytes of a record.
const RECORD: usize = 96;

/// A chunk that is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Done {
    pub(super) rows: Range<usize>,
    /// The checksum of its bytes.
    pub(super) checksum: String,
}

/// The rows that are left, given the chunks that are done, in order.
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
    let text = format!("chunk {:20} {:20} {of_bytes:32} ", rows.start, rows.end);
    let own = checksum(Sha256::new_with_prefix(work).chain_update(&text));
    format!("{text}{}\n", &own[..RECORD - text.len() - 1])
}

/// The chunk of a record, if it is valid.
fn chunk(work: &str, bytes: &[u8]) -> Option<Done> {
    // This crate writes no record with longer fields.
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() == RECORD)?;
    let mut words = text.strip_prefix("chunk ")?.split_whitespace();
    let (start, end) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let checksum = words.next().filter(|word| word.len() == 32)?.to_owned();
    let done = Done { rows: start..end, checksum };
    (record(work, &done) == text).then_some(done)
}

/// The lines before the records. A start has a random number, by which its processes recognise its journal. The checksums of
/// records do not cover it, because a later start keeps the records.
fn head(work: &str, start: u64) -> String {
    format!("{TITLE}{work}start: {start:016x}\n")
}

/// The chunks of a journal, in order, whatever its start.
///
/// # Errors
///
/// How this journal differs from a journal of `work`.
pub(super) fn read(text: &[u8], work: &str) -> Result<Vec<Done>, String> {
    if !text.starts_with(format!("{TITLE}{work}start: ").as_bytes()) {
        let found = String::from_utf8_lossy(text);
        let found = found.strip_prefix(TITLE).unwrap_or_default();
        let is_damaged = || "its header is damaged".into();
        return Err(difference(found, work).unwrap_or_else(is_damaged));
    }
    // The last record may be incomplete, and any may be missing.
    let records = text.get(head(work, 0).len()..).unwrap_or_default().chunks(RECORD);
    let mut done: Vec<_> = records.filter_map(|bytes| chunk(work, bytes)).collect();
    done.sort_by_key(|done| done.rows.start);
    Ok(done)
}

/// The journal of a start, as opened by one process.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    /// The position of this process's next record, and the distance to the one after it.
    next: u64,
    step: u64,
}

impl Journal {
    /// Creates or replaces the journal, with these chunks done. It is for process 0 of `processes`.
    pub(super) fn create(
        path: &Path,
        work: &str,
        start: u64,
        done: &[Done],
        processes: usize,
    ) -> io::Result<Journal> {
        let [next, step] = Journal::places(work, done.len() as u64, [0, processes.max(1)])?;
        let mut text = head(work, start);
        text.extend(done.iter().map(|done| record(work, done)));
        // All or nothing, also if the machine stops meanwhile.
        let new = with_ending(path, ".new");
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        sync_folder(path)?;
        Ok(Journal { file, next, step })
    }

    /// Opens the journal of this start, with `records` records, for one of several processes; `None` if it is missing or has
    /// another start.
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
        if !is_own {
            return Ok(None);
        }
        let [next, step] = Journal::places(work, records, place)?;
        Ok(Some(Journal { file, next, step }))
    }

    /// The position of a process's first record, and the distance to its next one.
    fn places(work: &str, records: u64, [process, of]: [usize; 2]) -> io::Result<[u64; 2]> {
        let head = head(work, 0).len() as u64;
        let place = |record: u64| record.checked_mul(RECORD as u64)?.checked_add(head);
        let first = records.checked_add(process as u64);
        let second = first.and_then(|first| first.checked_add(of as u64)).and_then(place);
        match (first.and_then(place), second) {
            (Some(first), Some(second)) if i64::try_from(second).is_ok() => {
                Ok([first, second - first])
            }
            _ => Err(io::Error::other(format!(
                "after {records} records, process {process} of {of} would write past the maximum size of a file: pass the ticket \
                 and the number of processes of process 0"
            ))),
        }
    }

    /// Records a chunk that is on the disk.
    pub(super) fn note(&mut self, work: &str, done: &Done) -> io::Result<()> {
        write_at(&self.file, record(work, done).as_bytes(), self.next)?;
        self.file.sync_data()?;
        self.next = self.next.saturating_add(self.step);
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
    fn process_records_are_merged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.part.journal");
        let chunks = || read(&fs::read(&path).unwrap(), WORK).unwrap();
        let create = |start, done: &[Done]| Journal::create(&path, WORK, start, done, 3).unwrap();
        let open = |start, process| Journal::open(&path, WORK, [start, 2], [process, 3]).unwrap();
        assert!(open(1, 1).is_none());
        let mut first = create(1, &[done(0..7), done(90..100)]);
        // The second process has recorded nothing.
        let mut third = open(1, 2).unwrap();
        third.note(WORK, &done(60..70)).unwrap();
        first.note(WORK, &done(7..9)).unwrap();
        third.note(WORK, &done(70..80)).unwrap();
        first.note(WORK, &done(20..30)).unwrap();
        assert_eq!(left(&(0..100), &chunks()), [9..20, 30..60, 80..90]);
        // Another start continues with other processes. Processes of the first start do not write to its journal.
        let before = chunks();
        create(2, &before).note(WORK, &done(9..20)).unwrap();
        assert!(open(1, 1).is_none());
        // Tickets and processes that are past the end of any file.
        for (records, place) in
            [(1 << 60, [1, 3]), (u64::MAX, [1, 3]), (4, [1, usize::MAX]), (4, [1 << 60, 1 << 61])]
        {
            let error = Journal::open(&path, WORK, [2, records], place).unwrap_err();
            assert!(error.to_string().contains("pass the ticket"), "{error}");
        }
        assert!(Journal::create(&path, WORK, 3, &before, usize::MAX).is_err());
        assert_eq!(left(&(0..110), &chunks()), [30..60, 80..90, 100..110]);
        assert_eq!(left(&(5..5), &[]), []);
    }

    /// Wherever it is truncated, and whichever byte is changed, no row counts as done that was not recorded.
    #[test]
    fn damaged_records_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.part.journal");
        let chunks = [done(3..5), done(30..40)];
        Journal::create(&path, WORK, 1, &chunks, 1).unwrap();
        let whole = fs::read(&path).unwrap();
        let head = head(WORK, 1).len();
        let true_of = |found: &[Done]| found.iter().all(|found| chunks.contains(found));
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
    fn foreign_journal_is_refused() {
        let text = |work: &str| head(work, 1).into_bytes();
        let other = read(&text(&WORK.replace("100 elements", "101 elements")), WORK).unwrap_err();
        let expected = "its shape is a triangle of 101 elements, but here it is";
        assert!(other.starts_with(expected), "{other}");
        let damaged = String::from_utf8(text(WORK)).unwrap().replace("start", "stort");
        assert_eq!(read(damaged.as_bytes(), WORK).unwrap_err(), "its header is damaged");
        let none = read(b"not a journal", WORK).unwrap_err();
        assert_eq!(none, "it does not contain a description of the work");
    }
}
