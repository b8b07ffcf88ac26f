//! A result of all ranks in one file, larger than any memory.

mod space;

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use mpi::point_to_point::{Destination, Source};
use mpi::topology::Communicator;
use rustix::fs::{FlockOperation, fdatasync, flock};
use td_kernel::{Band, Bands, NpyValue};

use self::space::reserve;
use crate::job::difference;
use crate::journal::{self, Journal, sync_folder};
use crate::message::Tag;
use crate::npy::{bytes, header};
use crate::shape::others;
use crate::{Cluster, Error, Job, Result};

/// Is told how many values this job has written so far, and how many it has to write.
type Report<'a> = Box<dyn FnMut(usize, usize) + 'a>;

/// A file in NumPy's format that all ranks write, from [`Cluster::npy`].
pub struct NpyOutput<'a> {
    cluster: &'a Cluster,
    path: PathBuf,
    job: Job,
    resume: bool,
    replace: bool,
    report: Option<Report<'a>>,
}

/// How much was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The values that an earlier job had written.
    pub before: usize,
    /// Those that were written now, by all ranks together.
    pub values: usize,
}

/// How long to wait for the ranks of a job that was cut to be gone.
const PATIENCE: Duration = Duration::from_secs(10);

impl Cluster {
    /// A file that all ranks write: the values of a kernel with `bands`, of a triangle in packed order, of two sets as a matrix.
    ///
    /// All ranks have to see the same file under this name, in a file system that they share. Each writes its bands to their
    /// places by itself (`pwrite`): the places do not overlap, so nothing has to be agreed on. MPI's own files would need no
    /// less of the file system, and would not tell when a band is on the disk.
    pub fn npy(&self, path: impl AsRef<Path>, job: Job) -> NpyOutput<'_> {
        let path = path.as_ref().to_owned();
        NpyOutput { cluster: self, path, job, resume: false, replace: false, report: None }
    }
}

impl<'a> NpyOutput<'a> {
    /// Whether to go on with a job that was cut: with what its journal says is done. Without such a job, all is computed.
    #[must_use]
    pub fn resume(mut self, resume: bool) -> Self {
        self.resume = resume;
        self
    }

    /// Whether a file of this name may be replaced, and, if nothing is to be resumed, what a job that was cut has left.
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Self {
        self.replace = replace;
        self
    }

    /// Calls `report` on rank 0, after each of its own bands and then for those of others, with the values that all ranks have
    /// written in this job, and how many they have to write.
    #[must_use]
    pub fn progress(mut self, report: impl FnMut(usize, usize) + 'a) -> Self {
        self.report = Some(Box::new(report));
        self
    }

