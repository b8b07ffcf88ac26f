//! A result of all ranks in one file, larger than any memory.

use std::time::Duration;

use td_kernel::npy::{NpyFile, NpyWriter, Partial};
use td_kernel::{Bands, NpyValue};

use crate::progress::Progress;
use crate::{Cluster, Error, Result};

/// How long to wait for the ranks of an interrupted job to end, and for a file system to show one machine what another has written.
const PATIENCE: Duration = Duration::from_secs(10);

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
    /// Writes all values of these bands to their file in NumPy's format, from [`Bands::npy_file`]: the values of a triangle in packed
    /// order, of two sets as a matrix. Each rank computes some of them. All ranks have to call it, with bands of the same kernel and
    /// elements, and the same options of the file, whose [`patience`](NpyFile::patience) is 10 seconds in any case.
    ///
    /// All ranks have to see the same file under this name, in a file system that they share. Each writes its bands to their
    /// places by itself (`pwrite`): the places do not overlap, so nothing has to be agreed on. MPI's own files would need no
    /// less of the file system, and would not tell when a band is on the disk.
    ///
    /// Until all of it is on the disk, the file is called `NAME.part`, and beside it is `NAME.part.journal`, which tells what is
    /// done. An interrupted job leaves both; [`resume`](NpyFile::resume) continues it.
    ///
    /// `progress` is called on rank 0, after each of its own bands and then for those of others, with the values that all ranks have
    /// written in this job, and how many they have to write.
    ///
    /// # Errors
    ///
    /// The name is taken, or that of the unfinished file; another job is writing the file, or a journal is that of another job;
    /// a rank finds other files under these names than rank 0; the kernel gathers beside its values, and is to be resumed; the
    /// disk is too small; or what a band's computation gives. A row that does not fit into the memory that bands may take is
    /// told before the file is made, and so is a rank that has not enough memory: the ranks of a machine share it. Other ranks wait
    /// for this one then: the error has to end the job, as [`run`](crate::run) does with one that is returned to it.
    pub fn write_npy<T: NpyValue>(
        &self,
        file: NpyFile,
        bands: Bands<'_, T>,
        progress: impl FnMut(usize, usize),
    ) -> Result<Written> {
        let file = file.patience(PATIENCE);
        if let Some(difference) = file.difference(&self.broadcast_text(file.work())?) {
            return Err(Error::RanksDiffer { difference });
        }
        // Rank 0 alone looks at what there is. The others wait for what it finds; if that is an error, it ends all.
        let partial = if self.is_first() { Some(file.find()?) } else { None };
        let left = partial.iter().flat_map(Partial::left);
        let left = self.broadcast(left.map(|rows| [rows.start as u64, rows.end as u64]).collect());
        let left: Vec<_> =
            left?.iter().map(|[start, end]| *start as usize..*end as usize).collect();
        let (rank, size, shape) = (self.rank(), self.size(), file.shape());
        let own = shape.parts_of(&left, size).into_iter().nth(rank).unwrap_or_default();
        // Before any space is taken.
        let bands = self.share_memory(bands.only(own));
        self.expect_memory(&bands.needs()?)?;
        let begun = partial.map(|partial| partial.begin(size)).transpose()?;
        let ticket = self.broadcast(begun.iter().map(NpyWriter::ticket).collect())?;
        let mut writer = match (begun, &ticket[..]) {
            (None, [ticket]) if !left.is_empty() => Some(file.join(*ticket, [rank, size])?),
            (begun, _) => begun,
        };
        let of = left.iter().map(|rows| shape.values(rows)).sum();
        if let Some(writer) = writer.as_mut().filter(|_| !left.is_empty()) {
            let mut progress = Progress::new(self, progress, of);
            bands.each(|band| {
                writer.write(&band)?;
                progress.add(band.values.len());
                Ok(())
            })?;
            progress.finish();
        }
        if let Some(writer) = writer.filter(|_| self.is_first()) {
            writer.finish()?;
        }
        // No rank goes on before the file has its name.
        self.wait_for_all();
        Ok(Written { before: shape.values(file.rows()) - of, values: of })
    }
}
