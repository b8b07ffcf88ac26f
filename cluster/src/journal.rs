//! Which bands of a file are done: a small text beside it.
//!
//! After lines that identify the job, it has records of the same length, one for each band. A rank writes a record to a place
//! of its own, after the band's values have been forced to the disk: so none is overwritten, and a record that is there is
//! true, whenever a rank or a machine ends. It has a checksum of the band's bytes, which are compared with it before another job
//! relies on them. One that was cut in the middle is known by its own checksum, and one that was never written is zeros.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::fdatasync;
use sha2::{Digest, Sha256};
use td_kernel::__private::{checksum, difference, sync_folder};

use crate::{Error, Result, Shape};

/// The bytes before the first record.
const HEAD: usize = 512;
/// The bytes of a record.
const RECORD: usize = 96;
/// What a journal begins with.
const TITLE: &str = "td-kernel-cluster: bands that are done\n";
/// How long a file system may take to show one machine what another has written.
const PATIENCE: Duration = Duration::from_secs(10);

/// The journal of a file.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    /// What each record's checksum is also of.
    job: String,
    /// Where the next record of this rank goes, and by how much further the one after it.
    next: u64,
    step: u64,
}

/// The name of the journal of a file.
pub(crate) fn path_of(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".journal");
    name.into()
}

/// A band that is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) rows: Range<usize>,
    /// The checksum of its bytes.
    pub(crate) of_bytes: String,
}

/// The rows of bands that are in order, joined.
pub(crate) fn joined(done: &[Done]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for Done { rows, .. } in done {
        match joined.last_mut() {
            // The same band again, or one that goes on.
            Some(last) if rows.start <= last.end => last.end = last.end.max(rows.end),
            _ => joined.push(rows.clone()),
        }
    }
    joined
}

fn record(job: &str, Done { rows, of_bytes }: &Done) -> String {
    let text = format!("rows {:20} {:20} {of_bytes:32} ", rows.start, rows.end);
    let checksum = checksum(Sha256::new_with_prefix(job).chain_update(&text));
    format!("{text}{}\n", &checksum[..RECORD - text.len() - 1])
}

/// The band of a record, if it is one.
fn band(job: &str, bytes: &[u8]) -> Option<Done> {
    // Longer words than a record has are none that was written.
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() == RECORD)?;
    let mut words = text.strip_prefix("rows ")?.split_whitespace();
    let (start, end) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let of_bytes = words.next().filter(|word| word.len() == 32)?.to_owned();
    let done = Done { rows: start..end, of_bytes };
    (record(job, &done) == text).then_some(done)
}

/// What a journal of this start of a job has before the records. The start is a number that no other start has, so that ranks
/// know the journal of their own; a record's checksum is not of it, since a job that was cut goes on with another one.
fn head(path: &Path, job: &str, start: u64) -> Result<String> {
    let mut text = format!("{TITLE}{job}start: {start:016x}\n");
    if text.len() >= HEAD {
        let reason = io::Error::other("the job's name is too long");
        return Err(Error::File { action: "create", path: path.into(), reason });
    }
    text += &" ".repeat(HEAD - 1 - text.len());
    text.push('\n');
    Ok(text)
}

/// A journal of this start of a job, of which these bands are done, in the place of any that there is.
pub(crate) fn create(path: &Path, job: &str, start: u64, done: &[Done]) -> Result<()> {
    let mut text = head(path, job, start)?;
    text.extend(done.iter().map(|done| record(job, done)));
    // Whole or not at all, also if the machine ends meanwhile.
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        sync_folder(path)
    };
    write().map_err(Error::file("create", path))
}

/// The bands that are done, in order, by the journal of this job; `None` where there is no journal.
pub(crate) fn read(path: &Path, job: &str, shape: &Shape) -> Result<Option<Vec<Done>>> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(Error::file("read", path))?,
    };
    let damaged = |why: &str| Error::Damaged { journal: path.into(), why: why.into() };
    let (head, records) = bytes.split_at_checked(HEAD).ok_or_else(|| damaged("it is cut"))?;
    let head = String::from_utf8_lossy(head);
    let found = head.strip_prefix(TITLE).ok_or_else(|| damaged("it is not a journal"))?;
    if let Some(difference) = difference(found, job) {
        // What is in front of the journal's ending is the unfinished file's name.
        let part = path.with_extension("");
        return Err(Error::OtherJob { journal: path.into(), part, difference });
    }
    // The last record may be cut, and any may be missing.
    let mut done: Vec<_> = records.chunks(RECORD).filter_map(|bytes| band(job, bytes)).collect();
    done.sort_by_key(|done| done.rows.start);
    match done.iter().any(|done| done.rows.start > done.rows.end || done.rows.end > shape.rows()) {
        true => Err(damaged("it has rows that the job has not")),
        false => Ok(Some(done)),
    }
}

