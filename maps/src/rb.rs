//! The rectangular box: the triangle, cut and folded into a rectangle.
//!
//! The right half of the triangle's columns, turned by half a turn, fits above the left half. For an
//! even number of rows the rectangle is rows/2 wide and rows + 1 high:
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
//! No root, no spare unit. With `even` 1 or 0, both are one formula. Exact at every size; the grid
//! ends at 65,535 rows in block space.
//!
//! Source: J. H. Jung and D. P. O'Leary, "Exploiting structure of symmetric or triangular matrices on
//! a GPU", 2008, as a way to store; as a map, Navarro and Hitschfeld.
//!
#![doc = include_str!("../pictures/rb-8.svg")]

use crate::{Form, Grid, Launch, Map, Prologue, Shape, Space, Tile};

/// The rectangular box.
#[derive(Clone, Copy, Debug)]
pub struct Rb;

impl Map for Rb {
    fn name(&self) -> &'static str {
        "rb"
    }

    fn summary(&self) -> &'static str {
        "the rectangular box, the triangle folded into a rectangle"
    }

    fn has_thread_space(&self) -> bool {
        true
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        match u64::from(shape.rows) {
            0 => Vec::new(),
            rows => vec![Launch::of(Grid { x: rows.div_ceil(2), y: rows + (rows + 1) % 2 })],
        }
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        let (x, y, rows) = (x as u32, y as u32, shape.rows);
        let even = (rows + 1) % 2;
        each(if y >= x + even {
            Tile { row: y - even, col: x }
        } else {
            Tile { row: rows - 1 - y, col: rows - even - x }
        });
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.rows();
        let open = match form.space {
            Space::Block => format!(
                "    // rb: the left half of the triangle lies as it is, the right half is turned into the corner above it.
    const unsigned int rows = {rows};
    const unsigned int even = (rows + 1) % 2;
    const bool left = blockIdx.y >= blockIdx.x + even;
    const unsigned int row = left ? blockIdx.y - even : rows - 1 - blockIdx.y;
    const unsigned int col = left ? blockIdx.x : rows - even - blockIdx.x;
"
            ),
            Space::Thread => format!(
                "    // rb: the left half of the triangle lies as it is, the right half is turned into the corner above it.
    const unsigned int rows = {rows};
    const unsigned int even = (rows + 1) % 2;
    const unsigned int x = blockIdx.x * {side} + threadIdx.x;
    const unsigned int y = blockIdx.y * {side} + threadIdx.y;
    const bool spare = x >= (rows + 1) / 2 || y >= rows + even;
    const bool left = y >= x + even;
    const unsigned int row = spare ? rows : left ? y - even : rows - 1 - y;
    const unsigned int col = left ? x : rows - even - x;
",
                side = form.side
            ),
        };
        Prologue::straight(Vec::new(), open)
    }
}