    /// Writes all values. Each rank computes some rows, of which `bands` makes the bands, once or several times.
    ///
    /// Until all of it is on the disk, the file is called `NAME.part`, and beside it is `NAME.journal`, which tells what is
    /// done. A job that is cut leaves both. All ranks have to call it, with the same job.
    ///
    /// # Errors
    ///
    /// The name is taken, another job is writing the file, or a journal is that of another job; the disk is too small; or
    /// what a band's computation gives.
    pub fn write<'b, T: NpyValue>(
        mut self,
        mut bands: impl FnMut() -> Result<Bands<'b, T>>,
    ) -> Result<Written> {
        let (cluster, shape) = (self.cluster, self.job.shape);
        let files = Files::of(&self.path);
        let job = self.job.text::<T>();
        cluster.agree(&job)?;
        let header = header::<T>(&shape.dimensions());
        if !shape.fits(size_of::<T>()) {
            return Err(Error::TooLarge { values: shape.start(shape.rows()) });
        }
        // Rank 0 alone looks at what there is. The others wait for what it finds; if that is an error, it ends all.
        let (lock, done) = match cluster.is_first() {
            true => {
                let length = header.len() + shape.start(shape.rows()) * size_of::<T>();
                let prepared = self.prepare(&files, &job, &header, length as u64)?;
                (prepared.lock, prepared.done)
            }
            false => (None, Vec::new()),
        };
        let told = done.iter().map(|rows| [rows.start as u64, rows.end as u64]).collect();
        let told: Vec<[u64; 2]> = cluster.broadcast(told)?;
        let done: Vec<_> = told.iter().map(|[start, end]| *start as usize..*end as usize).collect();
        let left = others(&done, shape.rows());
        let of = left.iter().map(|rows| shape.values(rows)).sum();
        let mut progress =
            Progress { cluster, report: self.report.take(), written: 0, all: 0, of, ended: 0 };
        if !left.is_empty() {
            let place = Place { files: &files, shape, header: header.len() };
            let mut band_file = BandFile::open(&place, lock, &job, done.len(), cluster)?;
            let parts = shape.parts_of(&left, cluster.size());
            for rows in parts.into_iter().nth(cluster.rank()).unwrap_or_default() {
                let bands = bands()?.rows(rows);
                let write = |band: Band<'_, T>| {
                    band_file
                        .write(&band)
                        .and_then(|()| progress.add(band.values.len()))
                        .map_err(Error::within)
                };
                bands.each(write).map_err(Error::out_of)?;
            }
            progress.finish()?;
        }
        if cluster.is_first() {
            self.finish(&files)?;
        }
        // No rank goes on before the file has its name.
        cluster.wait_for_all();
        let all = shape.start(shape.rows());
        Ok(Written { before: all - of, values: of })
    }

    /// Looks for what an earlier job has left, and makes the files where there is nothing.
    fn prepare(&self, files: &Files, job: &str, header: &[u8], length: u64) -> Result<Prepared> {
        let Files { output, part, journal } = files;
        match output.metadata() {
            Ok(found) if !found.is_file() => {
                let reason = io::Error::other("it is not a file");
                return Err(Error::File { action: "write", path: output.clone(), reason });
            }
            // After the last band a job may have been cut between giving the file its name and removing the journal.
            Ok(_) if self.replace || self.resume && journal.exists() && !part.exists() => {}
            Ok(_) => return Err(Error::Exists { path: output.clone() }),
            _ => {}
        }
        if self.resume
            && let Some(done) = journal::read(journal, job, &self.job.shape)?
        {
            return self.go_on(files, job, done, length);
        }
        if journal.exists() && !self.replace {
            return Err(Error::Unfinished { path: output.clone(), journal: journal.clone() });
        }
        let file = File::options().write(true).create(true).truncate(false).open(part);
        let file = file.map_err(Error::file("create", part))?;
        lock_alone(&file, part)?;
        // From here on the journal of an earlier job would be wrong.
        match fs::remove_file(journal) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::file("remove", journal)(error));
            }
            _ => {}
        }
        let begin = || {
            file.set_len(0)?;
            reserve(&file, length)?;
            file.write_all_at(header, 0)?;
            file.sync_all()
        };
        if let Err(reason) = begin() {
            // Nothing is lost with it, and the space may be needed.
            let _ = fs::remove_file(part);
            return Err(Error::File { action: "write", path: part.clone(), reason });
        }
        journal::create(journal, job, &[])?;
        Ok(Prepared { lock: Some(file), done: Vec::new() })
    }

    /// Goes on from these rows.
    fn go_on(
        &self,
        files: &Files,
        job: &str,
        done: Vec<Range<usize>>,
        length: u64,
    ) -> Result<Prepared> {
        let Files { output, part, journal } = files;
        let damaged = |why: String| Error::Damaged { journal: journal.clone(), why };
        let is_all = others(&done, self.job.shape.rows()).is_empty();
        let file = match File::options().write(true).open(part) {
            Ok(file) => file,
            // It had its name already.
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_all && output.exists() => {
                return Ok(Prepared { lock: None, done });
            }
            Err(error) => {
                return Err(damaged(format!("{} cannot be opened: {error}", part.display())));
            }
        };
        lock_alone(&file, part)?;
        let found = file.metadata().map_err(Error::file("read", part))?.len();
        if found != length {
            return Err(damaged(format!(
                "{} has {found} bytes instead of {length}",
                part.display()
            )));
        }
        // Read again, now that nobody else writes; and written anew, since the places of records depend on the ranks.
        let done = journal::read(journal, job, &self.job.shape)?.unwrap_or(done);
        journal::create(journal, job, &done)?;
        Ok(Prepared { lock: Some(file), done })
    }

    /// Gives the file its name.
    fn finish(&self, Files { output, part, journal }: &Files) -> Result<()> {
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
        fs::remove_file(journal).map_err(Error::file("remove", journal))
    }
}

/// The names of a job's files.
struct Files {
    output: PathBuf,
    part: PathBuf,
    journal: PathBuf,
}

impl Files {
    fn of(path: &Path) -> Files {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        Files { output: path.into(), part: part.into(), journal: journal::path_of(path) }
    }
}

