//! The methods of a device that allocate values of a shape.

use super::{Matrix, Packed, Square, Uploaded};
use crate::{Device, DeviceType, Result, Shape};

impl Device {
    /// A slot for each pair i > j of n elements: n (n - 1) / 2 slots, all bits zero. `pairs` is n, or a triangular [`Shape`],
    /// which may include the diagonal and may cover only some rows.
    ///
    /// ```
    /// use td_kernel::{Device, Packed, Shape};
    ///
    /// let device = Device::cpu()?;
    /// let all: Packed<f32> = device.packed(10)?;
    /// assert_eq!(all.len(), 45);
    /// // With the pairs (i, i).
    /// let with_diagonal: Packed<f32> = device.packed(Shape::triangle(10).with_diagonal())?;
    /// assert_eq!(with_diagonal.len(), 55);
    /// // Only rows 3 and 4, which have 3 and 4 pairs.
    /// let rows: Packed<f32> = device.packed(Shape::triangle(10).of_rows(3..5))?;
    /// assert_eq!(rows.len(), 7);
    /// let rows = rows.download()?;
    /// assert_eq!((rows.get(4, 2), rows.get(5, 2)), (Some(&0.0), None));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The shape is a rectangle; its rows are reversed or end past the last element; there is not enough memory, or the device
    /// fails.
    pub fn packed<T: DeviceType>(&self, pairs: impl Into<Shape>) -> Result<Packed<T>> {
        let shape = pairs.into();
        shape.expect_triangle()?;
        Packed::zeroed(self, shape)
    }

    /// An n x n matrix for n = `elements`, all bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn square<T: DeviceType>(&self, elements: usize) -> Result<Square<T>> {
        Square::zeroed(self, Shape::rectangle(elements, elements))
    }

    /// A matrix, all bits zero. `pairs` is `(rows, columns)`, or a rectangular [`Shape`], which may cover only some rows: as
    /// many as fit into the device's memory.
    ///
    /// ```
    /// use td_kernel::{Device, Shape, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn product(#[row] x: &[f32], #[column] y: &[f32], products: &mut Matrix<f32>) {
    ///     r#" products = x * y; "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let kernel = product::load(&device)?;
    /// let (x, y) = (device.upload(&[1.0, 2.0, 3.0])?, device.upload(&[10.0, 100.0])?);
    /// let mut all = device.matrix((3, 2))?;
    /// kernel.launch(&x, &y, &mut all)?;
    /// assert_eq!(all.download()?[(2, 1)], 300.0);
    ///
    /// let mut rows = device.matrix(Shape::rectangle(3, 2).of_rows(1..3))?;
    /// kernel.rows(1..3).launch(&x, &y, &mut rows)?;
    /// assert_eq!(rows.download()?.as_slice(), [20.0, 200.0, 30.0, 300.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The shape is a triangle; its rows are reversed or end past the last row; there is not enough memory, or the device
    /// fails.
    pub fn matrix<T: DeviceType>(&self, pairs: impl Into<Shape>) -> Result<Matrix<T>> {
        let shape = pairs.into();
        shape.expect_rectangle()?;
        Matrix::zeroed(self, shape)
    }

    /// Copies a matrix to the device: a [`HostPacked`](crate::HostPacked) becomes a [`Packed`], a
    /// [`HostSquare`](crate::HostSquare) a [`Square`], and a [`HostMatrix`](crate::HostMatrix) a [`Matrix`].
    ///
    /// ```
    /// use td_kernel::{Device, HostPacked, HostSquare};
    ///
    /// let device = Device::cpu()?;
    /// let matrix = HostPacked::from_vec(3, vec![1.0, 2.0, 3.0])?;
    /// assert_eq!(device.upload_matrix(&matrix)?.download()?, matrix);
    /// let matrix = HostSquare::from_vec(2, vec![1.0, 2.0, 2.0, 1.0])?;
    /// assert_eq!(device.upload_matrix(&matrix)?.download()?, matrix);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn upload_matrix<M: Uploaded>(&self, matrix: &M) -> Result<M::Slots> {
        matrix.upload(self)
    }
}
