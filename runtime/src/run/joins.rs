//! Joins the states of a launch's blocks to the state of all pairs.

use super::{JoinOfBlocks, Ready};
use crate::backend::pointer;
use crate::plan::Step;
use crate::types::info::MERGE_BLOCK;
use crate::{Error, Result};

impl Ready<'_> {
    /// Joins the states of a step's blocks, after the step.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](Ready::run). The addresses are those of the launch's states, of which there is one for each block.
    pub(super) unsafe fn join_blocks(&self, step: &Step) -> Result<()> {
        for JoinOfBlocks { join, parts, total, start } in &self.joins {
            let Some(code) = self.plan.joins.get(*join) else {
                return Err(Error::unknown_map(self.plan.variant.map));
            };
            // No more than 2^31.
            let count = step.grid[0] * step.grid[1] * self.plan.states_of_block();
            let mut parameters = [pointer(&count), pointer(parts), pointer(total), start.pointer()];
            let block = if self.plan.loops.is_some() { [1, 1] } else { MERGE_BLOCK };
            // SAFETY: these are the parameters of the function that the macro writes for each state of all pairs, with memory as
            // the caller promises.
            unsafe { code.launch(self.on.stream, [1, 1], block, &mut parameters) }?;
        }
        Ok(())
    }
}
