//! One value a pair, in the row-packed lower triangle.
//!
//! Row i holds the values of the pairs (i, 0), (i, 1), … up to the diagonal. Without the diagonal
//! pair (i, j) has slot i (i - 1) / 2 + j, and with it slot i (i + 1) / 2 + j. A slot does not
//! depend on n, so that rows can be appended.

use std::fmt;

use crate::memory::Memory;
use crate::{DeviceType, Error, Result};

/// One slot a pair, on a device: from [`Device::packed`](crate::Device::packed) or
/// [`Device::packed_with_diagonal`](crate::Device::packed_with_diagonal).
pub struct Packed<T> {
    pub(crate) memory: Memory<T>,
    pub(crate) elements: usize,
    pub(crate) diagonal: bool,
}

impl<T: DeviceType> Packed<T> {
    /// n: the number of elements that the pairs are made of.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Whether there are slots for the pairs (i, i).
    pub fn has_diagonal(&self) -> bool {
        self.diagonal
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
        let (elements, diagonal) = (self.elements, self.diagonal);
        Ok(PackedMatrix { slots: self.memory.download()?, elements, diagonal })
    }

    /// The slots copied into a slice of as many, once the kernels launched so far have ended: fastest into
    /// [pinned](crate::Device::pinned) memory.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn download_into(&self, slots: &mut [T]) -> Result<()> {
        self.memory.download_into(slots)
    }
}

impl<T: DeviceType> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed")
            .field("elements", &self.elements)
            .field("diagonal", &self.diagonal)
            .finish_non_exhaustive()
    }
}

/// The number of pairs of `elements` elements, where it fits.
pub(crate) fn pairs(elements: usize, diagonal: bool) -> Option<usize> {
    match diagonal {
        true => elements.checked_mul(elements.checked_add(1)?).map(|twice| twice / 2),
        false => elements.checked_mul(elements.saturating_sub(1)).map(|twice| twice / 2),
    }
}

/// A symmetric matrix on the host, of which one triangle is stored.
///
/// ```
/// use td_kernel::PackedMatrix;
///
/// // SciPy's order: (0, 1), (0, 2), (1, 2).
/// let matrix = PackedMatrix::from_condensed(&[10, 20, 21])?;
/// assert_eq!(matrix.get(2, 1), Some(21));
/// assert_eq!(matrix.get(1, 2), Some(21));
/// assert_eq!(matrix.as_slice(), [10, 20, 21]);
/// assert_eq!(matrix.to_square(), [0, 10, 20, 10, 0, 21, 20, 21, 0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PackedMatrix<T> {
    slots: Vec<T>,
    elements: usize,
    diagonal: bool,
}

impl<T: DeviceType> PackedMatrix<T> {
    /// n: the number of rows.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Whether the diagonal is stored.
    pub fn has_diagonal(&self) -> bool {
        self.diagonal
    }

    /// The value of the pair (i, j), which is that of (j, i); `None` past the last element, and
    /// on a diagonal that is not stored.
    pub fn get(&self, i: usize, j: usize) -> Option<T> {
        let (i, j) = if i < j { (j, i) } else { (i, j) };
        if i >= self.elements || (i == j && !self.diagonal) {
            return None;
        }
        self.slots.get(self.row_start(i) + j).copied()
    }

