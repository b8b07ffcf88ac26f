//! A matrix on the host: the values of a shape, by rows.

mod chunks;
mod forms;
mod kind;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};
use std::panic::panic_any;
use std::{slice, vec};

pub use self::kind::{HostMatrix, HostPacked, HostSquare, RectangleKind, SquareKind, TriangleKind};
use super::indexed::IndexedValues;
use super::shape::Shape;
use crate::Result;
use crate::host::methods::length;

/// A matrix on the host, by rows: a [`HostPacked`], a [`HostSquare`] or a [`HostMatrix`]. Functions that accept all
/// of these use the methods here:
///
/// ```
/// use td_kernel::{HostPacked, HostSquare, HostValues};
///
/// /// The row and the column of the largest value.
/// fn largest<K>(matrix: &HostValues<u32, K>) -> Option<(usize, usize)> {
///     matrix.iter().max_by_key(|(_, value)| **value).map(|(at, _)| at)
/// }
///
/// assert_eq!(largest(&HostPacked::from_vec(3, vec![10, 20, 15])?), Some((2, 0)));
/// assert_eq!(largest(&HostSquare::from_vec(2, vec![0, 7, 5, 0])?), Some((0, 1)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostValues<T, K> {
    values: Vec<T>,
    shape: Shape,
    kind: PhantomData<K>,
}

impl<T, K> HostValues<T, K> {
    /// A matrix of this shape. Every matrix is made here, so the rows and the number of values are always checked.
    pub(crate) fn of(shape: Shape, values: Vec<T>) -> Result<Self> {
        let shape = shape.checked::<T>()?;
        shape.expect_values(values.len())?;
        Ok(HostValues { values, shape, kind: PhantomData })
    }

    /// The pairs that have values.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of rows of the whole matrix, including rows outside its chunk.
    pub fn row_count(&self) -> usize {
        self.shape.row_count()
    }

    /// The rows that have values here: all of them, or those of a chunk.
    pub fn row_range(&self) -> Range<usize> {
        self.shape.rows()
    }

    length!(self, "values", self.values.len());

    /// The value in row i and column j, or `None` if it is not there. In a packed matrix, (i, j) and (j, i) have the same
    /// value.
    pub fn get(&self, i: usize, j: usize) -> Option<&T> {
        self.values.get(self.shape.slot(i, j)?)
    }

    /// The index of each row, and its values. Row i of a packed matrix has i values, or i + 1 with the diagonal.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        self.row_range().map(|i| (i, &self.values[self.shape.row(i)]))
    }

    /// Each value as `((i, j), value)`, by rows.
    pub fn iter(&self) -> IndexedValues<slice::Iter<'_, T>> {
        IndexedValues::new(self.values.iter(), &self.shape)
    }

    /// All values, by rows.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// All values, by rows, for writing.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// All values, by rows.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }

    /// The position of a value that must be there. As for a slice, an index out of range is the caller's mistake, and `Index`
    /// has no other way to report it.
    #[allow(clippy::panic)]
    #[track_caller]
    fn slot(&self, (i, j): (usize, usize)) -> usize {
        match self.shape.slot(i, j) {
            Some(slot) => slot,
            None => {
                let (rows, shape) = (self.row_range(), &self.shape);
                panic_any(format!("({i}, {j}) is outside of rows {rows:?} of {shape}"))
            }
        }
    }
}

impl<T, K> Index<(usize, usize)> for HostValues<T, K> {
    type Output = T;

    /// The value in row i and column j.
    ///
    /// # Panics
    ///
    /// The value is not there. [`get`](HostValues::get) returns `None` instead.
    #[track_caller]
    fn index(&self, at: (usize, usize)) -> &T {
        &self.values[self.slot(at)]
    }
}

impl<T, K> IndexMut<(usize, usize)> for HostValues<T, K> {
    /// The value in row i and column j, for writing. In a packed matrix, (i, j) and (j, i) are the same value.
    ///
    /// # Panics
    ///
    /// As for reading.
    #[track_caller]
    fn index_mut(&mut self, at: (usize, usize)) -> &mut T {
        let slot = self.slot(at);
        &mut self.values[slot]
    }
}

impl<'a, T, K> IntoIterator for &'a HostValues<T, K> {
    type Item = ((usize, usize), &'a T);
    type IntoIter = IndexedValues<slice::Iter<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, K> IntoIterator for HostValues<T, K> {
    type Item = ((usize, usize), T);
    type IntoIter = IndexedValues<vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        IndexedValues::new(self.values.into_iter(), &self.shape)
    }
}

impl<T, K> From<HostValues<T, K>> for Vec<T> {
    fn from(matrix: HostValues<T, K>) -> Vec<T> {
        matrix.into_vec()
    }
}

impl<T, K> AsRef<[T]> for HostValues<T, K> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}
