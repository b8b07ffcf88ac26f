//! Runs a prepared launch on a device: passes parameters to the code and launches its grids.

use std::ffi::c_void;

use smallvec::SmallVec;

use super::operands::OperandsOfLaunch;
use super::{Ready, Value};
use crate::Result;
use crate::backend::order::Access;
use crate::backend::{Loaded, pointer};
use crate::plan::Step;

impl Ready<'_> {
    /// Launches the plan.
    ///
    /// # Safety
    ///
    /// With the values, the plan's code uses only memory of its device that nothing else writes during the launch. The values
    /// are those of the kernel's parameters after its counts, in order and of their types.
    pub(crate) unsafe fn run(&self) -> Result<()> {
        if let Some(near) = &self.plan.near {
            // SAFETY: the caller's promise.
            return unsafe { self.run_near(near) };
        }
        let steps = &mut self.plan.steps.iter();
        let Some(filter) = &self.plan.filter else {
            // SAFETY: the caller's promise, and the steps are those of the plan.
            return steps.try_for_each(|step| unsafe {
                self.run_step(step)?;
                self.join_blocks(step)
            });
        };
        // SAFETY: as above.
        let operands = unsafe { OperandsOfLaunch::of(self, filter) }?;
        // SAFETY: as above; these are the operands of the launch's features.
        steps.try_for_each(|step| unsafe { operands.run_step(self, step) })
    }

    /// Launches one grid.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](Ready::run), and the step is one of the plan's map, for the plan's elements.
    pub(super) unsafe fn run_step(&self, step: &Step) -> Result<()> {
        let blocks = [step.grid, self.plan.block()];
        // SAFETY: the caller's promise.
        unsafe { self.run_code(&*self.plan.code, blocks, &step.numbers, &[]) }
    }

    /// Launches this code, with a grid and blocks, numbers of the map, and addresses after the user's values.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](Ready::run) for this code, whose parameters are the kernel's with these numbers and addresses.
    pub(super) unsafe fn run_code(
        &self,
        code: &dyn Loaded,
        [grid, block]: [[u32; 2]; 2],
        numbers: &[u32],
        addresses: &[u64],
    ) -> Result<()> {
        // The kernel's parameters, in the code generator's order: n, or rows and columns, a range's rows and first slot, the
        // map's own, the user's, those of the sweep `filter`.
        let mut parameters: SmallVec<[*mut c_void; 16]> = SmallVec::new();
        parameters.extend(self.counts.iter().map(pointer));
        parameters.extend(self.first_slot.iter().map(pointer));
        parameters.extend(numbers.iter().map(pointer));
        parameters.extend(self.table.iter().map(|(_, address)| pointer(address)));
        parameters.extend(self.values.iter().map(Value::pointer));
        parameters.extend(addresses.iter().map(pointer));
        // SAFETY: `parameters` holds a pointer to a value for each parameter of the kernel, of its type: the caller has
        // promised it, and the macro can promise it because it writes both from one signature.
        unsafe { code.launch(self.on.stream, grid, block, &mut parameters) }
    }

    /// Makes later uses of the device's own words wait for the launched work.
    pub(super) fn record_all(&self, accesses: &[Access<'_>]) -> Result<()> {
        accesses.iter().try_for_each(|access| self.on.record(access))
    }
}
