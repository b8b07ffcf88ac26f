//! How a device makes values of a shape.

use std::ops::Range;

use super::{Matrix, Packed, Square};
use crate::{Device, DeviceType, PackedMatrix, RectangularMatrix, Result, Shape, SquareMatrix};

impl Device {
    /// A slot for each pair i > j of `elements` elements: n (n - 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_rows(elements, 0..elements)
    }

    /// A slot for each pair i >= j of `elements` elements: n (n + 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed_with_diagonal<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_rows_with_diagonal(elements, 0..elements)
    }

    /// A slot for each pair (i, j), i > j, of `elements` elements whose larger index i is one of `rows`; all their bits
    /// are zero.
    ///
    /// ```
    /// use td_kernel::{Device, Packed};
    ///
    /// let device = Device::cpu()?;
    /// // The rows 3 and 4 have 3 and 4 pairs.
    /// let slots: Packed<f32> = device.packed_rows(10, 3..5)?;
    /// assert_eq!(slots.len(), 7);
    /// let band = slots.download()?;
    /// assert_eq!((band.get(4, 2), band.get(5, 2)), (Some(&0.0), None));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element; or there is not enough memory, or the device fails.
    pub fn packed_rows<T: DeviceType>(
        &self,
        elements: usize,
        rows: Range<usize>,
    ) -> Result<Packed<T>> {
        Packed::zeroed(self, Shape::triangle(elements), rows)
    }

    /// A slot for each pair (i, j), i >= j, of `elements` elements whose larger index i is one of `rows`; all their bits
    /// are zero.
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element; or there is not enough memory, or the device fails.
    pub fn packed_rows_with_diagonal<T: DeviceType>(
        &self,
        elements: usize,
        rows: Range<usize>,
    ) -> Result<Packed<T>> {
        Packed::zeroed(self, Shape::triangle_with_diagonal(elements), rows)
    }

    /// A copy of a matrix on the device: the same pairs, with its values in their slots.
    ///
    /// ```
    /// use td_kernel::{Device, PackedMatrix};
    ///
    /// let device = Device::cpu()?;
    /// let matrix = PackedMatrix::from_vec(3, vec![1.0, 2.0, 3.0])?;
    /// assert_eq!(device.upload_packed(&matrix)?.download()?, matrix);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn upload_packed<T: DeviceType>(&self, matrix: &PackedMatrix<T>) -> Result<Packed<T>> {
        Packed::uploaded(self, matrix, "device.upload_packed(&matrix)")
    }

    /// A place for each two of `elements` elements: n², all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn square<T: DeviceType>(&self, elements: usize) -> Result<Square<T>> {
        Square::zeroed(self, Shape::rectangle(elements, elements), 0..elements)
    }

    /// A copy of a matrix on the device. Kernels that write it fill its diagonal with zeros, or as
    /// [`with_diagonal`](Square::with_diagonal) says.
    ///
    /// ```
    /// use td_kernel::{Device, SquareMatrix};
    ///
    /// let device = Device::cpu()?;
    /// let matrix = SquareMatrix::from_vec(2, vec![1.0, 2.0, 2.0, 1.0])?;
    /// assert_eq!(device.upload_square(&matrix)?.download()?, matrix);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn upload_square<T: DeviceType>(&self, matrix: &SquareMatrix<T>) -> Result<Square<T>> {
        Square::uploaded(self, matrix, "device.upload_square(&matrix)")
    }

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
        Matrix::zeroed(self, Shape::rectangle(rows, columns), range)
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
        Matrix::uploaded(self, matrix, "device.upload_matrix(&matrix)")
    }
}
