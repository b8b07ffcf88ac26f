//! States that a function of the prelude joins.
//!
//! Blocks do not join their states to the state of all pairs directly, because their order changes from run to run. So each
//! block stores a state, for which there is room once the number of blocks is known, and a function of one block joins them
//! after the kernel. States of several devices are joined by a download, which needs a function of the kernel too.

use smallvec::SmallVec;

use super::bind::{Addresses, OfAll, States};
use super::{Bound, Launch};
use crate::group::kernel::Plans;
use crate::memory::results::Join;
use crate::run::{JoinOfBlocks, Value};
use crate::{Error, ErrorKind, Result};

/// What a launch joins after the kernel, on each device.
pub(super) struct JoinOnEach {
    join: usize,
    parts: Addresses,
    totals: Addresses,
    start: Value,
}

impl JoinOnEach {
    /// The same on the device of this index.
    pub(super) fn on(&self, at: usize) -> JoinOfBlocks {
        let JoinOnEach { join, parts, totals, start } = self;
        JoinOfBlocks { join: *join, parts: parts[at], total: totals[at], start: *start }
    }
}

/// The most blocks of a launch, whose states 32 bits count.
const MOST_BLOCKS: u64 = 1 << 31;

impl Launch<'_> {
    /// Makes room for the states of the plans' blocks, and keeps what a download needs to join those of several devices.
    pub(super) fn prepare_states(&mut self, plans: &Plans) -> Result<SmallVec<[JoinOnEach; 1]>> {
        let mut joins = SmallVec::new();
        for (index, States { name, join, of_all }) in
            std::mem::take(&mut self.states).into_iter().enumerate()
        {
            if let Some((at, plan)) =
                plans.parts.first().filter(|_| self.kernel.device.is_several())
                && let Some(code) = plan.joins.get(index)
            {
                let device = self.kernel.devices()[*at].clone();
                let (code, is_loops, is_of_all) =
                    (code.clone(), plan.loops.is_some(), of_all.is_some());
                *join = Some(Join { code, device, is_loops, is_of_all });
            }
            let Some(OfAll { at, parts, alignment, totals, start }) = of_all else { continue };
            let steps = plans.parts.iter().flat_map(|(_, plan)| &plan.steps);
            let blocks = steps.map(|step| u64::from(step.grid[0]) * u64::from(step.grid[1]));
            let most = blocks.max().unwrap_or_default();
            if most > MOST_BLOCKS {
                let problem = "would have a state for each of more than 2,147,483,648 blocks: write `map = \"walk\"` in the kernel's attribute, or launch ranges of rows";
                let error = Error::new(ErrorKind::MapLimitExceeded, problem);
                return Err(error.about(self.kernel.info.name, name));
            }
            let room = parts.make_room(self.kernel.device.backend(), most as usize)?;
            let parts = self.addresses_to_write(name, alignment, room)?;
            self.bound[at] = Bound::addresses(&parts);
            joins.push(JoinOnEach { join: index, parts, totals, start });
        }
        Ok(joins)
    }
}
