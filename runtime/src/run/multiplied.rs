//! Rounds of the `product` sweep, whose values follow from products of features on tensor cores.

use std::ops::Range;

use td_kernel_geometry::{PersistentRounds, Shape, Share, Sweep};

use super::Ready;
use super::operands::OperandsOfLaunch;
use crate::Result;
use crate::plan::Step;

/// A device's rounds of products.
pub(super) struct Multiplied {
    operands: OperandsOfLaunch,
    shape: Shape,
}

impl Multiplied {
    /// Prepares the features, if the plan's code multiplies them.
    ///
    /// # Safety
    ///
    /// The contract of [`Search::run`](super::Search::run).
    pub(super) unsafe fn new(ready: &Ready<'_>, shape: &Shape) -> Result<Option<Multiplied>> {
        let is_product = ready.plan.variant.tiling.sweep == Sweep::Product;
        let Some(filter) = ready.plan.filter.as_ref().filter(|_| is_product) else {
            return Ok(None);
        };
        // SAFETY: the caller's promise.
        let operands = unsafe { OperandsOfLaunch::of(ready, filter) }?;
        let shape = shape.with_resident(ready.plan.code.resident());
        Ok(Some(Multiplied { operands, shape }))
    }

    /// Evaluates the pairs of a round.
    ///
    /// # Safety
    ///
    /// The contract of [`Search::run`](super::Search::run), and these are offsets of the plan's rounds.
    pub(super) unsafe fn run(
        &self,
        ready: &Ready<'_>,
        offsets: Range<u32>,
        share: &Share,
    ) -> Result<()> {
        let round = PersistentRounds.round(&self.shape, offsets, share.tiles.clone());
        // At most the number of resident blocks.
        let grid = [round.grid.x as u32, round.grid.y as u32];
        let step = Step { grid, numbers: round.numbers };
        // SAFETY: the caller's promise.
        unsafe { self.operands.run_step(ready, &step) }
    }
}
