//! Elements that are arrays of floats. Their width is known at run time.

use crate::error::counted;
use crate::host::methods::{debug, length};
use crate::memory::{Memory, expect_length};
use crate::{DeviceType, Error, HostMatrix, Result, SumScalar, Target, host};

/// Elements on a device that are arrays of `f32` or `f64`, all of the same width, which is known at run time. From
/// [`Target::arrays`]: the argument for `#[each] v: &Arrays<f32>`, or `#[row]` or `#[column]` with two sets. Kernels add them up
/// in [`ArraySums`](crate::ArraySums).
///
/// ```
/// use td_kernel::Device;
///
/// let device = Device::cpu()?;
/// // Two elements of three numbers.
/// let arrays = device.arrays(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], 3)?;
/// assert_eq!((arrays.len(), arrays.width()), (2, 3));
/// assert_eq!(arrays.download()?[(1, 0)], 4.0);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// The device has the numbers in blocks of 16, the last one padded with zeros to 4, 8 or 16: first the first 16 numbers of all
/// elements, then the next 16.
pub struct Arrays<T> {
    pub(crate) memory: Memory<T>,
    elements: usize,
    width: usize,
}

/// The numbers of a whole block.
const BLOCK: usize = 16;

/// The numbers of each block of arrays of this width.
pub(crate) fn blocks(width: usize) -> impl Iterator<Item = usize> {
    let last = match width % BLOCK {
        0 => None,
        rest => Some(rest.next_power_of_two().max(4)),
    };
    std::iter::repeat_n(BLOCK, width / BLOCK).chain(last)
}

/// The most numbers of an array: a launch visits all pairs once for each block of 16.
const WIDEST: usize = i32::MAX as usize;

/// The numbers of an array with its padding.
pub(crate) fn padded(width: usize) -> usize {
    width / BLOCK * BLOCK + blocks(width % BLOCK).sum::<usize>()
}

/// An error if arrays have no numbers, or too many.
pub(crate) fn expect_width(width: usize) -> Result<()> {
    match width {
        0 => Err(Error::arguments("the width of arrays is 0: pass at least 1")),
        1..=WIDEST => Ok(()),
        _ => {
            Err(Error::arguments(format!("the width of arrays is {width}: pass at most {WIDEST}")))
        }
    }
}

impl Target {
    /// Copies `values` to the device. Each `width` values are an array, and so an element.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// assert_eq!(device.arrays(&[0.0_f32; 600], 200)?.len(), 3);
    /// let error = device.arrays(&[0.0_f32; 601], 200).unwrap_err();
    /// assert!(error.to_string().contains("not a whole number of arrays of width 200"));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The width is 0 or more than 2³¹ - 1, or the values are not a whole number of arrays; or there is not enough memory, or the
    /// device fails.
    pub fn arrays<T: SumScalar>(&self, values: &[T], width: usize) -> Result<Arrays<T>> {
        expect_width(width)?;
        if !values.len().is_multiple_of(width) {
            let found = counted(values.len(), "value");
            return Err(Error::arguments(format!(
                "{found} are not a whole number of arrays of width {width}: pass a multiple of {width} values"
            )));
        }
        let elements = values.len() / width;
        let memory = Memory::upload(self.backend(), &in_blocks(values, elements, width)?)?;
        Ok(Arrays { memory, elements, width })
    }
}

impl<T: DeviceType> Arrays<T> {
    length!(self, "elements", self.elements);

    /// The number of values of each element.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Copies the arrays to the host, after the kernels launched so far: a matrix with a row for each element.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<HostMatrix<T>> {
        let (blocked, mut values) = (self.memory.download()?, host::zeros(self.values())?);
        for (element, own) in values.chunks_mut(self.width).enumerate() {
            element_values(element, self.elements, own.len(), |at, place, count| {
                own[at..][..count].copy_from_slice(&blocked[place..][..count]);
            });
        }
        HostMatrix::from_vec((self.elements, self.width), values)
    }

    /// Replaces the arrays by those of a slice of the same length, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn upload_into(&mut self, values: &[T]) -> Result<()> {
        expect_length(values, self.values())?;
        let blocked = in_blocks(values, self.elements, self.width)?;
        self.memory.upload_into(0..blocked.len(), &blocked)
    }

    /// The number of values without padding.
    fn values(&self) -> usize {
        self.elements * self.width
    }
}

/// The values as a device has them.
fn in_blocks<T: DeviceType>(values: &[T], elements: usize, width: usize) -> Result<Vec<T>> {
    let mut blocked = host::zeros(elements.saturating_mul(padded(width)))?;
    for (element, own) in values.chunks(width).enumerate() {
        element_values(element, elements, width, |at, place, count| {
            blocked[place..][..count].copy_from_slice(&own[at..][..count]);
        });
    }
    Ok(blocked)
}

/// Visits the blocks of an element: the first of its numbers in each, their place among all blocks, and their count.
fn element_values(
    element: usize,
    elements: usize,
    width: usize,
    mut visit: impl FnMut(usize, usize, usize),
) {
    let mut first = 0;
    for length in blocks(width) {
        visit(first, first * elements + element * length, length.min(width - first));
        first += length;
    }
}

debug!([T: DeviceType] Arrays<T>: len, width);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padded_widths_are_those_of_blocks() {
        for width in (1..50).chain([64, 1000, 1007]) {
            assert_eq!(padded(width), blocks(width).sum::<usize>(), "{width}");
        }
    }
}
