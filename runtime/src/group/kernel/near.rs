//! Chooses between near tiles and all pairs, for kernels with a lower bound over boxes.

use std::sync::{Arc, OnceLock};

use td_kernel_geometry::Sweep;

use super::Kernel;
use super::share::{Chosen, Plans};
use crate::Result;
use crate::types::info::Variant;

/// When launches visit near tiles.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NearTiles {
    /// On a GPU for many elements, on a CPU always; unless a test of some pairs says that all pairs take less time.
    #[default]
    Usual,
    /// The same, for any number of elements.
    Tested,
    /// Always.
    Always,
}

impl Kernel {
    /// The same kernel, whose launches visit near tiles at these times.
    #[doc(hidden)]
    #[must_use]
    pub fn near_tiles(&self, near: NearTiles) -> Kernel {
        Kernel { near, shared: Arc::default(), ..self.clone() }
    }

    /// The index of the variant for near tiles, if launches of any size take it.
    pub(super) fn forced_near(&self, can: impl Fn(&Variant) -> bool) -> Option<usize> {
        let is_near = |each: &Variant| each.tiling.sweep == Sweep::Near && can(each);
        let near = self.info.variants.iter().position(is_near);
        near.filter(|_| self.near != NearTiles::Usual)
    }

    /// Whether a launch visits near tiles on all of its devices.
    pub(super) fn visits_near(&self, Chosen { variant, are_all }: &Chosen) -> bool {
        match self.loops() {
            Some(_) => self.info.near.is_some() && !are_all,
            None => variant.tiling.sweep == Sweep::Near,
        }
    }

    /// Whether each launch of this choice tests some pairs, and may visit all pairs instead of near tiles. Processes that share
    /// launches must all make the same choice, but their devices may round the lower bound differently.
    pub(super) fn tests_pairs(&self, chosen: &Chosen, is_by_rule: bool) -> bool {
        let may_choose = is_by_rule && self.near != NearTiles::Always && !self.device.is_part();
        let has_loops = || self.info.near.as_ref().is_some_and(|near| near.all_pairs.is_some());
        let can_choose = self.info.can_sample() && (self.loops().is_none() || has_loops());
        may_choose && can_choose && self.visits_near(chosen)
    }

    /// The plans for all of these pairs, in place of those for near tiles.
    pub(crate) fn all_pairs(
        &self,
        plans: &Plans,
        kept: &OnceLock<Arc<Plans>>,
    ) -> Result<Arc<Plans>> {
        if let Some(all) = kept.get() {
            return Ok(all.clone());
        }
        let Plans { extent, only, .. } = plans;
        let variant = self.by_rule(extent, *only, &|each| each.tiling.sweep != Sweep::Near)?;
        let chosen = Chosen { variant, are_all: true };
        let all = Arc::new(self.share(extent.clone(), *only, chosen)?);
        Ok(kept.get_or_init(|| all).clone())
    }

    /// Compiles what launches of the latest plan need if they visit all pairs instead of near tiles.
    pub(super) fn prepare_all_pairs(&self) -> Result<()> {
        let Some(plans) = self.latest() else { return Ok(()) };
        plans.all_pairs.as_ref().map_or(Ok(()), |kept| self.all_pairs(&plans, kept).map(drop))
    }
}
