//! The launch over many sets: its grid follows from the number of runs of pairs, of tiles, or of rows.

use std::ops::Range;

use td_kernel_geometry::sets::rows::{PART_ROWS, blocks};
use td_kernel_geometry::sets::tiles::BANDS_OF_PART;
use td_kernel_geometry::sets::{RUNS_OF_PART, WARPS};
use td_kernel_geometry::{MAX_GRID_X, Map, SET_ROWS, SET_TILES, SETS};

use super::{Plan, Step};
use crate::plan::extent::Extent;
use crate::types::info::{KernelInfo, Loops, Variant};
use crate::{Error, ErrorKind, Result, Target};

/// The kernel of a launch over sets, and its loops if the device runs them.
pub(crate) struct OverSets<'a> {
    pub(crate) device: &'a Target,
    pub(crate) info: &'a KernelInfo,
    pub(crate) variant: &'static Variant,
    pub(crate) loops: Option<&'static Loops>,
}

impl OverSets<'_> {
    /// For this many runs of sets of n elements in all.
    pub(crate) fn runs(&self, [n, runs]: [usize; 2]) -> Result<Plan> {
        let (height, numbers) = match self.loops {
            Some(_) => (RUNS_OF_PART, vec![RUNS_OF_PART]),
            None => (WARPS, Vec::new()),
        };
        let step = Step { grid: grid(self.info, runs / height as usize)?, numbers };
        self.plan(Extent::all(n, None), SETS, step)
    }

    /// For this many tiles of sets of n elements in all; or bands, with loops.
    pub(crate) fn tiles(&self, [n, tiles]: [usize; 2]) -> Result<Plan> {
        let (height, numbers) = match self.loops {
            Some(_) => (BANDS_OF_PART, vec![BANDS_OF_PART]),
            None => (1, Vec::new()),
        };
        let step = Step { grid: grid(self.info, tiles / height as usize)?, numbers };
        self.plan(Extent::all(n, None), SET_TILES, step)
    }

    /// For the nearest neighbours or the states of these rows of sets.
    pub(crate) fn rows(&self, extent: Extent) -> Result<Plan> {
        // `Sets` has no more elements than 32 bits count.
        let Range { start, end } = extent.rows();
        let (begin, rows) = (start as u32, (end - start) as u32);
        let step = match self.loops {
            Some(_) => {
                Step { grid: [rows.div_ceil(PART_ROWS), 1], numbers: vec![PART_ROWS, begin] }
            }
            // Fewer than 2^26.
            None => Step { grid: [blocks(rows) as u32, 1], numbers: vec![begin] },
        };
        self.plan(extent, SET_ROWS, step)
    }

    fn plan(&self, extent: Extent, map: &'static dyn Map, step: Step) -> Result<Plan> {
        let OverSets { device, info, variant, loops } = *self;
        let code = match loops {
            Some(loops) => device.loaded_loops(info, loops, extent.compiled_for)?,
            None => device.loaded(info, variant, false, extent.compiled_for)?,
        };
        let plan = Plan::plain(extent, variant, code, map, vec![step]);
        Plan { loops, ..plan }.with_joins(device, info)
    }
}

/// The grid of this many blocks.
fn grid(info: &KernelInfo, blocks: usize) -> Result<[u32; 2]> {
    match u32::try_from(blocks).ok().filter(|blocks| u64::from(*blocks) <= MAX_GRID_X) {
        Some(blocks) => Ok([blocks, 1]),
        None => {
            let problem =
                "the pairs are too many for one grid: divide the sets among several `Sets`";
            Err(Error::new(ErrorKind::MapLimitExceeded, problem).of_kernel(info.name))
        }
    }
}
