//! What the map makes of n: its launches, as far as the map, its root and the device go.

use std::sync::Arc;

use td_kernel_maps::{Map, Root, Shape, Space, WIDE, largest, triangle};

use crate::kernel::{Kernel, Loaded};
use crate::memory::Memory;
use crate::spec::Variant;
use crate::{Device, Error, Result};

/// The launches for a number of elements, ready to run.
pub(crate) struct Plan {
    /// The number of elements.
    pub(crate) n: usize,
    /// The text that they are of.
    pub(crate) variant: &'static Variant,
    /// The code: of 32 or of 64-bit λ.
    pub(crate) code: Arc<Loaded>,
    /// The map, and the rows of its triangle: what the parameter `table` follows from, where it has one.
    map: &'static dyn Map,
    rows: u32,
    /// The launches.
    pub(crate) steps: Vec<Step>,
}

/// One launch.
pub(crate) struct Step {
    /// Its blocks.
    pub(crate) grid: [u32; 2],
    /// The values of the map's parameters that are numbers.
    pub(super) numbers: Vec<u32>,
}

/// The most elements whose tiles, of 256 at most, are counted without a 32-bit sum running over.
const MOST: usize = u32::MAX as usize - 255;

impl Plan {
    /// The sizes of the parameters that come before the user's own: n and the map's, in bytes.
    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> {
        let numbers = self.steps.first().map_or(0, |step| step.numbers.len());
        let numbers = std::iter::repeat_n(size_of::<u32>(), 1 + numbers);
        numbers.chain(self.map.has_table().then_some(size_of::<u64>()))
    }

    /// What the map's parameter `table` points to, if it has one. Made by the first launch, not by the plan: a report
    /// of a launch that never comes needs no memory.
    pub(super) fn table(&self, device: &Device) -> Result<Option<Arc<Memory<u32>>>> {
        let table = self.map.has_table().then(|| device.table(self.map, self.rows));
        table.transpose()
    }

    /// The launches of this variant for n elements.
    pub(crate) fn new(kernel: &Kernel, variant: &'static Variant, n: usize) -> Result<Plan> {
        let map = td_kernel_maps::map(variant.map).ok_or(Error::UnknownMap { map: variant.map })?;
        Geometry { kernel, variant, map }.plan(n)
    }
}

/// What the number of blocks follows from.
struct Geometry<'a> {
    kernel: &'a Kernel,
    variant: &'static Variant,
    map: &'static dyn Map,
}

impl Geometry<'_> {
    fn plan(&self, n: usize) -> Result<Plan> {
        let Geometry { kernel: Kernel { spec, device, .. }, variant, map } = *self;
        let loaded = device.loaded(spec, variant, false)?;
        let shape = Shape {
            first: 0,
            rows: self.rows(n.min(MOST)),
            root: variant.root,
            linear: variant.linear,
            resident: loaded.resident(),
        };
        let mut launches = map.launches(&shape);
        let grids = self.grids(&launches).filter(|_| n <= MOST);
        let lambdas = grids.as_ref().map(|grids| self.lambdas(&shape, grids));
        if map.takes_root() && variant.root != Root::Exact {
            // A float root ends long before a grid does, and before λ need more than 32 bits.
            let end = lambdas.filter(|lambdas| *lambdas <= WIDE);
            let failure = device.root_failure(variant.root, end.unwrap_or(WIDE))?;
            if failure.is_some() || end.is_none() {
                let most = self.most_before(failure.unwrap_or(WIDE), &shape);
                return Err(self.past(n, most, "write `sqrt = \"exact\"`"));
            }
        }
        let (Some(mut grids), Some(lambdas)) = (grids, lambdas) else {
            let most =
                self.elements_of(largest(map, &shape, variant.space, variant.side)).min(MOST);
            return Err(self.past(n, most, self.larger()));
        };
        let mut code = loaded;
        if map.takes_root() && lambdas > WIDE {
            code = device.loaded(spec, variant, true)?;
            // As many blocks as stay resident may be fewer of this code.
            let shape = Shape { resident: code.resident(), ..shape };
            launches = map.launches(&shape);
            grids = self.grids(&launches).unwrap_or(grids);
        }
        let steps = launches.into_iter().zip(grids);
        let steps = steps.map(|(launch, grid)| Step { grid, numbers: launch.numbers }).collect();
        Ok(Plan { n, variant, code, map, rows: shape.rows, steps })
    }

    /// The rows of the triangle of units that n elements make.
    fn rows(&self, n: usize) -> u32 {
        let (variant, diagonal) = (self.variant, self.kernel.spec.diagonal);
        let rows = match (variant.space, diagonal) {
            (Space::Block, _) => n.div_ceil(variant.side as usize),
            (Space::Thread, true) => n,
            (Space::Thread, false) => n.saturating_sub(1),
        };
        u32::try_from(rows).unwrap_or(u32::MAX)
    }

    /// The most elements that make no more than `rows` rows.
    fn elements_of(&self, rows: u32) -> usize {
        let (variant, rows) = (self.variant, rows as usize);
        match (variant.space, self.kernel.spec.diagonal) {
            (Space::Block, _) => rows * variant.side as usize,
            (Space::Thread, true) => rows,
            (Space::Thread, false) => rows + 1,
        }
    }

    /// The blocks of each launch, where a device takes as many.
    fn grids(&self, launches: &[td_kernel_maps::Launch]) -> Option<Vec<[u32; 2]>> {
        let Variant { space, side, .. } = *self.variant;
        launches.iter().map(|launch| launch.grid.blocks(space, side)).collect()
    }

    /// One more than the largest λ that some unit computes with: those of spare units are past the
    /// triangle's own.
    fn lambdas(&self, shape: &Shape, grids: &[[u32; 2]]) -> u64 {
        let per_block = match self.variant.space {
            Space::Block => 1,
            Space::Thread => u64::from(self.variant.side * self.variant.side),
        };
        let units = |grid: &[u32; 2]| u64::from(grid[0]) * u64::from(grid[1]) * per_block;
        grids.iter().map(units).max().unwrap_or_default().max(triangle(shape.rows))
    }

    /// The most elements whose launches need no λ from `failure` on.
    fn most_before(&self, failure: u64, shape: &Shape) -> usize {
        let map = self.map;
        let fits = |rows: u32| {
            let shape = Shape { rows, ..*shape };
            self.grids(&map.launches(&shape))
                .is_some_and(|grids| self.lambdas(&shape, &grids) <= failure)
        };
        let mut rows = 0;
        while fits(rows + 1) {
            rows += 1;
        }
        self.elements_of(rows)
    }

    fn past(&self, n: usize, most: usize, instead: &'static str) -> Error {
        let map = self.map;
        let root = map.takes_root().then_some(self.variant.root);
        Error::PastMap { kernel: self.kernel.spec.name, map: map.name(), root, n, most, instead }
    }

    /// What goes further than a grid that does not fit.
    fn larger(&self) -> &'static str {
        match self.variant {
            variant if variant.space == Space::Thread => {
                "write `space = \"block\"`, whose grids go further"
            }
            variant if variant.map != "walk" => {
                "write `map = \"walk\"`, whose grid fits at every n"
            }
            _ => "elements are counted in 32 bits",
        }
    }
}
