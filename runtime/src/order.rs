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

/// The address of memory that a launch uses, and what orders the launch with other uses.
pub(crate) struct Access<'a> {
    pub(crate) address: u64,
    /// What is recorded when the launch is on its stream. Dropping it unrecorded records nothing.
    used: Option<(&'a CudaEvent, &'a CudaStream)>,
    /// The memory's stream, where cudarc's events do not order it with the launch's.
    stranger: Option<Arc<CudaStream>>,
}

/// Two records of one event are two calls each, which other threads may not come between.
static RECORDING: Mutex<()> = Mutex::new(());

impl<'a> Access<'a> {
    /// Memory of the host. A launch on the CPU ends before its call does.
    pub(crate) fn of_host(address: usize) -> Access<'a> {
        Access { address: address as u64, used: None, stranger: None }
    }

    /// Memory of a GPU, with what cudarc would record when `guard` is dropped, and what [`join`] has given.
    pub(crate) fn of_gpu(
        address: u64,
        mut guard: SyncOnDrop<'a>,
        stranger: Option<Arc<CudaStream>>,
    ) -> Access<'a> {
        let used = match &mut guard {
            SyncOnDrop::Record(target) => target.take(),
            // Of memory on the host, which a launch is not given.
            SyncOnDrop::Sync(_) => None,
        };
        Access { address, used, stranger }
    }

    /// Lets what uses the memory from now on wait for the launch, which is on its stream.
    pub(crate) fn record(&self, stream: Option<&CudaStream>) -> Result<()> {
        let recorded = match self.used {
            Some((event, stream)) => record(event, stream),
            None => Ok(()),
        };
        // Also after a failure.
        let followed = match (&self.stranger, stream) {
            (Some(stranger), Some(stream)) => follow(stranger, stream),
            _ => Ok(()),
        };
        recorded.and(followed)
    }
}

/// Lets the launch on `stream` wait for all that `home`, the memory's stream, has been given, where cudarc's events do
/// not order the two: those of one handle of a context do. Then it gives `home`, whose later work is to wait for the
/// launch, and `keep` has events used from here on.
pub(crate) fn join(
    stream: &CudaStream,
    home: &Arc<CudaStream>,
    keep: impl FnOnce() -> Result<()>,
) -> Result<Option<Arc<CudaStream>>> {
    if Arc::ptr_eq(stream.context(), home.context()) {
        return Ok(None);
    }
    keep()?;
    follow(stream, home)?;
    Ok(Some(home.clone()))
}

/// Records a use of memory. Whatever waits for the event from then on waits for the uses before it too.
fn record(event: &CudaEvent, stream: &CudaStream) -> Result<()> {
    if !stream.context().is_managing_stream_synchronization() {
        return Ok(());
    }
    let failed = || Error::driver("record the use of memory");
    // A panic of another thread here leaves nothing half done.
    let _alone = RECORDING.lock().unwrap_or_else(PoisonError::into_inner);
    stream.wait(event).map_err(failed())?;
    event.record(stream).map_err(failed())
}

/// Lets `stream` go on only after all that `other` has been given so far.
fn follow(stream: &CudaStream, other: &CudaStream) -> Result<()> {
    stream.join(other).map_err(Error::driver("wait for another stream"))
}
