//! A list of pairs.

use std::fmt;

use crate::error::Cause;
use crate::memory::Memory;
use crate::{Device, Result};

/// A list of index pairs on a device, from [`Device::pairs`](crate::Device::pairs). Each launch
/// appends to it.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], limit: f32, list: &mut Pairs) {
///     r#" if (fabsf(x.i - x.j) < limit) list.push(); "#
/// }
///
/// let device = Device::cpu()?;
/// let kernel = close::load(&device)?;
/// let x = device.upload(&[1.0, 2.0, 4.0])?;
/// let mut list = device.pairs(1)?;
/// kernel.launch(&x, 1.5, &mut list)?;
/// assert_eq!(list.download()?, [[1, 0]]);
/// // Where there are more, the error says how many, and the list can be made anew.
/// list.clear()?;
/// kernel.launch(&x, 9.0, &mut list)?;
/// assert_eq!(list.download().unwrap_err().pairs_needed(), Some(3));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Pairs {
    pub(crate) list: Memory<[u32; 2]>,
    pub(crate) count: Memory<u64>,
}

impl Device {
    /// An empty list with room for `capacity` pairs.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn pairs(&self, capacity: usize) -> Result<Pairs> {
        let list = Memory::zeroed(self.backend(), capacity)?;
        Ok(Pairs { list, count: Memory::zeroed(self.backend(), 1)? })
    }
}

impl Pairs {
    /// The number of pairs that there is room for.
    pub fn capacity(&self) -> usize {
        self.list.len()
    }

    /// The number of pairs pushed so far, which can be more than there is room for.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn count(&self) -> Result<u64> {
        Ok(self.count.download()?.first().copied().unwrap_or_default())
    }

    /// The pairs `[i, j]`, in the order in which threads happened to push them.
    ///
    /// # Errors
    ///
    /// More pairs were pushed than there is room for ([`Cause::PairsOverflow.into()`] says how many), or
    /// the device failed.
    pub fn download(&self) -> Result<Vec<[u32; 2]>> {
        let needed = self.count()?;
        let count = usize::try_from(needed).unwrap_or(usize::MAX);
        if count > self.capacity() {
            return Err(Cause::PairsOverflow { needed, capacity: self.capacity() }.into());
        }
        self.list.download_range(0..count)
    }

    /// Empties the list.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn clear(&mut self) -> Result<()> {
        self.count.clear()
    }
}

impl fmt::Debug for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pairs").field("capacity", &self.capacity()).finish_non_exhaustive()
    }
}
