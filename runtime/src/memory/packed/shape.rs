//! Which pairs have a slot, and where.

use std::ops::Range;

use crate::Error;
use crate::Result;
use crate::error::MatrixCause;
use crate::host::triangle::{pairs, row_start};

/// The pairs that packed slots are for.
///
/// ```
/// use td_kernel::{Device, PackedSlots};
///
/// let slots = Device::cpu()?.packed_rows::<f32>(10, 3..5)?;
/// let shape = slots.shape().map(|shape| (shape.elements, shape.rows, shape.diagonal));
/// assert_eq!(shape, Some((10, 3..5, false)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackedShape {
    /// n: the number of elements that the pairs are made of.
    pub elements: usize,
    /// The larger indices of the pairs: `0..elements` where there are slots for all.
    pub rows: Range<usize>,
    /// Whether there are slots for the pairs (i, i).
    pub diagonal: bool,
}

impl PackedShape {
    /// The pairs of these rows, where there are such rows and memory could hold a `T` for each pair.
    pub(crate) fn new<T>(elements: usize, rows: Range<usize>, diagonal: bool) -> Result<Self> {
        if rows.start > rows.end || rows.end > elements {
            return Err(MatrixCause::PackedRange { rows, elements }.into());
        }
        // Where the end has a place in memory, so has every row before it.
        pairs(rows.end, diagonal).ok_or_else(|| Error::too_large(rows.end, size_of::<T>()))?;
        Ok(PackedShape { elements, rows, diagonal })
    }

    /// The number of slots.
    pub(crate) fn slots(&self) -> usize {
        self.start(self.rows.end)
    }

    /// The slot that row i begins with, for one of the rows or the one after them.
    pub(crate) fn start(&self, i: usize) -> usize {
        row_start(i, self.diagonal) - row_start(self.rows.start, self.diagonal)
    }

    /// The slots of row i, which is one of the rows.
    pub(crate) fn row(&self, i: usize) -> Range<usize> {
        self.start(i)..self.start(i + 1)
    }

    /// The slot of the pair (i, j), which is that of (j, i), if there is one.
    pub(crate) fn slot(&self, i: usize, j: usize) -> Option<usize> {
        let (i, j) = if i < j { (j, i) } else { (i, j) };
        let is_there = self.rows.contains(&i) && (i != j || self.diagonal);
        is_there.then(|| self.start(i) + j)
    }
}
