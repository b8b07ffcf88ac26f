//! Which pairs of two sets a matrix has values for, and where.

use std::ops::Range;

use crate::Result;
use crate::error::MatrixCause;

/// The pairs of two sets that a matrix has values for.
///
/// ```
/// use td_kernel::{Device, MatrixSlots};
///
/// let slots = Device::cpu()?.matrix_rows::<f32>(10, 4, 3..5)?;
/// let shape = MatrixSlots::shape(&slots).map(|shape| (shape.row_count, shape.rows, shape.columns));
/// assert_eq!(shape, Some((10, 3..5, 4)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatrixShape {
    /// The number of all rows.
    pub row_count: usize,
    /// The rows that there are values for: `0..row_count` where these are all.
    pub rows: Range<usize>,
    /// The number of columns.
    pub columns: usize,
}

impl MatrixShape {
    /// These rows, where there are such rows and memory could hold a `T` for each pair.
    pub(crate) fn new<T>(row_count: usize, columns: usize, rows: Range<usize>) -> Result<Self> {
        if rows.start > rows.end || rows.end > row_count {
            return Err(MatrixCause::RowRange { rows, row_count }.into());
        }
        // Where the end has a place in memory, so has every row before it.
        // Values without a size could be more than memory has addresses, and so could rows without columns, which other
        // crates' arrays do not expect.
        let size = size_of::<T>();
        let places = rows.end.max(1).checked_mul(columns.max(1));
        if places.is_none_or(|count| count > isize::MAX as usize) {
            return Err(MatrixCause::TooLarge { rows: rows.end, columns, size }.into());
        }
        Ok(MatrixShape { row_count, rows, columns })
    }

    /// The number of values.
    pub(crate) fn values(&self) -> usize {
        self.rows.len() * self.columns
    }

    /// The place of the value in row i and column j, if there is one.
    pub(crate) fn place(&self, i: usize, j: usize) -> Option<usize> {
        let is_there = self.rows.contains(&i) && j < self.columns;
        is_there.then(|| (i - self.rows.start) * self.columns + j)
    }
}
