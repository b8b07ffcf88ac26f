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
use crate::plan::Step;
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

/// The states of the launch with the most of them: those of each block of its grid.
fn states(counts: impl Iterator<Item = [u32; 3]>) -> Result<usize> {
    let count = |[x, y, each]: [u32; 3]| u64::from(x) * u64::from(y) * u64::from(each);
    let most = counts.map(count).max().unwrap_or_default();
    if most > MOST_BLOCKS {
        let problem = "would have more than 2,147,483,648 states of blocks: write `map = \"walk\"` in the kernel's attribute, launch ranges of rows, or divide the sets among several `Sets`";
        return Err(Error::new(ErrorKind::MapLimitExceeded, problem));
    }
    Ok(most as usize)
}

impl Launch<'_> {
    /// Makes room for the states of the plans' blocks, and keeps what a download needs to join those of several devices.
    pub(super) fn prepare_states(&mut self, plans: &Plans) -> Result<SmallVec<[JoinOnEach; 1]>> {
        let mut joins = SmallVec::new();
        for (index, States { name, join, total }) in
            std::mem::take(&mut self.states).into_iter().enumerate()
        {
            if let Some((at, plan)) =
                plans.parts.first().filter(|_| self.kernel.device.is_several())
                && let Some(code) = plan.joins.get(index)
            {
                let device = self.kernel.devices()[*at].clone();
                let (code, is_loops, is_of_all) =
                    (code.clone(), plan.loops.is_some(), total.is_some());
                *join = Some(Join { code, device, is_loops, is_of_all });
            }
            let Some(OfAll { at, parts, alignment, totals, start }) = total else { continue };
            let counts = plans.parts.iter().flat_map(|(_, plan)| {
                plan.steps.iter().map(|Step { grid: [x, y], .. }| [*x, *y, plan.states_of_block()])
            });
            let states = states(counts);
            let states = states.map_err(|error| error.about(self.kernel.info.name, name))?;
            let room = parts.make_room(self.kernel.device.backend(), states)?;
            let parts = self.addresses_to_write(name, alignment, room)?;
            self.bound[at] = Bound::addresses(&parts);
            joins.push(JoinOnEach { join: index, parts, totals, start });
        }
        Ok(joins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_counted_in_32_bits() {
        let states = |counts: &[[u32; 3]]| states(counts.iter().copied());
        assert_eq!(states(&[]).unwrap(), 0);
        for most in [[1 << 31, 1, 1], [1 << 16, 1 << 15, 1], [1 << 14, 1 << 14, 8]] {
            assert_eq!(states(&[[1, 9, 1], most, [3, 2, 4]]).unwrap(), 1 << 31);
        }
        for more in [[(1 << 31) + 1, 1, 1], [1 << 15, (1 << 16) + 1, 1], [u32::MAX, u32::MAX, 1]] {
            let error = states(&[[1, 9, 1], more]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::MapLimitExceeded);
            assert!(
                error.to_string().contains("more than 2,147,483,648 states of blocks"),
                "{error}"
            );
        }
    }
}
