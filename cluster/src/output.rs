//! A result of all ranks in one file, larger than any memory.

mod band_file;
mod files;
mod progress;

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process;
use std::time::SystemTime;

use td_kernel::__private::{Need, difference, npy_header};
use td_kernel::{Band, Bands, NpyValue};

use self::band_file::{BandFile, Place};
use self::files::{Files, Wanted};
use self::progress::{Progress, Report};
use crate::journal::joined;
use crate::memory::Sharers;
use crate::shape::others;
use crate::{Cluster, Error, Job, Result};

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
    /// Until all of it is on the disk, the file is called `NAME.cluster`, and beside it is `NAME.cluster.journal`, which tells what is
    /// done. A job that is cut leaves both. All ranks have to call it, with the same job.
    ///
    /// # Errors
    ///
    /// The name is taken, or that of the unfinished file; another job is writing the file, or a journal is that of another job;
    /// a rank finds other files under these names than rank 0; the kernel gathers beside its values, and is to be resumed; the
    /// disk is too small; or what a band's computation gives. A row that does not fit into the memory that bands may take is
    /// told before the file is made, and so is a rank that has not enough memory: the ranks of a machine share it. Other ranks wait for this one then: the error has to end the job, as [`run`](crate::run)
    /// does with one that is returned to it.
    pub fn write<'b, T: NpyValue>(
        self,
        bands: impl FnMut() -> Result<Bands<'b, T>>,
    ) -> Result<Written> {
        let path = self.path.clone();
        self.write_all(bands).map_err(|error| error.of_output(&path))
    }

    fn write_all<'b, T: NpyValue>(
        mut self,
        mut bands: impl FnMut() -> Result<Bands<'b, T>>,
    ) -> Result<Written> {
        let (cluster, shape) = (self.cluster, self.job.shape);
        let files = Files::of(&self.path);
        let job = self.job.text::<T>();
        cluster.agree(&job)?;
        if !shape.fits(size_of::<T>()) {
            return Err(Error::TooLarge { shape: shape.to_string() });
        }
        let header = npy_header::<T>(&shape.dimensions());
        let length = (header.len() + shape.start(shape.rows()) * size_of::<T>()) as u64;
        // Before any space is taken. The other ranks' bands are of the same kernel, with the same limits, so that one rank tells.
        let all = bands()?;
        if cluster.is_first() {
            if let (true, Some(kernel)) = (self.resume, all.gathers()) {
                return Err(Error::Gathers { kernel });
            }
            all.expect_startable()?;
        }
        let sharers = cluster.sharers(&all);
        drop(all);
        let parts = |rows: &[Range<usize>]| {
            let parts = shape.parts_of(rows, cluster.size());
            parts.into_iter().nth(cluster.rank()).unwrap_or_default()
        };
        let whole = parts(std::slice::from_ref(&(0..shape.rows())));
        cluster.expect_memory(&needs(&whole, &sharers, &mut bands)?)?;
        let own = if cluster.is_first() { vec![number_of_a_start()] } else { Vec::new() };
        let begun = cluster.broadcast(own)?.first().copied().unwrap_or_default();
        // Rank 0 alone looks at what there is. The others wait for what it finds; if that is an error, it ends all.
        let (lock, bands_done) = match cluster.is_first() {
            true => {
                let (job, header, start, size) = (&*job, &*header, begun, size_of::<T>());
                let NpyOutput { resume, replace, .. } = self;
                let wanted = Wanted { job, shape, header, length, size, start, resume, replace };
                let (lock, done) = files.prepare(&wanted)?;
                (Some(lock), done)
            }
            false => (None, Vec::new()),
        };
        let records = cluster.broadcast(vec![bands_done.len() as u64])?;
        let records = records.first().copied().unwrap_or_default() as usize;
        let done = joined(&bands_done);
        let told = done.iter().map(|rows| [rows.start as u64, rows.end as u64]).collect();
        let told: Vec<[u64; 2]> = cluster.broadcast(told)?;
        let done: Vec<_> = told.iter().map(|[start, end]| *start as usize..*end as usize).collect();
        let left = others(&done, shape.rows());
        let of = left.iter().map(|rows| shape.values(rows)).sum();
        if !done.is_empty() {
            // The parts are other ones, and may have longer rows.
            cluster.expect_memory(&needs(&parts(&left), &sharers, &mut bands)?)?;
        }
        let mut progress = Progress::new(cluster, self.report.take(), of);
        if !left.is_empty() {
            let place = Place { files: &files, shape, header: header.len(), length, begun };
            let mut band_file = BandFile::open(&place, &job, records, cluster)?;
            for rows in parts(&left) {
                let bands = sharers.share(bands()?.rows(rows));
                let write = |band: Band<'_, T>| {
                    band_file.write(&band).map_err(Error::within)?;
                    progress.add(band.values.len());
                    Ok(())
                };
                bands.each(write).map_err(Error::out_of)?;
            }
            progress.finish();
        }
        if cluster.is_first() {
            files.finish()?;
        }
        // Until here no other job could begin to write under the same names.
        drop(lock);
        // No rank goes on before the file has its name.
        cluster.wait_for_all();
        let all = shape.start(shape.rows());
        Ok(Written { before: all - of, values: of })
    }
}

/// The memory that a rank needs for the bands of these rows, one range of them after another.
fn needs<'b, T: NpyValue>(
    rows: &[Range<usize>],
    sharers: &Sharers,
    mut bands: impl FnMut() -> Result<Bands<'b, T>>,
) -> Result<Vec<Need>> {
    let bytes = |needs: &[Need]| needs.iter().map(|need| need.bytes).sum::<usize>();
    let mut most = Vec::new();
    for rows in rows {
        let needs = sharers.share(bands()?.rows(rows.clone())).needs()?;
        if bytes(&needs) >= bytes(&most) {
            most = needs;
        }
    }
    Ok(most)
}

/// A number that no other start of a job has, as far as random numbers differ.
fn number_of_a_start() -> u64 {
    // The keys are the system's random numbers.
    RandomState::new().hash_one((SystemTime::now(), process::id()))
}

impl Cluster {
    /// An error where this rank's job is not that of rank 0.
    fn agree(&self, job: &str) -> Result<()> {
        let first = self.broadcast_text(job)?;
        match difference(&first, job) {
            Some(difference) => Err(Error::RanksDiffer { difference }),
            None => Ok(()),
        }
    }
}
