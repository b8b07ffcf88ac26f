//! The grids of a map's launches, and their limits.

use std::sync::Arc;

use td_kernel_geometry::{
    MAX_GRID_X, Map, Root, RoundRows, Shape, Space, Sweep, Tiling, WIDE, largest, triangle,
};

use super::{Filter, FilterOfRounds, MAX_ELEMENTS, NearPlan, Plan, Step};
use crate::backend::Loaded;
use crate::error::Detail;
use crate::memory::target::KernelFunction;
use crate::plan::extent::Extent;
use crate::types::info::{KernelInfo, Variant};
use crate::{Error, ErrorKind, Result, Target};

/// What the number of blocks depends on.
pub(super) struct Geometry<'a> {
    pub(super) device: &'a Target,
    pub(super) info: &'a KernelInfo,
    pub(super) variant: &'static Variant,
    pub(super) map: &'static dyn Map,
}

/// The least number of persistent blocks with which none visits more than 2^28 pairs and a tile, as far as a grid can have them: a
/// histogram's counters in shared memory have 32 bits, and a pair may add to one several times.
fn least_blocks(extent: &Extent, side: u32) -> u32 {
    let pairs = extent.tiles(side).saturating_mul(u64::from(side) * u64::from(side));
    pairs.div_ceil(1 << 28).min(MAX_GRID_X) as u32
}

