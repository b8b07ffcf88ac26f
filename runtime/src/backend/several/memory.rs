//! Memory on several devices.

use crate::backend::Allocation;
use crate::backend::view::{Byte, View, ViewMut};
use crate::{Error, Result, host};

/// The same bytes on each of several devices. What kernels add to them differs per device.
pub(super) struct Copies {
    copies: Vec<CopyOfOne>,
}

/// The bytes on one device, and its index and name for messages.
struct CopyOfOne {
    index: usize,
    device: String,
    memory: Box<dyn Allocation>,
}

impl Copies {
    /// Pairs each allocation with its device's name.
    pub(super) fn new(copies: impl Iterator<Item = (Box<dyn Allocation>, String)>) -> Copies {
        let named = |(index, (memory, device))| CopyOfOne { index, device, memory };
        Copies { copies: copies.enumerate().map(named).collect() }
    }

    /// Runs `work` for each copy, in parallel if much is copied.
    fn each(
        &mut self,
        is_large: bool,
        work: impl Fn(&mut dyn Allocation) -> Result<()> + Sync,
    ) -> Result<()> {
        let one = |copy: &mut CopyOfOne| {
            let done = work(&mut *copy.memory);
            done.map_err(|error| error.on_device(copy.index, &copy.device))
        };
        match is_large {
            true => {
                host::map_concurrently(self.copies.iter_mut().collect(), one).into_iter().collect()
            }
            false => self.copies.iter_mut().try_for_each(one),
        }
    }
}

impl Allocation for Copies {
    fn view(&self) -> View<'_, Byte> {
        View::Several(self.copies.iter().map(|copy| copy.memory.view()).collect())
    }

    fn view_mut(&mut self) -> ViewMut<'_, Byte> {
        ViewMut::Several(self.copies.iter_mut().map(|copy| copy.memory.view_mut()).collect())
    }

    fn devices(&self) -> usize {
        self.copies.len()
    }

    /// Copies from the first device.
    fn copy_to(&self, first: usize, host: &mut [Byte]) -> Result<()> {
        self.copy_of_device(0, first, host)
    }

    fn copy_of_device(&self, device: usize, first: usize, host: &mut [Byte]) -> Result<()> {
        let Some(copy) = self.copies.get(device) else {
            // Without an error, the values in `host` would look like a result.
            let count = self.copies.len();
            return Err(Error::other(format!("device {device} is not below {count}")));
        };
        let done = copy.memory.copy_to(first, host);
        done.map_err(|error| error.on_device(copy.index, &copy.device))
    }

    fn copy_from(&mut self, first: usize, host: &[Byte]) -> Result<()> {
        self.each(host.len() >= host::LARGE, |memory| memory.copy_from(first, host))
    }

    fn clear(&mut self) -> Result<()> {
        self.each(false, |memory| memory.clear())
    }

    fn fill(&mut self, element: &[Byte]) -> Result<()> {
        self.each(false, |memory| memory.fill(element))
    }
}
