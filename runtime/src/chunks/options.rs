//! Options of chunks: how rows are divided, which chunks are computed, and callbacks.

use std::ops::Range;

use super::{Chunk, ChunkProgress, Chunks, ChunksOf, Limits};
use crate::{DeviceType, Result};

impl<'a, T: DeviceType> Chunks<'a, T> {
    /// Limits the bytes of each device's memory for the values of all chunks in progress: on a GPU
    /// [`in_flight`](Self::in_flight) chunks. On the CPU there is one, which this and [`host_memory`](Self::host_memory) limit.
    ///
    /// Without a limit, each chunk has 64 to 512 MiB, as much as 256 rows need, and less than half of the free memory. With
    /// several devices, chunks are smaller if there would be fewer than four per device.
    #[must_use]
    pub fn memory(self, bytes: usize) -> Self {
        Chunks { limits: Limits { memory: Some(bytes), ..self.limits }, ..self }
    }

    /// Limits the bytes of pinned host memory for the values of all chunks in progress, on all devices. Without a limit, it is
    /// as much as device memory, and less than a quarter of the free host memory.
    #[must_use]
    pub fn host_memory(self, bytes: usize) -> Self {
        Chunks { limits: Limits { host_memory: Some(bytes), ..self.limits }, ..self }
    }

    /// Sets how many chunks of each device have memory at the same time, there and on the host: 1 to 64, by default 2. With 1,
    /// nothing overlaps; more than 2 help a caller that is sometimes slow.
    #[must_use]
    pub fn in_flight(self, chunks: usize) -> Self {
        Chunks { limits: Limits { in_flight: chunks.clamp(1, 64), ..self.limits }, ..self }
    }

    /// Limits the rows of a chunk. A chunk has at least one row.
    #[must_use]
    pub fn height(self, rows: usize) -> Self {
        Chunks { limits: Limits { height: rows.max(1), ..self.limits }, ..self }
    }

    /// Computes only the chunks of these rows, for example to continue where an earlier program has ended.
    #[must_use]
    pub fn rows(self, rows: Range<usize>) -> Self {
        Chunks { of: ChunksOf { rows: Some(rows), ..self.of }, ..self }
    }

    /// Writes a file in SciPy's condensed form, (0, 1), (0, 2), … (1, 2), …, as from `scipy.spatial.distance.pdist`. **Pass the
    /// elements in reverse order** for this, the last one first. Then the rows that are computed first are the last ones of the
    /// condensed form, in reverse, and each chunk is one contiguous piece of the file, written at full speed. The chunks
    /// themselves have the pairs of the reversed elements, as without this call.
    ///
    /// Of SciPy's pair (a, b), a < b, the body sees element a as `i` and element b as `j`. A distance is the same either way.
    ///
    /// ```
    /// use td_kernel::{Device, Error, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// # let folder = std::env::temp_dir().join(format!("td-kernel-condensed-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).map_err(Error::other)?;
    /// # let path = folder.join("condensed.npy");
    /// let device = Device::cpu()?;
    /// let mut x = vec![0.0_f32, 1.0, 3.0, 7.0];
    /// x.reverse();
    /// distance::load(&device)?.chunks(&device.upload(&x)?)?.condensed().write_npy(&path)?;
    /// let bytes = std::fs::read(&path).map_err(Error::other)?;
    /// let (values, _) = bytes[128..].as_chunks::<4>();
    /// let values: Vec<f32> = values.iter().map(|value| f32::from_le_bytes(*value)).collect();
    /// assert_eq!(values, [1.0, 3.0, 7.0, 2.0, 6.0, 4.0]);
    /// # std::fs::remove_dir_all(&folder).map_err(Error::other)?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// This is for all rows of a triangle without its diagonal. For anything else, writing a file is an error.
    #[must_use]
    pub fn condensed(self) -> Self {
        Chunks { is_condensed: true, ..self }
    }

    /// Passes each chunk to `look` before the caller or the file gets it: for statistics of a file's values. An error of `look`
    /// ends the chunks.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[0.0, 1.0, 3.0])?;
    /// let (mut sum, mut rows) = (0.0, 0);
    /// let chunks = distance::load(&device)?.chunks(&x)?.inspect(|chunk| {
    ///     sum += chunk.values.iter().sum::<f32>();
    ///     Ok(())
    /// });
    /// chunks.each(|chunk| {
    ///     rows += chunk.rows.len();
    ///     Ok(())
    /// })?;
    /// assert_eq!((sum, rows), (6.0, 3));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn inspect(self, look: impl FnMut(&Chunk<'_, T>) -> Result<()> + 'a) -> Self {
        Chunks { inspect: Some(Box::new(look)), ..self }
    }

    /// Calls `report` after each chunk, when the caller is done with it.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?;
    /// let mut reached = Vec::new();
    /// let chunks = distance::load(&device)?.chunks(&x)?.height(2);
    /// let report = |done: td_kernel::ChunkProgress| reached.push((done.next_row, done.values, done.of));
    /// chunks.progress(report).each(|_| Ok(()))?;
    /// // Later rows of a triangle are longer: most of the work is in the last ones.
    /// assert_eq!(reached, [(2, 1, 10), (4, 6, 10), (5, 10, 10)]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn progress(self, report: impl FnMut(ChunkProgress) + 'a) -> Self {
        Chunks { progress: Some(Box::new(report)), ..self }
    }

    /// Computes only these rows, which are in order and do not overlap; other processes compute the rest. A file still has all
    /// rows: [`npy_file`](Self::npy_file) describes it. [`write_npy`](Self::write_npy) and [`resume_npy`](Self::resume_npy),
    /// which write a file alone, are then an error.
    #[must_use]
    pub fn only(self, rows: impl IntoIterator<Item = Range<usize>>) -> Self {
        Chunks { only: Some(rows.into_iter().collect()), ..self }
    }
}
