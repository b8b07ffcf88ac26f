//! A symmetric matrix on the host, of which one triangle is stored: all its rows, or some.

use std::ops::{Index, Range};
use std::panic::panic_any;
use std::slice;

use super::PackedShape;
use crate::Result;
use crate::error::MatrixCause;
use crate::host::indexed::{Columns, IndexedValues, values_by_rows};

/// A symmetric matrix on the host, of which one triangle is stored; or some of its rows, from
/// [`Packed::download`](crate::Packed::download) of such.
///
/// Its values are in the order of the slots of a [`Packed`](crate::Packed): (1, 0), (2, 0), (2, 1), …, and with the
/// diagonal (0, 0), (1, 0), (1, 1), ….
///
/// ```
/// use td_kernel::PackedMatrix;
///
/// let matrix = PackedMatrix::from_vec(3, vec![10, 20, 21])?;
/// assert_eq!((matrix.elements(), matrix.len()), (3, 3));
/// assert_eq!((matrix[(2, 1)], matrix[(1, 2)]), (21, 21));
/// assert_eq!((matrix.get(2, 1), matrix.get(1, 1), matrix.get(3, 0)), (Some(&21), None, None));
/// for ((i, j), value) in &matrix {
///     assert_eq!(*value, 10 * i + j);
/// }
/// for (i, row) in matrix.rows() {
///     assert_eq!(row.len(), i);
/// }
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedMatrix<T> {
    pub(super) values: Vec<T>,
    pub(super) shape: PackedShape,
}

impl<T> PackedMatrix<T> {
    /// A matrix without its diagonal: n (n - 1) / 2 values, by rows of the lower triangle.
    ///
    /// # Errors
    ///
    /// The values are more or less.
    pub fn from_vec(elements: usize, values: Vec<T>) -> Result<Self> {
        Self::checked(elements, 0..elements, false, values)
    }

    /// A matrix with its diagonal: n (n + 1) / 2 values, by rows of the lower triangle.
    ///
    /// # Errors
    ///
    /// The values are more or less.
    pub fn from_vec_with_diagonal(elements: usize, values: Vec<T>) -> Result<Self> {
        Self::checked(elements, 0..elements, true, values)
    }

    /// Some rows of a matrix, without its diagonal.
    ///
    /// ```
    /// use td_kernel::PackedMatrix;
    ///
    /// // Of 100 elements, those pairs whose larger index is 2 or 3.
    /// let band = PackedMatrix::from_rows(100, 2..4, vec![20, 21, 30, 31, 32])?;
    /// assert_eq!((band[(2, 0)], band[(1, 3)], band.get(1, 0)), (20, 31, None));
    /// assert_eq!(band.rows().collect::<Vec<_>>(), [(2, &[20, 21][..]), (3, &[30, 31, 32])]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element; or the values are more or less than these rows have.
    pub fn from_rows(elements: usize, rows: Range<usize>, values: Vec<T>) -> Result<Self> {
        Self::checked(elements, rows, false, values)
    }

    /// Some rows of a matrix, with its diagonal.
    ///
    /// # Errors
    ///
    /// As those of [`from_rows`](Self::from_rows).
    pub fn from_rows_with_diagonal(
        elements: usize,
        rows: Range<usize>,
        values: Vec<T>,
    ) -> Result<Self> {
        Self::checked(elements, rows, true, values)
    }

    pub(crate) fn checked(
        elements: usize,
        rows: Range<usize>,
        diagonal: bool,
        values: Vec<T>,
    ) -> Result<Self> {
        let shape = PackedShape::new::<T>(elements, rows, diagonal)?;
        let (found, expected) = (values.len(), shape.slots());
        if found != expected {
            let PackedShape { elements, rows, .. } = shape;
            return Err(MatrixCause::MatrixLength { found, elements, rows, expected }.into());
        }
        Ok(PackedMatrix { values, shape })
    }

    /// n: the number of elements that the pairs are made of, and so of rows of the whole matrix.
    pub fn elements(&self) -> usize {
        self.shape.elements
    }

    /// The rows: `0..elements` of a whole matrix.
    pub fn row_range(&self) -> Range<usize> {
        self.shape.rows.clone()
    }

    /// Whether the diagonal is stored.
    pub fn has_diagonal(&self) -> bool {
        self.shape.diagonal
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of the pair (i, j), which is that of (j, i); `None` where its larger index is none of the rows, and on
    /// a diagonal that is not stored.
    pub fn get(&self, i: usize, j: usize) -> Option<&T> {
        self.values.get(self.shape.slot(i, j)?)
    }

    /// The index of each row, and its stored part: row i has i values, or i + 1 with the diagonal.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        self.row_range().map(|i| (i, &self.values[self.shape.row(i)]))
    }

    /// Each value as `((i, j), value)`, with i > j, or i >= j with the diagonal.
    pub fn iter(&self) -> IndexedValues<slice::Iter<'_, T>> {
        let (row, columns) = self.indices();
        IndexedValues::new(self.values.iter(), row, columns)
    }

    /// The values in order.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// The values in order, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The values in order.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }

    /// The first row, and the columns.
    fn indices(&self) -> (usize, Columns) {
        let columns = if self.shape.diagonal { Columns::WithDiagonal } else { Columns::Below };
        (self.shape.rows.start, columns)
    }
}

impl<T> Index<(usize, usize)> for PackedMatrix<T> {
    type Output = T;

    /// The value of the pair (i, j), which is that of (j, i).
    ///
    /// # Panics
    ///
    /// There is none, as where a slice is indexed past its end: [`get`](PackedMatrix::get) is `None` then.
    // An index is the caller's claim, and the language has no other way to refuse it.
    #[allow(clippy::panic)]
    #[track_caller]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        match self.get(i, j) {
            Some(value) => value,
            None => {
                let PackedShape { elements, rows, diagonal } = &self.shape;
                let with = if *diagonal { "with" } else { "without" };
                panic_any(format!(
                    "no pair ({i}, {j}) is in rows {rows:?} of {elements} elements {with} the diagonal"
                ))
            }
        }
    }
}

values_by_rows!(PackedMatrix);
