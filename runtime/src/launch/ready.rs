//! What a device has ready for a launch, and how its code gets that.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use smallvec::SmallVec;

use super::Value;
use super::features::Products;
use crate::Result;
use crate::backend::Loaded;
use crate::kernel::Kernel;
use crate::kernel::plan::{Plan, Step};
use crate::memory::Memory;

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

impl Ready<'_> {
    /// Launches one grid on this device.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](super::parts::run), for this device, and the step is one of the plan's map, for the plan's elements.
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
    /// The contract of [`run`](super::parts::run), for this device and this code, whose parameters are the kernel's with these numbers and
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
