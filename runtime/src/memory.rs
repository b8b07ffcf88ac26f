//! Elements in memory of a device.

use std::alloc::Layout;
use std::marker::PhantomData;
use std::mem;
use std::ops::Range;

use crate::backend::{Allocation, Backend};
use crate::error::Cause;
use crate::host;
use crate::view::{Byte, View, ViewMut};
use crate::{DeviceType, Result};

/// Elements on a device.
pub(crate) struct Memory<T> {
    /// None where there are no elements: CUDA refuses an allocation of zero bytes.
    allocation: Option<Box<dyn Allocation>>,
    length: usize,
    elements: PhantomData<T>,
}

impl<T: DeviceType> Memory<T> {
    /// `length` elements, all their bits zero.
    pub(crate) fn zeroed(backend: &dyn Backend, length: usize) -> Result<Self> {
        Self::new(backend, length, None)
    }

    /// A copy of `elements`.
    pub(crate) fn upload(backend: &dyn Backend, elements: &[T]) -> Result<Self> {
        Self::new(backend, elements.len(), Some(bytes(elements)))
    }

    fn new(backend: &dyn Backend, length: usize, contents: Option<&[Byte]>) -> Result<Self> {
        let layout = layout::<T>(length)?;
        let allocation = match layout.size() {
            0 => None,
            _ => Some(backend.allocate(layout, contents)?),
        };
        Ok(Memory { allocation, length, elements: PhantomData })
    }

    /// A copy of all elements, on the host, once everything before it on the stream has ended.
    pub(crate) fn download(&self) -> Result<Vec<T>> {
        self.download_range(0..self.length)
    }

    /// A copy of these elements, which are some of all.
    pub(crate) fn download_range(&self, range: Range<usize>) -> Result<Vec<T>> {
        let mut elements = host::zeros(range.len())?;
        self.download_into(range, &mut elements)?;
        Ok(elements)
    }

    /// A copy of these elements, which are some of all, into a slice of as many.
    pub(crate) fn download_into(&self, range: Range<usize>, elements: &mut [T]) -> Result<()> {
        let (length, found) = (range.len(), elements.len());
        if length != found {
            return Err(Cause::CopyLength { length, found }.into());
        }
        match &self.allocation {
            Some(allocation) if !elements.is_empty() => {
                allocation.copy_to(range.start * size_of::<T>(), bytes_mut(elements))
            }
            _ => Ok(()),
        }
    }

    /// A copy of a slice into these elements, which are some of all and as many.
    pub(crate) fn upload_into(&mut self, range: Range<usize>, elements: &[T]) -> Result<()> {
        let (length, found) = (range.len(), elements.len());
        if length != found {
            return Err(Cause::UploadLength { length, found }.into());
        }
        match &mut self.allocation {
            Some(allocation) if !elements.is_empty() => {
                allocation.copy_from(range.start * size_of::<T>(), bytes(elements))
            }
            _ => Ok(()),
        }
    }

    /// Sets all bits to zero.
    pub(crate) fn clear(&mut self) -> Result<()> {
        self.allocation.as_mut().map_or(Ok(()), |allocation| allocation.clear())
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn view(&self) -> View<'_, T> {
        self.view_range(0..self.length)
    }

    pub(crate) fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.view_range_mut(0..self.length)
    }

    /// Some of the elements, for a kernel to read.
    pub(crate) fn view_range(&self, range: Range<usize>) -> View<'_, T> {
        match &self.allocation {
            None => View::Empty,
            // SAFETY: the allocation has the layout of `length` elements of this type, and was filled with values of
            // it: with zeros, or those of a slice, and since then by kernels, whose every pattern of bits is a value.
            Some(allocation) => unsafe { allocation.view().elements(range) },
        }
    }

    /// Some of the elements, for a kernel to write.
    pub(crate) fn view_range_mut(&mut self, range: Range<usize>) -> ViewMut<'_, T> {
        match &mut self.allocation {
            None => ViewMut::Empty,
            // SAFETY: as above, and every pattern of bits is a value of a DeviceType.
            Some(allocation) => unsafe { allocation.view_mut().elements(range) },
        }
    }
}

/// The layout of `length` elements, where an address space can hold them.
fn layout<T>(length: usize) -> Result<Layout> {
    let too_large = |_| Cause::TooLarge { elements: length, size: size_of::<T>() }.into();
    Layout::array::<T>(length).map_err(too_large)
}

/// The bytes of elements, to be read.
fn bytes<T>(elements: &[T]) -> &[Byte] {
    // SAFETY: as many bytes are there, borrowed for as long, and a `Byte` need not have a value.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), mem::size_of_val(elements)) }
}

/// The bytes of elements, to be overwritten with others: those that an [`Allocation`] copies have values.
fn bytes_mut<T: DeviceType>(elements: &mut [T]) -> &mut [Byte] {
    let length = mem::size_of_val(elements);
    // SAFETY: as many bytes are there, borrowed alone and for as long; what is copied into them is initialised, and
    // every pattern of bits is a value of a DeviceType.
    unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), length) }
}
