//! Elements on a device.

use std::ops::Range;

use crate::host::methods::debug;
use crate::memory::Memory;
use crate::memory::elements::elements_mut;
use crate::{DeviceType, Result, Target};

/// Elements on a device, from [`Target::upload`](crate::Target::upload) or
/// [`Target::zeroed`](crate::Target::zeroed).
///
/// ```
/// use td_kernel::Device;
///
/// let device = Device::cpu()?;
/// let mut buffer = device.upload(&[1.0, 2.0, 3.0])?;
/// assert_eq!((buffer.len(), buffer.download()?), (3, vec![1.0, 2.0, 3.0]));
/// // Copies between existing memory on both sides.
/// let mut values = [4.0, 5.0, 6.0];
/// buffer.upload_into(&values)?;
/// buffer.download_into(&mut values)?;
/// # assert_eq!(values, [4.0, 5.0, 6.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Buffer<T> {
    pub(crate) memory: Memory<T>,
}

impl Target {
    /// A copy of `elements` on the device. Several threads copy large pageable memory; the GPU itself copies
    /// [pinned](Target::pinned) memory.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn upload<T: DeviceType>(&self, elements: &[T]) -> Result<Buffer<T>> {
        Ok(Buffer { memory: Memory::upload(self.backend(), elements)? })
    }

    /// `length` elements on the device, all bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn zeroed<T: DeviceType>(&self, length: usize) -> Result<Buffer<T>> {
        Ok(Buffer { memory: Memory::zeroed(self.backend(), length)? })
    }
}

elements_mut!(Buffer<T>);

impl<T: DeviceType> Buffer<T> {
    fn range(&self) -> Range<usize> {
        0..self.memory.len()
    }

    /// Copies the elements to the host, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<Vec<T>> {
        self.memory.download()
    }

    /// Sets all bits of all elements to zero, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn clear(&mut self) -> Result<()> {
        self.memory.clear()
    }
}

debug!([T: DeviceType] Buffer<T>: len);
