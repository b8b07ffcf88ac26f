//! Strips of eight rows, each visited column by column.
//!
//! The other maps launch blocks about row by row: blocks that run at the same time have few rows and very many columns. If a
//! block reads much of each of its elements, as in folds over hundreds of features, all columns are read again for each row of
//! blocks. Here blocks that run together share eight rows, and a column is read once for all eight.
//!
//! Strip s has the rows 8 s to 8 s + 7: eight rows of 8 s columns, and then, on the diagonal, a triangle of 36 blocks. So the
//! strips before it have T = 4 s (8 s + 1) blocks. With the root as a first guess of the strip, block lambda is in
//!
//! ```text
//! strip = floor(sqrt(lambda / 32)), or one less if its T is above lambda
//! x = lambda - T
//! row = 8 strip + x % 8        col = x / 8        while x is below 64 strip
//! ```
//!
//! and after that in the triangle, row by row. A last strip with fewer rows has fewer blocks. The only surplus blocks are those
//! that round the grid up.
//!
//! Exact at every size: at the first block of a strip the root is 1/16 above the strip's number, which rounding in double
//! precision cannot change, and the rest is integers.
//!
//! A range of rows has the strips that contain its rows. The rows before the range are surplus: at most seven, in one strip.
//!
//! In a rectangle all strips are equally long, and a row of the grid has one strip. More than 65,535 strips lie side by side,
//! as in [`Full`](crate::Full). If the last strip has fewer rows, the rest of its row of the grid is surplus, and so are strips
//! past the last one when all pieces have the same height.
//!
#![doc = include_str!("../pictures/strips-20.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, MAX_GRID_X, MAX_GRID_Y, Map, Prologue, Shape, Tile, triangle};

/// The rows of a strip.
pub(crate) const HEIGHT: u32 = 8;

/// The triangle or rectangle in strips of eight rows.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, Shape, Strips, Tile};
///
/// // Three strips, of 36, 100 and, with four rows, 74 blocks.
/// let shape = Shape::blocks(20);
/// let launches = Strips.launches(&shape);
/// assert_eq!(launches[0].grid, Grid::new(36 + 100 + 74, 1));
/// let mut tiles = Vec::new();
/// for x in 136..141 {
///     Strips.tiles(&shape, &launches[0], [x, 0], &mut |tile| tiles.push(tile));
/// }
/// // Rows 16 to 19 of the first column, and then of the second.
/// assert_eq!((tiles[0], tiles[3], tiles[4]), (Tile::new(16, 0), Tile::new(19, 0), Tile::new(16, 1)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strips;

/// The blocks of the strips before this one.
fn before(strip: u64) -> u64 {
    4 * strip * (8 * strip + 1)
}

/// The row and the column of unit `x` of a strip that begins at row `top` and has this many rows.
pub(crate) fn place_in_strip(shape: &Shape, top: u64, height: u64, x: u64) -> [u64; 2] {
    if shape.columns.is_some() || x < top * height {
        return [top + x % height, x / height];
    }
    // The triangle on the diagonal.
    let index = x - top * height;
    let below = (1..u64::from(HEIGHT)).filter(|&row| index >= row * (row + 1) / 2).count() as u64;
    [top + below, top + index - below * (below + 1) / 2]
}

impl Strips {
    /// The launch on a device whose grids are at most this wide, which limits triangles, and this high, which limits
    /// rectangles.
    fn launches_up_to(self, shape: &Shape, [widest, highest]: [u64; 2]) -> Vec<Launch> {
        if shape.units() == 0 {
            return Vec::new();
        }
        let first = shape.first / HEIGHT;
        let grid = match shape.columns {
            None => {
                let blocks = triangle(shape.rows) - before(first.into());
                let height = blocks.div_ceil(widest.max(1));
                Grid { x: blocks.div_ceil(height), y: height }
            }
            Some(columns) => {
                let strips = u64::from(shape.rows.div_ceil(HEIGHT) - first);
                let pieces = strips.div_ceil(highest.max(1));
                let width = u64::from(HEIGHT) * u64::from(columns);
                Grid { x: pieces * width, y: strips.div_ceil(pieces) }
            }
        };
        vec![Launch::of(grid)]
    }
}

