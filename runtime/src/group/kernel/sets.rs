//! Plans launches of kernels over many sets.

use std::sync::{Arc, PoisonError};

use super::{Kernel, Plans};
use crate::plan::Plan;
use crate::plan::extent::Extent;
use crate::{Error, Result};

impl Kernel {
    /// The plan for this many pairs within sets of n elements in all. Several devices cannot load such a kernel.
    pub(crate) fn plan_of_sets(&self, n: usize, pairs: usize) -> Result<Arc<Plans>> {
        let version = || Error::version("it has no variant").of_kernel(self.info.name);
        let variant = self.info.variants.first().ok_or_else(version)?;
        let plan = Plan::of_sets(&self.device, self.info, variant, self.loops(), [n, pairs])?;
        let extent = Extent { n, columns: None, rows: None };
        let plans = Arc::new(Plans { extent, only: None, variant, parts: vec![(0, plan)] });
        // For reports of tuning. A launch needs too little for a plan to look for an earlier one.
        *self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner) = Some(plans.clone());
        Ok(plans)
    }
}
