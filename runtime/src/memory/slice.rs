//! Ranges of the elements of a buffer.

use std::ops::{Bound, Range, RangeBounds};

use crate::backend::view::{View, ViewMut};
use crate::host::methods::debug;
use crate::memory::Memory;
use crate::memory::elements::{elements, elements_mut};
use crate::{Buffer, DeviceType, Error, Result};

/// Contiguous elements of a [`Buffer`] that a kernel reads: from [`Buffer::slice`].
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[9.0, 1.0, 4.0, 8.0, 9.0])?;
/// let mut distances = device.packed(3)?;
/// distance::load(&device)?.launch(&x.slice(1..4)?, &mut distances)?;
/// assert_eq!(distances.download()?.as_slice(), [3.0, 7.0, 4.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct BufferSlice<'a, T> {
    memory: &'a Memory<T>,
    range: Range<usize>,
}

/// Contiguous elements of a [`Buffer`] that a kernel writes: from [`Buffer::slice_mut`].
///
/// ```
/// use td_kernel::Device;
///
/// let device = Device::cpu()?;
/// let mut x = device.zeroed(4)?;
/// x.slice_mut(1..3)?.upload_into(&[5, 6])?;
/// assert_eq!(x.download()?, [0, 5, 6, 0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct BufferSliceMut<'a, T> {
    memory: &'a mut Memory<T>,
    range: Range<usize>,
}

impl<T: DeviceType> Buffer<T> {
    /// A range of the elements, for kernels to read: `buffer.slice(10..20)?`, `buffer.slice(10..)?`.
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<BufferSlice<'_, T>> {
        Ok(BufferSlice { memory: &self.memory, range: within(&range, self.len())? })
    }

    /// A range of the elements, for a kernel to write.
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<BufferSliceMut<'_, T>> {
        let range = within(&range, self.len())?;
        Ok(BufferSliceMut { memory: &mut self.memory, range })
    }
}

/// Resolves the bounds of a range of `length` elements.
fn within(range: &impl RangeBounds<usize>, length: usize) -> Result<Range<usize>> {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last.saturating_add(1),
        Bound::Excluded(end) => *end,
        Bound::Unbounded => length,
    };
    if start > end || end > length {
        return Err(Error::arguments(format!(
            "{start}..{end} is not a valid range of a buffer of {length} elements: write a..b with a <= b <= {length}"
        )));
    }
    Ok(start..end)
}

/// Converts a range counted from the start of `whole` to one counted from the start of the buffer.
fn inside(whole: &Range<usize>, range: &impl RangeBounds<usize>) -> Result<Range<usize>> {
    let range = within(range, whole.len())?;
    Ok(whole.start + range.start..whole.start + range.end)
}

elements!(BufferSlice<'_, T>);
elements_mut!(BufferSliceMut<'_, T>);

macro_rules! both {
    ($($name:ident),*) => {$(
        impl<T> $name<'_, T> {
            fn range(&self) -> Range<usize> {
                self.range.clone()
            }
        }

        impl<T: DeviceType> $name<'_, T> {
            /// Copies the elements to the host, after the kernels launched so far.
            ///
            /// # Errors
            ///
            /// The device failed, perhaps in a kernel launched before.
            pub fn download(&self) -> Result<Vec<T>> {
                self.memory.download_range(self.range())
            }

            pub(crate) fn view(&self) -> View<'_, T> {
                self.memory.view_range(self.range())
            }
        }

        debug!([T] $name<'_, T>: range);
    )*};
}

both!(BufferSlice, BufferSliceMut);

impl<'a, T: DeviceType> BufferSlice<'a, T> {
    /// A range of these elements, counted from the first of them.
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<BufferSlice<'a, T>> {
        Ok(BufferSlice { memory: self.memory, range: inside(&self.range, &range)? })
    }
}

impl<T: DeviceType> BufferSliceMut<'_, T> {
    /// A range of these elements, counted from the first of them, for kernels to read; `..` for all.
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<BufferSlice<'_, T>> {
        Ok(BufferSlice { memory: self.memory, range: inside(&self.range, &range)? })
    }

    /// A range of these elements, counted from the first of them, for a kernel to write; `..` for all.
    ///
    /// # Errors
    ///
    /// The range is reversed, or ends past the last element.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<BufferSliceMut<'_, T>> {
        Ok(BufferSliceMut { memory: self.memory, range: inside(&self.range, &range)? })
    }

    pub(crate) fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.memory.view_range_mut(self.range())
    }
}

