//! What copies to the host while the device goes on.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::Allocation;
use crate::Result;

/// Two notes of what a word of a device's memory is at some place of a stream, which the host reads while the stream goes on.
pub(crate) trait Notes: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Has the first word of the memory noted, as it is after all that the stream has been given.
    fn take(
        &mut self,
        note: Note,
        stream: Option<&Arc<CudaStream>>,
        memory: &dyn Allocation,
    ) -> Result<()>;

    /// The word, once the stream has come there.
    fn read(&mut self, note: Note) -> Result<u32>;
}

/// One of the two notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Note {
    #[default]
    One,
    Other,
}

impl Note {
    /// The other one of the two.
    pub(crate) fn next(self) -> Note {
        match self {
            Note::One => Note::Other,
            Note::Other => Note::One,
        }
    }
}

/// Copies slots of a device's memory to the host, again and again, while kernels fill others.
///
/// For each slot it is called in this order: `before_launch`, the launch, `after_launch`, `copy`. `wait` comes some time
/// after `copy`, and before the slot's next `copy`; its next launch may come before `wait`.
pub(crate) trait Relay {
    /// Has the next launch into the slot wait for the slot's copy.
    fn before_launch(&mut self, slot: usize) -> Result<()>;

    /// Has the slot's copy wait for what has been launched.
    fn after_launch(&mut self, slot: usize) -> Result<()>;

    /// Begins to copy the first bytes of the slot's memory, which has so many, to the host.
    ///
    /// # Safety
    ///
    /// At `host` are as many bytes of the kind that [`Backend::pinned`](super::Backend::pinned) makes, in memory that outlives the copy, and that
    /// nothing else reads or writes until [`wait`](Relay::wait) of this slot or [`finish`](Relay::finish) has returned. Until
    /// then `memory` is not freed either, and is written only by launches after `before_launch`.
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

    /// Waits for all copies that have begun.
    fn finish(&mut self) -> Result<()>;
}
