//! Chunks in a file. The file is never in memory as a whole.

use std::fs::File;
use std::io;
use std::path::Path;

use super::array::Array;
use super::disk::{expect_file, folder_of, with_ending};
use super::{Chunks, NpyValue};
use crate::{Error, Result};

impl<T: NpyValue> Chunks<'_, T> {
    /// Writes the values of all rows to a file in NumPy's format. A triangle has one dimension, one row after another as in a
    /// [`Packed`](crate::Packed); a matrix has two. An existing file of this name is replaced.
    ///
    /// Each chunk is written while the next ones are computed. The space is reserved first, so a disk that is too small is an
    /// error before anything is computed. Until it is complete and on the disk, the file is called `name.….part`. It is removed
    /// after an error, but stays if the process ends.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// # let folder = std::env::temp_dir().join(format!("td-kernel-chunks-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).map_err(td_kernel::Error::other)?;
    /// # let path = folder.join("distances.npy");
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[0.0, 1.0, 3.0])?;
    /// distance::load(&device)?.chunks(&x)?.write_npy(&path)?;
    /// // 3 values of 4 bytes, behind a header of 128.
    /// assert_eq!(std::fs::metadata(&path).map_err(td_kernel::Error::other)?.len(), 140);
    /// # std::fs::remove_dir_all(&folder).map_err(td_kernel::Error::other)?;
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`each`](Self::each); or the file cannot be written, or is not a file.
    pub fn write_npy(self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let failed = |reason| Error::io("write", path, reason);
        let unfinished = unfinished(path)?;
        self.fill(unfinished.as_file(), failed)?;
        unfinished.as_file().sync_all().map_err(failed)?;
        unfinished.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// The same into a file that is open for writing; its contents are overwritten. It is not forced to the disk, and stays
    /// after an error.
    ///
    /// # Errors
    ///
    /// Those of [`write_npy`](Self::write_npy). An error of the system about the file is an [`Error::other`].
    pub fn write_npy_to(self, file: &File) -> Result<()> {
        self.fill(file, Error::other)
    }

    fn fill(self, file: &File, failed: impl Fn(io::Error) -> Error) -> Result<()> {
        self.expect_all_rows()?;
        let array = self.array(&failed)?;
        let mut chunks = self.start()?;
        array.begin(file).map_err(&failed)?;
        chunks.each(|chunk| array.write(file, &chunk, |_| ()).map_err(&failed))
    }

    /// An error if there are chunks of only some of the rows: the others would look like zeros.
    pub(super) fn expect_all_rows(&self) -> Result<()> {
        let Some(_) = &self.only else { return Ok(()) };
        Err(Error::arguments(
            "a file must have all rows, but these chunks have only some of them: leave out `only`, or write them with `npy_file`",
        ))
    }

    /// The layout of the values in a file.
    pub(super) fn array(&self, failed: impl Fn(io::Error) -> Error) -> Result<Array> {
        let (rows, shape) = (self.range()?, self.of.shape);
        let has_condensed =
            shape.column_count().is_none() && !shape.has_diagonal() && rows == shape.rows();
        if self.is_condensed && !has_condensed {
            return Err(Error::arguments(
                "the condensed form needs all rows of a triangle without its diagonal: leave out `condensed()`, or compute all rows",
            ));
        }
        Array::new::<T>(shape, rows, self.is_condensed).map_err(failed)
    }
}

/// A temporary file beside the one of this name. It gets the name in the end, and is removed if that does not happen.
fn unfinished(path: &Path) -> Result<tempfile::NamedTempFile> {
    let name = expect_file(path).map_err(|reason| Error::io("write", path, reason))?;
    let prefix = with_ending(name.as_ref(), ".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // With the permissions of any new file: only its owner could read one of `tempfile_in`, whose errors also name a path that
    // the user did not give.
    let new = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    let folder = folder_of(path);
    let made = builder.make_in(folder, new);
    made.map_err(|reason| Error::io("create a file in", folder, reason).writing(path))
}
