//! A whole n x n matrix on the host.

use std::ops::Deref;

use crate::host::indexed::values_by_rows;
use crate::{RectangularMatrix, Result};

/// An n x n matrix on the host, by rows: from [`Square::download`](crate::Square::download) or
/// [`PackedMatrix::to_square`](crate::PackedMatrix::to_square). It is read as a [`RectangularMatrix`] of n rows and n columns.
///
/// ```
/// use td_kernel::SquareMatrix;
///
/// let matrix = SquareMatrix::from_vec(2, vec![0, 1, 10, 11])?;
/// assert_eq!((matrix.elements(), matrix.len()), (2, 4));
/// assert_eq!((matrix[(1, 0)], matrix.get(1, 0), matrix.get(2, 0)), (10, Some(&10), None));
/// for ((i, j), value) in &matrix {
///     assert_eq!(*value, 10 * i + j);
/// }
/// assert_eq!(matrix.rows().collect::<Vec<_>>(), [(0, &[0, 1][..]), (1, &[10, 11])]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareMatrix<T>(RectangularMatrix<T>);

impl<T> SquareMatrix<T> {
    /// A matrix of n² values, by rows.
    ///
    /// # Errors
    ///
    /// The values are more or less.
    pub fn from_vec(elements: usize, values: Vec<T>) -> Result<Self> {
        RectangularMatrix::from_vec(elements, elements, values).map(SquareMatrix)
    }

    /// n: the number of rows, and of columns.
    pub fn elements(&self) -> usize {
        self.row_count()
    }

    /// All values, by rows, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.0.as_mut_slice()
    }

    /// All values, by rows.
    pub fn into_vec(self) -> Vec<T> {
        self.0.into_vec()
    }
}

/// Only to read: what is written could have another number of columns.
impl<T> Deref for SquareMatrix<T> {
    type Target = RectangularMatrix<T>;

    fn deref(&self) -> &RectangularMatrix<T> {
        &self.0
    }
}

impl<T> From<SquareMatrix<T>> for RectangularMatrix<T> {
    fn from(matrix: SquareMatrix<T>) -> Self {
        matrix.0
    }
}

values_by_rows!(SquareMatrix);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_rows() {
        let mut matrix = SquareMatrix::from_vec(2, vec![0, 1, 2, 3]).unwrap();
        matrix.as_mut_slice()[3] = 4;
        assert!((&matrix).into_iter().all(|(at, value)| matrix[at] == *value));
        assert_eq!(matrix.clone().into_iter().last(), Some(((1, 1), 4)));
        assert_eq!(matrix.as_ref(), matrix.clone().into_vec());
        assert_eq!(RectangularMatrix::from(matrix).column_count(), 2);
    }

    #[test]
    fn other_lengths_are_refused() {
        let error = SquareMatrix::from_vec(2, vec![0; 3]).unwrap_err();
        assert!(error.to_string().contains("3 values"), "{error}");
        assert!(SquareMatrix::from_vec(usize::MAX, vec![0; 3]).is_err());
    }
}
