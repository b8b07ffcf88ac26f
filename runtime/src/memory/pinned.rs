//! Host memory that a GPU reads and writes at the full rate of its connection.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use crate::backend::HostBytes;
use crate::host::methods::debug;
use crate::memory::layout;
use crate::{DeviceType, Result, Target};

/// Elements in pinned host memory, from [`Target::pinned`](crate::Target::pinned): a slice that the GPU itself copies, at the
/// full rate of its connection.
///
/// Allocating pinned memory takes longer than a copy, so it pays off only for data that is copied repeatedly. Pinned memory
/// cannot be swapped out, so other programs have less.
///
/// ```
/// use td_kernel::Device;
///
/// let device = Device::cpu()?;
/// let mut values = device.pinned(3)?;
/// values.copy_from_slice(&[1.0_f32, 2.0, 3.0]);
/// let buffer = device.upload(&values)?;
/// values.fill(0.0);
/// buffer.download_into(&mut values)?;
/// assert_eq!(values[..], [1.0, 2.0, 3.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Pinned<T> {
    /// `None` if there are no elements.
    bytes: Option<Box<dyn HostBytes>>,
    length: usize,
    elements: PhantomData<T>,
}

impl Target {
    /// `length` elements in pinned host memory, all bits zero. Copies between it and this device run at the full rate of the
    /// device's connection. On the CPU it is ordinary memory.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn pinned<T: DeviceType>(&self, length: usize) -> Result<Pinned<T>> {
        let layout = layout::<T>(length)?;
        let bytes = (layout.size() > 0).then(|| self.backend().pinned(layout)).transpose()?;
        Ok(Pinned { bytes, length, elements: PhantomData })
    }
}

impl<T> Pinned<T> {
    /// The address of the first element. Write to it only while nothing else uses this value.
    pub(crate) fn address(&mut self) -> NonNull<T> {
        self.start()
    }

    fn start(&self) -> NonNull<T> {
        self.bytes.as_ref().map_or(NonNull::dangling(), |bytes| bytes.start().cast())
    }
}

impl<T: DeviceType> Deref for Pinned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the bytes have the layout of `length` elements. They started as zeros, which are a value of a DeviceType, and
        // hold values of it since then. A copy by the GPU borrows them until it has ended.
        unsafe { std::slice::from_raw_parts(self.start().as_ptr(), self.length) }
    }
}

impl<T: DeviceType> DerefMut for Pinned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start().as_ptr(), self.length) }
    }
}

debug!([T: DeviceType] Pinned<T>: len);
