//! The lower-triangular map g(λ) of Navarro and Hitschfeld.
//!
//! Number the blocks of the triangle by rows: 0; 1, 2; 3, 4, 5; … Row r starts at block
//! T(r) = r (r + 1) / 2, so block λ lies in the row r with T(r) <= λ < T(r + 1). Solving
//! r² + r - 2λ = 0 for its positive root gives
//!
//! ```text
//! row = floor(sqrt(1/4 + 2λ) - 1/2)        col = λ - T(row)
//! ```
//!
//! How the root is taken, and for how many rows it is right, is the business of [`Root`].
//!
//! The grid is the papers' balanced one: n' x n' blocks with n' = ceil(sqrt(T(rows))), and
//! λ = x + y n'. Its last, incomplete grid row is not launched. The fewer than n' spare blocks
//! compute a row past the last one, because λ >= T(rows), and return.
//!
//! With at most 65,535 rows, λ stays below 2^31, so that r (r + 1) fits 32 bits before it is
//! halved, and the grid stays within 65,535 blocks along y.

use crate::{Grid, Map, Prologue, Root, Tile, triangle};

/// The lower-triangular map on the balanced grid.
#[derive(Clone, Copy, Debug)]
pub struct Ltm;

impl Map for Ltm {
    fn name(&self) -> &'static str {
        "ltm"
    }

    fn summary(&self) -> &'static str {
        "the lower-triangular map on a balanced grid"
    }

    fn takes_root(&self) -> bool {
        true
    }

    fn largest(&self) -> u32 {
        65_535
    }

    fn grids(&self, rows: u32) -> Vec<Grid> {
        let blocks = triangle(rows);
        let below = blocks.isqrt();
        let side = if below * below == blocks { below } else { below + 1 };
        match u32::try_from(side) {
            Ok(side) if side > 0 => {
                let y = blocks.div_ceil(u64::from(side)) as u32;
                vec![Grid { x: side, y }]
            }
            _ => Vec::new(),
        }
    }

    fn tile(&self, [x, y]: [u32; 2], grid: Grid, rows: u32, root: Root) -> Option<Tile> {
        let lambda = y * grid.x + x;
        let row = root.row(lambda);
        let col = lambda.wrapping_sub(triangle(row) as u32);
        (row < rows).then_some(Tile { row, col })
    }

    fn prologue(&self, root: Root, side: u32) -> Prologue {
        let row = root.call("lambda");
        Prologue {
            helpers: vec![root.helper()],
            text: format!(
                "    // ltm: block lambda, counted along the rows of the triangle.
    const unsigned int lambda = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned int row = {row};
    const unsigned int col = lambda - row * (row + 1) / 2;
    if (row * {side} >= n)
        return; // one of the last blocks, which only round the grid up
"
            ),
        }
    }
}
