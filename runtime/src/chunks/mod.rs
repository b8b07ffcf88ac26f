//! Rows of a triangle or of a matrix in chunks: results larger than a device's memory, or than the host's.
//!
//! Uses `group` and the layers below it.

mod array;
mod chunk;
mod chunking;
mod disk;
mod file;
mod journal;
mod lock;
mod needs;
mod npy;
mod of;
mod options;
mod parts;
mod pipeline;
mod resume;
mod slots;
mod started;
mod step;
mod unfinished;
mod work;
mod writer;

use std::collections::VecDeque;
use std::ops::Range;

pub use self::chunk::{Chunk, ChunkProgress};
use self::chunking::Chunking;
pub use self::needs::Need;
pub use self::npy::NpyValue;
pub use self::of::{ChunksOf, InChunks};
pub use self::slots::ChunkSlots;
pub use self::started::StartedChunks;
use self::step::ResumeStep;
pub use self::unfinished::{NpyFile, Partial};
pub use self::work::Work;
pub use self::writer::NpyWriter;
use crate::host::methods::debug;
use crate::types::info::OTHERS;
use crate::{DeviceType, Error, Result};

/// Launches a kernel for some rows.
type Launch<'a, T> = Box<dyn FnMut(Range<usize>, &mut ChunkSlots<T>) -> Result<()> + 'a>;

/// Receives the progress.
type Callback<'a> = Box<dyn FnMut(ChunkProgress) + 'a>;

/// Receives each chunk.
type Inspect<'a, T> = Box<dyn FnMut(&Chunk<'_, T>) -> Result<()> + 'a>;

/// The rows of a kernel's result in chunks of about equal memory, in order. They come from the `chunks` of a generated kernel
/// with one `Packed` or one `Matrix`, which takes the other arguments of `launch`; or from
/// [`Target::chunks`](crate::Target::chunks), for any launch.
///
/// The result is never in memory as a whole, neither on the device nor on the host. On a GPU one chunk is computed while the
/// previous one is copied to pinned host memory, and the caller uses the one before that.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::best()?;
/// let kernel = distance::load(&device)?;
/// let x = device.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?;
/// let mut farthest = Vec::new();
/// let mut chunks = kernel.chunks(&x)?.memory(64).start()?; // room for 16 values, in all chunks that are under way
/// while let Some(chunk) = chunks.next()? {
///     for (_, row) in chunk.each_row() {
///         farthest.push(row.iter().copied().fold(0.0, f32::max));
///     }
/// }
/// assert_eq!(farthest, [0.0, 1.0, 3.0, 6.0, 10.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// A value has the same bits as in one launch of all rows. Other outputs of the kernel gather over all chunks: a `Sum` is
/// complete after the last one. After `kernel.rows(a..b)` the chunks are those of these rows.
///
/// # Several devices
///
/// Each chunk of [`Devices`](crate::Devices) goes to the device with the least work, and chunks and progress arrive in the order
/// of the rows. Each device has its own slots, copies and host memory, so chunks arrive at the combined rate of all connections.
/// Sums, lists and results of elements gather over all chunks and all devices. One thread launches for all devices. CPUs, whose
/// launches return when they have ended, therefore compute one after another, each with all cores.
///
/// ```
/// use td_kernel::{Devices, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>, far: &mut Sum<u64>) {
///     r#"
///     distance = fabsf(x.i - x.j);
///     if (distance > 5.0f) far += 1;
///     "#
/// }
///
/// let devices = Devices::cpu(2)?; // or Devices::all(): every GPU
/// let (kernel, x) = (distance::load(&devices)?, devices.upload(&[0.0, 1.0, 3.0, 6.0, 10.0])?);
/// let (mut far, mut values) = (devices.sum()?, Vec::new());
/// kernel.chunks(&x, &mut far)?.height(1).each(|chunk| {
///     values.extend_from_slice(chunk.values);
///     Ok(())
/// })?;
/// assert_eq!(values, [1.0, 3.0, 2.0, 6.0, 5.0, 3.0, 10.0, 9.0, 7.0, 4.0]);
/// assert_eq!(far.download()?, 4);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// An error of one device names it, and ends the chunks of all.
pub struct Chunks<'a, T> {
    of: ChunksOf,
    /// The rows to compute in chunks; `None` for all.
    only: Option<VecDeque<Range<usize>>>,
    /// Whether a file has the values in reverse order.
    is_condensed: bool,
    limits: Limits,
    inspect: Option<Inspect<'a, T>>,
    /// For tests: see [`Chunks::at_steps`].
    at_step: fn(ResumeStep),
    progress: Option<Callback<'a>>,
    launch: Launch<'a, T>,
}

/// Limits on memory and chunks.
#[derive(Clone, Debug, Default)]
struct Limits {
    /// Bytes of all slots on a device.
    memory: Option<usize>,
    /// Bytes of the host memory that slots are copied to.
    host_memory: Option<usize>,
    /// How many chunks have memory at the same time, if they are copied.
    in_flight: usize,
    /// The most rows of a chunk.
    height: usize,
    /// How many processes use host memory for chunks at the same time, and how many use each device's; 1 for a device without an
    /// entry.
    host_sharers: usize,
    sharers: Vec<usize>,
}

impl<'a, T: DeviceType> Chunks<'a, T> {
    /// Passes each chunk to `sink`, in order.
    ///
    /// # Errors
    ///
    /// Those of [`start`](Self::start) and [`StartedChunks::next`]; or the first error of `sink`, which
    /// [`Error::other`](crate::Error::other) can make from any error. Nothing is running afterwards.
    pub fn each(self, sink: impl FnMut(Chunk<'_, T>) -> Result<()>) -> Result<()> {
        self.start()?.each(sink)
    }

    /// The chunks of these rows, which are in order.
    fn chunking(&self, rows: VecDeque<Range<usize>>) -> Result<Chunking> {
        let [.., shared] = &OTHERS;
        if let Some(why) = shared.chunks.filter(|_| self.of.device.is_part()) {
            let (count, [_, of]) =
                (self.of.device.devices().len(), self.of.device.backend().place());
            return Err(Error::arguments(format!(
                "these devices are {count} of {of} that share each launch with other processes: {why}"
            )));
        }
        let (shape, height, side) = (self.of.shape, self.limits.height, self.of.side);
        Ok(Chunking { shape, values: self.chunk_values(&rows)?, rows, height, side })
    }

    /// All rows. Checks that they exist.
    fn range(&self) -> Result<Range<usize>> {
        let rows = self.of.rows.clone().unwrap_or(0..self.of.shape.row_count());
        self.of.shape.of_rows(rows.clone()).checked::<T>()?;
        Ok(rows)
    }

    /// The ranges of rows to compute, in order.
    fn pieces(&self) -> Result<VecDeque<Range<usize>>> {
        let range = self.range()?;
        let Some(only) = &self.only else { return Ok([range].into()) };
        let mut start = range.start;
        for rows in only {
            // Memory is allocated for the last rows, which are the longest, and positions in a file are those of its rows.
            if rows.start < start || rows.end < rows.start || rows.end > range.end {
                return Err(Error::arguments(format!(
                    "rows {rows:?} are not within {start}..{}: pass ranges of rows in order, without overlap",
                    range.end
                )));
            }
            start = rows.end;
        }
        Ok(only.iter().filter(|rows| !rows.is_empty()).cloned().collect())
    }
}

debug!([T] Chunks<'_, T>, self: shape = self.of.shape, rows = self.of.rows, limits = self.limits);
