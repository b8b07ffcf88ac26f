//! Runs what is ready on a device.

use super::Ready;
use super::filter::Halves;
use crate::Result;

impl Ready<'_> {
    /// Launches what is planned.
    ///
    /// # Safety
    ///
    /// With the values, the code of the plan uses only memory of its device that nothing else writes meanwhile. The values
    /// are those of the kernel's parameters after its counts, in order and of their types.
    pub(crate) unsafe fn run(&self) -> Result<()> {
        let steps = &mut self.plan.steps.iter();
        let Some(filter) = &self.plan.filter else {
            // SAFETY: the caller's promise, and the steps are those of the plan.
            return steps.try_for_each(|step| unsafe { self.run_step(step) });
        };
        // SAFETY: as above.
        let mut halves = unsafe { Halves::of(self, filter) }?;
        // SAFETY: as above; these are the halves of the launch's features.
        steps.try_for_each(|step| unsafe { halves.run_step(self, step) })
    }
}
