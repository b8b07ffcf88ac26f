//! Memory of the CPU device, which is the host's own.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::Result;
use crate::backend::{Allocation, HostBytes};
use crate::host::{self, HostMemory};
use crate::view::{Byte, View, ViewMut};

impl Allocation for HostMemory {
    fn view(&self) -> View<'_, Byte> {
        View::Cpu(self.as_slice())
    }

    fn view_mut(&mut self) -> ViewMut<'_, Byte> {
        ViewMut::Cpu(self.as_mut_slice())
    }

    fn copy_to(&self, first: usize, host: &mut [Byte]) -> Result<()> {
        host::copy(&self.as_slice()[first..], host);
        Ok(())
    }

    fn copy_from(&mut self, first: usize, host: &[Byte]) -> Result<()> {
        host::copy(host, &mut self.as_mut_slice()[first..]);
        Ok(())
    }

    fn clear(&mut self) -> Result<()> {
        self.as_mut_slice().fill(MaybeUninit::new(0));
        Ok(())
    }
}

impl HostBytes for HostMemory {
    fn start(&self) -> NonNull<u8> {
        HostMemory::start(self)
    }
}
