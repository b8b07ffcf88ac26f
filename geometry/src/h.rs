//! The non-linear map h of Navarro and co-authors: integers only, no root, no surplus block.
//!
//! For rows = 2^k the triangle without its diagonal is a square of side 2^(k-1), then two of half that side, and so on. Each
//! level fills one part of a grid rows/2 wide and rows + 1 high, and the diagonal fills the rest. A block finds its level with
//! one count of leading zeros:
//!
//! ```text
//! h = floor(log2(y + 1))       q = x with its low h bits cleared       (row, col) = (y + 2q, x + q)
//! ```
//!
//! Past the part of the largest square, the rows above it fold back: a unit there is `back` rows up, and a grid's width to the
//! right.
//!
//! For any number of rows, nb is its largest power of two and e = rows - nb. One launch covers the triangle of the first nb
//! rows and the e x nb rectangle below it. The rest is a triangle of e rows at the offset nb. So there is one launch per set
//! bit.
//!
//! Exact at every size; the grid ends at 49,151 rows. It has no ranges of rows: each level's squares lie along the whole
//! diagonal, so every part of the grid has units of all rows.
//!
//! Source: C. A. Navarro and co-authors, arXiv 2208.11617.
//!
#![doc = include_str!("../pictures/h-8.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// The non-linear map h.
///
/// ```
/// use td_kernel_geometry::{Grid, H, Map, Shape};
///
/// // One launch, as 8 is a power of two.
/// let launches = H.launches(&Shape::blocks(8));
/// assert_eq!((launches.len(), launches[0].grid), (1, Grid::new(4, 9)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct H;

impl Sealed for H {
    fn about(&self) -> About {
        About {
            parameters: &[
                "const unsigned int last",
                "const unsigned int back",
                "const unsigned int offset",
            ],
            ..About::new(
                "h",
                "the non-linear map h, with one launch for each set bit of the number of block rows",
                "if the number of block rows is a power of two, or close to one",
            )
        }
    }
}

impl Map for H {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let mut launches = Vec::new();
        let mut offset = 0;
        while offset < shape.rows {
            let rows = shape.rows - offset;
            let power = 1 << rows.ilog2();
            let rest = rows - power;
            // A single row is the single block (0, 0), which the formula also gives.
            let long = if rows == 1 { 1 } else { u64::from(rows) + 1 + u64::from(rest) };
            let (last, back) =
                if rest == 0 { (power - 1, 1) } else { (power - 1 + rest, rest + 1) };
            launches.push(Launch {
                grid: Grid { x: u64::from(power / 2).max(1), y: long },
                numbers: vec![last, back, offset],
            });
            offset += power;
        }
        launches
    }

    fn tiles(&self, _: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [last, back, offset] = launch.numbers[..] else { return };
        let (x, y) = (x as u32, y as u32);
        let level = (y + 1).ilog2();
        let square = x & (!0 << level);
        let folded = y > last;
        each(Tile {
            row: y - if folded { back } else { 0 } + 2 * square + offset,
            col: x + square + if folded { launch.grid.x as u32 } else { 0 } + offset,
        });
    }

    fn prologue(&self, _: &Form) -> Prologue {
        let open = "    // h: the block's level is the highest bit of its height; blocks past the last row are folded back.
    const unsigned int level = 31 - __clz(blockIdx.y + 1);
    const unsigned int square = blockIdx.x & (~0u << level);
    const bool folded = blockIdx.y > last;
    const unsigned int tile_i = blockIdx.y - (folded ? back : 0) + 2 * square + offset;
    const unsigned int tile_j = blockIdx.x + square + (folded ? gridDim.x : 0) + offset;
";
        Prologue::straight(Vec::new(), open.into())
    }
}
