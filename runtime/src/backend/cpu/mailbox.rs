//! Host copies of a word of the emulator's memory. A launch has ended when its call returns, so the word is copied at once.

use std::mem::MaybeUninit;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use crate::Result;
use crate::backend::{self, Allocation, MailboxSlot};

/// The copies of the word.
#[derive(Default)]
pub(super) struct Mailbox([u32; 2]);

impl backend::Mailbox for Mailbox {
    fn take(
        &mut self,
        slot: MailboxSlot,
        _stream: Option<&Arc<CudaStream>>,
        memory: &dyn Allocation,
    ) -> Result<()> {
        let mut word = [MaybeUninit::new(0); size_of::<u32>()];
        memory.copy_to(0, &mut word)?;
        // SAFETY: they are initialised here, and each has the device's value then, which is not padding.
        self.0[slot as usize] = u32::from_ne_bytes(word.map(|byte| unsafe { byte.assume_init() }));
        Ok(())
    }

    fn read(&mut self, slot: MailboxSlot) -> Result<u32> {
        Ok(self.0[slot as usize])
    }
}
