//! Rounds of the `filter` sweep: tensor cores find the pairs that may be near, and only these are evaluated.
//!
//! A round launches the kernel, which queues indices, and then a function that replaces them by values; after that the queues
//! are as in other sweeps. (For lists and sums, the kernel itself evaluates the remaining pairs.)
//!
//! All pairs are evaluated, with the `fold` sweep, in two cases. In the first round of a device no neighbours are known, so
//! every pair may be near. And after a queue was full: fewer pairs enter a queue once their values are known. If queues are
//! full repeatedly, products do not filter these features well, and all further rounds evaluate all pairs.

use std::ops::Range;

use super::Ready;
use super::operands::OperandsOfLaunch;
use crate::Result;
use crate::backend::Loaded;
use crate::plan::{Filter, FilterOfRounds, Step};
use crate::types::info::MERGE_BLOCK;

/// The number of full queues after which all rounds evaluate all pairs.
const MOST_FAILURES: u32 = 2;

/// A device's filter for nearest neighbours.
pub(super) struct Filtering<'b> {
    filter: &'b FilterOfRounds,
    operands: OperandsOfLaunch,
    failures: u32,
}

impl<'b> Filtering<'b> {
    /// Prepares the features, if the filter works in rounds.
    ///
    /// # Safety
    ///
    /// The contract of [`Search::run`](super::Search::run).
    pub(super) unsafe fn new(
        ready: &Ready<'_>,
        filter: &'b Filter,
    ) -> Result<Option<Filtering<'b>>> {
        let Some(rounds) = &filter.rounds else { return Ok(None) };
        // SAFETY: the caller's promise.
        let operands = unsafe { OperandsOfLaunch::of(ready, filter) }?;
        Ok(Some(Filtering { filter: rounds, operands, failures: 0 }))
    }

    /// The code that evaluates all pairs of a round, if that is better: in the first round, and after filters have failed.
    pub(super) fn exact(&self, is_first: bool, is_again: bool) -> Option<&'b dyn Loaded> {
        let is_exact = is_first || is_again || self.failures >= MOST_FAILURES;
        self.filter.exact.as_deref().filter(|_| is_exact)
    }

    /// Counts a full queue. Returns whether the round can be repeated with code that evaluates all pairs.
    pub(super) fn failed(&mut self) -> bool {
        self.failures += 1;
        self.filter.exact.is_some()
    }

    /// Filters the pairs of a round, and evaluates the remaining ones.
    ///
    /// # Safety
    ///
    /// The contract of [`Search::run`](super::Search::run), and these are offsets of the plan's rounds.
    pub(super) unsafe fn run(&mut self, ready: &Ready<'_>, offsets: Range<u32>) -> Result<()> {
        // A grid has at most 2^27 tiles along x, and at most as many rows as a round has offsets.
        let (shape, share) = ready.plan.rounds(ready.on.info);
        let round = self.filter.map.round(&shape, offsets, share.tiles);
        let grid = [round.grid.x as u32, round.grid.y as u32];
        let step = Step { grid, numbers: round.numbers };
        // SAFETY: the caller's promise.
        unsafe { self.operands.run_step(ready, &step) }?;
        // For two sets this includes rows of other devices, for which nothing is queued here.
        let elements = ready.plan.extent.n as u32;
        let blocks = [[elements.div_ceil(MERGE_BLOCK[1]), 1], MERGE_BLOCK];
        // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map.
        unsafe { ready.run_code(&*self.filter.refine, blocks, &[], &[]) }
    }
}
