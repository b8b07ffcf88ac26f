//! Runs the planned launches of one device, or of several at the same time.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use smallvec::SmallVec;

use super::Value;
use super::features::Products;
use super::filter::Halves;
use crate::backend::Loaded;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::plan::{Plan, Step};
use crate::{Result, host};

/// What the launches of a device need beside the user's arguments.
pub(super) struct Ready<'a> {
    /// The index of the device.
    pub(super) at: usize,
    pub(super) plan: &'a Plan,
    /// The kernel's first parameters, and the slot that packed arguments begin with, where the code takes it.
    pub(super) counts: SmallVec<[u32; 4]>,
    pub(super) first_slot: Option<u64>,
    /// The address of the map's table, where there is one.
    pub(super) address: Option<u64>,
    /// The features of the pairs' elements, where these have some.
    pub(super) features: Option<Products>,
    /// Keeps that table.
    pub(super) _table: Option<Arc<Memory<u32>>>,
}

/// The stream that a kernel is launched on, on the device of this index: of several devices, each one's own.
pub(super) fn stream(kernel: &Kernel, at: usize) -> Option<&Arc<CudaStream>> {
    match kernel.device.is_several() {
        true => kernel.devices().get(at).and_then(|device| device.stream()),
        false => kernel.stream.as_ref(),
    }
}

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
        return unsafe { one.run(kernel, values) };
    }
    let named = |ready: &Ready<'_>, values: &[Value]| {
        // SAFETY: the caller's promise.
        let done = unsafe { ready.run(kernel, values) };
        done.map_err(|error| kernel.named(ready.at, error))
    };
    let (waiting, others): (Vec<_>, Vec<_>) =
        ready.iter().partition(|each| kernel.devices()[each.at].is_cpu());
    others.into_iter().try_for_each(|each| named(each, values))?;
    let shared = Shared(values);
    let waiting = waiting.into_iter().map(|each| (each.at, each)).collect();
    // SAFETY: the caller's promise.
    on_each(kernel, waiting, |each| unsafe { each.run(kernel, shared.values()) })
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

impl Ready<'_> {
    /// Launches what is planned on this device.
    ///
    /// # Safety
    ///
    /// The contract of [`run`], for this device.
    unsafe fn run(&self, kernel: &Kernel, values: &[Value]) -> Result<()> {
        let steps = &mut self.plan.steps.iter();
        let Some(filter) = &self.plan.filter else {
            // SAFETY: the caller's promise, and the steps are those of the plan.
            return steps.try_for_each(|step| unsafe { self.run_step(kernel, values, step) });
        };
        // SAFETY: as above.
        let mut halves = unsafe { Halves::of(kernel, self, filter, values) }?;
        // SAFETY: as above; these are the halves of the launch's features.
        steps.try_for_each(|step| unsafe { halves.run_step(kernel, self, values, step) })
    }

    /// Launches one grid on this device.
    ///
    /// # Safety
    ///
    /// The contract of [`run`], for this device, and the step is one of the plan's map, for the plan's elements.
    pub(super) unsafe fn run_step(
        &self,
        kernel: &Kernel,
        values: &[Value],
        step: &Step,
    ) -> Result<()> {
        let (code, block) = (&*self.plan.code, self.plan.block());
        // SAFETY: the caller's promise.
        unsafe { self.run_code(kernel, code, values, [step.grid, block], &step.numbers, &[]) }
    }

    /// Launches this code on this device: with a grid and blocks, numbers of the map, and addresses after the user's values.
    ///
    /// # Safety
    ///
    /// The contract of [`run`], for this device and this code, whose parameters are the kernel's with these numbers and
    /// addresses.
    pub(super) unsafe fn run_code(
        &self,
        kernel: &Kernel,
        code: &dyn Loaded,
        values: &[Value],
        [grid, block]: [[u32; 2]; 2],
        numbers: &[u32],
        addresses: &[u64],
    ) -> Result<()> {
        // The kernel's parameters, in the order in which the code generator writes them: n, or rows and columns, a
        // range's rows and first slot, the map's own, the user's, those of the sweep that filters.
        let mut parameters: SmallVec<[*mut c_void; 16]> = SmallVec::new();
        parameters.extend(self.counts.iter().map(pointer));
        parameters.extend(self.first_slot.iter().map(pointer));
        parameters.extend(numbers.iter().map(pointer));
        parameters.extend(self.address.iter().map(pointer));
        parameters.extend(values.iter().map(|value| value.pointer(self.at)));
        parameters.extend(addresses.iter().map(pointer));
        // SAFETY: `parameters` holds a pointer to a value for each parameter of the kernel, of its type: the caller
        // has promised it, and the macro can promise it because it writes both from one signature.
        unsafe { code.launch(stream(kernel, self.at), grid, block, &mut parameters) }
    }
}

/// A parameter's address.
fn pointer<T>(value: &T) -> *mut c_void {
    ptr::from_ref(value).cast_mut().cast()
}
