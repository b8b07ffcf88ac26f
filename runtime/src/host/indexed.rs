//! Values of a matrix with their indices.

use std::iter::FusedIterator;

use super::shape::{Columns, Shape};

/// The values of a [`HostPacked`](crate::HostPacked), a [`HostSquare`](crate::HostSquare) or a
/// [`HostMatrix`](crate::HostMatrix) in order, each as `((i, j), value)`: from `iter` or `into_iter`.
///
/// ```
/// use td_kernel::HostPacked;
///
/// let matrix = HostPacked::from_vec(3, vec![10, 20, 21])?;
/// assert_eq!(matrix.iter().max_by_key(|(_, value)| **value), Some(((2, 1), &21)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexedValues<I> {
    values: I,
    /// The indices of the next value.
    next: (usize, usize),
    columns: Columns,
}

impl<I> IndexedValues<I> {
    pub(crate) fn new(values: I, shape: &Shape) -> Self {
        // Row 0 has no values below the diagonal.
        let (row, columns) = (shape.rows().start, shape.columns);
        let row = if columns == Columns::Below { row.max(1) } else { row };
        IndexedValues { values, next: (row, 0), columns }
    }
}

impl<I: Iterator> Iterator for IndexedValues<I> {
    type Item = ((usize, usize), I::Item);

    fn next(&mut self) -> Option<Self::Item> {
        let value = self.values.next()?;
        let (i, j) = self.next;
        self.next = if j + 1 < self.columns.count(i) { (i, j + 1) } else { (i + 1, 0) };
        Some(((i, j), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for IndexedValues<I> {}

impl<I: FusedIterator> FusedIterator for IndexedValues<I> {}
