//! One value a pair, in the row-packed lower triangle.
//!
//! Row i holds the values of the pairs (i, 0), (i, 1), … up to the diagonal. Without the diagonal
//! pair (i, j) has slot i (i - 1) / 2 + j, and with it slot i (i + 1) / 2 + j. A slot does not
//! depend on n, so that rows can be appended.

mod bands;
mod forms;
mod matrix;
mod shape;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

pub use self::matrix::PackedMatrix;
pub use self::shape::PackedShape;

use crate::memory::Memory;
use crate::{Device, DeviceType, Result};

/// One slot a pair, on a device: from [`Device::packed`] and its like. The pairs are all those of some elements, or
/// those whose larger index is in a range of rows: a band of the triangle, which may be all that a device has memory
/// for.
///
/// The slots of a band are those that all pairs have for these rows, without the ones before: pair (i, j) of the
/// rows a..b has slot i (i - 1) / 2 - a (a - 1) / 2 + j, and with the diagonal i (i + 1) / 2 - a (a + 1) / 2 + j.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn difference(#[each] x: &[i32], difference: &mut Packed<i32>) {
///     r#" difference = x.i - x.j; "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[1, 3, 9])?;
/// let mut differences = device.packed(x.len())?;
/// difference::load(&device)?.launch(&x, &mut differences)?;
/// let matrix = differences.download()?;
/// assert_eq!((matrix[(1, 0)], matrix[(2, 0)], matrix[(2, 1)]), (2, 8, 6));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Packed<T> {
    pub(crate) memory: Memory<T>,
    pub(crate) shape: PackedShape,
}

impl Device {
    /// A slot for each pair i > j of `elements` elements: n (n - 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_slots(elements, 0..elements, false)
    }

    /// A slot for each pair i >= j of `elements` elements: n (n + 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed_with_diagonal<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_slots(elements, 0..elements, true)
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
        self.packed_slots(elements, rows, false)
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
        self.packed_slots(elements, rows, true)
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
        self.expect_one("Packed", "device.upload_packed(&matrix)")?;
        let memory = Memory::upload(self.backend(), matrix.as_slice())?;
        Ok(Packed { memory, shape: matrix.shape.clone() })
    }

    fn packed_slots<T: DeviceType>(
        &self,
        elements: usize,
        rows: Range<usize>,
        diagonal: bool,
    ) -> Result<Packed<T>> {
        self.expect_one("Packed", "device.packed_rows(n, a..b)")?;
        let shape = PackedShape::new::<T>(elements, rows, diagonal)?;
        Ok(Packed { memory: Memory::zeroed(self.backend(), shape.slots())?, shape })
    }
}

impl<T: DeviceType> Packed<T> {
    /// n: the number of elements that the pairs are made of.
    pub fn elements(&self) -> usize {
        self.shape.elements
    }

    /// The rows: the larger indices of the pairs that there are slots for. `0..elements` where there are slots for all.
    pub fn row_range(&self) -> Range<usize> {
        self.shape.rows.clone()
    }

    /// Whether there are slots for the pairs (i, i).
    pub fn has_diagonal(&self) -> bool {
        self.shape.diagonal
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy on the host, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<PackedMatrix<T>> {
        Ok(PackedMatrix { values: self.memory.download()?, shape: self.shape.clone() })
    }

    /// The slots copied into a slice of as many, once the kernels launched so far have ended: fastest into
    /// [pinned](crate::Device::pinned) memory.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn download_into(&self, values: &mut [T]) -> Result<()> {
        self.memory.download_into(0..self.len(), values)
    }

    /// As many values copied into the slots, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn upload_into(&mut self, values: &[T]) -> Result<()> {
        self.memory.upload_into(0..self.len(), values)
    }
}

impl<T: DeviceType> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PackedShape { elements, rows, diagonal } = &self.shape;
        f.debug_struct("Packed")
            .field("elements", elements)
            .field("rows", rows)
            .field("diagonal", diagonal)
            .finish_non_exhaustive()
    }
}
