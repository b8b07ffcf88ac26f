//! Packed slots of some rows: a band of the triangle, which may be all that a device has memory for.

use std::fmt;
use std::ops::Range;

use crate::error::Cause;
use crate::memory::Memory;
use crate::triangle::{pairs, row_start};
use crate::{Device, DeviceType, Result};

/// One slot for each pair of some rows, on a device: from [`Device::packed_rows`] or
/// [`Device::packed_rows_with_diagonal`].
///
/// The slots are those that a [`Packed`](crate::Packed) has for these rows, without the ones before: pair (i, j) of the
/// rows a..b has slot i (i - 1) / 2 - a (a - 1) / 2 + j, and with the diagonal i (i + 1) / 2 - a (a + 1) / 2 + j.
pub struct PackedRows<T> {
    pub(crate) memory: Memory<T>,
    elements: usize,
    rows: Range<usize>,
    diagonal: bool,
}

impl Device {
    /// A slot for each pair (i, j), i > j, of `elements` elements whose larger index i is one of `rows`; all their bits
    /// are zero.
    ///
    /// ```
    /// use td_kernel::{Device, PackedRows};
    ///
    /// let device = Device::cpu()?;
    /// // The rows 3 and 4 have 3 and 4 pairs.
    /// let slots: PackedRows<f32> = device.packed_rows(10, 3..5)?;
    /// assert_eq!(slots.len(), 7);
    /// let band = slots.download()?;
    /// assert_eq!(band.get(4, 2), Some(0.0));
    /// assert_eq!(band.get(5, 2), None);
    /// for (i, row) in band.rows() {
    ///     assert_eq!(row.len(), i);
    /// }
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
    ) -> Result<PackedRows<T>> {
        self.rows_of_slots(elements, rows, false)
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
    ) -> Result<PackedRows<T>> {
        self.rows_of_slots(elements, rows, true)
    }

    fn rows_of_slots<T: DeviceType>(
        &self,
        elements: usize,
        rows: Range<usize>,
        diagonal: bool,
    ) -> Result<PackedRows<T>> {
        if rows.start > rows.end || rows.end > elements {
            return Err(Cause::PackedRange { rows, elements }.into());
        }
        // Where the end has a place in memory, so has every row before it.
        pairs(rows.end, diagonal)
            .ok_or(Cause::TooLarge { elements: rows.end, size: size_of::<T>() }.into())?;
        let slots = row_start(rows.end, diagonal) - row_start(rows.start, diagonal);
        Ok(PackedRows { memory: Memory::zeroed(self.backend(), slots)?, elements, rows, diagonal })
    }
}

impl<T: DeviceType> PackedRows<T> {
    /// n: the number of elements that the pairs are made of.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// The rows: the larger indices of the pairs that there are slots for.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
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
    pub fn download(&self) -> Result<PackedRowsMatrix<T>> {
        let (slots, rows, diagonal) = (self.memory.download()?, self.rows(), self.diagonal);
        Ok(PackedRowsMatrix { slots, elements: self.elements, rows, diagonal })
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

impl<T: DeviceType> fmt::Debug for PackedRows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackedRows")
            .field("elements", &self.elements)
            .field("rows", &self.rows)
            .field("diagonal", &self.diagonal)
            .finish_non_exhaustive()
    }
}

/// Some rows of a symmetric matrix on the host, of which one triangle is stored: from [`PackedRows::download`].
#[derive(Clone, Debug, PartialEq)]
pub struct PackedRowsMatrix<T> {
    slots: Vec<T>,
    elements: usize,
    rows: Range<usize>,
    diagonal: bool,
}

impl<T: DeviceType> PackedRowsMatrix<T> {
    /// n: the number of rows of the whole matrix.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Whether the diagonal is stored.
    pub fn has_diagonal(&self) -> bool {
        self.diagonal
    }

    /// The value of the pair (i, j), which is that of (j, i); `None` where its larger index is none of the rows, and on
    /// a diagonal that is not stored.
    pub fn get(&self, i: usize, j: usize) -> Option<T> {
        let (i, j) = if i < j { (j, i) } else { (i, j) };
        if !self.rows.contains(&i) || (i == j && !self.diagonal) {
            return None;
        }
        self.slots.get(self.start(i) + j).copied()
    }

