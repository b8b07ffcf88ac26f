//! Rows of tiles: a block keeps a row of tiles and visits all columns.
//!
//! The results of an element can be joined without atomics if one block has all pairs of the element. So block x has the
//! elements of row x, and visits the columns before and after it. Each pair of a triangle is visited twice, once for each of its
//! elements:
//!
//! ```text
//! row = x      all columns
//! ```
//!
//! With two sets, the columns are those of the other set, and each pair is visited once. A range of the rows of a rectangle is a
//! rectangle that begins at its first row. Pairs of a range of a triangle's rows have elements before the range too, so all
//! rows of tiles below its end are launched.

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// A block for each row of tiles.
///
/// ```
/// use td_kernel_geometry::{Map, RowBlocks, Shape};
///
/// let shape = Shape::blocks(3);
/// let launch = &RowBlocks.launches(&shape)[0];
/// assert_eq!((launch.grid.x, launch.grid.y), (3, 1));
/// let mut tiles = Vec::new();
/// RowBlocks.tiles(&shape, launch, [1, 0], &mut |tile| tiles.push((tile.row, tile.col)));
/// assert_eq!(tiles, [(1, 0), (1, 1), (1, 2)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RowBlocks;

/// The first row of blocks: in a triangle, elements before a range of rows are in its pairs.
fn first(shape: &Shape) -> u32 {
    if shape.columns.is_some() { shape.first } else { 0 }
}

impl Sealed for RowBlocks {
    fn about(&self) -> About {
        About {
            has_row_ranges: true,
            ..About::new(
                "row_blocks",
                "a block for each row of tiles, which visits all columns",
                "if the results of an element are joined in a fixed order",
            )
        }
    }
}

impl Map for RowBlocks {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        if shape.units() == 0 {
            return Vec::new();
        }
        vec![Launch::of(Grid::line(u64::from(shape.rows - first(shape))))]
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        // Less than the number of rows.
        let row = first(shape) + x as u32;
        (0..shape.columns.unwrap_or(shape.rows)).for_each(|col| each(Tile { row, col }));
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let first = form.first().filter(|_| form.domain.is_rectangle());
        let begin = first.map_or(String::new(), |first| format!("{first} + "));
        let open = format!(
            "    // row_blocks: a block for each row of tiles, which visits all columns.
    const unsigned int tile_i = {begin}blockIdx.x;
"
        );
        Prologue::straight(Vec::new(), open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(shape: &Shape) -> Vec<(u32, u32)> {
        let mut seen = Vec::new();
        for launch in RowBlocks.launches(shape) {
            for x in 0..=launch.grid.x {
                RowBlocks
                    .tiles(shape, &launch, [x, 0], &mut |tile| seen.push((tile.row, tile.col)));
            }
        }
        seen
    }

    #[test]
    fn every_tile_is_visited_from_its_row() {
        for rows in [0_u32, 1, 2, 5] {
            let all = |first, columns: u32| -> Vec<_> {
                (first..rows).flat_map(|row| (0..columns).map(move |col| (row, col))).collect()
            };
            assert_eq!(visited(&Shape::blocks(rows)), all(0, rows));
            assert_eq!(visited(&Shape::blocks(rows).with_columns(3)), all(0, 3));
            let (first, range) = (rows / 2, Shape::blocks(rows).with_first(rows / 2));
            assert_eq!(visited(&range), all(0, rows));
            assert_eq!(visited(&range.with_columns(3)), all(first, 3));
        }
    }
}
