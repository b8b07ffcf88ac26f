//! The launch over many sets: its grid follows from the number of runs of pairs, of tiles, or of rows.

use std::ops::Range;

use td_kernel_geometry::sets::rows::{PART_ROWS, blocks};
use td_kernel_geometry::sets::tiles::BANDS_OF_PART;
use td_kernel_geometry::sets::{RUNS_OF_PART, WARPS};
use td_kernel_geometry::{MAX_GRID_X, SET_ROWS, SET_TILES, SETS};

use super::{Plan, Step};
use crate::plan::extent::Extent;
use crate::types::info::{KernelInfo, Loops, Variant};
use crate::{Error, ErrorKind, Result, Target};

impl Plan {
    /// For this many runs of sets of n elements in all, with the kernel's loops if the device runs them.
    pub(crate) fn sets(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        loops: Option<&'static Loops>,
        [n, runs]: [usize; 2],
    ) -> Result<Plan> {
        let (code, height, numbers) = match loops {
            Some(loops) => {
                (device.loaded_loops(info, loops, None)?, RUNS_OF_PART, vec![RUNS_OF_PART])
            }
            None => (device.loaded(info, variant, false, None)?, WARPS, Vec::new()),
        };
        let steps = vec![Step { grid: grid(info, runs / height as usize)?, numbers }];
        let extent = Extent { n, columns: None, rows: None, compiled_for: None };
        Ok(Plan { loops, ..Plan::plain(extent, variant, code, SETS, steps) })
    }

    /// For this many tiles of sets of n elements in all; or bands, with the kernel's loops if the device runs them.
    pub(crate) fn set_tiles(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        loops: Option<&'static Loops>,
        [n, tiles]: [usize; 2],
    ) -> Result<Plan> {
        let (code, step) = match loops {
            Some(loops) => (
                device.loaded_loops(info, loops, None)?,
                Step {
                    grid: grid(info, tiles / BANDS_OF_PART as usize)?,
                    numbers: vec![BANDS_OF_PART],
                },
            ),
            None => (
                device.loaded(info, variant, false, None)?,
                Step { grid: grid(info, tiles)?, numbers: Vec::new() },
            ),
        };
        let extent = Extent { n, columns: None, rows: None, compiled_for: None };
        Ok(Plan { loops, ..Plan::plain(extent, variant, code, SET_TILES, vec![step]) })
    }

    /// For the nearest neighbours of these rows of sets, with the kernel's loops if the device runs them.
    pub(crate) fn set_rows(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        loops: Option<&'static Loops>,
        extent: Extent,
    ) -> Result<Plan> {
        // `Sets` has no more elements than 32 bits count.
        let Range { start, end } = extent.rows();
        let (begin, rows) = (start as u32, (end - start) as u32);
        let (code, step) = match loops {
            Some(loops) => (
                device.loaded_loops(info, loops, extent.compiled_for)?,
                Step { grid: [rows.div_ceil(PART_ROWS), 1], numbers: vec![PART_ROWS, begin] },
            ),
            None => (
                device.loaded(info, variant, false, extent.compiled_for)?,
                // Fewer than 2^26.
                Step { grid: [blocks(rows) as u32, 1], numbers: vec![begin] },
            ),
        };
        Ok(Plan { loops, ..Plan::plain(extent, variant, code, SET_ROWS, vec![step]) })
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
