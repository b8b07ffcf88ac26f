//! Values of a matrix, with their indices.

use std::iter::FusedIterator;

/// The values of a [`PackedMatrix`](crate::PackedMatrix), a [`SquareMatrix`](crate::SquareMatrix) or a
/// [`RectangularMatrix`](crate::RectangularMatrix) in their order, each as `((i, j), value)`: from `iter` or `into_iter`.
///
/// ```
/// use td_kernel::PackedMatrix;
///
/// let matrix = PackedMatrix::from_vec(3, vec![10, 20, 21])?;
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

/// The columns of row i that have values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Columns {
    /// The columns below the diagonal: i of them.
    Below,
    /// The columns below the diagonal, and the diagonal: i + 1 of them.
    WithDiagonal,
    /// The same number in every row.
    All(usize),
}

impl<I> IndexedValues<I> {
    /// Values of whole rows, from this row on.
    pub(crate) fn new(values: I, row: usize, columns: Columns) -> Self {
        // Row 0 has nothing below the diagonal.
        let row = if matches!(columns, Columns::Below) { row.max(1) } else { row };
        IndexedValues { values, next: (row, 0), columns }
    }
}

impl<I: Iterator> Iterator for IndexedValues<I> {
    type Item = ((usize, usize), I::Item);

    fn next(&mut self) -> Option<Self::Item> {
        let value = self.values.next()?;
        let (i, j) = self.next;
        let columns = match self.columns {
            Columns::Below => i,
            Columns::WithDiagonal => i + 1,
            Columns::All(columns) => columns,
        };
        self.next = if j + 1 < columns { (i, j + 1) } else { (i + 1, 0) };
        Some(((i, j), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

/// The traits of a matrix on the host that has its values by rows, and whose `indices` are the first row and the columns.
macro_rules! values_by_rows {
    ($matrix:ident) => {
        impl<'a, T> IntoIterator for &'a $matrix<T> {
            type Item = ((usize, usize), &'a T);
            type IntoIter = $crate::host::indexed::IndexedValues<std::slice::Iter<'a, T>>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<T> IntoIterator for $matrix<T> {
            type Item = ((usize, usize), T);
            type IntoIter = $crate::host::indexed::IndexedValues<std::vec::IntoIter<T>>;

            fn into_iter(self) -> Self::IntoIter {
                let (row, columns) = self.indices();
                $crate::host::indexed::IndexedValues::new(self.into_vec().into_iter(), row, columns)
            }
        }

        impl<T> From<$matrix<T>> for Vec<T> {
            fn from(matrix: $matrix<T>) -> Vec<T> {
                matrix.into_vec()
            }
        }

        impl<T> AsRef<[T]> for $matrix<T> {
            fn as_ref(&self) -> &[T] {
                self.as_slice()
            }
        }
    };
}

pub(crate) use values_by_rows;

impl<I: ExactSizeIterator> ExactSizeIterator for IndexedValues<I> {}

impl<I: FusedIterator> FusedIterator for IndexedValues<I> {}
