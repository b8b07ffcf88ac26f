//! A value for each pair of two sets: a matrix of rows and columns.

mod host;
mod shape;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

pub use self::host::RectangularMatrix;
pub use self::shape::MatrixShape;

use crate::memory::Memory;
use crate::{Device, DeviceType, Result};

/// A matrix of rows and columns on a device, by rows: from [`Device::matrix`]. A kernel writes the value of the pair
/// (i, j) of two sets in row i and column j.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[row] query: &[f32], #[column] data: &[f32], distance: &mut Matrix<f32>) {
///     r#" distance = fabsf(query - data); "#
/// }
///
/// let device = Device::cpu()?;
/// let (query, data) = (device.upload(&[1.0, 3.0])?, device.upload(&[0.0, 2.0, 7.0])?);
/// let mut distances = device.matrix(query.len(), data.len())?;
/// distance::load(&device)?.launch(&query, &data, &mut distances)?;
/// assert_eq!(distances.download()?.as_slice(), [1.0, 1.0, 6.0, 3.0, 1.0, 4.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Matrix<T> {
    pub(crate) memory: Memory<T>,
    pub(crate) shape: MatrixShape,
}

impl Device {
    /// A place for each of `rows` x `columns` values, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn matrix<T: DeviceType>(&self, rows: usize, columns: usize) -> Result<Matrix<T>> {
        self.matrix_rows(rows, columns, 0..rows)
    }

    /// A place for each value of some of the `rows` rows of a matrix, all their bits zero: a band of it, which may be
    /// all that a device has memory for.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn product(#[row] x: &[f32], #[column] y: &[f32], products: &mut Matrix<f32>) {
    ///     r#" products = x * y; "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let kernel = product::load(&device)?;
    /// let (x, y) = (device.upload(&[1.0, 2.0, 3.0])?, device.upload(&[10.0, 100.0])?);
    /// let mut band = device.matrix_rows(3, 2, 1..3)?;
    /// kernel.rows(1..3).launch(&x, &y, &mut band)?;
    /// let band = band.download()?;
    /// assert_eq!((band.as_slice(), band.get(2, 1)), (&[20.0, 200.0, 30.0, 300.0][..], Some(&300.0)));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last row; or there is not enough memory, or the device fails.
    pub fn matrix_rows<T: DeviceType>(
        &self,
        rows: usize,
        columns: usize,
        range: Range<usize>,
    ) -> Result<Matrix<T>> {
        self.expect_one("Matrix", "device.matrix_rows(rows, columns, a..b)")?;
        let shape = MatrixShape::new::<T>(rows, columns, range)?;
        Ok(Matrix { memory: Memory::zeroed(self.backend(), shape.values())?, shape })
    }

    /// A copy of a matrix on the device.
    ///
    /// ```
    /// use td_kernel::{Device, RectangularMatrix};
    ///
    /// let device = Device::cpu()?;
    /// let matrix = RectangularMatrix::from_vec(2, 3, vec![1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(device.upload_matrix(&matrix)?.download()?, matrix);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn upload_matrix<T: DeviceType>(&self, matrix: &RectangularMatrix<T>) -> Result<Matrix<T>> {
        self.expect_one("Matrix", "device.matrix_rows(rows, columns, a..b)")?;
        let memory = Memory::upload(self.backend(), matrix.as_slice())?;
        Ok(Matrix { memory, shape: matrix.shape.clone() })
    }
}

impl<T: DeviceType> Matrix<T> {
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
        self.memory.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy on the host, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<RectangularMatrix<T>> {
        Ok(RectangularMatrix { values: self.memory.download()?, shape: self.shape.clone() })
    }

    /// The values, by rows, copied into a slice of as many, once the kernels launched so far have ended: fastest into
    /// [pinned](crate::Device::pinned) memory.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn download_into(&self, values: &mut [T]) -> Result<()> {
        self.memory.download_into(0..self.len(), values)
    }

    /// As many values, by rows, copied into the matrix, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn upload_into(&mut self, values: &[T]) -> Result<()> {
        self.memory.upload_into(0..self.len(), values)
    }
}

impl<T: DeviceType> fmt::Debug for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatrixShape { row_count, rows, columns } = &self.shape;
        f.debug_struct("Matrix")
            .field("row_count", row_count)
            .field("rows", rows)
            .field("columns", columns)
            .finish_non_exhaustive()
    }
}
