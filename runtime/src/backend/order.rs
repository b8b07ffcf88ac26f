//! Orders the uses of memory by streams where cudarc's events do not.
//!
//! cudarc keeps two events with each allocation (<https://github.com/chelsea0x3b/cudarc/pull/341>). A write waits for both, a
//! read for the writer's. This leaves four gaps, which this module closes:
//!
//! - The reader's event covers only the latest of several readers.
//! - Events are used only while a context has streams besides its default one
//!   (<https://github.com/chelsea0x3b/cudarc/issues/435>), so the work of a dropped stream is forgotten.
//! - A launch before the first such stream leaves no event, and a stream made by `fork` does not wait for it.
//! - Events do not order streams of two handles of one context.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::{CudaEvent, CudaStream, SyncOnDrop};

use crate::{Error, Result};

/// An idle stream. While it exists, cudarc uses events.
#[derive(Default)]
pub(crate) struct EventGuard(OnceLock<Arc<CudaStream>>);

impl EventGuard {
    /// From now on events are used in the context of `stream`, even if its other streams are dropped.
    pub(crate) fn enable(&self, stream: &CudaStream) -> Result<()> {
        if self.0.get().is_none() {
            let idle = stream.context().new_stream();
            let idle = idle.map_err(Error::driver("create a stream"))?;
            // Earlier launches recorded no events, so they must end before the first stream relies on events. cudarc waits for
            // them only where `new_stream` makes the first stream, not in `fork`.
            let ended = stream.context().synchronize();
            ended.map_err(Error::driver("wait for the device"))?;
            // If another thread was faster, its stream does the same.
            let _ = self.0.set(idle);
        }
        Ok(())
    }
}

/// The address of memory that a launch uses, and how the launch is ordered with other uses.
pub(crate) struct Access<'a> {
    pub(crate) address: u64,
    /// The event to record after the launch. Dropping it unrecorded records nothing.
    used: Option<(&'a CudaEvent, &'a CudaStream)>,
    /// The memory's stream, where cudarc's events do not order it with the launch's.
    foreign: Option<Arc<CudaStream>>,
}

/// Recording takes two calls. No other thread may record the same event between them.
static RECORDING: Mutex<()> = Mutex::new(());

impl<'a> Access<'a> {
    /// Host memory. A launch on the CPU has ended when its call returns, so nothing needs ordering.
    pub(crate) fn host(address: usize) -> Access<'a> {
        Access { address: address as u64, used: None, foreign: None }
    }

    /// GPU memory, with the event that cudarc would record when `guard` is dropped, and the stream from [`join`].
    pub(crate) fn gpu(
        address: u64,
        mut guard: SyncOnDrop<'a>,
        foreign: Option<Arc<CudaStream>>,
    ) -> Access<'a> {
        let used = match &mut guard {
            SyncOnDrop::Record(target) => target.take(),
            // Only for host memory, which a launch never gets.
            SyncOnDrop::Sync(_) => None,
        };
        Access { address, used, foreign }
    }

    /// Makes later uses of the memory wait for the launch. Call it after the launch.
    pub(crate) fn record(&self, stream: Option<&CudaStream>) -> Result<()> {
        let recorded = self.used.map_or(Ok(()), |(event, stream)| record(event, stream));
        // Also after a failure above.
        let followed = match (&self.foreign, stream) {
            (Some(foreign), Some(stream)) => follow(foreign, stream),
            _ => Ok(()),
        };
        recorded.and(followed)
    }
}

/// Makes the launch on `stream` wait for earlier work on `home`, the memory's stream, where cudarc's events do not order the
/// two. They order only streams of one handle of a context. For others this calls `keep`, which keeps events in use, and
/// returns `home`, whose later work must wait for the launch.
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

/// Records a use of memory. Work that waits for the event also waits for earlier uses.
fn record(event: &CudaEvent, stream: &CudaStream) -> Result<()> {
    if !stream.context().is_managing_stream_synchronization() {
        return Ok(());
    }
    let failed = || Error::driver("record the use of memory");
    // Ignores poisoning: a panic of another thread here leaves no partial state.
    let _alone = RECORDING.lock().unwrap_or_else(PoisonError::into_inner);
    stream.wait(event).map_err(failed())?;
    event.record(stream).map_err(failed())
}

/// Makes later work on `stream` wait for earlier work on `other`.
fn follow(stream: &CudaStream, other: &CudaStream) -> Result<()> {
    stream.join(other).map_err(Error::driver("wait for another stream"))
}