impl Journal {
    /// Opens the journal of this start of a job, which has so many records, for one of so many ranks.
    ///
    /// Another one of the same name is left over from another job, in a folder of this machine's own.
    pub(crate) fn open(
        path: &Path,
        job: &str,
        start: u64,
        records: usize,
        [rank, size]: [usize; 2],
    ) -> Result<Journal> {
        let expected = head(path, job, start)?;
        let begin = Instant::now();
        let file = loop {
            match File::options().read(true).write(true).open(path) {
                Ok(file) if is_head(&file, &expected) => break file,
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::file("open", path)(error));
                }
                _ if begin.elapsed() > PATIENCE => {
                    return Err(Error::OtherFolder { path: path.into() });
                }
                // What another machine has just written may not be seen at once.
                _ => thread::sleep(Duration::from_millis(50)),
            }
        };
        let place = HEAD + RECORD * (records + rank);
        let (next, step) = (place as u64, (RECORD * size) as u64);
        Ok(Journal { file, path: path.into(), job: job.into(), next, step })
    }

    /// Notes that a band is done, which is on the disk.
    pub(crate) fn note(&mut self, done: &Done) -> Result<()> {
        let text = record(&self.job, done);
        let write = || {
            self.file.write_all_at(text.as_bytes(), self.next)?;
            fdatasync(&self.file)?;
            Ok(())
        };
        write().map_err(Error::file("write", &self.path))?;
        self.next += self.step;
        Ok(())
    }
}

/// Whether a file begins with this.
fn is_head(file: &File, expected: &str) -> bool {
    let mut bytes = [0; HEAD];
    file.read_exact_at(&mut bytes, 0).is_ok() && bytes == expected.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: &str =
        "version: 1\nshape: a triangle of 100 elements\nvalues: <f4\nkernel: k 0\ninput: 1\n";
    const SHAPE: Shape = Shape::triangle(100);

    fn done(rows: Range<usize>) -> Done {
        Done { rows, of_bytes: format!("{:032x}", 77) }
    }

    fn rows_in(path: &Path) -> Vec<Range<usize>> {
        joined(&read(path, JOB, &SHAPE).unwrap().unwrap())
    }

    #[test]
    fn records_of_ranks_are_joined() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.cluster.journal");
        assert_eq!(read(&path, JOB, &SHAPE).unwrap(), None);
        create(&path, JOB, 1, &[done(0..7), done(90..100)]).unwrap();
        let mut ranks = [0, 1, 2].map(|rank| Journal::open(&path, JOB, 1, 2, [rank, 3]).unwrap());
        // The second rank has noted nothing.
        ranks[2].note(&done(60..70)).unwrap();
        ranks[0].note(&done(7..9)).unwrap();
        ranks[2].note(&done(70..80)).unwrap();
        ranks[0].note(&done(20..30)).unwrap();
        let bands = read(&path, JOB, &SHAPE).unwrap().unwrap();
        assert_eq!(joined(&bands), [0..9, 20..30, 60..80, 90..100]);
        // And from there on with other ranks.
        create(&path, JOB, 2, &bands).unwrap();
        assert_eq!(read(&path, JOB, &SHAPE).unwrap().unwrap(), bands);
        Journal::open(&path, JOB, 2, bands.len(), [1, 2]).unwrap().note(&done(9..20)).unwrap();
        assert_eq!(rows_in(&path), [0..30, 60..80, 90..100]);
    }

    /// Wherever it is cut, and whatever byte is another, no row is done that was not noted.
    #[test]
    fn damage_makes_nothing_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.cluster.journal");
        create(&path, JOB, 1, &[done(3..5), done(30..40)]).unwrap();
        let whole = fs::read(&path).unwrap();
        let bands = [done(3..5), done(30..40)];
        let true_of = |found: &[Done]| found.iter().all(|found| bands.contains(found));
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let done = read(&path, JOB, &SHAPE);
            assert!(if length < HEAD { done.is_err() } else { true_of(&done.unwrap().unwrap()) });
        }
        for at in HEAD..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 1;
            fs::write(&path, &other).unwrap();
            let done = read(&path, JOB, &SHAPE).unwrap().unwrap();
            assert!(true_of(&done) && done.len() == 1, "{at}: {done:?}");
        }
    }

    #[test]
    fn other_jobs_journal_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.cluster.journal");
        let message = |text: &str, job: &str| {
            create(&path, text, 1, &[]).unwrap();
            read(&path, job, &SHAPE).unwrap_err().to_string()
        };
        let error = message(JOB, &JOB.replace("input: 1", "input: 2"));
        for words in [
            "a.npy.cluster.journal is the journal of other work: its elements, or other values that the kernel is given, are not those",
            "(their checksum is 1 there, and 2 here). Give what that work was begun with, remove it and ",
            "a.npy.cluster to begin anew, or write to another file",
        ] {
            assert!(error.contains(words), "{error}");
        }
        let error = message(JOB, &JOB.replace("100 elements", "101 elements"));
        assert!(
            error.contains("other work: it is a triangle of 100 elements, and here it is"),
            "{error}"
        );
        create(&path, JOB, 1, &[done(90..101)]).unwrap();
        let error = read(&path, JOB, &SHAPE).unwrap_err().to_string();
        assert!(error.contains("it has rows that the job has not"), "{error}");
        fs::write(&path, "not a journal ".repeat(100)).unwrap();
        let error = read(&path, JOB, &SHAPE).unwrap_err().to_string();
        assert!(error.contains("it is not a journal"), "{error}");
    }

    /// A rank does not write where another job has left its files.
    #[test]
    fn ranks_find_the_journal_of_their_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy.cluster.journal");
        create(&path, JOB, 1, &[]).unwrap();
        // It comes a moment later.
        let late = thread::scope(|scope| {
            let late = scope.spawn(|| Journal::open(&path, JOB, 2, 0, [1, 2]).map(drop));
            thread::sleep(Duration::from_millis(200));
            assert!(!late.is_finished());
            create(&path, JOB, 2, &[]).unwrap();
            late.join().unwrap()
        });
        late.unwrap();
        let error = Journal::open(&path, JOB, 1, 0, [1, 2]).unwrap_err().to_string();
        assert!(error.contains("is not the one that rank 0 has made"), "{error}");
    }
}
