//! A matrix of rows and columns on the host.

use std::ops::{Index, Range};
use std::panic::panic_any;
use std::slice;

use super::MatrixShape;
use crate::Result;
use crate::error::MatrixCause;
use crate::host::indexed::{Columns, IndexedValues, values_by_rows};

/// A matrix of rows and columns on the host, by rows: from [`Matrix::download`](crate::Matrix::download).
///
/// ```
/// use td_kernel::RectangularMatrix;
///
/// let matrix = RectangularMatrix::from_vec(2, 3, vec![0, 1, 2, 10, 11, 12])?;
/// assert_eq!((matrix.row_count(), matrix.column_count(), matrix.len()), (2, 3, 6));
/// assert_eq!((matrix[(1, 0)], matrix.get(1, 2), matrix.get(2, 0)), (10, Some(&12), None));
/// for ((i, j), value) in &matrix {
///     assert_eq!(*value, 10 * i + j);
/// }
/// assert_eq!(matrix.rows().collect::<Vec<_>>(), [(0, &[0, 1, 2][..]), (1, &[10, 11, 12])]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RectangularMatrix<T> {
    pub(super) values: Vec<T>,
    pub(super) shape: MatrixShape,
}

impl<T> RectangularMatrix<T> {
    /// A matrix of rows x columns values, by rows.
    ///
    /// # Errors
    ///
    /// The values are more or less.
    pub fn from_vec(rows: usize, columns: usize, values: Vec<T>) -> Result<Self> {
        Self::from_rows(rows, columns, 0..rows, values)
    }

    /// Some of the `row_count` rows of a matrix.
    ///
    /// ```
    /// use td_kernel::RectangularMatrix;
    ///
    /// // Of 100 rows, those with the indices 2 and 3.
    /// let band = RectangularMatrix::from_rows(100, 2, 2..4, vec![20, 21, 30, 31])?;
    /// assert_eq!((band[(3, 0)], band.get(1, 0)), (30, None));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last row; or the values are more or less than these rows have.
    pub fn from_rows(
        row_count: usize,
        columns: usize,
        rows: Range<usize>,
        values: Vec<T>,
    ) -> Result<Self> {
        let shape = MatrixShape::new::<T>(row_count, columns, rows)?;
        let (found, expected) = (values.len(), shape.values());
        if found != expected {
            let rows = shape.rows.len();
            return Err(MatrixCause::RectangleLength { found, rows, columns, expected }.into());
        }
        Ok(RectangularMatrix { values, shape })
    }

    /// The number of rows, also of those that a band does not have.
    pub fn row_count(&self) -> usize {
        self.shape.row_count
    }

    /// The number of columns.
    pub fn column_count(&self) -> usize {
        self.shape.columns
    }

    /// The rows that there are values for: all of them, or those of a band.
    pub fn row_range(&self) -> Range<usize> {
        self.shape.rows.clone()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value in row i and column j; `None` where there is none.
    pub fn get(&self, i: usize, j: usize) -> Option<&T> {
        self.values.get(self.shape.place(i, j)?)
    }

    /// The index of each row, and its values.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        let MatrixShape { rows, columns, .. } = &self.shape;
        (0..rows.len())
            .map(move |row| (rows.start + row, &self.values[row * columns..(row + 1) * columns]))
    }

    /// Each value as `((i, j), value)`, by rows.
    pub fn iter(&self) -> IndexedValues<slice::Iter<'_, T>> {
        let (row, columns) = self.indices();
        IndexedValues::new(self.values.iter(), row, columns)
    }

    /// All values, by rows.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// All values, by rows, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// All values, by rows.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }

    /// The first row, and the columns.
    pub(crate) fn indices(&self) -> (usize, Columns) {
        (self.shape.rows.start, Columns::All(self.shape.columns))
    }
}

impl<T> Index<(usize, usize)> for RectangularMatrix<T> {
    type Output = T;

    /// The value in row i and column j.
    ///
    /// # Panics
    ///
    /// There is none, as where a slice is indexed past its end: [`get`](RectangularMatrix::get) is `None` then.
    // An index is the caller's claim, and the language has no other way to refuse it.
    #[allow(clippy::panic)]
    #[track_caller]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        match self.get(i, j) {
            Some(value) => value,
            None => {
                let MatrixShape { rows, columns, .. } = &self.shape;
                panic_any(format!("({i}, {j}) is outside of rows {rows:?} and {columns} columns"))
            }
        }
    }
}

values_by_rows!(RectangularMatrix);