impl Sealed for Strips {
    fn about(&self) -> About {
        About {
            has_row_ranges: true,
            ..About::new(
                "strips",
                "strips of eight rows, column by column",
                "if a block reads much data of each element, as in folds over many features",
            )
        }
    }
}

impl Map for Strips {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        self.launches_up_to(shape, [MAX_GRID_X, MAX_GRID_Y])
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let (first, end) = (u64::from(shape.first / HEIGHT), u64::from(shape.rows));
        let [strip, x] = match shape.columns {
            None => {
                let lambda = before(first) + y * launch.grid.x + x;
                let guess = (lambda / 32).isqrt();
                let strip = guess - u64::from(before(guess) > lambda);
                [strip, lambda - before(strip)]
            }
            Some(columns) => {
                let width = u64::from(HEIGHT) * u64::from(columns.max(1));
                [first + x / width * launch.grid.y + y, x % width]
            }
        };
        let top = strip * u64::from(HEIGHT);
        let height = end.saturating_sub(top).min(HEIGHT.into());
        if height == 0 {
            return;
        }
        let [row, col] = place_in_strip(shape, top, height, x);
        let is_surplus = shape.columns.is_some_and(|columns| col >= u64::from(columns));
        if (u64::from(shape.first)..end).contains(&row) && !is_surplus {
            each(Tile { row: row as u32, col: col as u32 });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.rows();
        let first = form.domain.first().map(|first| format!("{first} / ({HEIGHT} * TILE)"));
        let surplus = match form.first() {
            Some(begin) => format!(
                "
    if (tile_i < {begin})
        return; // a surplus block, before the range"
            ),
            None => String::new(),
        };
        let open = match form.domain.is_rectangle() {
            true => {
                let first = first.map(|first| format!("{first} + ")).unwrap_or_default();
                let columns = form.columns();
                format!(
                    "    // strips: eight rows are visited together, column by column. Past 65,535 strips, the grid is cut into adjacent pieces.
    const unsigned int tiles = {rows};
    const unsigned int width = {HEIGHT} * ({columns});
    const unsigned int piece = blockIdx.x / width;
    const unsigned int base = ({first}piece * gridDim.y + blockIdx.y) * {HEIGHT};
    if (base >= tiles)
        return; // a surplus block, past the last strip
    const unsigned int height = min(tiles - base, {HEIGHT}u);
    const unsigned int x = blockIdx.x - piece * width;
    const unsigned int tile_i = base + x % height;
    const unsigned int tile_j = x / height;
    if (tile_j >= {columns})
        return; // a surplus block, of a strip with fewer rows{surplus}
"
                )
            }
            false => {
                let (begin, skipped) = match first {
                    None => Default::default(),
                    Some(first) => (
                        format!("    const unsigned long long skipped = {first};\n"),
                        "4 * skipped * (8 * skipped + 1) + ".to_owned(),
                    ),
                };
                format!(
                    "    // strips: eight rows are visited together, column by column, and end in a triangle on the diagonal. Block
    // lambda, counted along the strips, is in the strip of the root, or in the previous strip.
    const unsigned int tiles = {rows};
{begin}    const unsigned long long lambda = {skipped}(unsigned long long)blockIdx.y * gridDim.x + blockIdx.x;
    unsigned long long strip = (unsigned long long)sqrt(lambda / 32.0);
    if (4 * strip * (8 * strip + 1) > lambda)
        --strip;
    const unsigned int base = {HEIGHT} * (unsigned int)strip;
    if (base >= tiles)
        return; // a surplus block, because the grid is rounded up
    const unsigned int height = min(tiles - base, {HEIGHT}u);
    const unsigned int x = (unsigned int)(lambda - 4 * strip * (8 * strip + 1));
    unsigned int tile_i = base + x % height;
    unsigned int tile_j = x / height;
    if (tile_j >= base) {{
        const unsigned int index = x - base * height;
        unsigned int below = (index > 0) + (index > 2) + (index > 5) + (index > 9);
        below += (index > 14) + (index > 20) + (index > 27);
        tile_i = base + below;
        tile_j = base + index - below * (below + 1) / 2;
    }}{surplus}
"
                )
            }
        };
        Prologue::straight(Vec::new(), open)
    }
}
