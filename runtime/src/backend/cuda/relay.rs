//! Copies chunks to the host on a stream of their own while kernels run.
//!
//! A slot is device memory and page-locked host memory. Its copy waits for the launch that fills it, and the next launch into
//! it waits for the copy. This module's own events ensure both: `computed` is recorded on the device's stream after the launch,
//! `copied` on the copies' stream after the copy.
//!
//! A kernel on another stream of the user's is ordered by the events of the memory, like every use of it (`order.rs`). For a
//! kernel on another handle of the GPU, the device's stream waits for the kernel, so `computed` comes after it; and the kernel
//! waits for the device's stream, which has waited for `copied`.

use std::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, sys};

use crate::backend::order::Access;
use crate::backend::view::View;
use crate::backend::{self, Allocation};
use crate::{Error, Result};

/// The copies' stream, and the events of each slot.
pub(super) struct Relay {
    home: Arc<CudaStream>,
    stream: Arc<CudaStream>,
    slots: Vec<Slot>,
}

struct Slot {
    /// Recorded after the launch that fills the slot.
    computed: CudaEvent,
    /// Recorded after the slot's copy. Waiting for an event that was never recorded returns at once.
    copied: CudaEvent,
}

impl Relay {
    /// For `slots` slots. From now on the order of the device's streams is kept.
    pub(super) fn new(home: &Arc<CudaStream>, slots: usize) -> Result<Relay> {
        let failed = || Error::driver("create a stream");
        let context = home.context();
        let stream = context.new_stream().map_err(failed())?;
        let slot = |_| -> Result<Slot> {
            let event = || context.new_event(None).map_err(failed());
            Ok(Slot { computed: event()?, copied: event()? })
        };
        let slots = (0..slots).map(slot).collect::<Result<_>>()?;
        Ok(Relay { home: home.clone(), stream, slots })
    }
}

impl backend::Relay for Relay {
    fn before_launch(&mut self, slot: usize) -> Result<()> {
        let copied = &self.slots[slot].copied;
        self.home.wait(copied).map_err(Error::driver("wait for a copy"))
    }

    fn after_launch(&mut self, slot: usize) -> Result<()> {
        let computed = &self.slots[slot].computed;
        computed.record(&self.home).map_err(Error::driver("record a launch"))
    }

    unsafe fn copy(
        &mut self,
        slot: usize,
        memory: &dyn Allocation,
        bytes: usize,
        host: NonNull<u8>,
    ) -> Result<()> {
        let failed = || Error::driver("copy from the device");
        let Slot { computed, copied } = &self.slots[slot];
        self.stream.wait(computed).map_err(failed())?;
        let View::Cuda(all) = memory.view() else {
            return Err(Error::other("the memory to copy is not on the GPU"));
        };
        let length = all.len();
        let part = all.try_slice(0..bytes);
        let part = part.ok_or_else(|| Error::copy_length(length, bytes))?;
        // The stream waits for the last writer of the memory.
        let (address, guard) = part.view_ptr(&self.stream);
        let access = Access::gpu(address, guard, None);
        let host = host.as_ptr().cast();
        // SAFETY: the call of `wait` above binds the context; the device has the bytes, and the caller promises that the host
        // has them, and that both stay until the copy has ended.
        let copy =
            unsafe { sys::cuMemcpyDtoHAsync_v2(host, address, bytes, self.stream.cu_stream()) };
        copy.result().map_err(failed())?;
        // The next writer of the memory waits for the copy.
        access.record(Some(&self.stream))?;
        copied.record(&self.stream).map_err(failed())
    }

    fn is_done(&mut self, slot: usize) -> Result<bool> {
        Ok(self.slots[slot].copied.is_complete())
    }

    fn wait(&mut self, slot: usize) -> Result<()> {
        self.slots[slot].copied.synchronize().map_err(Error::driver("wait for a copy"))
    }

    fn finish(&mut self) -> Result<()> {
        self.stream.synchronize().map_err(Error::driver("wait for the device"))
    }
}
