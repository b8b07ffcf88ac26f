//! Plans of launches over given pairs: a block for each part of the list.

use td_kernel_geometry::{ENTRIES, ENTRIES_OF_PART, Shape, Space, Sweep};

use super::{MAX_ELEMENTS, Plan, Step};
use crate::plan::extent::Extent;
use crate::plan::thresholds::are_reached;
use crate::types::info::{Entries, KernelInfo, Variant};
use crate::{Error, ErrorKind, Result, Target};

impl Plan {
    /// Plans the launch of `entries` entries on a device, with its loops or with the source for a GPU.
    pub(crate) fn given_pairs(
        device: &Target,
        info: &KernelInfo,
        of: &'static Entries,
        is_loops: bool,
        extent: Extent,
        entries: usize,
    ) -> Result<Plan> {
        let variant = &of.variant;
        let part = if is_loops { ENTRIES_OF_PART } else { variant.tiling.side };
        let numbers = if is_loops { vec![part] } else { Vec::new() };
        let Some(grids) = grids(entries, part, variant.space) else {
            let problem = format!("a list of {entries} pairs is too long: launch parts of it");
            return Err(past_limit(info, problem));
        };
        let steps = grids.into_iter().map(|grid| Step { grid, numbers: numbers.clone() }).collect();
        let code = match is_loops {
            true => device.loaded_loops(info, &of.loops, extent.compiled_for)?,
            false => device.loaded(info, variant, false, extent.compiled_for)?,
        };
        let loops = is_loops.then_some(&of.loops);
        let plan = Plan::plain(extent, variant, code, ENTRIES, steps);
        Plan { loops, ..plan }.with_joins(device, info)
    }

    /// Plans the launch over the pairs of a list by element.
    pub(crate) fn partners(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        extent: Extent,
        elements: usize,
    ) -> Result<Plan> {
        // At most `MAX_ELEMENTS`, which fit.
        let grids = grids(elements, variant.tiling.side, variant.space).unwrap_or_default();
        let steps = grids.into_iter().map(|grid| Step { grid, numbers: Vec::new() }).collect();
        let code = device.loaded(info, variant, false, None)?;
        Ok(Plan::plain(extent, variant, code, ENTRIES, steps))
    }

    /// Checks that 32 bits count the elements of a launch over given pairs.
    pub(crate) fn expect_counted(info: &KernelInfo, extent: &Extent) -> Result<()> {
        if extent.largest_count() <= MAX_ELEMENTS {
            return Ok(());
        }
        let problem = format!("{extent} are too many: elements are counted in 32 bits");
        Err(past_limit(info, problem))
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
    let extent = Extent::all(elements, None);
    let mut all = variants.iter();
    all.find(|each| are_reached(each, &extent, multiprocessors)).or(variants.last())
}

/// The grids of the launches over this many entries, of which a block visits `part`; `None` if a grid is too large.
fn grids(entries: usize, part: u32, space: Space) -> Option<Vec<[u32; 2]>> {
    let parts = u32::try_from(entries.div_ceil(part.max(1) as usize)).ok()?;
    let launches = ENTRIES.launches(&Shape::blocks(1).with_columns(parts));
    launches.iter().map(|launch| launch.grid.blocks(space, 1)).collect()
}

fn past_limit(info: &KernelInfo, problem: String) -> Error {
    Error::new(ErrorKind::MapLimitExceeded, problem).of_kernel(info.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::info::samples::{CROSS, EDM};

    #[test]
    fn longest_lists_fit_one_grid() {
        for part in [ENTRIES_OF_PART, 1024, 32] {
            let (most, blocks) = (i32::MAX as usize * part as usize, i32::MAX as u32);
            let grids = |entries| grids(entries, part, Space::Block);
            assert_eq!(grids(0), Some(vec![]));
            assert_eq!(grids(most - part as usize), Some(vec![[blocks - 1, 1]]));
            assert_eq!(grids(most), Some(vec![[blocks, 1]]));
            for entries in [most + 1, (1 << 32) * part as usize + 1, usize::MAX] {
                assert_eq!(grids(entries), None, "{entries} by {part}");
            }
        }
    }

    #[test]
    fn elements_of_pairs_are_counted_in_32_bits() {
        let extent = |n, columns| Extent::all(n, columns);
        let most = u32::MAX as usize - 255;
        assert_eq!(MAX_ELEMENTS, most);
        for (info, extent, count) in [
            (&EDM, extent(most + 1, None), "4294967041 elements"),
            (&CROSS, extent(most + 1, Some(2)), "4294967041 rows of 2 columns"),
            (&CROSS, extent(2, Some(most + 1)), "2 rows of 4294967041 columns"),
            (&EDM, extent(usize::MAX, None), "18446744073709551615 elements"),
        ] {
            let error = Plan::expect_counted(info, &extent).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::MapLimitExceeded, "{error}");
            let expected = format!("{count} are too many: elements are counted in 32 bits");
            assert!(error.to_string().contains(&expected), "{error}");
        }
        assert!(Plan::expect_counted(&EDM, &extent(most, None)).is_ok());
        assert!(Plan::expect_counted(&CROSS, &extent(most, Some(most))).is_ok());
    }
}
