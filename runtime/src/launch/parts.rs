//! Runs the planned launches of one device, or of several at the same time.

use super::Value;
use super::filter::Halves;
use super::ready::Ready;
use crate::kernel::Kernel;
use crate::{Result, host};

/// The user's arguments, for several threads.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a>(pub(super) &'a [Value]);

// SAFETY: threads only read the values, which stay as they are until all threads have ended. A value is a number, an
// address, or of a `DeviceType`, which is `Sync`.
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    pub(super) fn values(&self) -> &'a [Value] {
        self.0
    }
}

/// Launches what is ready on each device: first on GPUs, where a launch returns at once, and then on CPUs, each on a
/// thread of its own, which returns when all is done. After a GPU has refused its launch no other device begins.
///
/// Where the caller is a worker that CPUs need, they begin one after another, and each of them uses all workers even so.
///
/// # Safety
///
/// With `values`, the code of each plan uses only memory of its device that nothing else writes meanwhile. The values
/// are those of the kernel's parameters after those in `Ready`, in order and of their types.
pub(super) unsafe fn run(kernel: &Kernel, ready: &[Ready<'_>], values: &[Value]) -> Result<()> {
    if let ([one], false) = (ready, kernel.device.is_several()) {
        // SAFETY: the caller's promise.
        return unsafe { run_one(one, kernel, values) };
    }
    let named = |ready: &Ready<'_>, values: &[Value]| {
        // SAFETY: the caller's promise.
        let done = unsafe { run_one(ready, kernel, values) };
        done.map_err(|error| kernel.named(ready.at, error))
    };
    let (waiting, others): (Vec<_>, Vec<_>) =
        ready.iter().partition(|each| kernel.devices()[each.at].is_cpu());
    others.into_iter().try_for_each(|each| named(each, values))?;
    let shared = Shared(values);
    let waiting = waiting.into_iter().map(|each| (each.at, each)).collect();
    // SAFETY: the caller's promise.
    on_each(kernel, waiting, |each| unsafe { run_one(each, kernel, shared.values()) })
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

/// Launches what is planned on this device.
///
/// # Safety
///
/// The contract of [`run`], for this device.
unsafe fn run_one(ready: &Ready<'_>, kernel: &Kernel, values: &[Value]) -> Result<()> {
    let steps = &mut ready.plan.steps.iter();
    let Some(filter) = &ready.plan.filter else {
        // SAFETY: the caller's promise, and the steps are those of the plan.
        return steps.try_for_each(|step| unsafe { ready.run_step(kernel, values, step) });
    };
    // SAFETY: as above.
    let mut halves = unsafe { Halves::of(kernel, ready, filter, values) }?;
    // SAFETY: as above; these are the halves of the launch's features.
    steps.try_for_each(|step| unsafe { halves.run_step(kernel, ready, values, step) })
}
