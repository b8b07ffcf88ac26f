//! A whole n x n matrix on the host.

use std::ops::Index;
use std::panic::panic_any;
use std::slice;

use crate::Result;
use crate::error::{Cause, MatrixCause};
use crate::indexed::{Columns, IndexedValues, values_by_rows};

/// An n x n matrix on the host, by rows: from [`Square::download`](crate::Square::download) or
/// [`PackedMatrix::to_square`](crate::PackedMatrix::to_square).
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
pub struct SquareMatrix<T> {
    pub(super) values: Vec<T>,
    pub(super) elements: usize,
}

impl<T> SquareMatrix<T> {
    /// A matrix of n² values, by rows.
    ///
    /// # Errors
    ///
    /// The values are more or less.
    pub fn from_vec(elements: usize, values: Vec<T>) -> Result<Self> {
        let found = values.len();
        // Values without a size could be more than memory has addresses, which other crates' arrays do not expect.
        let expected = elements
            .checked_mul(elements)
            .filter(|count| *count <= isize::MAX as usize)
            .ok_or_else(|| Cause::TooLarge { elements, size: size_of::<T>() }.into())?;
        if found != expected {
            return Err(MatrixCause::SquareMatrixLength { found, elements, expected }.into());
        }
        Ok(SquareMatrix { values, elements })
    }

    /// n: the number of rows, and of columns.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// The number of values: n².
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value in row i and column j; `None` past the last element.
    pub fn get(&self, i: usize, j: usize) -> Option<&T> {
        self.values.get(self.position(i, j)?)
    }

    /// The index of each row, and its n values.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        let n = self.elements;
        (0..n).map(move |i| (i, &self.values[i * n..(i + 1) * n]))
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
    fn indices(&self) -> (usize, Columns) {
        (0, Columns::All(self.elements))
    }

    fn position(&self, i: usize, j: usize) -> Option<usize> {
        let n = self.elements;
        (i < n && j < n).then(|| i * n + j)
    }
}

impl<T> Index<(usize, usize)> for SquareMatrix<T> {
    type Output = T;

    /// The value in row i and column j.
    ///
    /// # Panics
    ///
    /// There is none, as where a slice is indexed past its end: [`get`](SquareMatrix::get) is `None` then.
    // An index is the caller's claim, and the language has no other way to refuse it.
    #[allow(clippy::panic)]
    #[track_caller]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        match self.get(i, j) {
            Some(value) => value,
            None => panic_any(format!("({i}, {j}) is past the {} elements", self.elements)),
        }
    }
}

values_by_rows!(SquareMatrix);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_where_rows_and_columns_say() {
        let matrix = SquareMatrix::from_vec(2, vec![0, 1, 2, 3]).unwrap();
        assert_eq!(matrix.get(1, 0), Some(&2));
        assert_eq!((matrix.get(2, 0), matrix.get(0, 2)), (None, None));
        assert_eq!(matrix.rows().collect::<Vec<_>>(), [(0, &[0, 1][..]), (1, &[2, 3])]);
        let indices: Vec<_> = matrix.iter().map(|(at, _)| at).collect();
        assert_eq!(indices, [(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert!(matrix.iter().all(|(at, value)| matrix[at] == *value));
        assert_eq!(matrix.iter().len(), 4);
        assert_eq!(matrix.clone().into_iter().map(|(_, value)| value).sum::<i32>(), 6);
        assert_eq!(
            (matrix.as_ref(), matrix.clone().into_vec()),
            (&[0, 1, 2, 3][..], vec![0, 1, 2, 3])
        );
        let none = SquareMatrix::<u32>::from_vec(0, Vec::new()).unwrap();
        assert_eq!((none.rows().len(), none.iter().next(), none.is_empty()), (0, None, true));
    }

    #[test]
    fn other_lengths_are_refused() {
        let error = SquareMatrix::from_vec(2, vec![0; 3]).unwrap_err();
        assert!(error.to_string().contains("3 values"), "{error}");
        assert!(SquareMatrix::from_vec(usize::MAX, vec![0; 3]).is_err());
    }

    #[test]
    #[should_panic(expected = "(0, 2) is past the 2 elements")]
    fn an_index_past_the_end_panics() {
        let matrix = SquareMatrix::from_vec(2, vec![0, 1, 2, 3]).unwrap();
        let _ = matrix[(0, 2)];
    }
}
