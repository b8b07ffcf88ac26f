//! The rectangular box: the triangle, cut and folded into a rectangle.
//!
//! The right half of the triangle's columns, rotated by half a turn, fits above the left half. For an even number of rows the
//! rectangle is rows/2 wide and rows + 1 high:
//!
//! ```text
//! y > x: (y - 1, x)      else (rows - 1 - y, rows - 1 - x)
//! ```
//!
//! and for an odd one (rows + 1)/2 wide and rows high:
//!
//! ```text
//! y >= x: (y, x)         else (rows - 1 - y, rows - x)
//! ```
//!
//! There is no root and no surplus unit. With `even` as 1 or 0, one formula covers both cases. Exact at every size; the grid
//! ends at 65,535 rows in block space.
//!
//! A range has `height` rows from `begin` on. Its columns before `begin` are a rectangle, `height` high and `begin` wide; the
//! rest is a triangle of `height` rows, at row and column `begin`. The grid has the rectangle unchanged, and to its right the
//! triangle, folded as above:
//!
//! ```text
//! x < begin: (begin + y, x)      else (begin + row, begin + col) of the triangle's unit (x - begin, y)
//! ```
//!
//! For an odd `height` both parts are equally high, and there is no surplus unit. For an even `height` the fold is one unit
//! higher: the `begin` units above the rectangle are surplus, less than a row. With `begin` = 0 there is no rectangle, and this
//! is the fold of the whole triangle.
//!
//! Source: J. H. Jung and D. P. O'Leary, "Exploiting structure of symmetric or triangular matrices on a GPU", 2008, as
//! a storage format; Navarro and Hitschfeld, as a map.
//!
#![doc = include_str!("../pictures/rb-8.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Space, Tile};

/// The rectangular box.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, Rb, Shape};
///
/// // Half as wide as the triangle, and one row higher.
/// let launches = Rb.launches(&Shape::blocks(8));
/// assert_eq!(launches[0].grid, Grid::new(4, 9));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rb;

impl Sealed for Rb {
    fn about(&self) -> About {
        About {
            has_thread_space: true,
            has_row_ranges: true,
            ..About::new(
                "rb",
                "the rectangular box, the triangle folded into a rectangle",
                "if the index arithmetic must be cheap: it needs no square root",
            )
        }
    }
}

impl Map for Rb {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        match u64::from(shape.rows.saturating_sub(shape.first)) {
            0 => Vec::new(),
            height => {
                let x = u64::from(shape.first) + height.div_ceil(2);
                vec![Launch::of(Grid { x, y: height + (height + 1) % 2 })]
            }
        }
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        let (begin, height) = (u64::from(shape.first), u64::from(shape.rows - shape.first));
        let even = (height + 1) % 2;
        let (row, col) = if x < begin {
            (begin + y, x)
        } else if y >= x - begin + even {
            (begin + y - even, x)
        } else {
            (begin + height - 1 - y, begin + height - even - (x - begin))
        };
        if row < u64::from(shape.rows) {
            each(Tile { row: row as u32, col: col as u32 });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.rows();
        let open = match (form.space, form.first()) {
            (Space::Block, Some(first)) => format!(
                "    // rb: the columns before the first row stay in place. The triangle to their right is folded.
    const unsigned int tiles = {rows};
    const unsigned int tile_begin = {first};
    const unsigned int height = tiles - tile_begin;
    const unsigned int even = (height + 1) % 2;
    const bool rectangle = blockIdx.x < tile_begin;
    const unsigned int x = blockIdx.x - tile_begin;
    const bool unfolded = rectangle || blockIdx.y >= x + even;
    const unsigned int tile_i = unfolded ? tile_begin + blockIdx.y - (rectangle ? 0 : even) : tiles - 1 - blockIdx.y;
    const unsigned int tile_j = unfolded ? blockIdx.x : tiles - even - x;
    if (tile_i >= tiles)
        return; // a surplus block: if even is 1, the grid is one block higher than the rectangle
"
            ),
            (Space::Block, None) => format!(
                "    // rb: the left half of the triangle stays in place. The right half is rotated into the corner above it.
    const unsigned int tiles = {rows};
    const unsigned int even = (tiles + 1) % 2;
    const bool unfolded = blockIdx.y >= blockIdx.x + even;
    const unsigned int tile_i = unfolded ? blockIdx.y - even : tiles - 1 - blockIdx.y;
    const unsigned int tile_j = unfolded ? blockIdx.x : tiles - even - blockIdx.x;
"
            ),
            (Space::Thread, _) => format!(
                "    // rb: the left half of the triangle stays in place. The right half is rotated into the corner above it.
    const unsigned int rows = {rows};
    const unsigned int even = (rows + 1) % 2;
    const unsigned int x = blockIdx.x * TILE + threadIdx.x;
    const unsigned int y = blockIdx.y * TILE + threadIdx.y;
    const bool surplus = x >= (rows + 1) / 2 || y >= rows + even;
    const bool unfolded = y >= x + even;
    const unsigned int row = surplus ? rows : unfolded ? y - even : rows - 1 - y;
    const unsigned int col = unfolded ? x : rows - even - x;
"
            ),
        };
        Prologue::straight(Vec::new(), open)
    }
}
