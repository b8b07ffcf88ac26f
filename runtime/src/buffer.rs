//! Elements on a device.

use std::fmt;

use crate::memory::Memory;
use crate::{DeviceType, Result};

/// Elements on a device, from [`Device::upload`](crate::Device::upload) or
/// [`Device::zeroed`](crate::Device::zeroed).
pub struct Buffer<T> {
    pub(crate) memory: Memory<T>,
}

impl<T: DeviceType> Buffer<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy on the host, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<Vec<T>> {
        self.memory.download()
    }

    /// The elements copied into a slice of as many, once the kernels launched so far have ended: fastest into
    /// [pinned](crate::Device::pinned) memory.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn download_into(&self, elements: &mut [T]) -> Result<()> {
        self.memory.download_into(elements)
    }
}

impl<T: DeviceType> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer").field("len", &self.len()).finish_non_exhaustive()
    }
}