/// What rank 0 has found or made.
struct Prepared {
    /// The file, which no other job can write.
    lock: Option<File>,
    done: Vec<Range<usize>>,
}

/// Waits until no rank of another job has the file, for some time.
fn lock_alone(file: &File, path: &Path) -> Result<()> {
    let start = Instant::now();
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK) if start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(50));
            }
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(Error::Busy { path: path.into() }),
            // The others follow. A file system without locks gives none to other jobs either.
            _ => {
                let _ = flock(file, FlockOperation::NonBlockingLockShared);
                return Ok(());
            }
        }
    }
}

/// Where values go.
struct Place<'f> {
    files: &'f Files,
    shape: crate::Shape,
    /// The bytes before the values.
    header: usize,
}

/// The file and its journal, as one rank has them open.
struct BandFile<'f> {
    place: &'f Place<'f>,
    file: File,
    journal: Journal,
}

impl<'f> BandFile<'f> {
    fn open(
        place: &'f Place<'f>,
        lock: Option<File>,
        job: &str,
        records: usize,
        cluster: &Cluster,
    ) -> Result<BandFile<'f>> {
        let part = &place.files.part;
        let open = || File::options().write(true).open(part).map_err(Error::file("open", part));
        let file = lock.map_or_else(open, Ok)?;
        // As long as any rank has it, another job waits.
        let _ = flock(&file, FlockOperation::NonBlockingLockShared);
        let journal =
            Journal::open(&place.files.journal, job, records, [cluster.rank(), cluster.size()])?;
        Ok(BandFile { place, file, journal })
    }

    /// Has the band's values on the disk, and then says so.
    fn write<T: NpyValue>(&mut self, band: &Band<'_, T>) -> Result<()> {
        let Place { files, shape, header } = self.place;
        if band.start != shape.start(band.rows.start)
            || band.values.len() != shape.values(&band.rows)
        {
            let found = format!(
                "rows {:?} begin with value {}, and have {}",
                band.rows,
                band.start,
                band.values.len()
            );
            return Err(Error::WrongBands { expected: shape.to_string(), found });
        }
        let start = (header + band.start * size_of::<T>()) as u64;
        let write = || {
            self.file.write_all_at(bytes(band.values), start)?;
            fdatasync(&self.file)?;
            Ok(())
        };
        write().map_err(Error::file("write", &files.part))?;
        self.journal.note(&band.rows)
    }
}

/// How much all ranks have written, which rank 0 is told.
struct Progress<'a> {
    cluster: &'a Cluster,
    report: Option<Report<'a>>,
    /// By this rank, and on rank 0 by all.
    written: usize,
    all: usize,
    of: usize,
    /// How many other ranks have come to their end.
    ended: usize,
}

impl Progress<'_> {
    /// This rank has written so many values.
    fn add(&mut self, values: usize) -> Result<()> {
        self.written += values;
        if !self.cluster.is_first() {
            self.tell([values as u64, 0]);
            return Ok(());
        }
        self.all += values;
        let tag = Tag::Progress as i32;
        while self.cluster.world.any_process().immediate_probe_with_tag(tag).is_some() {
            self.hear();
        }
        self.show();
        Ok(())
    }

    /// This rank has written all that it has to; rank 0 waits for the others.
    fn finish(&mut self) -> Result<()> {
        if !self.cluster.is_first() {
            self.tell([0, 1]);
            return Ok(());
        }
        while self.ended + 1 < self.cluster.size() {
            self.hear();
            self.show();
        }
        Ok(())
    }

    fn tell(&self, message: [u64; 2]) {
        self.cluster.world.process_at_rank(0).send_with_tag(&message[..], Tag::Progress as i32);
    }

    /// Waits for a message of another rank.
    fn hear(&mut self) {
        let mut message = [0_u64; 2];
        self.cluster
            .world
            .any_process()
            .receive_into_with_tag(&mut message[..], Tag::Progress as i32);
        self.all += message[0] as usize;
        self.ended += message[1] as usize;
    }

    fn show(&mut self) {
        if let Some(report) = &mut self.report {
            report(self.all, self.of);
        }
    }
}

impl Cluster {
    /// An error where this rank's job is not that of rank 0.
    fn agree(&self, job: &str) -> Result<()> {
        let first = self.broadcast_text(job)?;
        match difference(&first, job) {
            Some((what, found, expected)) => Err(Error::RanksDiffer { what, found, expected }),
            None => Ok(()),
        }
    }
}
