//! The files of a job: what an earlier one has left, and what this one makes of it.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use sha2::{Digest, Sha256};
use td_kernel::__private::{checksum, reserve, sync_folder};

use crate::journal::{self, Done, joined};
use crate::shape::others;
use crate::{Error, Result, Shape};

/// How long to wait for the ranks of a job that was cut to be gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// The names of a job's files.
pub(super) struct Files {
    output: PathBuf,
    /// What the output is called until it is whole.
    pub(super) part: PathBuf,
    pub(super) journal: PathBuf,
}

/// What is to be written.
pub(super) struct Wanted<'a> {
    pub(super) job: &'a str,
    pub(super) shape: Shape,
    pub(super) header: &'a [u8],
    /// The bytes of the whole file, and of a value.
    pub(super) length: u64,
    pub(super) size: usize,
    /// A number of this start's own.
    pub(super) start: u64,
    /// Whether to go on with a job that was cut, and whether to replace what there is.
    pub(super) resume: bool,
    pub(super) replace: bool,
}

/// The file, which no other job can write as long as this is open, under either of its names; and the bands that are done.
type Prepared = (File, Vec<Done>);

impl Wanted<'_> {
    /// Whether a file has the length of the whole one.
    fn has_length(&self, file: &File) -> io::Result<bool> {
        Ok(file.metadata()?.len() == self.length)
    }

    /// Those of the bands that are in a file of the right length.
    fn found(&self, file: &File, bands: Vec<Done>) -> io::Result<Vec<Done>> {
        let mut found = Vec::new();
        for done in bands {
            if self.checksum(file, &done.rows)? == done.of_bytes {
                found.push(done);
            }
        }
        Ok(found)
    }

    /// The checksum of the bytes that a file has for some rows.
    fn checksum(&self, file: &File, rows: &Range<usize>) -> io::Result<String> {
        let mut place = (self.header.len() + self.shape.start(rows.start) * self.size) as u64;
        let mut left = self.shape.values(rows) * self.size;
        let (mut hash, mut bytes) = (Sha256::new(), vec![0; left.min(1 << 20)]);
        while left > 0 {
            let count = left.min(bytes.len());
            file.read_exact_at(&mut bytes[..count], place)?;
            hash.update(&bytes[..count]);
            (left, place) = (left - count, place + count as u64);
        }
        Ok(checksum(hash))
    }

    /// Whether a file is the finished one, by all its bands.
    fn is_finished(&self, file: &File, bands: &[Done]) -> io::Result<bool> {
        if !others(&joined(bands), self.shape.rows()).is_empty() || !self.has_length(file)? {
            return Ok(false);
        }
        let mut header = vec![0; self.header.len()];
        file.read_exact_at(&mut header, 0)?;
        Ok(header == self.header && self.found(file, bands.to_vec())?.len() == bands.len())
    }
}

impl Files {
    /// Those of an output of this name.
    pub(super) fn of(path: &Path) -> Files {
        let mut part = path.as_os_str().to_owned();
        // Not `.part`, which is what one process calls the file that it goes on with.
        part.push(".cluster");
        let part = PathBuf::from(part);
        Files { output: path.into(), journal: journal::path_of(&part), part }
    }

    /// Looks for what an earlier job has left, and makes the files where there is nothing.
    pub(super) fn prepare(&self, wanted: &Wanted<'_>) -> Result<Prepared> {
        let Files { part, journal, .. } = self;
        self.expect_free(wanted)?;
        if wanted.resume && journal.exists() {
            return self.go_on(wanted);
        }
        let file = self.lock(true)?.ok_or_else(|| Error::Busy { path: part.clone() })?;
        // Another job may have come to its end meanwhile.
        if let Err(error) = self.expect_free(wanted) {
            if file.metadata().is_ok_and(|found| found.len() == 0) {
                let _ = fs::remove_file(part);
            }
            return Err(error);
        }
        self.begin(&file, wanted)?;
        Ok((file, Vec::new()))
    }

