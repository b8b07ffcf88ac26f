//! Strips of eight rows, each column by column.
//!
//! The other maps launch blocks row by row, or nearly so: blocks that run at the same time have few rows and very many
//! columns. Where a block reads much of each of its elements, as in folds over hundreds of features, this reads all
//! columns again for each row of blocks. Here blocks that run together have eight rows in common, and a column is read
//! once for all eight.
//!
//! Strip s has the rows 8 s to 8 s + 7 and as many columns as its last row, 8 (s + 1); so it is a rectangle of
//! 64 (s + 1) blocks, of which the 28 above the diagonal are surplus. The longest strip shares a row of the grid with the
//! shortest, the second longest with the second shortest, and so on: all these rows are equally long. With `strips` strips,
//! row y of the grid has first the strip `strips - 1 - y` and then the strip `y`, and within a strip
//!
//! ```text
//! row = 8 strip + x % 8        col = x / 8
//! ```
//!
//! If the number of strips is odd, the one in the middle is alone, and the second half of its row is surplus. So are the
//! rows of the last strip past the triangle's last row. No root; exact at every size, because all numbers are integers;
//! the grid ends at 1,048,560 rows. Small triangles pay for whole strips: one block of work is 128 blocks of the grid.
//!
//! A range of rows has the strips that its rows lie in. The rows before the range are surplus: seven at most, in one strip.
//!
//! In a rectangle all strips are equally long, and a row of the grid has one strip. Where there are more than 65,535 of
//! them, they lie side by side, as in [`Full`](crate::Full).
//!
#![doc = include_str!("../pictures/strips-20.svg")]

use crate::map::Sealed;
use crate::{Form, Grid, Launch, MAX_GRID_Y, Map, Prologue, Shape, Tile};

/// The rows of a strip.
const HEIGHT: u32 = 8;

/// The triangle or rectangle in strips of eight rows.
///
/// ```
/// use td_kernel_maps::{Grid, Map, Shape, Strips, Tile};
///
/// // Three strips, of 8, 16 and 24 columns.
/// let shape = Shape::blocks(20);
/// let launches = Strips.launches(&shape);
/// assert_eq!(launches[0].grid, Grid::new(8 * (8 + 24), 2));
/// let mut tiles = Vec::new();
/// for x in 0..6 {
///     Strips.tiles(&shape, &launches[0], [x, 0], &mut |tile| tiles.push(tile));
/// }
/// // Rows 16 to 19 of the first column, and so to the second.
/// let [first, last] = [tiles[0], tiles[3]];
/// assert_eq!((tiles.len(), first, last), (4, Tile::new(16, 0), Tile::new(19, 0)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strips;

/// The first of some rows' strips, and the end of them.
fn strips(shape: &Shape) -> [u64; 2] {
    [u64::from(shape.first / HEIGHT), u64::from(shape.rows.div_ceil(HEIGHT))]
}

impl Strips {
    /// The launch on a device whose grids are at most this high, which only rectangles can be.
    fn launches_up_to(self, shape: &Shape, highest: u64) -> Vec<Launch> {
        if shape.units() == 0 {
            return Vec::new();
        }
        let [first, end] = strips(shape);
        let height = end - first;
        let square = u64::from(HEIGHT * HEIGHT);
        let grid = match shape.columns {
            None => Grid { x: square * (first + end + 1), y: height.div_ceil(2) },
            Some(columns) => {
                let pieces = height.div_ceil(highest.max(1));
                let width = u64::from(HEIGHT) * u64::from(columns);
                Grid { x: pieces * width, y: height.div_ceil(pieces) }
            }
        };
        vec![Launch::of(grid)]
    }
}

impl Sealed for Strips {}

impl Map for Strips {
    fn name(&self) -> &'static str {
        "strips"
    }

    fn summary(&self) -> &'static str {
        "strips of eight rows, column by column"
    }

    fn advice(&self) -> &'static str {
        "where a block reads much of each element, as in folds over many features"
    }

    fn has_row_ranges(&self) -> bool {
        true
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        self.launches_up_to(shape, MAX_GRID_Y)
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [first, end] = strips(shape);
        let height = u64::from(HEIGHT);
        let [strip, x] = match shape.columns {
            None => {
                let (lower, upper) = (end - 1 - y, first + y);
                let blocks = height * height * (lower + 1);
                match x < blocks {
                    true => [lower, x],
                    false if upper < lower => [upper, x - blocks],
                    false => return,
                }
            }
            Some(columns) => {
                let width = height * u64::from(columns.max(1));
                [first + x / width * launch.grid.y + y, x % width]
            }
        };
        let (row, col) = (strip * height + x % height, x / height);
        let is_within = shape.columns.is_some() || col <= row;
        if is_within && (u64::from(shape.first)..u64::from(shape.rows)).contains(&row) {
            each(Tile { row: row as u32, col: col as u32 });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let elements = HEIGHT * form.side;
        let end = form.domain.end();
        let first = form.domain.first().map(|first| format!("{first} / {elements} + "));
        let first = first.unwrap_or_default();
        let past = format!("row >= {}", form.rows());
        let surplus = match form.first() {
            Some(begin) => format!("{past} || row < {begin}"),
            None => past,
        };
        let open = match form.domain.is_rectangle() {
            true => format!(
                "    // strips: eight rows go along the columns together; what would be higher than 65,535 strips lies side by side.
    const unsigned int width = {HEIGHT} * ({columns});
    const unsigned int piece = blockIdx.x / width;
    const unsigned int x = blockIdx.x - piece * width;
    const unsigned int row = ({first}piece * gridDim.y + blockIdx.y) * {HEIGHT} + x % {HEIGHT};
    const unsigned int col = x / {HEIGHT};
    if ({surplus})
        return; // a surplus block, of a strip with fewer rows
",
                columns = form.columns(),
            ),
            false => format!(
                "    // strips: eight rows go along the columns together; the longest strip shares a row of the grid with the shortest.
    const unsigned int lower = ({end} + {above}) / {elements} - 1 - blockIdx.y;
    const unsigned int upper = {first}blockIdx.y;
    const unsigned int blocks = {square} * (lower + 1);
    const bool left = blockIdx.x < blocks;
    const unsigned int x = left ? blockIdx.x : blockIdx.x - blocks;
    const unsigned int row = (left ? lower : upper) * {HEIGHT} + x % {HEIGHT};
    const unsigned int col = x / {HEIGHT};
    if (col > row || {surplus}{alone})
        return; // a surplus block: above the diagonal, outside of the rows, or beside the strip in the middle
",
                above = elements - 1,
                square = HEIGHT * HEIGHT,
                alone = " || (upper == lower && !left)",
            ),
        };
        Prologue::straight(Vec::new(), open)
    }
}
