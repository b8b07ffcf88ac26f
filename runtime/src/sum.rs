//! A total over all pairs.

use std::fmt;

use crate::memory::Memory;
use crate::{DeviceType, Result};

/// A total on a device, from [`Device::sum`](crate::Device::sum). It starts at zero, and each
/// launch adds to it.
///
/// Totals of integers wrap around. Totals of floats are added up in an order that changes from
/// launch to launch, and so may their last digits.
pub struct Sum<T> {
    pub(crate) memory: Memory<T>,
}

impl<T: DeviceType> Sum<T> {
    /// The total, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<T> {
        let total = self.memory.download()?;
        // A Sum is made with one element and keeps it.
        total.first().copied().ok_or(crate::Error::TooLarge { elements: 1, size: size_of::<T>() })
    }

    /// Sets the total back to zero.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn clear(&mut self) -> Result<()> {
        self.memory.clear()
    }
}

impl<T> fmt::Debug for Sum<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sum").finish_non_exhaustive()
    }
}