    /// The stored part of each row: row i has i values, or i + 1 with the diagonal.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.elements).map(|i| &self.slots[self.row_start(i)..self.row_start(i + 1)])
    }

    /// The slots in order.
    pub fn as_slice(&self) -> &[T] {
        &self.slots
    }

    /// The slots in order.
    pub fn into_vec(self) -> Vec<T> {
        self.slots
    }

    /// The values above the diagonal by rows, (0, 1), (0, 2), … (1, 2), …: SciPy's condensed form,
    /// without a diagonal even where one is stored.
    pub fn condensed(&self) -> Vec<T> {
        let n = self.elements;
        let above = (0..n).flat_map(|row| (row + 1..n).map(move |column| (row, column)));
        above.filter_map(|(row, column)| self.get(column, row)).collect()
    }

    /// A matrix without its diagonal, from SciPy's condensed form.
    ///
    /// # Errors
    ///
    /// The number of values is that of no triangle: 0, 1, 3, 6, 10, ….
    pub fn from_condensed(condensed: &[T]) -> Result<Self> {
        let elements = triangle_root(condensed.len())
            .ok_or(Error::NotATriangle { length: condensed.len() })?;
        let below = (0..elements).flat_map(|i| (0..i).map(move |j| (i, j)));
        // Row j of the upper triangle starts behind j rows of n - 1, n - 2, … values.
        let slots =
            below.map(|(i, j)| condensed[j * (2 * elements - j - 1) / 2 + i - j - 1]).collect();
        Ok(PackedMatrix { slots, elements, diagonal: false })
    }

    /// The whole n x n matrix by rows. A diagonal that is not stored is zero.
    pub fn to_square(&self) -> Vec<T> {
        let n = self.elements;
        let zero = || {
            // SAFETY: every pattern of bits is a value of a DeviceType.
            unsafe { std::mem::zeroed::<T>() }
        };
        let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        all.map(|(i, j)| self.get(i, j).unwrap_or_else(zero)).collect()
    }

    fn row_start(&self, i: usize) -> usize {
        if self.diagonal { i * (i + 1) / 2 } else { i * i.saturating_sub(1) / 2 }
    }
}

/// The n, at least 1 where there are pairs, with n (n - 1) / 2 = `pairs`. Of the two with no pairs, 0 and
/// 1, it is 1, as in SciPy.
pub(crate) fn triangle_root(count: usize) -> Option<usize> {
    // From n² - n - 2 count = 0; the root is odd where there is such an n.
    let n = (1 + 8 * count as u128).isqrt().div_ceil(2);
    let n = usize::try_from(n).ok()?;
    (pairs(n, false) == Some(count)).then_some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(elements: usize, diagonal: bool) -> PackedMatrix<u32> {
        let slots = (0..pairs(elements, diagonal).unwrap() as u32).collect();
        PackedMatrix { slots, elements, diagonal }
    }

    #[test]
    fn rows_and_slots_agree() {
        for diagonal in [false, true] {
            for elements in [0, 1, 2, 7] {
                let matrix = matrix(elements, diagonal);
                let mut slot = 0;
                for (i, row) in matrix.rows().enumerate() {
                    assert_eq!(row.len(), i + usize::from(diagonal));
                    for (j, value) in row.iter().enumerate() {
                        assert_eq!(
                            (*value, matrix.get(i, j), matrix.get(j, i)),
                            (slot, Some(slot), Some(slot))
                        );
                        slot += 1;
                    }
                }
                assert_eq!(slot as usize, matrix.as_slice().len());
                assert_eq!(matrix.get(elements, 0), None);
            }
        }
        assert_eq!(matrix(3, false).get(1, 1), None);
    }

    #[test]
    fn condensed_goes_both_ways() {
        for elements in 2..9 {
            let matrix = matrix(elements, false);
            assert_eq!(PackedMatrix::from_condensed(&matrix.condensed()).unwrap(), matrix);
        }
        assert_eq!(matrix(3, true).condensed(), [1, 3, 4]);
        let error = PackedMatrix::from_condensed(&[1, 2]).unwrap_err();
        assert!(error.to_string().contains("2 values"), "{error}");
    }

    #[test]
    fn square_is_symmetric() {
        assert_eq!(matrix(3, true).to_square(), [0, 1, 3, 1, 2, 4, 3, 4, 5]);
        assert_eq!(matrix(2, false).to_square(), [0, 0, 0, 0]);
    }

    #[test]
    fn counts_that_do_not_fit_are_known() {
        assert_eq!(pairs(usize::MAX, true), None);
        assert_eq!(pairs(0, false), Some(0));
        assert_eq!(triangle_root(usize::MAX), None);
        assert_eq!(triangle_root(0), Some(1));
    }
}
