//! The walk: as many blocks as the device runs at a time, each with a run of the triangle or of the rectangle.
//!
//! Starting a block costs more than a little work. So the grid has only the blocks that stay resident, and each takes a
//! contiguous run of the blocks λ of the lower-triangular map: it computes one root at the run's start, then steps to the next
//! column, and at a row's end to the next row.
//!
//! The root must be right for every λ at which a run starts; its [exact ranges](crate::root) are those of `ltm`. For a range of
//! rows, the runs share only its λ. Runs differ in length by at most one block. The grid is small at every size, so the grid
//! never limits the size. In a rectangle all rows are equally long, so a division gives the tile at which a run starts.
//!
//! Persistent blocks are well known; their use for pairs is this project's own.
//!
#![doc = include_str!("../pictures/walk-8.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Launch, Map, Prologue, Shape, Tile, Walking, triangle};

/// The walk.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, Shape, Walk};
///
/// // As many blocks as stay resident, if there is work for them.
/// let launches = Walk.launches(&Shape::blocks(8).with_resident(7));
/// assert_eq!(launches[0].grid, Grid::new(7, 1));
/// // A rectangle of 40 tiles.
/// let mut tiles = Vec::new();
/// let shape = Shape::blocks(8).with_columns(5).with_resident(7);
/// Walk.tiles(&shape, &Walk.launches(&shape)[0], [5, 0], &mut |tile| tiles.push((tile.row, tile.col)));
/// assert_eq!(tiles, [(6, 0), (6, 1), (6, 2), (6, 3), (6, 4)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Walk;

impl Sealed for Walk {
    fn about(&self) -> About {
        About {
            takes_root: true,
            has_row_ranges: true,
            ..About::new(
                "walk",
                "persistent blocks, each with a run of tiles, row by row",
                "if a pair takes so little work that starting blocks dominates the time",
            )
        }
    }
}

impl Map for Walk {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        Launch::line(shape.units().min(u64::from(shape.resident.max(1))))
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let blocks = shape.units();
        let (run, rest) = (blocks / launch.grid.x, blocks % launch.grid.x);
        let first = run * x + x.min(rest);
        let end = first + run + u64::from(x < rest);
        if let Some(columns) = shape.columns.map(|columns| u64::from(columns.max(1))) {
            let row = |at: u64| (u64::from(shape.first) + at / columns) as u32;
            (first..end).for_each(|at| each(Tile { row: row(at), col: (at % columns) as u32 }));
            return;
        }
        let [first, end] = [first, end].map(|at| triangle(shape.first) + at);
        let mut row = shape.root.row(first);
        let mut col = first.wrapping_sub(triangle(row)) as u32;
        for _ in first..end {
            each(Tile { row, col });
            col = col.wrapping_add(1);
            if col > row {
                row += 1;
                col = 0;
            }
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        if form.domain.is_rectangle() {
            return rectangle(form);
        }
        let index = form.root.index();
        let cast = form.root.cast();
        let row = form.root.call("first");
        let (begin, less, skipped) = match form.skipped(cast) {
            None => (String::new(), "", ""),
            Some([begin, skipped]) => {
                let skipped = format!("{begin}    const {index} skipped = {skipped};\n");
                (skipped, " - skipped", "skipped + ")
            }
        };
        let open = format!(
            "    // walk: a persistent block, with a run of the triangle's tiles, counted along the rows.
    const unsigned int tiles = {};
{begin}    const {index} blocks = {cast}tiles * (tiles + 1) / 2{less};
    const {index} run = blocks / gridDim.x;
    const unsigned int rest = blocks % gridDim.x;
    const {index} first = {skipped}run * blockIdx.x + min(blockIdx.x, rest);
    const {index} end = first + run + (blockIdx.x < rest);
    unsigned int tile_i = {row};
    unsigned int tile_j = first - {cast}tile_i * (tile_i + 1) / 2;
    for ({index} lambda = first; lambda < end; ++lambda) {{
",
            form.rows()
        );
        let close = "        if (++tile_j > tile_i) {
            ++tile_i;
            tile_j = 0;
        }
    }
";
        let walk = Some(Walking { close, is_new_row: "lambda == first || tile_j == 0" });
        Prologue { helpers: vec![form.root.helper()], open, walk }
    }
}

/// The source for the rectangle.
fn rectangle(form: &Form) -> Prologue {
    let (begin, less, skipped) = match form.first() {
        None => (String::new(), "", ""),
        Some(first) => {
            let begin = format!("    const unsigned int tile_begin = {first};\n");
            (begin, " - tile_begin", "tile_begin + ")
        }
    };
    let open = format!(
        "    // walk: a persistent block, with a run of the rectangle's tiles, counted along the rows.
    const unsigned int tiles = {rows}, width = {columns};
{begin}    const unsigned long long blocks = (unsigned long long)(tiles{less}) * width;
    const unsigned long long run = blocks / gridDim.x;
    const unsigned int rest = blocks % gridDim.x;
    const unsigned long long first = run * blockIdx.x + min(blockIdx.x, rest);
    const unsigned long long end = first + run + (blockIdx.x < rest);
    unsigned int tile_i = {skipped}first / width;
    unsigned int tile_j = first % width;
    for (unsigned long long lambda = first; lambda < end; ++lambda) {{
",
        rows = form.rows(),
        columns = form.columns(),
    );
    let close = "        if (++tile_j == width) {
            ++tile_i;
            tile_j = 0;
        }
    }
";
    let walk = Some(Walking { close, is_new_row: "lambda == first || tile_j == 0" });
    Prologue { helpers: Vec::new(), open, walk }
}
