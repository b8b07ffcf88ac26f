//! Work on each of several devices.

use smallvec::SmallVec;

use crate::group::kernel::Kernel;
use crate::launch::Ready;
use crate::{Result, host};

/// What is ready on the devices that have something to do, with their indices.
pub(super) type All<'a> = SmallVec<[(usize, Ready<'a>); 1]>;

/// Launches what is ready on each device: first on GPUs, where a launch returns at once, and then on CPUs, each on a
/// thread of its own, which returns when all is done. After a GPU has refused its launch no other device begins.
///
/// Where the caller is a worker that CPUs need, they begin one after another, and each of them uses all workers even so.
///
/// # Safety
///
/// The contract of [`Ready::run`], on each device.
pub(super) unsafe fn run(kernel: &Kernel, ready: &[(usize, Ready<'_>)]) -> Result<()> {
    let (waiting, others): (Vec<_>, Vec<_>) =
        ready.iter().partition(|(_, each)| each.on.device.is_cpu());
    for (at, each) in others {
        // SAFETY: the caller's promise.
        unsafe { each.run() }.map_err(|error| kernel.named(*at, error))?;
    }
    let waiting = waiting.into_iter().map(|(at, each)| (*at, each)).collect();
    // SAFETY: the caller's promise.
    on_each(kernel, waiting, |each: &Ready<'_>| unsafe { each.run() })
}

/// Does `work` on devices, each given by its index and with what is to be done there: on all of them at the same time,
/// each on a thread of its own. The first error names its device; the others go on to their end.
///
/// Where the caller is a worker that CPUs need, they work one after another: if it waited for other threads, these might
/// wait for it.
pub(super) fn on_each<T: Send>(
    kernel: &Kernel,
    items: Vec<(usize, T)>,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let named = |(at, item)| work(item).map_err(|error| kernel.named(at, error));
    if items.iter().any(|(at, _)| kernel.devices()[*at].backend().needs_this_thread()) {
        return items.into_iter().try_for_each(named);
    }
    host::together(items, named).into_iter().collect()
}
