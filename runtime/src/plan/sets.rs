//! The launch of a kernel over many sets: its grid follows from the number of pairs.

use td_kernel_maps::{MAX_GRID_X, Map, Sets, sets};

use super::{Plan, Step};
use crate::plan::extent::Extent;
use crate::types::info::{KernelInfo, Loops, Variant};
use crate::{Error, ErrorKind, Result, Target};

/// The runs of a part on the CPU: some ten thousand pairs.
const PART: u32 = 64;

impl Plan {
    /// For this many pairs within sets of n elements in all, with the kernel's loops if the device runs them.
    pub(crate) fn of_sets(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        loops: Option<&'static Loops>,
        [n, pairs]: [usize; 2],
    ) -> Result<Plan> {
        let runs = (pairs as u64).div_ceil(sets::RUN.into());
        let (code, blocks, numbers) = match loops {
            Some(loops) => {
                (device.loaded_loops(info, loops)?, runs.div_ceil(PART.into()), vec![PART])
            }
            None => (device.loaded(info, variant, false)?, sets::blocks(pairs as u64), Vec::new()),
        };
        if blocks > MAX_GRID_X {
            let problem = format!(
                "{pairs} pairs are too many for one grid: divide the sets among several `Sets`"
            );
            let error = Error::new(ErrorKind::MapLimitExceeded, problem);
            return Err(error.of_kernel(info.name));
        }
        let steps = vec![Step { grid: [blocks as u32, 1], numbers }];
        let extent = Extent { n, columns: None, rows: None };
        let (merge, filter, near, share) = (None, None, None, None);
        let (map, rows): (&dyn Map, _) = (&Sets, 0);
        Ok(Plan { extent, variant, loops, code, merge, filter, near, map, rows, steps, share })
    }
}
