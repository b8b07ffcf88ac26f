//! The order of what streams do with memory, where cudarc's own events leave gaps.
//!
//! cudarc keeps two events with each allocation (<https://github.com/chelsea0x3b/cudarc/pull/341>). A write waits for
//! both, and a read waits for the writer's. This has four gaps, which this module closes:
//!
//! - The reader's event covers only the latest of several readers.
//! - Events are used only while a context has streams beside its default one
//!   (<https://github.com/chelsea0x3b/cudarc/issues/435>), so that the work of a dropped stream is forgotten.
//! - A launch before the first such stream has left no event, and a stream made by `fork` does not wait for it.
//! - Events do not order streams of two handles of one context.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::{CudaEvent, CudaStream, SyncOnDrop};

use crate::{Error, Result};

/// An idle stream: as long as it exists, cudarc uses its events.
#[derive(Default)]
pub(crate) struct Keeper(OnceLock<Arc<CudaStream>>);

impl Keeper {
    /// From here on events are used in the context of `stream`, whatever happens to its other streams.
    pub(crate) fn keep(&self, stream: &CudaStream) -> Result<()> {
        if self.0.get().is_none() {
            let keeper = stream.context().new_stream();
            let keeper = keeper.map_err(Error::driver("make a stream"))?;
            // What was launched before, while no event was recorded, has ended when the first stream relies on events.
            // cudarc waits for it by itself only where `new_stream` makes the first stream, and not in `fork`.
            let ended = stream.context().synchronize();
            ended.map_err(Error::driver("wait for the device"))?;
            // If another thread was faster, its stream does the same.
            let _ = self.0.set(keeper);
        }
        Ok(())
    }
}

/// The address of memory that a launch uses, and what orders the launch with other uses.
pub(crate) struct Access<'a> {
    pub(crate) address: u64,
    /// The event to record once the launch is on its stream. Dropping it unrecorded records nothing.
    used: Option<(&'a CudaEvent, &'a CudaStream)>,
    /// The memory's stream, where cudarc's events do not order it with the launch's.
    foreign: Option<Arc<CudaStream>>,
}

/// A record takes two calls, between which no other thread may record the same event.
static RECORDING: Mutex<()> = Mutex::new(());

impl<'a> Access<'a> {
    /// Memory of the host. A launch on the CPU has ended when its call returns, so nothing needs ordering.
    pub(crate) fn of_host(address: usize) -> Access<'a> {
        Access { address: address as u64, used: None, foreign: None }
    }

    /// Memory of a GPU, with the event that cudarc would record when `guard` is dropped, and the stream from [`join`].
    pub(crate) fn of_gpu(
        address: u64,
        mut guard: SyncOnDrop<'a>,
        foreign: Option<Arc<CudaStream>>,
    ) -> Access<'a> {
        let used = match &mut guard {
            SyncOnDrop::Record(target) => target.take(),
            // For memory of the host, which a launch is never given.
            SyncOnDrop::Sync(_) => None,
        };
        Access { address, used, foreign }
    }

    /// Makes later uses of the memory wait for the launch, which is on its stream.
    pub(crate) fn record(&self, stream: Option<&CudaStream>) -> Result<()> {
        let recorded = match self.used {
            Some((event, stream)) => record(event, stream),
            None => Ok(()),
        };
        // Even after a failure above.
        let followed = match (&self.foreign, stream) {
            (Some(foreign), Some(stream)) => follow(foreign, stream),
            _ => Ok(()),
        };
        recorded.and(followed)
    }
}

/// Makes the launch on `stream` wait for all work so far on `home`, the memory's stream, where cudarc's events do not
/// order the two. They do so only for streams of one handle of a context. For other streams this calls `keep`, which
/// keeps events in use from here on, and returns `home`, whose later work must wait for the launch.
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

/// Records a use of memory. What then waits for the event also waits for earlier uses.
fn record(event: &CudaEvent, stream: &CudaStream) -> Result<()> {
    if !stream.context().is_managing_stream_synchronization() {
        return Ok(());
    }
    let failed = || Error::driver("record the use of memory");
    // Ignores poisoning: a panic of another thread here leaves nothing half done.
    let _alone = RECORDING.lock().unwrap_or_else(PoisonError::into_inner);
    stream.wait(event).map_err(failed())?;
    event.record(stream).map_err(failed())
}

/// Makes later work on `stream` wait for all work so far on `other`.
fn follow(stream: &CudaStream, other: &CudaStream) -> Result<()> {
    stream.join(other).map_err(Error::driver("wait for another stream"))
}
