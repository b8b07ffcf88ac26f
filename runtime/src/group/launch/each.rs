//! Runs work on each of several devices.

use smallvec::SmallVec;

use crate::group::kernel::Kernel;
use crate::run::Ready;
use crate::{Result, host};

/// The launches on devices that have work, with the devices' indices.
pub(super) type All<'a> = SmallVec<[(usize, Ready<'a>); 1]>;

/// Launches on one device, or on each of several.
///
/// # Safety
///
/// The contract of [`Ready::run`], on each device.
pub(super) unsafe fn start(kernel: &Kernel, ready: &[(usize, Ready<'_>)]) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe {
        match kernel.device.is_several() {
            true => run(kernel, ready),
            false => ready.iter().try_for_each(|(_, one)| one.run()),
        }
    }
}

/// Launches on each device: first on GPUs, where a launch returns at once, then on CPUs, each on a thread of its own, which
/// returns when the work is done. After a GPU has rejected its launch, no other device starts.
///
/// If the caller is a worker thread that CPUs need, the CPUs run one after another; each still uses all workers.
///
/// # Safety
///
/// The contract of [`Ready::run`], on each device.
pub(super) unsafe fn run(kernel: &Kernel, ready: &[(usize, Ready<'_>)]) -> Result<()> {
    let (waiting, others): (Vec<_>, Vec<_>) =
        ready.iter().partition(|(_, each)| each.on.device.is_cpu());
    for (at, each) in others {
        // SAFETY: the caller's promise.
        unsafe { each.run() }.map_err(|error| kernel.device.named(*at, error))?;
    }
    let waiting = waiting.into_iter().map(|(at, each)| (*at, each)).collect();
    // SAFETY: the caller's promise.
    on_each(kernel, waiting, |each: &Ready<'_>| unsafe { each.run() })
}

/// Runs `work` for items, each with the index of its device: all at the same time, each on a thread of its own. The first error
/// names its device; the others run to their end.
///
/// If the caller is a worker thread that CPUs need, they run one after another: if it waited for other threads, these might
/// wait for it.
pub(super) fn on_each<T: Send>(
    kernel: &Kernel,
    items: Vec<(usize, T)>,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let named = |(at, item)| work(item).map_err(|error| kernel.device.named(at, error));
    if items.iter().any(|(at, _)| kernel.devices()[*at].backend().needs_this_thread()) {
        return items.into_iter().try_for_each(named);
    }
    host::map_concurrently(items, named).into_iter().collect()
}
