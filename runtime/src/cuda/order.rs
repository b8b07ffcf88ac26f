//! The order of what streams do with memory, where cudarc's own events leave gaps.
//!
//! cudarc keeps two events with each allocation: what writes it waits for both, what reads it waits for the
//! writer's. That fails in three cases, and each is closed here. Of several readers the event knows the latest
//! only. Events are used only while a context has streams beside its default one, so that the work of a stream
//! that was dropped is forgotten. And they do not reach from one handle of a context to another.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::{CudaEvent, CudaStream, SyncOnDrop};

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

/// A use of memory that is to be recorded once it is on its stream. Dropped before that, it has not happened.
pub(crate) struct Use<'a> {
    event: &'a CudaEvent,
    stream: &'a CudaStream,
}

/// Two records of one event are two calls each, which other threads may not come between.
static RECORDING: Mutex<()> = Mutex::new(());

impl<'a> Use<'a> {
    /// What cudarc would record when `guard` is dropped, without what it forgets.
    pub(crate) fn of(mut guard: SyncOnDrop<'a>) -> Option<Use<'a>> {
        match &mut guard {
            SyncOnDrop::Record(target) => {
                target.take().map(|(event, stream)| Use { event, stream })
            }
            // Of memory on the host, of which a launch has none.
            SyncOnDrop::Sync(_) => None,
        }
    }

    /// Records it. Whatever waits for it from then on waits for the uses before it too.
    pub(crate) fn record(&self) -> Result<()> {
        if !self.stream.context().is_managing_stream_synchronization() {
            return Ok(());
        }
        let failed = || Error::driver("record the use of memory");
        // Nothing is left half done where a thread panics here.
        let _alone = RECORDING.lock().unwrap_or_else(PoisonError::into_inner);
        self.stream.wait(self.event).map_err(failed())?;
        self.event.record(self.stream).map_err(failed())
    }
}

/// Whether cudarc's events order the two: those of one handle of a context do.
pub(crate) fn share_events(one: &CudaStream, other: &CudaStream) -> bool {
    Arc::ptr_eq(one.context(), other.context())
}

/// Lets `stream` go on only after all that `other` has been given so far.
pub(crate) fn follow(stream: &CudaStream, other: &CudaStream) -> Result<()> {
    stream.join(other).map_err(Error::driver("wait for another stream"))
}