impl<T> Clone for BufferSlice<'_, T> {
    fn clone(&self) -> Self {
        BufferSlice { memory: self.memory, range: self.range() }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;

    use crate::backend::view::{View, ViewMut};
    use crate::{Device, Matrix, Packed, Slice, SliceMut, Slots, Square};

    #[test]
    fn slices_match_their_ranges() {
        let device = Device::cpu().unwrap();
        let mut buffer = device.upload(&[0, 1, 2, 3, 4]).unwrap();
        assert_eq!(buffer.slice(..).unwrap().download().unwrap(), [0, 1, 2, 3, 4]);
        assert_eq!(buffer.slice(1..=3).unwrap().download().unwrap(), [1, 2, 3]);
        let after_the_first = (Bound::Excluded(0), Bound::Unbounded);
        assert_eq!(buffer.slice(after_the_first).unwrap().len(), 4);
        assert!(buffer.slice(5..).unwrap().download().unwrap().is_empty());
        let mut part = buffer.slice_mut(2..4).unwrap();
        assert!(!part.is_empty() && part.len() == 2);
        part.upload_into(&[7, 8]).unwrap();
        let mut copy = [0; 2];
        part.slice(..).unwrap().download_into(&mut copy).unwrap();
        assert_eq!(copy, [7, 8]);
        let error = part.upload_into(&[1]).unwrap_err();
        assert!(error.to_string().contains("cannot copy a slice of 1 into 2 elements"), "{error}");
        part.slice_mut(1..).unwrap().upload_into(&[9]).unwrap();
        assert_eq!((part.download().unwrap(), part.slice(..1).unwrap().len()), (vec![7, 9], 1));
        assert_eq!(buffer.download().unwrap(), [0, 1, 7, 9, 4]);
        let inner = buffer.slice(1..4).unwrap().slice(1..).unwrap();
        assert_eq!(inner.download().unwrap(), [7, 9]);
        #[allow(clippy::reversed_empty_ranges)]
        for range in [3..2, 0..6, 6..6, usize::MAX..0] {
            let error = buffer.slice(range.clone()).unwrap_err();
            assert!(error.to_string().contains(&format!("{range:?}")), "{error}");
            assert!(buffer.slice_mut(range).is_err());
        }
        assert!(buffer.slice(0..=usize::MAX).is_err());
    }

    #[test]
    fn launches_take_slices_and_views() {
        let device = Device::cpu().unwrap();
        let mut buffer = device.upload(&[1_u32, 2, 3, 4]).unwrap();
        let view = Slice::view(&buffer);
        assert_eq!(format!("{view:?}"), "View(4 elements on the CPU)");
        let copy = view.clone();
        let View::Cpu(elements) = Slice::view(&copy) else { panic!("{copy:?}") };
        assert_eq!(elements, [1, 2, 3, 4]);
        let mut part = buffer.slice_mut(1..).unwrap();
        assert_eq!(Slice::view(&part).len(), 3);
        assert_eq!(Slots::<Packed<u32>>::slots(&mut part).len(), 3);
        assert_eq!(Slots::<Packed<u32>>::shape(&part), None);
        assert_eq!(Slots::<Matrix<u32>>::slots(&mut part).len(), 3);
        assert_eq!(Slots::<Matrix<u32>>::shape(&part), None);
        let mut view = Slots::<Square<u32>>::slots(&mut buffer);
        assert_eq!(view.as_view().len(), 4);
        assert_eq!(format!("{view:?}"), "ViewMut(4 elements on the CPU)");
        if let ViewMut::Cpu(elements) = SliceMut::view_mut(&mut view) {
            elements.fill(7);
        }
        buffer.slice_mut(..2).unwrap().upload_into(&[0, 1]).unwrap();
        assert_eq!(buffer.download().unwrap(), [0, 1, 7, 7]);
        buffer.clear().unwrap();
        assert_eq!(buffer.download().unwrap(), [0; 4]);
    }
}
