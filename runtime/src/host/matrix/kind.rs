//! The kinds of matrices on the host, and their constructors.

use std::marker::PhantomData;

use super::{HostValues, Shape};
use crate::Result;

/// The kind of a [`HostPacked`]: a triangle.
///
/// ```
/// use td_kernel::{HostValues, TriangleKind};
///
/// fn largest(matrix: &HostValues<i32, TriangleKind>) -> Option<i32> {
///     matrix.as_slice().iter().copied().max()
/// }
/// assert_eq!(largest(&td_kernel::HostPacked::from_vec(3, vec![1, 5, 2])?), Some(5));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriangleKind {}

/// The kind of a [`HostSquare`]: all pairs (i, j) of n elements.
///
/// ```
/// use td_kernel::{HostValues, SquareKind};
///
/// fn largest(matrix: &HostValues<i32, SquareKind>) -> Option<i32> {
///     matrix.as_slice().iter().copied().max()
/// }
/// assert_eq!(largest(&td_kernel::HostSquare::from_vec(2, vec![0, 3, 3, 0])?), Some(3));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareKind {}

/// The kind of a [`HostMatrix`]: rows and columns.
///
/// ```
/// use td_kernel::{HostValues, RectangleKind};
///
/// fn largest(matrix: &HostValues<i32, RectangleKind>) -> Option<i32> {
///     matrix.as_slice().iter().copied().max()
/// }
/// assert_eq!(largest(&td_kernel::HostMatrix::from_vec((1, 3), vec![4, 6, 5])?), Some(6));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RectangleKind {}

/// A symmetric matrix on the host that stores one triangle, or some of its rows: from
/// [`Packed::download`](crate::Packed::download).
///
/// Its values are in the order of the slots of a [`Packed`](crate::Packed): (1, 0), (2, 0), (2, 1), …, and with the diagonal
/// (0, 0), (1, 0), (1, 1), ….
///
/// ```
/// use td_kernel::HostPacked;
///
/// let matrix = HostPacked::from_vec(3, vec![10, 20, 21])?;
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
pub type HostPacked<T> = HostValues<T, TriangleKind>;

/// An n x n matrix on the host, by rows: from [`Square::download`](crate::Square::download) or
/// [`HostPacked::to_square`](HostValues::to_square). `into` converts it to a [`HostMatrix`] of n rows and n columns.
///
/// ```
/// use td_kernel::HostSquare;
///
/// let matrix = HostSquare::from_vec(2, vec![0, 1, 10, 11])?;
/// assert_eq!((matrix.elements(), matrix.len()), (2, 4));
/// assert_eq!((matrix[(1, 0)], matrix.get(1, 0), matrix.get(2, 0)), (10, Some(&10), None));
/// for ((i, j), value) in &matrix {
///     assert_eq!(*value, 10 * i + j);
/// }
/// assert_eq!(matrix.rows().collect::<Vec<_>>(), [(0, &[0, 1][..]), (1, &[10, 11])]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub type HostSquare<T> = HostValues<T, SquareKind>;

/// A matrix with rows and columns on the host, by rows: from [`Matrix::download`](crate::Matrix::download).
///
/// ```
/// use td_kernel::HostMatrix;
///
/// let matrix = HostMatrix::from_vec((2, 3), vec![0, 1, 2, 10, 11, 12])?;
/// assert_eq!((matrix.row_count(), matrix.column_count(), matrix.len()), (2, 3, 6));
/// assert_eq!((matrix[(1, 0)], matrix.get(1, 2), matrix.get(2, 0)), (10, Some(&12), None));
/// for ((i, j), value) in &matrix {
///     assert_eq!(*value, 10 * i + j);
/// }
/// assert_eq!(matrix.rows().collect::<Vec<_>>(), [(0, &[0, 1, 2][..]), (1, &[10, 11, 12])]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub type HostMatrix<T> = HostValues<T, RectangleKind>;

impl<T> HostPacked<T> {
    /// A matrix with the values of these pairs, by rows of the lower triangle. The pairs are those of n elements, or a [`Shape`].
    ///
    /// ```
    /// use td_kernel::{HostPacked, Shape};
    ///
    /// // The pairs of 100 elements whose larger index is 2 or 3.
    /// let rows = Shape::triangle(100).of_rows(2..4);
    /// let chunk = HostPacked::from_vec(rows, vec![20, 21, 30, 31, 32])?;
    /// assert_eq!((chunk[(2, 0)], chunk[(1, 3)], chunk.get(1, 0)), (20, 31, None));
    /// assert_eq!(chunk.rows().collect::<Vec<_>>(), [(2, &[20, 21][..]), (3, &[30, 31, 32])]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The shape is a rectangle; its rows are reversed or end past the last element; or the number of values is wrong.
    pub fn from_vec(pairs: impl Into<Shape>, values: Vec<T>) -> Result<Self> {
        let shape = pairs.into();
        shape.expect_triangle()?;
        Self::of(shape, values)
    }

    /// n: the number of elements, and of rows of the whole matrix.
    pub fn elements(&self) -> usize {
        self.row_count()
    }

    /// Whether the diagonal is stored.
    pub fn has_diagonal(&self) -> bool {
        self.shape.has_diagonal()
    }
}

impl<T> HostSquare<T> {
    /// A matrix of n² values, by rows.
    ///
    /// # Errors
    ///
    /// The number of values is wrong.
    pub fn from_vec(elements: usize, values: Vec<T>) -> Result<Self> {
        Self::of(Shape::rectangle(elements, elements), values)
    }

    /// n: the number of rows and of columns.
    pub fn elements(&self) -> usize {
        self.row_count()
    }

    /// n: the number of columns.
    pub fn column_count(&self) -> usize {
        self.row_count()
    }
}

impl<T> HostMatrix<T> {
    /// A matrix with the values of these pairs, by rows. The pairs are `(rows, columns)` or a [`Shape`].
    ///
    /// ```
    /// use td_kernel::{HostMatrix, Shape};
    ///
    /// // Rows 2 and 3 of 100 rows.
    /// let rows = Shape::rectangle(100, 2).of_rows(2..4);
    /// let chunk = HostMatrix::from_vec(rows, vec![20, 21, 30, 31])?;
    /// assert_eq!((chunk[(3, 0)], chunk.get(1, 0)), (30, None));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The shape is a triangle; its rows are reversed or end past the last row; or the number of values is wrong.
    pub fn from_vec(pairs: impl Into<Shape>, values: Vec<T>) -> Result<Self> {
        let shape = pairs.into();
        shape.expect_rectangle()?;
        Self::of(shape, values)
    }

    /// The number of columns.
    pub fn column_count(&self) -> usize {
        self.shape.columns(0)
    }
}

impl<T> From<HostSquare<T>> for HostMatrix<T> {
    fn from(HostSquare { values, shape, .. }: HostSquare<T>) -> Self {
        HostMatrix { values, shape, kind: PhantomData }
    }
}
