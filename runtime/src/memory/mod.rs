//! Devices and their memory: buffers, inputs, results, and the matrices and lists that results become on the host.
//!
//! Uses `backend` and the layers below it.

pub(crate) mod addend;
pub(crate) mod argument;
pub(crate) mod arrays;
pub(crate) mod buffer;
pub(crate) mod device;
pub(crate) mod elements;
pub(crate) mod exact;
pub(crate) mod features;
pub(crate) mod given;
pub(crate) mod interop;
#[cfg(feature = "testing")]
pub(crate) mod observer;
pub(crate) mod ordered;
pub(crate) mod orders;
pub(crate) mod pair_bounds;
pub(crate) mod pairs;
pub(crate) mod partial_result;
pub(crate) mod pinned;
pub(crate) mod results;
pub(crate) mod sets;
pub(crate) mod shaped;
pub(crate) mod slice;
pub(crate) mod sum;
pub(crate) mod target;

use std::alloc::Layout;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use cudarc::driver::CudaStream;

use crate::backend::view::{Byte, View, ViewMut, bytes, bytes_mut};
use crate::backend::{Allocation, Backend, Mailbox, MailboxSlot, Relay};
use crate::{DeviceType, Error, ErrorKind, Result, host};

/// Elements on a device.
pub(crate) struct Memory<T> {
    /// `None` if there are no elements: CUDA refuses an allocation of zero bytes.
    allocation: Option<Box<dyn Allocation>>,
    length: usize,
    /// Only with several devices: whether all of them have finished their parts.
    failure: Option<FirstFailure>,
    /// The position of its devices among all that share each launch: `Backend::place`.
    place: [usize; 2],
    elements: PhantomData<T>,
}

/// Whether all devices have finished their parts of the launches that write this memory, or the first failure. After a failure
/// the memory holds only part of the result, so downloads are errors.
#[derive(Clone, Default)]
pub(crate) struct FirstFailure(Arc<OnceLock<String>>);

impl FirstFailure {
    /// Records a failure. Only the first one is kept.
    pub(crate) fn record(&self, failure: &str) {
        let _ = self.0.set(failure.to_owned());
    }

    fn check(&self) -> Result<()> {
        let Some(failure) = self.0.get() else { return Ok(()) };
        let problem = format!(
            "a launch failed ({failure}), so this result may contain only the part of the other devices: `clear()` it, and launch again"
        );
        Err(Error::new(ErrorKind::DeviceFailed, problem))
    }
}

impl<T> Memory<T> {
    /// No elements.
    pub(crate) const fn empty() -> Self {
        let place = [0, 1];
        Memory { allocation: None, length: 0, failure: None, place, elements: PhantomData }
    }

    /// The number of devices. Each has its own copy of the elements.
    pub(crate) fn devices(&self) -> usize {
        self.allocation.as_ref().map_or(1, |allocation| allocation.devices())
    }

    /// The position of its devices among all that share each launch.
    pub(crate) fn place(&self) -> [usize; 2] {
        self.place
    }

    /// Where a launch on several devices records its failure.
    pub(crate) fn failure(&self) -> Option<&FirstFailure> {
        self.failure.as_ref()
    }

    /// Resets the failure: the contents are not used any more.
    pub(crate) fn forget_failure(&mut self) {
        self.failure = self.failure.take().map(|_| FirstFailure::default());
    }
}

impl<T: DeviceType> Memory<T> {
    /// `length` elements, all bits zero.
    pub(crate) fn zeroed(backend: &dyn Backend, length: usize) -> Result<Self> {
        Self::new(backend, length, None)
    }

    /// A copy of `elements`.
    pub(crate) fn upload(backend: &dyn Backend, elements: &[T]) -> Result<Self> {
        Self::new(backend, elements.len(), Some(bytes(elements)))
    }

    pub(crate) fn filled(backend: &dyn Backend, length: usize, element: T) -> Result<Self> {
        let mut memory = Self::zeroed(backend, length)?;
        memory.fill(element)?;
        Ok(memory)
    }

    fn new(backend: &dyn Backend, length: usize, contents: Option<&[Byte]>) -> Result<Self> {
        let layout = layout::<T>(length)?;
        let allocate = || backend.allocate(layout, contents);
        let allocation = (layout.size() > 0).then(allocate).transpose()?;
        let failure = backend.is_several().then(FirstFailure::default);
        let place = backend.place();
        Ok(Memory { allocation, length, failure, place, elements: PhantomData })
    }

    /// Copies all elements to the host, after all earlier work on the stream.
    pub(crate) fn download(&self) -> Result<Vec<T>> {
        self.download_range(0..self.length)
    }

    /// Copies the elements in `range` to the host. `range` must lie within `0..length`.
    pub(crate) fn download_range(&self, range: Range<usize>) -> Result<Vec<T>> {
        let mut elements = host::zeros(range.len())?;
        self.download_into(range, &mut elements)?;
        Ok(elements)
    }

    /// Copies the elements in `range`, which must lie within `0..length`, into a slice of the same length.
    pub(crate) fn download_into(&self, range: Range<usize>, elements: &mut [T]) -> Result<()> {
        let (length, found) = (range.len(), elements.len());
        if length != found {
            return Err(Error::copy_length(length, found));
        }
        self.failure.as_ref().map_or(Ok(()), FirstFailure::check)?;
        let allocation = self.allocation.as_ref().filter(|_| !elements.is_empty());
        let Some(allocation) = allocation else { return Ok(()) };
        // SAFETY: an allocation copies only bytes that are valid values.
        allocation.copy_to(range.start * size_of::<T>(), unsafe { bytes_mut(elements) })
    }

