//! What a launch visits, with which variant and in which grids: the launches of a map for n, checked against the limits of the
//! map, its root and the device.
//!
//! Uses `memory` and the layers below it.

pub(crate) mod choose;
pub(crate) mod extent;
pub mod thresholds;
pub(crate) mod tuned;

mod geometry;
mod given_pairs;
mod near;
mod sets;

use std::ops::Range;
use std::ptr;
use std::sync::Arc;

use smallvec::SmallVec;
use td_kernel_geometry::{
    Launch, Map, NearRows, PersistentRounds, RoundRows, Rounds, Shape, Share, Space, Sweep,
};

use crate::backend::Loaded;
use crate::memory::Memory;
use crate::memory::target::KernelFunction;
use crate::plan::extent::Extent;
use crate::types::info::{KernelInfo, Loops, OfSet, Variant};
use crate::{Error, ErrorKind, Result, Target};
use geometry::Geometry;
pub(crate) use given_pairs::by_element;
pub(crate) use near::{BLOCK_KEYS, DIGITS, Layout, NearPlan, SAMPLES, Sort, TESTED, TESTED_PART};
pub(crate) use sets::OverSets;

/// The launches of a device for a number of elements, or for some of their rows, ready to run.
pub(crate) struct Plan {
    /// The pairs that the launches visit.
    pub(crate) extent: Extent,
    /// The variant whose source they run.
    pub(crate) variant: &'static Variant,
    /// The plain loops that they run instead.
    pub(crate) loops: Option<&'static Loops>,
    /// The code, with 32-bit or 64-bit λ.
    pub(crate) code: Arc<dyn Loaded>,
    /// The function that merges nearest neighbours, if the kernel finds them.
    pub(crate) merge: Option<Arc<dyn Loaded>>,
    /// The functions that join states, one for each `Reduce`, in the order of the parameters.
    pub(crate) joins: Vec<Arc<dyn Loaded>>,
    /// What the `filter` sweep needs besides.
    pub(crate) filter: Option<Filter>,
    /// What the sweep `near` needs besides.
    pub(crate) near: Option<NearPlan>,
    /// The map. `rows` are the rows of its table's triangle, if it has a table.
    map: &'static dyn Map,
    rows: u32,
    pub(crate) steps: Vec<Step>,
    /// This device's share of the rounds, if several devices share them.
    share: Option<Share>,
}

/// The `filter` sweep's code besides the kernel.
pub(crate) struct Filter {
    /// Converts features to operands of tensor cores.
    pub(crate) prepare: Arc<dyn Loaded>,
    /// For nearest neighbours behind a lower bound. Lists and sums are filtered in one launch; products need no filter.
    pub(crate) rounds: Option<FilterOfRounds>,
}

/// The code of a filter in rounds.
pub(crate) struct FilterOfRounds {
    /// The map, for the device.
    pub(crate) map: RoundRows,
    /// Evaluates the pairs that pass.
    pub(crate) refine: Arc<dyn Loaded>,
    /// Evaluates all pairs instead, if the kernel has tiles of the same side for it.
    pub(crate) exact: Option<Arc<dyn Loaded>>,
}

/// One launch.
pub(crate) struct Step {
    /// The launch's blocks.
    pub(crate) grid: [u32; 2],
    /// The map's numeric parameters.
    pub(crate) numbers: Vec<u32>,
}

/// A launch in block space; `None` if its grid does not fit a device.
fn step(launch: Launch) -> Option<Step> {
    Some(Step { grid: launch.grid.blocks(Space::Block, 1)?, numbers: launch.numbers })
}

fn map_of(variant: &Variant) -> Result<&'static dyn Map> {
    td_kernel_geometry::map(variant.map).ok_or_else(|| Error::unknown_map(variant.map))
}

/// The most elements whose tiles, of side 256 at most, are counted without overflow of a 32-bit sum.
const MAX_ELEMENTS: usize = u32::MAX as usize - 255;

impl Plan {
    /// These launches, with nothing that only some plans have.
    fn plain(
        extent: Extent,
        variant: &'static Variant,
        code: Arc<dyn Loaded>,
        map: &'static dyn Map,
        steps: Vec<Step>,
    ) -> Plan {
        let (loops, merge, joins, filter, near) = (None, None, Vec::new(), None, None);
        let (rows, share) = (0, None);
        Plan { extent, variant, loops, code, merge, joins, filter, near, map, rows, steps, share }
    }

    /// The plan with the functions that join states, of the source that it runs.
    fn with_joins(mut self, device: &Target, info: &KernelInfo) -> Result<Plan> {
        let (source, options) = match self.loops {
            Some(loops) => (loops.source, loops.options),
            None => (self.variant.source, info.options),
        };
        let joins = info.joins.iter().map(|join| {
            let key = (source, options, KernelFunction::Join(join), self.extent.compiled_for);
            device.loaded_other(key, &info.function(join), &self.code)
        });
        self.joins = joins.collect::<Result<_>>()?;
        Ok(self)
    }

