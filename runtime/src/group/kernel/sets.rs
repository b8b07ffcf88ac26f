//! Plans launches of kernels over many sets.

use std::sync::Arc;

use td_kernel_maps::SETS;
use td_kernel_maps::sets::{LARGE, RUN, RUNS_OF_PART};

use super::{Kernel, Plans};
use crate::plan::extent::Extent;
use crate::plan::{Plan, choose};
use crate::types::info::Variant;
use crate::{Error, Result};

impl Kernel {
    /// Whether its elements are those of many sets. The first variant visits runs of pairs, the others are for large sets.
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
        let (variant, device) = (self.variant_of_runs()?, &self.device);
        let mut parts = Vec::with_capacity(large.len() + 1);
        if runs > 0 {
            let plan = Plan::of_sets(device, self.info, variant, self.loops(), [n, runs])?;
            parts.push((0, plan));
        }
        for size in large {
            let extent = Extent { n: size, columns: None, rows: None, compiled_for: None };
            let plan = Plan::new(device, self.info, self.variant_of_large(&extent)?, extent)?;
            parts.push((0, plan));
        }
        let extent = Extent { n, columns: None, rows: None, compiled_for: None };
        // Making this plan takes as little time as looking for an earlier one.
        Ok(Arc::new(Plans { extent, only: None, variant, parts, all_pairs: None }))
    }

    /// The plan for a single set of these elements, for reports.
    pub(super) fn plan_of_set(&self, extent: &Extent) -> Result<Arc<Plans>> {
        let n = extent.n;
        let is_large = extent.columns.is_none() && n >= LARGE as usize;
        let runs = extent.pairs(false).div_ceil(RUN as usize);
        let whole = runs.checked_next_multiple_of(RUNS_OF_PART as usize).unwrap_or(usize::MAX);
        self.plan_of_sets(n, if is_large { (0, vec![n]) } else { (whole, Vec::new()) })
    }

    fn variant_of_runs(&self) -> Result<&'static Variant> {
        self.info.variants.first().ok_or_else(|| self.without_variant())
    }

    /// The variant for a large set: the pinned one, or the one from the rule.
    fn variant_of_large(&self, extent: &Extent) -> Result<&'static Variant> {
        let of_large = self.info.variants.get(1..).unwrap_or_default();
        let backend = self.device.backend();
        let supports = |each: &Variant| backend.supports(&each.tiling);
        let by_rule = || choose::variant(of_large, extent, backend.multiprocessors(), &supports);
        let pinned = self.pinned.and_then(|at| at.checked_sub(1));
        of_large.get(pinned.unwrap_or_else(by_rule)).ok_or_else(|| self.without_variant())
    }

    fn without_variant(&self) -> Error {
        Error::version("it has no variant for its sets").of_kernel(self.info.name)
    }

    /// An error for a kernel over many sets, whose variants depend on the sizes of the sets alone.
    pub(super) fn expect_choice(&self) -> Result<()> {
        match self.is_of_sets() {
            false => Ok(()),
            true => {
                let problem = "it cannot be tuned, because the sizes of its `Sets` determine its variants: launch it without tuning";
                Err(Error::arguments(problem).of_kernel(self.info.name))
            }
        }
    }
}