    /// Starts copying the first `count` elements to the host, as the copy of the relay's `slot`.
    ///
    /// # Safety
    ///
    /// The contract of [`Relay::copy`], for `count` elements at `host`.
    pub(crate) unsafe fn copy_beside(
        &self,
        relay: &mut dyn Relay,
        slot: usize,
        count: usize,
        host: NonNull<T>,
    ) -> Result<()> {
        let Some(allocation) = self.allocation.as_ref().filter(|_| count > 0) else {
            return Ok(());
        };
        // SAFETY: the caller's promise.
        unsafe { relay.copy(slot, &**allocation, count * size_of::<T>(), host.cast()) }
    }

    /// Takes a note of the first word, as it is after all earlier work on the stream. Without elements it does nothing.
    pub(crate) fn copy_to_mailbox(
        &self,
        mailbox: &mut dyn Mailbox,
        slot: MailboxSlot,
        stream: Option<&Arc<CudaStream>>,
    ) -> Result<()> {
        self.allocation.as_ref().map_or(Ok(()), |memory| mailbox.take(slot, stream, &**memory))
    }

    /// Copies the elements in `range` from one of several devices.
    pub(crate) fn download_of_device(&self, device: usize, range: Range<usize>) -> Result<Vec<T>> {
        self.failure.as_ref().map_or(Ok(()), FirstFailure::check)?;
        let mut elements = host::zeros(range.len())?;
        if let Some(allocation) = self.allocation.as_ref().filter(|_| !range.is_empty()) {
            let first = range.start * size_of::<T>();
            // SAFETY: as above.
            allocation.copy_of_device(device, first, unsafe { bytes_mut(&mut elements) })?;
        }
        Ok(elements)
    }

    /// All elements of all devices, device by device.
    pub(crate) fn download_all(&self) -> Result<Vec<T>> {
        let mut all = self.download_of_device(0, 0..self.length)?;
        for device in 1..self.devices() {
            let more = self.download_of_device(device, 0..self.length)?;
            host::make_room(&mut all, more.len())?;
            all.extend(more);
        }
        Ok(all)
    }

    /// The elements of all devices, combined by `join` on the host.
    pub(crate) fn download_joined(&self, join: impl Fn(T, T) -> T) -> Result<Vec<T>> {
        let mut joined = self.download_of_device(0, 0..self.length)?;
        for device in 1..self.devices() {
            let others = self.download_of_device(device, 0..self.length)?;
            joined.iter_mut().zip(others).for_each(|(one, other)| *one = join(*one, other));
        }
        Ok(joined)
    }

    /// Copies a slice into the elements in `range`, which must lie within `0..length` and have the slice's length.
    pub(crate) fn upload_into(&mut self, range: Range<usize>, elements: &[T]) -> Result<()> {
        expect_length(elements, range.len())?;
        let allocation = self.allocation.as_mut().filter(|_| !elements.is_empty());
        let Some(allocation) = allocation else { return Ok(()) };
        allocation.copy_from(range.start * size_of::<T>(), bytes(elements))
    }

    /// Sets all elements to this one.
    pub(crate) fn fill(&mut self, element: T) -> Result<()> {
        let element = bytes(std::slice::from_ref(&element));
        self.allocation.as_mut().map_or(Ok(()), |allocation| allocation.fill(element))?;
        self.forget_failure();
        Ok(())
    }

    /// Sets all bits to zero.
    pub(crate) fn clear(&mut self) -> Result<()> {
        self.allocation.as_mut().map_or(Ok(()), |allocation| allocation.clear())?;
        self.forget_failure();
        Ok(())
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

    /// The bytes of all elements, for a kernel to write.
    ///
    /// # Safety
    ///
    /// Only initialised bytes are written.
    pub(crate) unsafe fn untyped_mut(&mut self) -> ViewMut<'_, Byte> {
        self.allocation.as_mut().map_or(ViewMut::Empty, |allocation| allocation.view_mut())
    }

    /// The elements in `range`, for a kernel to read.
    pub(crate) fn view_range(&self, range: Range<usize>) -> View<'_, T> {
        match &self.allocation {
            None => View::Empty,
            // SAFETY: the allocation has the layout of `length` elements of this type. It was filled with zeros or from a
            // slice, which are values of the type, and since then written only by kernels; every bit pattern is a value.
            Some(allocation) => unsafe { allocation.view().elements(range) },
        }
    }

    /// The elements in `range`, for a kernel to write.
    pub(crate) fn view_range_mut(&mut self, range: Range<usize>) -> ViewMut<'_, T> {
        match &mut self.allocation {
            None => ViewMut::Empty,
            // SAFETY: as above; every bit pattern is a value of a DeviceType.
            Some(allocation) => unsafe { allocation.view_mut().elements(range) },
        }
    }
}

/// The layout of `length` elements, or an error if the address space cannot hold them.
fn layout<T>(length: usize) -> Result<Layout> {
    let too_large = |_| Error::too_large(length, size_of::<T>());
    Layout::array::<T>(length).map_err(too_large)
}

/// Rejects a slice for another number of elements.
fn expect_length<T>(slice: &[T], length: usize) -> Result<()> {
    match slice.len() {
        found if found == length => Ok(()),
        found => Err(Error::arguments(format!(
            "cannot copy a slice of {found} into {length} elements: pass a slice of {length}"
        ))),
    }
}
