//! A value for every two elements: a whole n x n matrix, both halves of it written.

mod matrix;

use std::fmt;

pub use self::matrix::SquareMatrix;

use crate::Error;
use crate::memory::Memory;
use crate::{Device, DeviceType, Result, host};

/// An n x n matrix on a device, from [`Device::square`](crate::Device::square). A kernel writes the value
/// of the pair (i, j) at both places, (i, j) and (j, i), and fills the diagonal.
///
/// The diagonal is zero, unless [`with_diagonal`](Square::with_diagonal) gave it another value, or the kernel
/// has `diagonal = true` and computes it.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Square<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[1.0, 3.0])?;
/// let mut distances = device.square(x.len())?;
/// distance::load(&device)?.launch(&x, &mut distances)?;
/// assert_eq!(distances.download()?.as_slice(), [0.0, 2.0, 2.0, 0.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Square<T> {
    pub(crate) memory: Memory<T>,
    pub(crate) elements: usize,
    pub(crate) diagonal: T,
}

impl Device {
    /// A place for each two of `elements` elements: n², all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn square<T: DeviceType>(&self, elements: usize) -> Result<Square<T>> {
        self.expect_one("Square", "device.packed_rows(n, a..b)")?;
        let length = elements
            .checked_mul(elements)
            .ok_or_else(|| Error::too_large(elements, size_of::<T>()))?;
        let diagonal = host::zero();
        Ok(Square { memory: Memory::zeroed(self.backend(), length)?, elements, diagonal })
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
        self.expect_one("Square", "device.packed_rows(n, a..b)")?;
        let memory = Memory::upload(self.backend(), matrix.as_slice())?;
        Ok(Square { memory, elements: matrix.elements(), diagonal: host::zero() })
    }
}

impl<T: DeviceType> Square<T> {
    /// The same matrix, whose diagonal kernels fill with `value` from now on: 1 in a matrix of correlations.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn product(#[each] x: &[f32], products: &mut Square<f32>) {
    ///     r#" products = x.i * x.j; "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[2.0, 3.0])?;
    /// let mut products = device.square(2)?.with_diagonal(1.0);
    /// product::load(&device)?.launch(&x, &mut products)?;
    /// assert_eq!(products.download()?.as_slice(), [1.0, 6.0, 6.0, 1.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn with_diagonal(mut self, value: T) -> Self {
        self.diagonal = value;
        self
    }

    /// n: the number of rows, and of columns.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// The number of values: n².
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
    pub fn download(&self) -> Result<SquareMatrix<T>> {
        SquareMatrix::from_vec(self.elements, self.memory.download()?)
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

impl<T: DeviceType> fmt::Debug for Square<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Square").field("elements", &self.elements).finish_non_exhaustive()
    }
}
