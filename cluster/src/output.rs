//! Writes a result of all ranks to one file, which may be larger than any memory.

use std::time::Duration;

use td_kernel::npy::{NpyFile, NpyWriter, Partial};
use td_kernel::{Chunks, NpyValue};

use crate::progress::Progress;
use crate::{Cluster, Error, Result};

/// The time to wait for the ranks of an interrupted job to end, and for a file system to show one machine what another has
/// written.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The number of values written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The values that an earlier job had written.
    pub before: usize,
    /// The values that all ranks together have written now.
    pub values: usize,
}

impl Cluster {
    /// Writes all values of these chunks to their file in NumPy's format, from [`Chunks::npy_file`]: the values of a triangle in
    /// packed order, of two sets as a matrix. Each rank computes some of them. All ranks have to call it, with chunks of the
    /// same kernel and elements, and the same options of the file. Its [`max_wait`](NpyFile::max_wait) is always 10 seconds.
    ///
    /// All ranks have to see the same file under this name, in a shared file system. Each writes its chunks to their places
    /// independently (`pwrite`): the places do not overlap, so ranks need not coordinate. MPI-IO would require the same of the
    /// file system, and would not report when a chunk is on the disk.
    ///
    /// Until the file is complete, it is called `NAME.part`, and `NAME.part.journal` beside it records the finished chunks. An
    /// interrupted job leaves both; [`resume`](NpyFile::resume) continues it.
    ///
    /// `progress` is called on rank 0, after each of its own chunks and then for those of others, with the number of values that
    /// all ranks have written in this job, and the number that they have to write.
    ///
    /// # Errors
    ///
    /// The file exists, or the unfinished file does; another job is writing the file, or the journal belongs to another job; a
    /// rank finds other files under these names than rank 0; the kernel accumulates results beside its values, and is to be
    /// resumed; the disk is too small; or a chunk's computation fails. Two errors are reported before the file is created: a row
    /// that does not fit the memory limit of chunks, and a rank without enough memory (the ranks of a machine share it). Other
    /// ranks then wait for this one, so the error has to end the job, as [`run`](crate::run) does with one that is returned to
    /// it.
    pub fn write_npy<T: NpyValue>(
        &self,
        file: NpyFile,
        chunks: Chunks<'_, T>,
        progress: impl FnMut(usize, usize),
    ) -> Result<Written> {
        let file = file.max_wait(MAX_WAIT);
        if let Some(difference) = file.difference(&self.broadcast_text(file.work())?) {
            return Err(Error::RanksDiffer { difference });
        }
        // Only rank 0 looks for existing files. The others wait for its result; an error there ends all ranks.
        let partial = if self.is_first() { Some(file.find()?) } else { None };
        let left = partial.iter().flat_map(Partial::left);
        let left = self.broadcast(left.map(|rows| [rows.start as u64, rows.end as u64]).collect());
        let left: Vec<_> =
            left?.iter().map(|[start, end]| *start as usize..*end as usize).collect();
        let (rank, size, shape) = (self.rank(), self.size(), file.shape());
        let own = shape.parts_of(&left, size).into_iter().nth(rank).unwrap_or_default();
        // Before any disk space is taken.
        let chunks = self.share_memory(chunks.only(own));
        self.expect_memory(&chunks.needs()?)?;
        let begun = partial.map(|partial| partial.begin(size)).transpose()?;
        let ticket = self.broadcast(begun.iter().map(NpyWriter::ticket).collect())?;
        let mut writer = match (begun, &ticket[..]) {
            (None, [ticket]) if !left.is_empty() => Some(file.join(*ticket, [rank, size])?),
            (begun, _) => begun,
        };
        let of = left.iter().map(|rows| shape.values(rows)).sum();
        if let Some(writer) = writer.as_mut().filter(|_| !left.is_empty()) {
            let mut progress = Progress::new(self, progress, of);
            chunks.each(|chunk| {
                writer.write(&chunk)?;
                progress.add(chunk.values.len());
                Ok(())
            })?;
            progress.finish();
        }
        if let Some(writer) = writer.filter(|_| self.is_first()) {
            writer.finish()?;
        }
        // No rank continues before the file has its name.
        self.wait_for_all();
        Ok(Written { before: shape.values(file.rows()) - of, values: of })
    }
}
