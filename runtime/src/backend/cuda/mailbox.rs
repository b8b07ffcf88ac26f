//! Host copies of a word of GPU memory, which the host reads while the GPU runs.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream, sys};

use super::page_locked::PageLocked;
use crate::backend::order::Access;
use crate::backend::view::View;
use crate::backend::{self, Allocation, HostBytes as _, MailboxSlot};
use crate::{Error, Result};

/// Two words in host memory. Once its event has passed, a word holds a copy of the GPU's word.
pub(super) struct Mailbox {
    home: Arc<CudaStream>,
    words: PageLocked,
    copied: [CudaEvent; 2],
}

const WORD: usize = size_of::<u32>();

impl Mailbox {
    pub(super) fn new(home: &Arc<CudaStream>) -> Result<Mailbox> {
        let context = home.context();
        let words = PageLocked::zeroed(context, Layout::new::<[u32; 2]>())?;
        let event = || context.new_event(None).map_err(Error::driver("create an event"));
        Ok(Mailbox { home: home.clone(), words, copied: [event()?, event()?] })
    }

    fn word(&self, slot: MailboxSlot) -> NonNull<u32> {
        // SAFETY: there are two words.
        unsafe { self.words.start().cast::<u32>().add(slot as usize) }
    }
}

impl backend::Mailbox for Mailbox {
    fn take(
        &mut self,
        slot: MailboxSlot,
        stream: Option<&Arc<CudaStream>>,
        memory: &dyn Allocation,
    ) -> Result<()> {
        let failed = || Error::driver("copy from the device");
        let stream = stream.unwrap_or(&self.home);
        stream.context().bind_to_thread().map_err(failed())?;
        let View::Cuda(all) = memory.view() else {
            return Err(Error::other("the memory to copy is not on the GPU"));
        };
        let Some(part) = all.try_slice(0..WORD) else {
            return Err(Error::other("the memory to copy is shorter than a word"));
        };
        // The stream waits for the last writer of the word.
        let (address, guard) = part.view_ptr(stream);
        let access = Access::gpu(address, guard, None);
        let word = self.word(slot).as_ptr().cast();
        // SAFETY: the context is bound; the device has the word, and frees its memory in stream order. The host word is
        // `self`'s, which nothing else reads or writes until the event of this copy, and which `drop` keeps until then.
        let copy = unsafe { sys::cuMemcpyDtoHAsync_v2(word, address, WORD, stream.cu_stream()) };
        copy.result().map_err(failed())?;
        if let Err(error) = self.copied[slot as usize].record(stream) {
            // Without the event, `drop` would not wait for this copy.
            stream.synchronize().map_err(failed())?;
            return Err(failed()(error));
        }
        access.record(Some(stream))
    }

    fn read(&mut self, slot: MailboxSlot) -> Result<u32> {
        let copied = &self.copied[slot as usize];
        copied.synchronize().map_err(Error::driver("wait for the device"))?;
        // SAFETY: the word exists, and its last copy has ended.
        Ok(unsafe { self.word(slot).read_volatile() })
    }
}

impl Drop for Mailbox {
    /// Waits for copies that are still running after an error.
    fn drop(&mut self) {
        for copied in &self.copied {
            if let Err(error) = copied.synchronize() {
                tracing::debug!("the GPU failed before its host copies were freed: {error:?}");
            }
        }
    }
}
