//! A value for every two elements: a whole n x n matrix, both halves of it written.

use std::fmt;

use crate::error::Cause;
use crate::memory::Memory;
use crate::{Device, DeviceType, Result};

/// An n x n matrix on a device, from [`Device::square`](crate::Device::square). A kernel writes the value
/// of the pair (i, j) at both places, (i, j) and (j, i), and fills the diagonal.
///
/// The diagonal is zero, unless [`with_diagonal`](Square::with_diagonal) gave it another value, or the kernel
/// has `diagonal = true` and computes it.
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
        let length = elements
            .checked_mul(elements)
            .ok_or(Cause::TooLarge { elements, size: size_of::<T>() }.into())?;
        // SAFETY: every pattern of bits is a value of a DeviceType.
        let diagonal = unsafe { std::mem::zeroed() };
        Ok(Square { memory: Memory::zeroed(self.backend(), length)?, elements, diagonal })
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
        Ok(SquareMatrix { values: self.memory.download()?, elements: self.elements })
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
}

impl<T: DeviceType> fmt::Debug for Square<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Square").field("elements", &self.elements).finish_non_exhaustive()
    }
}

/// An n x n matrix on the host, by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SquareMatrix<T> {
    values: Vec<T>,
    elements: usize,
}

impl<T: DeviceType> SquareMatrix<T> {
    /// n: the number of rows, and of columns.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// The value in row i and column j; `None` past the last element.
    pub fn get(&self, i: usize, j: usize) -> Option<T> {
        let n = self.elements;
        (i < n && j < n).then(|| self.values.get(i * n + j).copied()).flatten()
    }

    /// The rows in order, n values each.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        let n = self.elements;
        (0..n).map(move |i| &self.values[i * n..(i + 1) * n])
    }

    /// All values, by rows.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// All values, by rows.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_where_rows_and_columns_say() {
        let matrix = SquareMatrix { values: vec![0, 1, 2, 3], elements: 2 };
        assert_eq!(matrix.get(1, 0), Some(2));
        assert_eq!((matrix.get(2, 0), matrix.get(0, 2)), (None, None));
        assert_eq!(matrix.rows().collect::<Vec<_>>(), [[0, 1], [2, 3]]);
        let none: SquareMatrix<u32> = SquareMatrix { values: Vec::new(), elements: 0 };
        assert_eq!(none.rows().len(), 0);
    }
}
