//! A result of all ranks in one file, larger than any memory.

use std::path::{Path, PathBuf};
use std::time::Duration;

use td_kernel::npy::{NpyFile, NpyWriter, Partial};
use td_kernel::{Bands, NpyValue};

use crate::progress::{Progress, Report};
use crate::{Cluster, Error, Result};

/// How long to wait for the ranks of an interrupted job to end, and for a file system to show one machine what another has written.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file in NumPy's format that all ranks write, from [`Cluster::npy`].
pub struct NpyOutput<'a> {
    cluster: &'a Cluster,
    path: PathBuf,
    work: &'a [u8],
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
    /// `work` is whatever tells this work from another one, as for [`Bands::resume_npy`]: the elements, and the values of the kernel's
    /// scalars. [`bytes`](td_kernel::npy::bytes) has those of a slice.
    ///
    /// All ranks have to see the same file under this name, in a file system that they share. Each writes its bands to their
    /// places by itself (`pwrite`): the places do not overlap, so nothing has to be agreed on. MPI's own files would need no
    /// less of the file system, and would not tell when a band is on the disk.
    pub fn npy<'a>(&'a self, path: impl AsRef<Path>, work: &'a [u8]) -> NpyOutput<'a> {
        let path = path.as_ref().to_owned();
        NpyOutput { cluster: self, path, work, resume: false, replace: false, report: None }
    }
}

impl<'a> NpyOutput<'a> {
    /// Whether to continue an interrupted job: with what its journal says is done. Without such a job, all is computed.
    #[must_use]
    pub fn resume(mut self, resume: bool) -> Self {
        self.resume = resume;
        self
    }

    /// Whether a file of this name may be replaced, and, if nothing is to be resumed, what an interrupted job has left.
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

    /// Writes all values of these bands, of which each rank computes some.
    ///
    /// Until all of it is on the disk, the file is called `NAME.part`, and beside it is `NAME.part.journal`, which tells what is
    /// done. An interrupted job leaves both. All ranks have to call it, with bands of the same kernel and elements.
    ///
    /// # Errors
    ///
    /// The name is taken, or that of the unfinished file; another job is writing the file, or a journal is that of another job;
    /// a rank finds other files under these names than rank 0; the kernel gathers beside its values, and is to be resumed; the
    /// disk is too small; or what a band's computation gives. A row that does not fit into the memory that bands may take is
    /// told before the file is made, and so is a rank that has not enough memory: the ranks of a machine share it. Other ranks wait
    /// for this one then: the error has to end the job, as [`run`](crate::run) does with one that is returned to it.
    pub fn write<T: NpyValue>(self, bands: Bands<'_, T>) -> Result<Written> {
        let NpyOutput { cluster, path, work, resume, replace, report } = self;
        let file = bands.npy_file(&path, work)?.resume(resume).replace(replace).patience(PATIENCE);
        cluster.agree(&file)?;
        // Rank 0 alone looks at what there is. The others wait for what it finds; if that is an error, it ends all.
        let partial = if cluster.is_first() { Some(file.find()?) } else { None };
        let left = partial.iter().flat_map(Partial::left);
        let left =
            cluster.broadcast(left.map(|rows| [rows.start as u64, rows.end as u64]).collect());
        let left: Vec<_> =
            left?.iter().map(|[start, end]| *start as usize..*end as usize).collect();
        let (rank, size, shape) = (cluster.rank(), cluster.size(), file.shape());
        let own = shape.parts_of(&left, size).into_iter().nth(rank).unwrap_or_default();
        // Before any space is taken.
        let bands = cluster.share_memory(bands.only(own));
        cluster.expect_memory(&bands.needs()?)?;
        let begun = partial.map(|partial| partial.begin(size)).transpose()?;
        let ticket = cluster.broadcast(begun.iter().map(NpyWriter::ticket).collect())?;
        let ticket = ticket.first().copied().unwrap_or_default();
        let mut writer = match begun {
            None if !left.is_empty() => Some(file.join(ticket, [rank, size])?),
            begun => begun,
        };
        let of = left.iter().map(|rows| shape.values(rows)).sum();
        let mut progress = Progress::new(cluster, report, of);
        if let Some(writer) = writer.as_mut().filter(|_| !left.is_empty()) {
            bands.each(|band| {
                writer.write(&band)?;
                progress.add(band.values.len());
                Ok(())
            })?;
            progress.finish();
        }
        match writer {
            Some(writer) if cluster.is_first() => writer.finish()?,
            joined => drop(joined),
        }
        // No rank goes on before the file has its name.
        cluster.wait_for_all();
        Ok(Written { before: shape.values(file.rows()) - of, values: of })
    }
}

impl Cluster {
    /// An error where this rank's work is not that of rank 0.
    fn agree(&self, file: &NpyFile) -> Result<()> {
        let first = self.broadcast_text(file.work())?;
        match file.difference(&first) {
            Some(difference) => Err(Error::RanksDiffer { difference }),
            None => Ok(()),
        }
    }
}