    /// The index of each row, and its stored part: row i has i values, or i + 1 with the diagonal.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        self.rows.clone().map(|i| (i, &self.slots[self.start(i)..self.start(i + 1)]))
    }

    /// The slots in order.
    pub fn as_slice(&self) -> &[T] {
        &self.slots
    }

    /// The slots in order.
    pub fn into_vec(self) -> Vec<T> {
        self.slots
    }

    /// The slot that row i begins with, for a row of these or the one after them.
    fn start(&self, i: usize) -> usize {
        row_start(i, self.diagonal) - row_start(self.rows.start, self.diagonal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PackedMatrix;

    /// The rows of a matrix whose slots are numbered.
    fn band(elements: usize, rows: Range<usize>, diagonal: bool) -> PackedRowsMatrix<u32> {
        let before = pairs(rows.start, diagonal).unwrap() as u32;
        let end = pairs(rows.end, diagonal).unwrap() as u32;
        PackedRowsMatrix { slots: (before..end).collect(), elements, rows, diagonal }
    }

    #[test]
    fn bands_hold_what_the_whole_matrix_has() {
        for diagonal in [false, true] {
            for n in 0..8 {
                let slots = (0..pairs(n, diagonal).unwrap() as u32).collect();
                let whole = PackedMatrix { slots, elements: n, diagonal };
                for end in 0..=n {
                    for start in 0..=end {
                        let band = band(n, start..end, diagonal);
                        let rows: Vec<_> =
                            whole.rows().enumerate().skip(start).take(end - start).collect();
                        assert_eq!(band.rows().collect::<Vec<_>>(), rows);
                        for i in 0..=n {
                            for j in 0..=n {
                                let is_there = (start..end).contains(&i.max(j));
                                let expected = whole.get(i, j).filter(|_| is_there);
                                assert_eq!(band.get(i, j), expected, "{start}..{end} ({i}, {j})");
                            }
                        }
                        assert_eq!((band.elements(), band.has_diagonal()), (n, diagonal));
                        assert_eq!(band.as_slice(), band.clone().into_vec());
                    }
                }
            }
        }
    }

    #[test]
    fn slots_are_those_of_the_rows() {
        let device = Device::cpu().unwrap();
        let slots = device.packed_rows::<u64>(10, 3..6).unwrap();
        assert_eq!((slots.len(), slots.elements(), slots.rows()), (12, 10, 3..6));
        assert!(!slots.has_diagonal() && !slots.is_empty());
        let with_diagonal = device.packed_rows_with_diagonal::<u64>(10, 3..6).unwrap();
        assert!(with_diagonal.len() == 15 && with_diagonal.has_diagonal());
        for rows in [0..0, 0..1, 10..10] {
            assert!(device.packed_rows::<u64>(10, rows).unwrap().is_empty());
        }
        let mut copy = [1; 12];
        slots.download_into(&mut copy).unwrap();
        assert_eq!(copy, [0; 12]);
        let error = slots.download_into(&mut copy[1..]).unwrap_err();
        assert!(matches!(error.cause(), Cause::CopyLength { length: 12, found: 11 }), "{error}");
        let text = format!("{slots:?}");
        assert!(text.contains("rows: 3..6") && text.contains("elements: 10"), "{text}");
    }

    #[test]
    fn bad_ranges_are_named() {
        let device = Device::cpu().unwrap();
        #[allow(clippy::reversed_empty_ranges)]
        for rows in [5..4, 0..11, 11..11, 0..usize::MAX] {
            let error = device.packed_rows::<u8>(10, rows.clone()).unwrap_err();
            assert!(error.to_string().contains(&format!("{rows:?}")), "{error}");
        }
        let error = device.packed_rows::<u8>(usize::MAX, 0..usize::MAX).unwrap_err();
        assert!(matches!(error.cause(), Cause::TooLarge { .. }), "{error}");
        // The last row alone has places, but the one past it has no number.
        let last = usize::MAX - 1..usize::MAX;
        let error = device.packed_rows::<u8>(usize::MAX, last).unwrap_err();
        assert!(matches!(error.cause(), Cause::TooLarge { .. }), "{error}");
    }
}