    /// Makes a file of which nothing is done.
    fn begin(&self, file: &File, wanted: &Wanted<'_>) -> Result<()> {
        let Files { part, journal, .. } = self;
        // It comes first, so that no job leaves a file without a journal; and that of an earlier job would be wrong from here on.
        journal::create(journal, wanted.job, wanted.start, &[])?;
        let make = || {
            file.set_len(0)?;
            reserve(file, wanted.length)?;
            file.write_all_at(wanted.header, 0)?;
            file.sync_all()
        };
        make().map_err(|reason| {
            // Nothing is lost with them, and the space may be needed.
            let _ = fs::remove_file(part);
            let _ = fs::remove_file(journal);
            Error::File { action: "write", path: part.clone(), reason }
        })
    }

    /// An error where the output's name is taken, or the journal's.
    fn expect_free(&self, wanted: &Wanted<'_>) -> Result<()> {
        let Files { output, part, journal } = self;
        match output.metadata() {
            Ok(found) if !found.is_file() => {
                let reason = io::Error::other("it is not a file");
                return Err(Error::File { action: "write", path: output.clone(), reason });
            }
            // After the last band a job may have been cut between giving the file its name and removing the journal.
            Ok(_) if wanted.replace || wanted.resume && journal.exists() && !part.exists() => {}
            Ok(_) => return Err(Error::Exists { path: output.clone() }),
            // What else is wrong with the name is told when the file is made.
            Err(_) => {}
        }
        if journal.exists() && !wanted.replace && !wanted.resume {
            return Err(Error::Unfinished { path: output.clone(), journal: journal.clone() });
        }
        // An empty one is what is left of a job that was cut before it had a journal.
        let is_foreign = part.metadata().is_ok_and(|found| found.len() > 0 || !found.is_file());
        if is_foreign && !wanted.replace && !journal.exists() {
            return Err(Error::NoJournal { part: part.clone() });
        }
        Ok(())
    }

    /// Goes on with the job of the journal.
    fn go_on(&self, wanted: &Wanted<'_>) -> Result<Prepared> {
        let Files { part, journal, .. } = self;
        let damaged = |why: String| Error::Damaged { journal: journal.clone(), why };
        // That it is another job's is told before anything is waited for; read again when nobody else writes.
        let read = || {
            let done = journal::read(journal, wanted.job, &wanted.shape)?;
            done.ok_or_else(|| damaged("it is gone".into()))
        };
        let done = read()?;
        let Some(file) = self.lock(false)? else {
            let of_output = Error::file("read", &self.output);
            return match self.lock_output()? {
                // The other job has come to its end meanwhile.
                _ if !journal.exists() => self.prepare(wanted),
                // The file had its name already.
                Some(named) if wanted.is_finished(&named, &done).map_err(of_output)? => {
                    Ok((named, done))
                }
                None if !self.output.exists() => {
                    let file = self.lock(true)?;
                    let file = file.ok_or_else(|| Error::Busy { path: part.clone() })?;
                    self.begin(&file, wanted)?;
                    Ok((file, Vec::new()))
                }
                _ => {
                    let [part, output] = [part, &self.output].map(|path| path.display());
                    Err(damaged(format!(
                        "there is no {part}, and {output} is not what it tells of"
                    )))
                }
            };
        };
        let of_part = || Error::file("read", part);
        // Of a file that is not as long as it was made, nothing is known.
        let done = match wanted.has_length(&file).map_err(of_part())? {
            true => wanted.found(&file, read()?).map_err(of_part())?,
            false => Vec::new(),
        };
        if done.is_empty() {
            // It may have been cut before the file had its space.
            self.begin(&file, wanted)?;
            return Ok((file, done));
        }
        // No band's checksum is of it.
        file.write_all_at(wanted.header, 0).map_err(Error::file("write", part))?;
        // Written anew, since the places of records depend on the ranks.
        journal::create(journal, wanted.job, wanted.start, &done)?;
        Ok((file, done))
    }

