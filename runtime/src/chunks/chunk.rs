//! A chunk on the host, and the progress of chunks.

use std::ops::Range;

use crate::Shape;

/// The values of some rows, borrowed until the next chunk is requested.
///
/// The values are in the order of a [`Packed`](crate::Packed) of these rows, or of a [`Matrix`](crate::Matrix).
///
/// ```
/// use td_kernel::{Chunk, Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// /// The closest pair among those of a chunk, as (row, column, distance).
/// fn closest(chunk: &Chunk<'_, f32>) -> Option<(usize, usize, f32)> {
///     let pairs = chunk.each_row().flat_map(|(i, row)| {
///         row.iter().enumerate().map(move |(j, distance)| (i, j, *distance))
///     });
///     pairs.min_by(|one, other| one.2.total_cmp(&other.2))
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[0.0, 4.0, 9.0, 3.0, 20.0, 8.5])?;
/// let mut found = Vec::new();
/// distance::load(&device)?.chunks(&x)?.height(2).each(|chunk| {
///     // The place of the chunk's first value, were all values in one array.
///     assert_eq!(chunk.start, [0, 1, 6][chunk.rows.start / 2]);
///     found.extend(closest(&chunk));
///     Ok(())
/// })?;
/// assert_eq!(found, [(1, 0, 4.0), (3, 1, 1.0), (5, 2, 0.5)]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Chunk<'b, T> {
    /// The rows: for a triangle, the larger indices of the pairs.
    pub rows: Range<usize>,
    /// The number of values in all rows before these, so the index of the first value among those of all rows.
    pub start: usize,
    /// The values, in the host's pinned memory, or where the CPU has computed them.
    pub values: &'b [T],
    pub(super) shape: Shape,
}

impl<'b, T> Chunk<'b, T> {
    /// The index and values of each row. Row i of a triangle has the values of the pairs (i, 0), (i, 1), …
    pub fn each_row(&self) -> impl ExactSizeIterator<Item = (usize, &'b [T])> {
        let (values, shape, first) = (self.values, self.shape, self.start);
        let row = move |i| (i, &values[shape.start(i) - first..shape.start(i + 1) - first]);
        self.rows.clone().map(row)
    }
}

/// The progress of chunks, for the callback of [`Chunks::progress`](crate::Chunks::progress).
///
/// ```
/// use td_kernel::ChunkProgress;
///
/// fn show(done: ChunkProgress) {
///     println!("{} of {} values, up to row {}", done.values, done.of, done.next_row);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChunkProgress {
    /// The first row that is not done; the next chunk begins there.
    pub next_row: usize,
    /// The values in the finished chunks.
    pub values: usize,
    /// The values in all chunks.
    pub of: usize,
}
