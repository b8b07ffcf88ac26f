//! Plans launches of kernels over many sets.

use std::sync::{Arc, PoisonError};

use td_kernel_maps::{SETS, Tiling};

use super::{Kernel, Plans};
use crate::plan::extent::Extent;
use crate::plan::{Plan, choose};
use crate::{Error, Result};

impl Kernel {
    /// Whether its elements are many sets. The first variant visits runs of pairs, the others are for large sets.
    pub(crate) fn is_of_sets(&self) -> bool {
        self.info.variants.first().is_some_and(|first| first.map == SETS.name())
    }

    /// The plan for this many runs, and for large sets of these sizes, out of n elements. Several devices cannot load such a
    /// kernel.
    pub(crate) fn plan_of_sets(
        &self,
        n: usize,
        (runs, large): (usize, Vec<usize>),
    ) -> Result<Arc<Plans>> {
        let version = || Error::version("it has no variant").of_kernel(self.info.name);
        let (variant, of_large) = self.info.variants.split_first().ok_or_else(version)?;
        let mut parts = Vec::with_capacity(large.len() + 1);
        if runs > 0 {
            let plan = Plan::of_sets(&self.device, self.info, variant, self.loops(), [n, runs])?;
            parts.push((0, plan));
        }
        let supports = |tiling: &Tiling| self.device.backend().supports(tiling);
        let multiprocessors = self.device.backend().multiprocessors();
        for size in large {
            let extent = Extent { n: size, columns: None, rows: None };
            let pinned = self.pinned.and_then(|at| at.checked_sub(1));
            let by_rule = || choose::variant(of_large, &extent, multiprocessors, &supports);
            let chosen = of_large.get(pinned.unwrap_or_else(by_rule)).ok_or_else(version)?;
            parts.push((0, Plan::new(&self.device, self.info, chosen, extent)?));
        }
        let extent = Extent { n, columns: None, rows: None };
        let plans = Arc::new(Plans { extent, only: None, variant, parts });
        // For reports of tuning. A launch needs too little for a plan to look for an earlier one.
        *self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner) = Some(plans.clone());
        Ok(plans)
    }
}
