//! Runs of columns: a block keeps a row of tiles and visits some of its columns in turn.
//!
//! In the other maps a block has one tile. If a block reads much of each of its elements and computes little with it, like a
//! filter by tensor cores, reading takes most of its time. Here a block reads its row once for a run of up to 16 columns, and
//! reads a column while it computes with the previous one. With runs of L columns,
//!
//! ```text
//! row = x      columns L y to L y + L - 1, up to the end of the row
//! ```
//!
//! Rows are along x, so that blocks that run at the same time have many rows and the same columns. In a triangle nearly half of
//! the blocks are above the diagonal and return. This costs little, because a block takes long. Small shapes have shorter runs,
//! so that there are enough blocks to keep all multiprocessors busy to the end.
//!
//! A range of rows begins at its first row. Exact at every size: all numbers are integers.

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, MAX_GRID_Y, Map, Prologue, Shape, Tile};

/// The maximum number of columns of a block, if the grid can be high enough. With more, it would hardly read its row less
/// often.
const LENGTH: u64 = 16;

/// The minimum number of blocks per resident block: when one ends, another follows. With fewer, some multiprocessors would be
/// idle.
const BLOCKS: u64 = 8;

/// Rows of tiles with runs of columns.
///
/// ```
/// use td_kernel_geometry::{Map, Runs, Shape};
///
/// let shape = Shape::blocks(800).with_resident(264);
/// let launch = &Runs.launches(&shape)[0];
/// assert_eq!((launch.grid.x, launch.grid.y, launch.numbers[0]), (800, 50, 16));
/// let mut columns = Vec::new();
/// Runs.tiles(&shape, launch, [34, 2], &mut |tile| columns.push((tile.row, tile.col)));
/// assert_eq!(columns, [(34, 32), (34, 33), (34, 34)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Runs;

impl Sealed for Runs {
    fn about(&self) -> About {
        About {
            has_row_ranges: true,
            parameters: &["const unsigned int run"],
            ..About::new(
                "runs",
                "runs of columns, with a block for a row of tiles and some of its columns",
                "if a block computes little with the data it reads of each element",
            )
        }
    }
}

impl Map for Runs {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        if shape.units() == 0 {
            return Vec::new();
        }
        let columns = u64::from(shape.columns.unwrap_or(shape.rows));
        let enough = BLOCKS * u64::from(shape.resident.max(1));
        let run = (shape.units() / enough).clamp(1, LENGTH).max(columns.div_ceil(MAX_GRID_Y));
        let rows = u64::from(shape.rows - shape.first);
        // At most the number of columns.
        vec![Launch { grid: Grid { x: rows, y: columns.div_ceil(run) }, numbers: vec![run as u32] }]
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [run] = launch.numbers[..] else { return };
        let row = u64::from(shape.first) + x;
        if row >= shape.rows.into() || y >= launch.grid.y {
            return;
        }
        let begin = u64::from(run) * y;
        let end = shape.columns.map_or(row + 1, u64::from).min(begin + u64::from(run));
        (begin..end).for_each(|col| each(Tile { row: row as u32, col: col as u32 }));
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let first = form.first().map_or(String::new(), |first| format!("{first} + "));
        let count = match form.domain.is_rectangle() {
            true => format!(
                "    const unsigned int count = min(run, {columns} - begin);
",
                columns = form.columns()
            ),
            false => "    if (begin > tile_i)
        return; // a surplus block, above the diagonal
    const unsigned int count = min(run, tile_i + 1 - begin);
"
            .to_owned(),
        };
        let open = format!(
            "    // runs: a row of tiles visits some columns one after another.
    const unsigned int tile_i = {first}blockIdx.x, begin = run * blockIdx.y;
{count}    const auto tile_j_of = [&](const unsigned int visit) {{ return begin + visit; }};
"
        );
        Prologue::straight(Vec::new(), open)
    }
}
