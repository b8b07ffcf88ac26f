//! One value a pair, in the row-packed lower triangle.
//!
//! Row i holds the values of the pairs (i, 0), (i, 1), … up to the diagonal. Without the diagonal
//! pair (i, j) has slot i (i - 1) / 2 + j, and with it slot i (i + 1) / 2 + j. A slot does not
//! depend on n, so that rows can be appended.

mod bands;
mod rows;
#[cfg(test)]
mod tests;

use std::fmt;

pub use self::rows::{PackedRows, PackedRowsMatrix};

use self::bands::{Stored, Taken, each_band, gather};
use crate::error::Cause;
use crate::memory::Memory;
use crate::triangle::{self, row_start, triangle_root};
use crate::{Device, DeviceType, Result, host};

/// One slot a pair, on a device: from [`Device::packed`](crate::Device::packed) or
/// [`Device::packed_with_diagonal`](crate::Device::packed_with_diagonal).
pub struct Packed<T> {
    pub(crate) memory: Memory<T>,
    pub(crate) elements: usize,
    pub(crate) diagonal: bool,
}

impl Device {
    /// A slot for each pair i > j of `elements` elements: n (n - 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_slots(elements, false)
    }

    /// A slot for each pair i >= j of `elements` elements: n (n + 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed_with_diagonal<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_slots(elements, true)
    }

    fn packed_slots<T: DeviceType>(&self, elements: usize, diagonal: bool) -> Result<Packed<T>> {
        let slots = triangle::pairs(elements, diagonal)
            .ok_or(Cause::TooLarge { elements, size: size_of::<T>() }.into())?;
        Ok(Packed { memory: Memory::zeroed(self.backend(), slots)?, elements, diagonal })
    }
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
        self.memory.download_into(0..self.len(), slots)
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
/// assert_eq!(matrix.to_square()?, [0, 10, 20, 10, 0, 21, 20, 21, 0]);
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
    ///
    /// # Errors
    ///
    /// The host has no memory for as many values again.
    pub fn condensed(&self) -> Result<Vec<T>> {
        let n = self.elements;
        let mut values = host::zeros(n * n.saturating_sub(1) / 2)?;
        each_band(n, &mut values, upper_start(n), |rows, band| {
            let first = upper_start(n)(rows.start);
            let taken = |row| Taken { columns: row + 1..n, at: upper_start(n)(row) - first };
            gather(rows, band, taken, |row| self.stored(row));
        });
        Ok(values)
    }

    /// A matrix without its diagonal, from SciPy's condensed form.
    ///
    /// No values are the pairs of no element, and of one as well; here they make a matrix of none, as an empty
    /// slice of elements has. (SciPy's `squareform` makes one of one element, whose distance from itself is 0.)
    ///
    /// # Errors
    ///
    /// The number of values is that of no triangle: 0, 1, 3, 6, 10, …. Or the host has no memory for as many
    /// values again.
    pub fn from_condensed(condensed: &[T]) -> Result<Self> {
        let n = match condensed.len() {
            0 => 0,
            length => triangle_root(length).ok_or(Cause::NotATriangle { length }.into())?,
        };
        let mut slots = host::zeros(condensed.len())?;
        let start = |row| row_start(row, false);
        each_band(n, &mut slots, start, |rows, band| {
            let first = start(rows.start);
            let taken = |row| Taken { columns: 0..row, at: start(row) - first };
            // Row j of the upper triangle begins with the column j + 1.
            let stored = |row| Stored {
                first: row + 1,
                values: &condensed[upper_start(n)(row)..upper_start(n)(row + 1)],
            };
            gather(rows, band, taken, stored);
        });
        Ok(PackedMatrix { slots, elements: n, diagonal: false })
    }

    /// The whole n x n matrix by rows. A diagonal that is not stored is zero.
    ///
    /// # Errors
    ///
    /// The host has no memory for n² values.
    pub fn to_square(&self) -> Result<Vec<T>> {
        let n = self.elements;
        let length =
            n.checked_mul(n).ok_or(Cause::TooLarge { elements: n, size: size_of::<T>() }.into())?;
        let mut values = host::zeros(length)?;
        each_band(
            n,
            &mut values,
            |row| row * n,
            |rows, band| {
                let first = rows.start;
                for (row, values) in rows.clone().zip(band.chunks_exact_mut(n)) {
                    let stored = self.stored(row).values;
                    values[..stored.len()].copy_from_slice(stored);
                }
                let taken = |row| Taken { columns: row + 1..n, at: (row - first) * n + row + 1 };
                gather(rows, band, taken, |row| self.stored(row));
            },
        );
        Ok(values)
    }

    /// The stored part of row i, from column 0 on.
    fn stored(&self, i: usize) -> Stored<'_, T> {
        let values = &self.slots[self.row_start(i)..self.row_start(i + 1)];
        Stored { first: 0, values }
    }

    fn row_start(&self, i: usize) -> usize {
        row_start(i, self.diagonal)
    }
}

/// Where row j of the upper triangle of n elements begins in the condensed form: behind j rows of n - 1, n - 2, …
/// values.
fn upper_start(n: usize) -> impl Fn(usize) -> usize + Copy {
    move |j| j * (2 * n - j).saturating_sub(1) / 2
}
