//! The order of what streams do with memory, where cudarc's own events leave gaps.
//!
//! cudarc keeps two events with each allocation: what writes it waits for both, what reads it waits for the
//! writer's. That fails in three cases, and each is closed here. Of several readers the event knows the latest
//! only. Events are used only while a context has streams beside its default one, so that the work of a stream
//! that was dropped is forgotten. And they do not reach from one handle of a context to another.

use std::sync::{Arc, OnceLock};

use cudarc::driver::{CudaStream, SyncOnDrop};

use crate::{Error, Result};

/// A stream that does nothing: as long as it is there, cudarc uses its events.
#[derive(Default)]
pub(crate) struct Keeper(OnceLock<Arc<CudaStream>>);

impl Keeper {
    /// From here on events are used in the context of `stream`, whatever happens to its other streams.
    pub(crate) fn keep(&self, stream: &CudaStream) -> Result<()> {
        if self.0.get().is_none() {
            let keeper = stream.context().new_stream();
            let keeper = keeper.map_err(Error::driver("make a stream"))?;
            // Another thread's is as good.
            let _ = self.0.set(keeper);
        }
        Ok(())
    }
}

/// Records the use of memory that `guard` stands for. Whatever waits for it from then on waits for the uses before
/// it too.
pub(crate) fn record(guard: SyncOnDrop<'_>) -> Result<()> {
    if let SyncOnDrop::Record(Some((event, stream))) = &guard
        && stream.context().is_managing_stream_synchronization()
    {
        stream.wait(event).map_err(Error::driver("wait for another stream"))?;
    }
    drop(guard);
    Ok(())
}

/// Whether cudarc's events order the two: those of one handle of a context do.
pub(crate) fn share_events(one: &CudaStream, other: &CudaStream) -> bool {
    Arc::ptr_eq(one.context(), other.context())
}

/// Lets `stream` go on only after all that `other` has been given so far.
pub(crate) fn follow(stream: &CudaStream, other: &CudaStream) -> Result<()> {
    stream.join(other).map_err(Error::driver("wait for another stream"))
}
