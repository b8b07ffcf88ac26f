//! A file of chunks that a later process can continue.

use std::path::Path;

use super::step::ResumeStep;
use super::unfinished::NpyFile;
use super::{Chunks, NpyValue, Work};
use crate::{Error, Result, host};

impl<T: NpyValue> Chunks<'_, T> {
    /// Calls `step` after each step of [`resume_npy`](Self::resume_npy): for tests that end a process there.
    #[doc(hidden)]
    #[must_use]
    pub fn at_steps(self, step: fn(ResumeStep)) -> Self {
        Chunks { at_step: step, ..self }
    }

    /// Like [`write_npy`](Self::write_npy), but an interrupted file stays. A later call for the same work continues after the
    /// last chunk on the disk, and the finished file has the same bits.
    ///
    /// [`work`](Work) must determine the elements of all sets, the contents of all slices, and scalars that are structs. Pass
    /// these, several as a tuple, or a string that determines them. If one of them changes and `work` does not, the file mixes values of
    /// both without an error. The kernel's source, its other scalars, the rows, the type of the values and the kind of device
    /// are always compared. For [`device.chunks`](crate::Target::chunks), `work` must also determine the kernel and its scalars.
    ///
    /// Until it is complete, the file is called `name.part`. A journal beside it, `name.part.journal`, has a checksum of
    /// `work`, and one of each chunk that has been forced to the disk; so chunks should not be small. A later call compares these
    /// checksums with the file, rewrites the header, and computes everything from the first chunk that differs, or from the
    /// first row if the file's length differs. In the end the file gets its name, and the journal is removed. Without a
    /// journal, an existing file of this name is replaced in the end. If a process ends between renaming the file and removing
    /// the journal, the next call checks the finished file and removes the journal.
    ///
    /// The numbers of the first call to [`progress`](Self::progress) include the existing chunks. [`inspect`](Self::inspect) gets
    /// all chunks: those in the file are read again.
    ///
    /// ```
    /// use td_kernel::{Device, Error, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// # let folder = std::env::temp_dir().join(format!("td-kernel-resume-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).map_err(Error::other)?;
    /// # let path = folder.join("distances.npy");
    /// let device = Device::cpu()?;
    /// let x: Vec<f32> = (0..100).map(|at| at as f32).collect();
    /// let (kernel, elements) = (distance::load(&device)?, device.upload(&x)?);
    /// // A process that ends in the middle: here by an error.
    /// let cut = kernel.chunks(&elements)?.height(10).inspect(|chunk| match chunk.rows.start {
    ///     50.. => Err(Error::other("the power is out")),
    ///     _ => Ok(()),
    /// });
    /// assert!(cut.resume_npy(&path, &x).is_err());
    /// // Another one goes on.
    /// let mut reached = Vec::new();
    /// let chunks = kernel.chunks(&elements)?.height(10).progress(|done| reached.push(done.next_row));
    /// chunks.resume_npy(&path, &x)?;
    /// assert_eq!(reached, [60, 70, 80, 90, 100]);
    /// // 4950 values of 4 bytes, behind a header of 128.
    /// assert_eq!(std::fs::metadata(&path).map_err(Error::other)?.len(), 19_928);
    /// # std::fs::remove_dir_all(&folder).map_err(Error::other)?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`write_npy`](Self::write_npy). The journal is for other work, or of a process that is still running. The
    /// unfinished file has no journal; or the journal has chunks, the unfinished file is missing, and the file of this name is
    /// not the finished one. Or the kernel has outputs besides the values, which would lack what the earlier process gathered.
    pub fn resume_npy(self, path: impl AsRef<Path>, work: impl Work) -> Result<()> {
        self.expect_all_rows()?;
        let file = self.npy_file(path, work)?.resume(true).replace(true);
        let partial = file.find()?;
        let rows = self.range()?;
        let first = partial.left().first().map_or(rows.end, |left| left.start);
        let (before, left) = (rows.start..first, first..rows.end);
        let there = self.chunking([before.clone()].into())?;
        // Reports wrong arguments before any space is reserved.
        let mut chunks = self.only([left]).start()?;
        chunks.done.values = file.shape().values(&before);
        chunks.done.of += chunks.done.values;
        let mut writer = partial.begin(1)?;
        if let Some(look) = &mut chunks.inspect {
            let mut values = host::zeros::<T>(there.most_values())?;
            for rows in there {
                look(&writer.read(rows, &mut values)?)?;
            }
        }
        chunks.each(|chunk| writer.write(&chunk))?;
        writer.finish()
    }

    /// The file that [`resume_npy`](Self::resume_npy) writes, for several processes that write it together: see
    /// [`npy`](crate::npy).
    ///
    /// # Errors
    ///
    /// The rows are out of range, or have no condensed form; or there are more bytes than a file can have.
    pub fn npy_file(&self, path: impl AsRef<Path>, work: impl Work) -> Result<NpyFile> {
        let path = path.as_ref();
        let failed = |reason| Error::io("write", path, reason);
        let (rows, array) = (self.range()?, self.array(failed)?);
        let mut file = NpyFile::new(path, self.work(&rows, &work.bytes()), array, self.of.gathers);
        file.at_step = self.at_step;
        Ok(file)
    }
}