    /// The states of all pairs that a block stores.
    pub(crate) fn states_of_block(&self) -> u32 {
        if self.loops.is_some() { 1 } else { self.variant.tiling.states_of_block() }
    }

    /// The kernel's first parameters: n or the number of rows, if the source takes it; the number of columns; and the first row
    /// and the end of a range. They fit 32 bits.
    pub(crate) fn counts(&self) -> SmallVec<[u32; 4]> {
        let Extent { n, columns, .. } = &self.extent;
        let takes_n = self.loops.map_or(self.variant.takes_n, |loops| loops.takes_n);
        let n = takes_n.then_some(*n);
        let rows = self.visits_range().then(|| self.extent.rows());
        let rows = rows.into_iter().flat_map(|rows| [rows.start, rows.end]);
        n.into_iter().chain(*columns).chain(rows).map(|count| count as u32).collect()
    }

    /// The same for one of several devices, which visits its share of the rounds of this shape.
    pub(crate) fn with_share(self, shape: &Shape, share: Share) -> Plan {
        // A grid of some tiles fits if one of all tiles does.
        let launches = match self.filter.as_ref().and_then(|filter| filter.rounds.as_ref()) {
            Some(filter) => filter.map.launches_of(shape, &share),
            None if self.variant.tiling.sweep == Sweep::Product => {
                let shape = shape.with_resident(self.code.resident());
                PersistentRounds.launches_of(&shape, &share)
            }
            None => Rounds.launches_of(shape, &share),
        };
        let steps = launches.into_iter().filter_map(step).collect();
        Plan { steps, share: Some(share), ..self }
    }

    /// The same for one of several devices, which takes every `devices`-th block of near tiles. There are no steps if none is left.
    pub(crate) fn with_blocks_of(mut self, info: &KernelInfo, device: u32, devices: u32) -> Plan {
        self.steps = match self.loops {
            Some(_) => near::parts(&self.extent, device, devices),
            None => {
                let shape = self.extent.shape(self.variant, info.diagonal);
                let shape = shape.with_resident(self.code.resident());
                let launches = match info.is_nearest {
                    true => NearRows.launches_of(&shape, device, devices),
                    false => td_kernel_geometry::Near.launches_of(&shape, device, devices),
                };
                // A grid of some rows fits if one of all rows does.
                launches.into_iter().filter_map(step).collect()
            }
        };
        self
    }

    /// The shape of the rounds of nearest neighbours, and this device's share of them.
    pub(crate) fn rounds(&self, info: &KernelInfo) -> (Shape, Share) {
        let shape = self.extent.shape(self.variant, info.diagonal);
        let all = || Share { offsets: 0..Rounds.offsets(&shape), tiles: 0..shape.rows };
        (shape, self.share.clone().unwrap_or_else(all))
    }

    /// The rows of a rectangle or of many sets for which this device visits all pairs. `None` if other devices visit some.
    pub(crate) fn own_rows(&self, info: &KernelInfo) -> Option<Range<usize>> {
        if self.is_of_sets() {
            return Some(self.extent.rows());
        }
        self.extent.columns?;
        if self.near.is_some() {
            return None; // sorted rows are not a range
        }
        if self.loops.is_some() {
            return Some(self.extent.rows());
        }
        let (shape, share) = self.rounds(info);
        let side = self.variant.tiling.side as usize;
        let row = |tile: u32| (tile as usize * side).min(self.extent.n);
        let has_all = share.offsets == (0..Rounds.offsets(&shape));
        has_all.then(|| row(share.tiles.start)..row(share.tiles.end))
    }

    /// How often a launch adds to one word of an element's exact sum, at most: once for each of its pairs.
    pub(crate) fn additions(&self) -> u64 {
        let blocks: u64 =
            self.steps.iter().map(|step| u64::from(step.grid[0]) * u64::from(step.grid[1])).sum();
        if self.visits_entries() {
            return self.additions_of_entries(blocks);
        }
        if self.loops.is_some() && self.near.is_none() {
            // A part adds once to each of its rows and columns; a float takes two additions.
            return 2 * (blocks + 1);
        }
        let longest = self.extent.n.max(self.extent.columns.unwrap_or(0)) as u64 + 1;
        let tiling = self.variant.tiling;
        let tiles = longest.div_ceil(u64::from(tiling.side)) + 1;
        let pairs = match tiling.sweep {
            // A tile adds once to each element of its rows, and once or twice to each of its columns.
            Sweep::Columns | Sweep::Rotate => 3 * tiles,
            // The same, but each of the eight warps adds its own part to elements of rows and of columns, from two halves of
            // the tile.
            Sweep::Fold => 32 * tiles,
            _ => longest,
        };
        // With `diagonal`, an element is both ends of its pair with itself.
        pairs + 1
    }

    /// Whether it visits pairs within many sets.
    fn is_of_sets(&self) -> bool {
        self.variant.is_of_sets()
    }

