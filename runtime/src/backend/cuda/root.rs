//! Proves how far a float root is right on this GPU.
//!
//! The hardware's reciprocal square root is approximate, and its accuracy differs between GPUs. So a map with a float root is
//! trusted only as far as this GPU has shown: once per root, a kernel computes the row of every block up to the size of the
//! launch and looks for a wrong one.

use std::sync::PoisonError;

use cudarc::driver::{LaunchConfig, PushKernelArg};
use td_kernel_geometry::{Root, WIDE};

use super::Gpu;
use crate::backend::KernelSource;
use crate::backend::nvrtc::Cache;
use crate::{Error, Result};

/// What is known about a root.
pub(super) struct Proven {
    root: Root,
    /// Whether λ has 64 bits.
    wide: bool,
    /// Every λ below this one has been checked.
    upto: u64,
    /// The smallest λ below `upto` whose row is wrong.
    failure: Option<u64>,
}

/// Threads per block of the test kernel.
const THREADS: u32 = 256;

/// λ has 64 bits here if the root's λ has. Rows and their products always have 64.
const SWEEP: &str = r#"
extern "C" __global__ void td_root_failure(const unsigned long long end, unsigned long long *const failure)
{
    const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long lambda = blockIdx.x * blockDim.x + threadIdx.x; lambda < end; lambda += stride) {
        const unsigned long long row = TD_ROW;
        if (row * (row + 1) / 2 > lambda || (row + 1) * (row + 2) / 2 <= lambda)
            atomicMin(failure, lambda);
    }
}
"#;

impl Gpu {
    /// The smallest λ below `end` for which `root` gives the wrong row on this GPU.
    pub(super) fn prove(&self, root: Root, end: u64, cache: Option<&Cache>) -> Result<Option<u64>> {
        let mut proven = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
        let wide = end > WIDE;
        let is_known = |known: &Proven| known.root == root && known.wide == wide;
        let known = proven.iter().find(|known| is_known(known));
        let answer = match known {
            // This is the smallest failure, however far the kernel went.
            Some(Proven { failure: Some(failure), .. }) => Some(*failure),
            Some(Proven { upto, .. }) if *upto >= end => None,
            _ => {
                // Test further than asked, so that growing launches do not test each time. 32-bit λ stop at the largest one.
                let upto = end.checked_next_power_of_two().unwrap_or(end).max(1 << 22);
                let upto = if wide { upto } else { upto.min(WIDE) };
                let failure = self.sweep(root, upto, wide, cache)?;
                tracing::debug!(%root, upto, ?failure, "swept a root");
                proven.retain(|known| !is_known(known));
                proven.push(Proven { root, wide, upto, failure });
                failure
            }
        };
        Ok(answer.filter(|failure| *failure < end))
    }

    fn sweep(
        &self,
        root: Root,
        end: u64,
        wide: bool,
        cache: Option<&Cache>,
    ) -> Result<Option<u64>> {
        let sweep = SWEEP.replace("TD_ROW", &root.call("lambda"));
        let source = format!("{}{sweep}", root.helper());
        const NAME: &str = "td_root_failure";
        let text =
            KernelSource { is_wide: wide, threads: THREADS, ..KernelSource::new(NAME, &source) };
        let loaded = self.load(&text, cache)?;
        let fail = || Error::driver("find the limit of a root");
        let mut failure = self.stream.clone_htod(&[u64::MAX]).map_err(fail())?;
        let (grid_dim, block_dim) = ((1024, 1, 1), (THREADS, 1, 1));
        let config = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(loaded.function());
        launch.arg(&end).arg(&mut failure);
        // SAFETY: the two arguments are the kernel's two parameters, and it writes the one element.
        unsafe { launch.launch(config) }.map_err(fail())?;
        let found = self.stream.clone_dtoh(&failure).map_err(fail())?;
        self.stream.synchronize().map_err(fail())?;
        Ok(found.first().copied().filter(|lambda| *lambda != u64::MAX))
    }
}