impl Geometry<'_> {
    pub(super) fn plan(&self, extent: Extent) -> Result<Plan> {
        let Geometry { device, info, variant, map } = *self;
        let loaded = device.loaded(info, variant, false, extent.compiled_for)?;
        let shape = extent
            .up_to(MAX_ELEMENTS)
            .shape(variant, info.diagonal)
            .with_root(variant.root)
            .with_linear(variant.linear)
            .with_resident(loaded.resident().max(least_blocks(&extent, variant.tiling.side)));
        // The number of columns per block depends on the device.
        let by_rows = RoundRows::of(&shape).on(device.backend().multiprocessors());
        let is_filtered = variant.tiling.sweep == Sweep::Filter;
        let is_multiplied = is_filtered || variant.tiling.sweep == Sweep::Product;
        let launches_of = |shape: &Shape| match is_filtered && info.is_nearest {
            true => by_rows.launches(shape),
            false => map.launches(shape),
        };
        let mut launches = launches_of(&shape);
        let grids = self.grids(&launches).filter(|_| extent.largest_count() <= MAX_ELEMENTS);
        let lambdas = grids.as_ref().map(|grids| self.lambdas(&shape, grids));
        if map.takes_root() && variant.root != Root::Exact {
            // A float root fails long before a grid overflows, and before λ needs more than 32 bits.
            let end = lambdas.filter(|lambdas| *lambdas <= WIDE);
            let failure = device.root_failure(variant.root, end.unwrap_or(WIDE))?;
            if failure.is_some() || end.is_none() {
                let most = self.most_before(failure.unwrap_or(WIDE), &shape);
                return Err(self.past(&extent, most, "write `sqrt = \"exact\"`"));
            }
        }
        let (Some(mut grids), Some(lambdas)) = (grids, lambdas) else {
            let most = self
                .elements_of(largest(map, &shape, variant.space, variant.tiling.side))
                .min(MAX_ELEMENTS);
            return Err(self.past(&extent, most, self.larger()));
        };
        let mut code = loaded;
        if map.takes_root() && lambdas > WIDE {
            code = device.loaded(info, variant, true, extent.compiled_for)?;
            // Fewer blocks of this code may be resident at the same time.
            let least = least_blocks(&extent, variant.tiling.side);
            let shape = shape.with_resident(code.resident().max(least));
            launches = launches_of(&shape);
            grids = self.grids(&launches).unwrap_or(grids);
        }
        let steps = launches.into_iter().zip(grids);
        let steps = steps.map(|(launch, grid)| Step { grid, numbers: launch.numbers }).collect();
        // Several chunks of a triangle share one table: a table for more rows begins with the table for fewer.
        let rows = match &extent.rows {
            None => shape.rows,
            Some(_) => {
                let all = Extent { rows: None, ..extent.up_to(MAX_ELEMENTS) };
                let [_, whole] = all.units(variant, info.diagonal);
                shape.rows.checked_next_power_of_two().unwrap_or(whole).min(whole)
            }
        };
        let other = |which, entry: &str| {
            let key = (variant.source, info.options, which, extent.compiled_for);
            device.loaded_other(key, entry, &code)
        };
        let merge =
            info.merge(variant).map(|entry| other(KernelFunction::Merge, &entry)).transpose()?;
        let rounds = || -> Result<FilterOfRounds> {
            let refine = other(KernelFunction::Refine, &info.function("refine"))?;
            Ok(FilterOfRounds { map: by_rows, refine, exact: self.exact(extent.compiled_for)? })
        };
        let filter = || -> Result<Filter> {
            let rounds = (is_filtered && info.is_nearest).then(rounds).transpose()?;
            let prepare = other(KernelFunction::Prepare, &info.function("prepare"))?;
            Ok(Filter { prepare, rounds })
        };
        let filter = is_multiplied.then(filter).transpose()?;
        let near = || {
            let of = |part| {
                let key = (variant.source, info.options, KernelFunction::Near(part), None);
                device.loaded_other(key, &info.function(part), &code)
            };
            NearPlan::new(info, &extent, info.lists(variant), of)
        };
        let near = (variant.tiling.sweep == Sweep::Near).then(near).transpose()?;
        let plan = Plan::plain(extent, variant, code, map, steps);
        Plan { merge, filter, near, rows, ..plan }.with_joins(device, info)
    }

    /// The code that evaluates all pairs in the tiles of this filtering variant.
    fn exact(&self, compiled_for: Option<u32>) -> Result<Option<Arc<dyn Loaded>>> {
        let Geometry { device, info, variant, .. } = *self;
        let is_exact = |each: &&Variant| {
            each.tiling.sweep == Sweep::Fold && each.tiling.side == variant.tiling.side
        };
        let exact = info.variants.iter().find(is_exact);
        exact.map(|exact| device.loaded(info, exact, false, compiled_for)).transpose()
    }

    /// The most elements that need at most `rows` rows of units.
    fn elements_of(&self, rows: u32) -> usize {
        let (variant, rows) = (self.variant, rows as usize);
        match (variant.space, self.info.diagonal) {
            (Space::Thread, true) => rows,
            (Space::Thread, false) => rows + 1,
            _ => rows * variant.tiling.side as usize,
        }
    }

    /// The blocks of each launch; `None` if a device does not support that many.
    fn grids(&self, launches: &[td_kernel_geometry::Launch]) -> Option<Vec<[u32; 2]>> {
        let Variant { space, tiling: Tiling { side, .. }, .. } = *self.variant;
        launches.iter().map(|launch| launch.grid.blocks(space, side)).collect()
    }

    /// One more than the largest λ that a unit computes with. Surplus units of a grid have λ past the triangle's own.
    fn lambdas(&self, shape: &Shape, grids: &[[u32; 2]]) -> u64 {
        let per_block = match self.variant.space {
            Space::Thread => u64::from(self.variant.tiling.side * self.variant.tiling.side),
            _ => 1,
        };
        let units = |grid: &[u32; 2]| u64::from(grid[0]) * u64::from(grid[1]) * per_block;
        let ends = grids.iter().map(|grid| triangle(shape.first) + units(grid));
        ends.max().unwrap_or_default().max(triangle(shape.rows))
    }

    /// The most elements whose launches need only λ below `failure`.
    fn most_before(&self, failure: u64, shape: &Shape) -> usize {
        let map = self.map;
        let fits = |rows: u32| {
            let shape = shape.with_rows(rows);
            self.grids(&map.launches(&shape))
                .is_some_and(|grids| self.lambdas(&shape, &grids) <= failure)
        };
        let mut rows = 0;
        while fits(rows + 1) {
            rows += 1;
        }
        self.elements_of(rows)
    }

    pub(super) fn past(&self, extent: &Extent, most: usize, instead: &'static str) -> Error {
        let (kernel, map) = (self.info.name, self.map.name());
        let root = self.map.takes_root().then(|| format!(" with the root {}", self.variant.root));
        let map = format!("the map {map}{}", root.unwrap_or_default());
        let past = |problem, detail| {
            Error::new(ErrorKind::MapLimitExceeded, problem).of_kernel(kernel).with(detail)
        };
        let past_n = |n: usize, most, instead| {
            let problem = format!(
                "n = {n} is too large for {map}, which works up to n = {most} here: {instead}"
            );
            past(problem, Detail::Amounts { needed: None, limit: Some(most) })
        };
        match extent {
            Extent { columns: Some(columns), .. } => {
                let (rows, columns) = (extent.rows().len(), *columns);
                let (rows, columns, parts) = match self.info.is_exchanged {
                    true => (columns, rows, "with slices"),
                    false => (rows, columns, "with `kernel.rows(a..b)` or with slices"),
                };
                let problem = format!(
                    "{rows} rows and {columns} columns are too many for one grid or for 32-bit counts: launch them in parts, {parts}"
                );
                past(problem, Detail::None)
            }
            Extent { rows: Some(rows), n, .. } if *n <= MAX_ELEMENTS => {
                let problem = format!(
                    "rows {rows:?} are out of range for {map}, which works up to row {most} here: {instead}"
                );
                past(problem, Detail::Amounts { needed: None, limit: Some(most) })
            }
            // n itself does not fit 32 bits, so ranges of rows do not help.
            Extent { rows: Some(_), n, .. } => {
                past_n(*n, MAX_ELEMENTS, "elements are counted in 32 bits")
            }
            Extent { rows: None, n, .. } => past_n(*n, most, instead),
        }
    }

    /// What to write instead if a grid does not fit.
    fn larger(&self) -> &'static str {
        match self.variant {
            variant if variant.space == Space::Thread => {
                "write `space = \"block\"`, whose grids cover more elements"
            }
            variant if variant.map != "walk" => "write `map = \"walk\"`, whose grid fits any n",
            _ => "elements are counted in 32 bits",
        }
    }
}