    /// Whether the code takes a range of rows.
    fn visits_range(&self) -> bool {
        let is_range = self.variant.has_rows || (self.loops.is_some() && !self.visits_entries());
        is_range && !self.is_of_sets()
    }

    /// Whether the code takes the first slot of the packed arguments.
    pub(crate) fn takes_first_slot(&self, info: &KernelInfo) -> bool {
        self.visits_range() && info.has_packed
    }

    /// The threads of a block. Plain loops have one thread per part of the rows.
    pub(crate) fn block(&self) -> [u32; 2] {
        if self.loops.is_some() { [1, 1] } else { self.variant.tiling.threads() }
    }

    /// Whether the code takes the map's table.
    fn takes_table(&self) -> bool {
        self.loops.is_none() && self.map.has_table()
    }

    /// The sizes in bytes of the parameters before the user's own: n, those of a range of rows, and the map's.
    pub(crate) fn sizes(&self, info: &KernelInfo) -> impl Iterator<Item = usize> {
        let number = size_of::<u32>();
        let counts = std::iter::repeat_n(number, self.counts().len());
        let slot = self.takes_first_slot(info).then_some(size_of::<u64>());
        let numbers = self.steps.first().map_or(0, |step| step.numbers.len());
        let table = self.takes_table().then_some(size_of::<u64>());
        counts.chain(slot).chain(std::iter::repeat_n(number, numbers)).chain(table)
    }

    /// The sizes of the parameters after the user's own: a sweep with tensor cores takes, for each set, the address of operands,
    /// and of other floats if features of this size have some; the sweep `near` the order, the copies and the boxes.
    pub(crate) fn last_sizes(&self, feature: Option<u32>) -> impl Iterator<Item = usize> {
        let has_factors = feature.is_none_or(|size| self.variant.tiling.factors(size) > 0);
        let set_counts =
            if self.extent.columns.is_some() { 2 } else { 1 } * (1 + usize::from(has_factors));
        let count = match &self.near {
            Some(near) => near.addresses(),
            None if self.filter.is_some() => set_counts,
            None => 0,
        };
        std::iter::repeat_n(size_of::<u64>(), count)
    }

    /// The memory for the map's parameter `table`, if it has one. The first launch makes it, not the plan: a report needs no
    /// memory.
    pub(crate) fn table(&self, device: &Target) -> Result<Option<Arc<Memory<u32>>>> {
        let table = self.takes_table().then(|| device.table(self.map, self.rows));
        table.transpose()
    }

    /// Plans the launches of this variant.
    pub(crate) fn new(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        extent: Extent,
    ) -> Result<Plan> {
        let map = map_of(variant)?;
        if !extent.has(variant) {
            return Err(no_rows(info));
        }
        Geometry { device, info, variant, map }.plan(extent)
    }

    /// Plans the launch of a kernel's plain loops in place of this variant. A core's part has `height` rows.
    pub(crate) fn loops(
        device: &Target,
        info: &KernelInfo,
        variant: &'static Variant,
        loops: &'static Loops,
        extent: Extent,
        height: u32,
    ) -> Result<Plan> {
        let map = map_of(variant)?;
        if extent.largest_count() > MAX_ELEMENTS {
            let geometry = Geometry { device, info, variant, map };
            return Err(geometry.past(&extent, MAX_ELEMENTS, "elements are counted in 32 bits"));
        }
        let code = device.loaded_loops(info, loops, extent.compiled_for)?;
        let rows = extent.rows().len() as u32;
        let lists = info.lists(variant);
        let near = || -> Result<NearPlan> {
            let other = |part| {
                let key =
                    (loops.source, loops.options, KernelFunction::Near(part), extent.compiled_for);
                device.loaded_other(key, &info.function(part), &code)
            };
            let sort = |set: &OfSet| other(set.sort);
            let sorts = info.near_sets().iter().map(sort).collect::<Result<_>>()?;
            NearPlan::of(info, &extent, lists, Sort::Loops(sorts), other)
        };
        let is_near = info.near.is_some() && (lists || ptr::eq(loops, &raw const info.loops));
        let near = is_near.then(near).transpose()?;
        let steps = match &near {
            Some(_) => near::parts(&extent, 0, 1),
            None => vec![Step { grid: [rows.div_ceil(height), 1], numbers: vec![height] }],
        };
        let loops = Some(loops);
        let plan = Plan::plain(extent, variant, code, map, steps);
        Plan { loops, near, rows, ..plan }.with_joins(device, info)
    }
}

/// The error if no variant of a kernel visits a range of rows.
pub(crate) fn no_rows(info: &KernelInfo) -> Error {
    let Some(why) = info.refused.rows else {
        return Error::version("it has no variant for a range of rows").of_kernel(info.name);
    };
    let problem = format!("it cannot be launched for a range of rows, because {why}");
    Error::new(ErrorKind::NoRows, problem).of_kernel(info.name)
}
