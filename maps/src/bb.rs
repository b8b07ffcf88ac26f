//! The bounding box: launch the whole square, leave where it is not the triangle.
//!
//! Block (x, y) is tile (y, x), and returns when x > y. `rows (rows - 1) / 2` blocks start only to
//! return. The filter is on the block, before any thread computes its own coordinates, which the
//! papers found to be the faster of the two ways to write it.

use crate::{Grid, MAX_GRID_Y, Map, Prologue, Root, Tile};

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

    fn takes_root(&self) -> bool {
        false
    }

    fn largest(&self) -> u32 {
        MAX_GRID_Y
    }

    fn grids(&self, rows: u32) -> Vec<Grid> {
        match rows {
            0 => Vec::new(),
            rows => vec![Grid { x: rows, y: rows }],
        }
    }

    fn tile(&self, [x, y]: [u32; 2], _: Grid, _: u32, _: Root) -> Option<Tile> {
        (x <= y).then_some(Tile { row: y, col: x })
    }

    fn prologue(&self, _: Root, _: u32) -> Prologue {
        Prologue {
            helpers: Vec::new(),
            text: "    // bb: the grid is the whole square.
    const unsigned int row = blockIdx.y;
    const unsigned int col = blockIdx.x;
    if (col > row)
        return;
"
            .into(),
        }
    }
}
