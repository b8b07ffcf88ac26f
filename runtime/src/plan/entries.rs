//! Plans of launches over given pairs: a block for each part of the list.

use td_kernel_maps::{ENTRIES, ENTRIES_OF_PART, Shape, Sweep};

use super::{MAX_ELEMENTS, Plan, Step};
use crate::plan::extent::Extent;
use crate::plan::thresholds::are_reached;
use crate::types::info::{Entries, KernelInfo, Variant};
use crate::{Error, ErrorKind, Result, Target};

impl Plan {
    /// Plans the launch of `entries` entries on a device, with its loops or with the source for a GPU.
    pub(crate) fn of_entries(
        device: &Target,
        info: &KernelInfo,
        of: &'static Entries,
        is_loops: bool,
        extent: Extent,
        entries: usize,
    ) -> Result<Plan> {
        let past = |problem: String| Err(past_limit(info, problem));
        let variant = &of.variant;
        let part = if is_loops { ENTRIES_OF_PART } else { variant.tiling.side };
        let Ok(parts) = u32::try_from(entries.div_ceil(part.max(1) as usize)) else {
            return past(format!("a list of {entries} pairs is too long: launch parts of it"));
        };
        let launches = ENTRIES.launches(&Shape::blocks(1).with_columns(parts));
        let grids = launches.iter().filter_map(|launch| launch.grid.blocks(variant.space, 1));
        let numbers = if is_loops { vec![part] } else { Vec::new() };
        let steps: Vec<_> = grids.map(|grid| Step { grid, numbers: numbers.clone() }).collect();
        if steps.len() < launches.len() {
            return past(format!("a list of {entries} pairs is too long: launch parts of it"));
        }
        let code = match is_loops {
            true => device.loaded_entries(info, &of.loops)?,
            false => device.loaded(info, variant, false, None)?,
        };
        let loops = is_loops.then_some(&of.loops);
        Ok(Plan { loops, ..Plan::of_steps(extent, variant, code, ENTRIES, steps) })
    }

    /// Plans the launch over the pairs of a list by element.
    pub(crate) fn of_partners(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        extent: Extent,
        elements: usize,
    ) -> Result<Plan> {
        // At most `MAX_ELEMENTS`.
        let parts = elements.div_ceil(variant.tiling.side.max(1) as usize) as u32;
        let launches = ENTRIES.launches(&Shape::blocks(1).with_columns(parts));
        let grids = launches.iter().filter_map(|launch| launch.grid.blocks(variant.space, 1));
        let steps = grids.map(|grid| Step { grid, numbers: Vec::new() }).collect();
        let code = device.loaded(info, variant, false, None)?;
        Ok(Plan::of_steps(extent, variant, code, ENTRIES, steps))
    }

    /// Checks that 32 bits count the elements of a launch over given pairs.
    pub(crate) fn expect_counted(info: &KernelInfo, extent: &Extent) -> Result<()> {
        match extent.largest_count() > MAX_ELEMENTS {
            false => Ok(()),
            true => {
                let problem = format!("{extent} are too many: elements are counted in 32 bits");
                Err(past_limit(info, problem))
            }
        }
    }

    /// Whether the plan visits given pairs.
    pub(super) fn visits_entries(&self) -> bool {
        matches!(self.variant.tiling.sweep, Sweep::Entries | Sweep::Partners)
    }

    /// How often a launch over given pairs adds to one word of an element's exact sum, at most: each pair may be of the same
    /// element, and a float takes two additions.
    pub(super) fn additions_of_entries(&self, blocks: u64) -> u64 {
        let part = if self.loops.is_some() { ENTRIES_OF_PART } else { self.variant.tiling.side };
        2 * blocks * u64::from(part) + 1
    }
}

/// The variant for the pairs of a list by element: the first one for which they are enough elements, or the last one.
pub(crate) fn by_element(
    variants: &'static [Variant],
    elements: usize,
    multiprocessors: u32,
) -> Option<&'static Variant> {
    let extent = Extent { n: elements, columns: None, rows: None, compiled_for: None };
    let mut all = variants.iter();
    all.find(|each| are_reached(each, &extent, multiprocessors)).or(variants.last())
}

fn past_limit(info: &KernelInfo, problem: String) -> Error {
    Error::new(ErrorKind::MapLimitExceeded, problem).of_kernel(info.name)
}
