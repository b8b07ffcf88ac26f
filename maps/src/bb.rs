//! The bounding box: launch the whole square, leave where it is not the triangle.
//!
//! Block (x, y) is tile (y, x), and returns when x > y. `rows (rows - 1) / 2` blocks start only to
//! return. The filter is on the block, before any thread computes its own coordinates, which the
//! papers found to be the faster of the two ways to write it.
//!
//! Exact at every size; the grid ends at 65,535 rows.
//!
#![doc = include_str!("../pictures/bb-8.svg")]

use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// The bounding box, the baseline that the other maps are compared with.
#[derive(Clone, Copy, Debug)]
pub struct Bb;

impl Map for Bb {
    fn name(&self) -> &'static str {
        "bb"
    }

    fn summary(&self) -> &'static str {
        "the bounding box, blocks above the diagonal leave"
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        match u64::from(shape.rows) {
            0 => Vec::new(),
            rows => vec![Launch::of(Grid { x: rows, y: rows })],
        }
    }

    fn tiles(&self, _: &Shape, _: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if x <= y {
            each(Tile { row: y as u32, col: x as u32 });
        }
    }

    fn prologue(&self, _: &Form) -> Prologue {
        let open = "    // bb: the grid is the whole square.
    const unsigned int row = blockIdx.y;
    const unsigned int col = blockIdx.x;
    if (col > row)
        return;
";
        Prologue::straight(Vec::new(), open.into())
    }
}