    /// Opens the unfinished file, once no rank of another job has it; `None` where there is none and none is to be made.
    fn lock(&self, make: bool) -> Result<Option<File>> {
        let path = &self.part;
        let start = Instant::now();
        loop {
            let opened =
                File::options().read(true).write(true).create(make).truncate(false).open(path);
            let file = match opened {
                Err(error) if error.kind() == io::ErrorKind::NotFound && !make => return Ok(None),
                opened => opened.map_err(Error::file("open", path))?,
            };
            // Alone for a moment, and then so that the other ranks can follow. Between the two another job may have been faster.
            // A file system without locks gives none to other jobs either.
            let ways =
                [FlockOperation::NonBlockingLockExclusive, FlockOperation::NonBlockingLockShared];
            if ways.into_iter().all(|way| flock(&file, way) != Err(Errno::WOULDBLOCK)) {
                // A job that has just come to its end has given this file its name: another is wanted.
                let own = file.metadata().map_err(Error::file("read", path))?;
                let is_there =
                    |found: fs::Metadata| (found.dev(), found.ino()) == (own.dev(), own.ino());
                if path.metadata().is_ok_and(is_there) {
                    // That job still has to remove its journal, which must not be this one's.
                    self.lock_output()?;
                    return Ok(Some(file));
                }
            }
            if start.elapsed() > PATIENCE {
                return Err(Error::Busy { path: path.clone() });
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Opens the output, once no job has it that has just given it this name; `None` where there is none
    /// to be opened.
    fn lock_output(&self) -> Result<Option<File>> {
        let start = Instant::now();
        // One that this user cannot read is no job's of theirs.
        let Ok(file) = File::open(&self.output) else { return Ok(None) };
        while flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            if start.elapsed() > PATIENCE {
                return Err(Error::Busy { path: self.output.clone() });
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(Some(file))
    }

    /// Gives the file its name. The caller has it locked until this has returned.
    pub(super) fn finish(&self) -> Result<()> {
        let Files { output, part, journal } = self;
        match File::open(part) {
            Ok(file) => {
                file.sync_all().map_err(Error::file("write", part))?;
                fs::rename(part, output).map_err(Error::file("rename", part))?;
                sync_folder(output).map_err(Error::file("write", output))?;
            }
            // The job was cut after that.
            Err(error) if error.kind() == io::ErrorKind::NotFound && output.exists() => {}
            Err(error) => return Err(Error::file("open", part)(error)),
        }
        match fs::remove_file(journal) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::file("remove", journal)(error))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape::rectangle(10, 3);
    const JOB: &str = "version: 1\nshape: s\nvalues: |u1\nkernel: k 0\ninput: 1\n";

    fn wanted(resume: bool, replace: bool) -> Wanted<'static> {
        Wanted {
            job: JOB,
            shape: SHAPE,
            header: b"header",
            length: 36,
            size: 1,
            start: 1,
            resume,
            replace,
        }
    }

    /// A band of sevens.
    fn band(rows: Range<usize>) -> Done {
        let of_bytes = checksum(Sha256::new_with_prefix(vec![7; 3 * rows.len()]));
        Done { rows, of_bytes }
    }

    /// Wherever a job is cut, the next one finds what is done, and the file comes to its name.
    #[test]
    fn job_resumes_after_any_step() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(&folder.path().join("a.npy"));
        let whole = [&b"header"[..], &[7; 30]].concat();
        // Nothing is there, or a job was cut before its journal, or before its space, was there.
        fs::write(&files.part, "").unwrap();
        drop(files.prepare(&wanted(true, false)).unwrap());
        fs::write(&files.part, "").unwrap();
        for resume in [true, false] {
            let (file, done) = files.prepare(&wanted(resume, !resume)).unwrap();
            assert!(done.is_empty() && file.metadata().unwrap().len() == 36);
            assert_eq!(fs::read(&files.part).unwrap()[..6], *b"header");
        }
        // Some is done, then all.
        for rows in [2..5, 0..10] {
            journal::create(&files.journal, JOB, 1, &[band(rows.clone())]).unwrap();
            // With another header, which is no band's.
            fs::write(&files.part, [&b"HEADER"[..], &[7; 30]].concat()).unwrap();
            let (file, done) = files.prepare(&wanted(true, false)).unwrap();
            assert!(file.metadata().unwrap().len() == 36 && done == [band(rows)]);
            assert_eq!(fs::read(&files.part).unwrap(), whole);
        }
        // Bands that are damaged are not done.
        let bands = [band(0..2), band(2..5), band(5..10)];
        journal::create(&files.journal, JOB, 1, &bands).unwrap();
        let mut damaged = whole.clone();
        damaged[6 + 3 * 5 - 1] = 8;
        fs::write(&files.part, damaged).unwrap();
        let (_, done) = files.prepare(&wanted(true, false)).unwrap();
        assert_eq!(done, [band(0..2), band(5..10)]);
        // Nor is any one of a file of another length, or of none.
        let damages: [fn(&Path) -> io::Result<()>; 2] =
            [|part| fs::write(part, [7; 35]), |part| fs::remove_file(part)];
        for damage in damages {
            journal::create(&files.journal, JOB, 1, &bands).unwrap();
            damage(&files.part).unwrap();
            let (file, done) = files.prepare(&wanted(true, false)).unwrap();
            assert!(done.is_empty() && file.metadata().unwrap().len() == 36);
        }
        // It has its name, and the journal is there still.
        journal::create(&files.journal, JOB, 1, &bands).unwrap();
        fs::write(&files.part, &whole).unwrap();
        fs::rename(&files.part, &files.output).unwrap();
        let (lock, done) = files.prepare(&wanted(true, false)).unwrap();
        assert_eq!(done, bands);
        drop(lock);
        // Another file of the name is neither finished nor replaced.
        fs::write(&files.output, [&b"HEADER"[..], &[7; 30]].concat()).unwrap();
        let error = files.prepare(&wanted(true, false)).unwrap_err().to_string();
        assert!(error.contains("is not what it tells of"), "{error}");
        fs::write(&files.output, &whole).unwrap();
        let (_lock, done) = files.prepare(&wanted(true, false)).unwrap();
        assert_eq!(done, bands);
        files.finish().unwrap();
        assert_eq!(fs::read(&files.output).unwrap(), whole);
        assert!(!files.journal.exists() && !files.part.exists());
    }

    #[test]
    fn files_are_replaced_only_if_asked() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(&folder.path().join("a.npy"));
        let error =
            |resume, replace| files.prepare(&wanted(resume, replace)).unwrap_err().to_string();
        drop(files.prepare(&wanted(false, false)).unwrap());
        assert!(error(false, false).contains("was cut, and "), "{}", error(false, false));
        fs::write(&files.output, "precious").unwrap();
        for resume in [false, true] {
            assert!(error(resume, false).ends_with("or say that it is to be replaced"));
        }
        // A journal without its values, and without all of them in place.
        fs::remove_file(&files.part).unwrap();
        assert!(error(true, true).contains("there is no "), "{}", error(true, true));
        assert_eq!(fs::read(&files.output).unwrap(), b"precious");
        let folder = Files::of(folder.path());
        let error = folder.prepare(&wanted(false, true)).unwrap_err().to_string();
        assert!(error.ends_with("it is not a file"), "{error}");
    }

    /// Files that no job of this kind has left, as those of one process that is to go on.
    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(&folder.path().join("a.npy"));
        let others = ["a.npy.part", "a.npy.part.journal"].map(|name| folder.path().join(name));
        for path in others.iter().chain([&files.part]) {
            fs::write(path, "precious").unwrap();
        }
        for resume in [false, true] {
            let error = files.prepare(&wanted(resume, false)).unwrap_err().to_string();
            assert!(error.contains("a.npy.cluster and no journal of it"), "{error}");
        }
        assert_eq!(fs::read(&files.part).unwrap(), b"precious");
        let (lock, _) = files.prepare(&wanted(false, true)).unwrap();
        files.finish().unwrap();
        drop(lock);
        assert!(!files.part.exists() && !files.journal.exists());
        assert!(others.iter().all(|path| fs::read(path).unwrap() == b"precious"));
    }

    /// A disk that is too small is an error at once, and nothing is left of the job.
    #[test]
    fn space_is_taken_first() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(&folder.path().join("a.npy"));
        let wanted = Wanted { length: 1 << 60, ..wanted(false, false) };
        let error = files.prepare(&wanted).unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.contains("os error"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// A job that has waited for another finds the file under its name, and does not write to it.
    #[test]
    fn finished_file_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of(&folder.path().join("a.npy"));
        let (first, _) = files.prepare(&wanted(false, false)).unwrap();
        let waiting = thread::scope(|scope| {
            let waiting = scope.spawn(|| files.prepare(&wanted(false, true)).map(drop));
            thread::sleep(Duration::from_millis(200));
            assert!(!waiting.is_finished());
            files.finish().unwrap();
            drop(first);
            waiting.join().unwrap()
        });
        waiting.unwrap();
        // The first job's, and what the second one has made for itself.
        assert_eq!(fs::read(&files.output).unwrap()[..6], *b"header");
        assert!(files.part.exists() && files.journal.exists());
        let inode = |path: &Path| path.metadata().unwrap().ino();
        assert_ne!(inode(&files.output), inode(&files.part));
    }
}
