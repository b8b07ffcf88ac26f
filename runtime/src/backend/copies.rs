//! Copies to the host while the device runs.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::Allocation;
use crate::Result;

/// Two host copies of a word of device memory. The host reads a copy while the stream goes on.
pub(crate) trait Mailbox: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Copies the first word of the memory once the stream's earlier work has ended.
    fn take(
        &mut self,
        slot: MailboxSlot,
        stream: Option<&Arc<CudaStream>>,
        memory: &dyn Allocation,
    ) -> Result<()>;

    /// The word. Waits until it is copied.
    fn read(&mut self, slot: MailboxSlot) -> Result<u32>;
}

/// Names one of the two copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MailboxSlot {
    #[default]
    One,
    Other,
}

impl MailboxSlot {
    /// The other one.
    pub(crate) fn next(self) -> MailboxSlot {
        match self {
            MailboxSlot::One => MailboxSlot::Other,
            MailboxSlot::Other => MailboxSlot::One,
        }
    }
}

/// Copies slots of device memory to the host repeatedly, while kernels fill other slots.
///
/// The calls for each slot come in this order: `before_launch`, the launch, `after_launch`, `copy`. `wait` comes after `copy`
/// and before the slot's next `copy`; the slot's next launch may come before `wait`.
pub(crate) trait Relay {
    /// Makes the next launch into the slot wait for the slot's copy.
    fn before_launch(&mut self, slot: usize) -> Result<()>;

    /// Makes the slot's copy wait for all earlier launches.
    fn after_launch(&mut self, slot: usize) -> Result<()>;

    /// Starts to copy the first `bytes` bytes of the slot's memory to the host.
    ///
    /// # Safety
    ///
    /// `memory` has at least `bytes` bytes. `host` points to `bytes` bytes of the kind that
    /// [`Backend::pinned`](super::Backend::pinned) makes, in memory that outlives the copy. Until [`wait`](Relay::wait) of this
    /// slot or [`finish`](Relay::finish) returns, nothing else reads or writes them, `memory` is not freed, and only launches
    /// after `before_launch` write it.
    unsafe fn copy(
        &mut self,
        slot: usize,
        memory: &dyn Allocation,
        bytes: usize,
        host: NonNull<u8>,
    ) -> Result<()>;

    /// Whether the slot's copy has ended.
    fn is_done(&mut self, slot: usize) -> Result<bool>;

    /// Waits for the slot's copy.
    fn wait(&mut self, slot: usize) -> Result<()>;

    /// Waits for all started copies.
    fn finish(&mut self) -> Result<()>;
}
