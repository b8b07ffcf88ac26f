//! The recursive partition of Ries and co-authors: squares below the diagonal, level by level.
//!
//! The rows are padded to m 2^k. Level l, from 0 to k - 1, is one launch of 2^(k-1-l) squares of side s = m 2^l: square q has
//! the rows from (2q + 1) s and the columns from 2 q s. A last launch covers the 2^k triangles of side m on the diagonal, as
//! bounding boxes. That is k + 1 launches.
//!
//! k is the largest number with 8 · 2^k <= rows. Then m is 8 to 16, the padding is less than an eighth of the rows, and the
//! boxes on the diagonal are few.
//!
//! Both kinds of launch have the same source. Its parameters are `side`, and `shift`: s for squares and 0 for triangles. Along
//! the diagonal, the pattern repeats every side + shift rows.
//!
//! Exact at every size; the grid ends at 61,440 rows. It has no ranges of rows: the squares of every launch lie along the whole
//! diagonal, so a range of rows would cut some of every level.
//!
//! Source: F. Ries, T. De Marco, M. Zivieri, R. Guerrieri, "Triangular matrix inversion on graphics
//! processing unit", 2009.
//!
#![doc = include_str!("../pictures/rec-32.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// The recursive partition.
///
/// ```
/// use td_kernel_geometry::{Map, Rec, Shape};
///
/// // Two levels of squares below the diagonal, and the triangles on it.
/// let launches = Rec.launches(&Shape::blocks(32));
/// assert_eq!(launches.len(), 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rec;

impl Sealed for Rec {
    fn about(&self) -> About {
        About {
            parameters: &["const unsigned int side", "const unsigned int shift"],
            ..About::new(
                "rec",
                "the recursive partition, with one launch per level",
                "for comparison",
            )
        }
    }
}

/// The smallest side of a triangle on the diagonal, if there are levels of squares.
const SMALLEST: u32 = 8;

impl Map for Rec {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let rows = shape.rows;
        if rows == 0 {
            return Vec::new();
        }
        let levels = (rows / SMALLEST).checked_ilog2().unwrap_or(0);
        let smallest = rows.div_ceil(1 << levels);
        let launch = |side: u32, shift: u32, count: u64| Launch {
            grid: Grid { x: u64::from(side), y: u64::from(side) * count },
            numbers: vec![side, shift],
        };
        let squares = (0..levels).map(|level| {
            let side = smallest << level;
            launch(side, side, 1 << (levels - 1 - level))
        });
        squares.chain([launch(smallest, 0, 1 << levels)]).collect()
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [side, shift] = launch.numbers[..] else { return };
        let y = y as u32;
        let square = y / side * (side + shift);
        let (row, col) = (square + shift + y % side, square + x as u32);
        if col <= row && row < shape.rows {
            each(Tile { row, col });
        }
    }

    fn prologue(&self, _: &Form) -> Prologue {
        let open =
            "    // rec: the squares of one level below the diagonal, or (shift 0) the triangles on the diagonal.
    const unsigned int square = blockIdx.y / side * (side + shift);
    const unsigned int tile_i = square + shift + blockIdx.y % side;
    const unsigned int tile_j = square + blockIdx.x;
    if (tile_j > tile_i || tile_i * TILE >= n)
        return; // above the diagonal, or padding
";
        Prologue::straight(Vec::new(), open.to_owned())
    }
}
