//! The bounding box: launches the whole square; blocks outside the triangle return.
//!
//! Block (x, y) is tile (y, x), and returns when x > y. So `rows (rows - 1) / 2` blocks return at once. The filter is per
//! block, before any thread computes its own coordinates; the papers found this faster than a filter per thread.
//!
//! A range of rows launches these rows of the square. Exact at every size; the grid ends at 65,535 rows.
//!
#![doc = include_str!("../pictures/bb-8.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// The bounding box, the baseline for the other maps.
///
/// ```
/// use td_kernel_geometry::{Bb, Grid, Map, Shape};
///
/// // The launch is the whole square.
/// let launches = Bb.launches(&Shape::blocks(8));
/// assert_eq!(launches[0].grid, Grid::new(8, 8));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bb;

impl Sealed for Bb {
    fn about(&self) -> About {
        About {
            has_row_ranges: true,
            ..About::new(
                "bb",
                "the bounding box, whose blocks above the diagonal exit",
                "as the baseline",
            )
        }
    }
}

impl Map for Bb {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        match u64::from(shape.rows.saturating_sub(shape.first)) {
            0 => Vec::new(),
            rows => vec![Launch::of(Grid { x: u64::from(shape.rows), y: rows })],
        }
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let y = y + u64::from(shape.first);
        if x <= y {
            each(Tile { row: y as u32, col: x as u32 });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let (grid, skipped) = match form.first() {
            None => ("the whole square", String::new()),
            Some(first) => ("some rows of the square", format!(" + {first}")),
        };
        let open = format!(
            "    // bb: the grid is {grid}.
    const unsigned int tile_i = blockIdx.y{skipped};
    const unsigned int tile_j = blockIdx.x;
    if (tile_j > tile_i)
        return;
"
        );
        Prologue::straight(Vec::new(), open)
    }
}
