//! The full rectangle: the grid itself.
//!
//! A GPU launches rectangles of blocks anyway: block (x, y) is tile (y, x), with columns along x, because the values of a row
//! are adjacent in memory. It needs no root, and no block is surplus.
//!
//! But a grid is at most 65,535 blocks high, and a rectangle can have more rows of tiles: many queries against few points. Such
//! a rectangle is cut into pieces of at most that height, as equal as possible, side by side:
//!
//! ```text
//! piece = x / width      row = piece * height + y      col = x - piece * width
//! ```
//!
//! where `height` is the height of the grid. The last piece may have fewer rows than the others, by less than the number of
//! pieces; its surplus blocks return. So one launch takes every rectangle whose pieces, side by side, are at most 2^31 - 1
//! blocks wide.
//!
//! A range of rows is a rectangle that begins at its first row. Exact at every size: all numbers are integers.
//!
//! A rectangle that fits, and one in three pieces, on a device whose grids are at most 5 blocks high:
//!
#![doc = include_str!("../pictures/full-8.svg")]
#![doc = include_str!("../pictures/full-pieces-13.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, MAX_GRID_Y, Map, Prologue, Shape, Tile};

/// The full rectangle, the map of the pairs of two sets.
///
/// ```
/// use td_kernel_geometry::{Full, Grid, Map, Shape};
///
/// let rows_and_columns = |rows, columns| Full.launches(&Shape::blocks(rows).with_columns(columns));
/// assert_eq!(rows_and_columns(8, 5)[0].grid, Grid::new(5, 8));
/// // Two pieces, side by side.
/// assert_eq!(rows_and_columns(70_000, 5)[0].grid, Grid::new(10, 35_000));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Full;

impl Full {
    /// The launch on a device whose grids are at most this high. A triangle has no launches.
    ///
    /// ```
    /// use td_kernel_geometry::{Full, Grid, Shape};
    ///
    /// let launches = Full.launches_up_to(&Shape::blocks(13).with_columns(4), 5);
    /// assert_eq!(launches[0].grid, Grid::new(3 * 4, 5));
    /// ```
    pub fn launches_up_to(&self, shape: &Shape, highest: u64) -> Vec<Launch> {
        if shape.units() == 0 {
            return Vec::new();
        }
        let Some(width) = shape.columns else { return Vec::new() };
        let height = u64::from(shape.rows - shape.first);
        let pieces = height.div_ceil(highest.max(1));
        vec![Launch::of(Grid { x: pieces * u64::from(width), y: height.div_ceil(pieces) })]
    }
}

impl Sealed for Full {
    fn about(&self) -> About {
        About {
            has_row_ranges: true,
            ..About::new(
                "full",
                "the full rectangle, with a block for each tile",
                "for the pairs of two sets",
            )
        }
    }
}

impl Map for Full {
    /// A triangle has no launches.
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        self.launches_up_to(shape, MAX_GRID_Y)
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let width = u64::from(shape.columns.unwrap_or(1).max(1));
        let piece = x / width;
        let row = u64::from(shape.first) + piece * launch.grid.y + y;
        if row < u64::from(shape.rows) {
            each(Tile { row: row as u32, col: (x - piece * width) as u32 });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let (width, rows) = (form.columns(), form.rows());
        let begin = form.first().map_or(String::new(), |first| format!("{first} + "));
        let open = format!(
            "    // full: the grid is the rectangle. Past 65,535 blocks, it is cut into adjacent pieces.
    const unsigned int width = {width};
    const unsigned int piece = blockIdx.x / width;
    const unsigned int tile_i = {begin}piece * gridDim.y + blockIdx.y;
    const unsigned int tile_j = blockIdx.x - piece * width;
    if (tile_i >= {rows})
        return; // a surplus block, below the last piece
"
        );
        Prologue::straight(Vec::new(), open)
    }
}
