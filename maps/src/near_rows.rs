//! Near tiles on both sides: a warp keeps a row of tiles and visits the columns before and after it that a lower bound does
//! not exclude.
//!
//! Nearest neighbours of an element may be in any tile. Each warp finds those of its own row, so it visits all near columns, while
//! a warp of the map [`Near`](crate::Near) visits those up to the row. Each pair of two tiles is visited twice, once for the
//! elements of each tile, and warps exchange nothing:
//!
//! ```text
//! row = 4 x + warp      the near columns of all tiles
//! ```
//!
//! With two sets, the columns are those of the other set.

use crate::map::Sealed;
use crate::near::WARPS;
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// Rows of tiles with the near columns on both sides.
///
/// ```
/// use td_kernel_maps::{Map, NearRows, Shape};
///
/// let shape = Shape::blocks(10);
/// let launch = &NearRows.launches(&shape)[0];
/// assert_eq!((launch.grid.x, launch.grid.y), (3, 1));
/// // Without a lower bound, all columns are near.
/// let mut tiles = Vec::new();
/// NearRows.tiles(&shape, launch, [2, 0], &mut |tile| tiles.push((tile.row, tile.col)));
/// assert_eq!((tiles.len(), tiles[0], tiles[19]), (20, (8, 0), (9, 9)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NearRows;

impl Sealed for NearRows {}

impl Map for NearRows {
    fn name(&self) -> &'static str {
        "near_rows"
    }

    fn summary(&self) -> &'static str {
        "a warp for each row of tiles, which visits the columns on both sides that a lower bound leaves"
    }

    fn advice(&self) -> &'static str {
        "if only elements that are near each other can be nearest neighbours"
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        if shape.units() == 0 {
            return Vec::new();
        }
        let grid = Grid { x: u64::from(shape.rows).div_ceil(WARPS), y: 1 };
        vec![Launch { grid, numbers: Vec::new() }]
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        for row in (WARPS * x..WARPS * (x + 1)).filter(|row| *row < shape.rows.into()) {
            (0..shape.columns.unwrap_or(shape.rows))
                .for_each(|col| each(Tile { row: row as u32, col }));
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.rows();
        let open = format!(
            "    // near_rows: a warp for each row of tiles, with the columns on both sides.
    const unsigned int tiles = {rows}, tile_i = WARPS * blockIdx.x + threadIdx.y;
    if (tile_i >= tiles)
        return; // a surplus warp; warps do not wait for each other
"
        );
        Prologue::straight(Vec::new(), open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_is_visited_from_either_row() {
        for rows in [1_u32, 2, 4, 5, 33] {
            let shape = Shape::blocks(rows);
            let launch = &NearRows.launches(&shape)[0];
            let mut seen = Vec::new();
            for x in 0..launch.grid.x {
                NearRows.tiles(&shape, launch, [x, 0], &mut |tile| seen.push(tile));
            }
            let all = (0..rows).flat_map(|row| (0..rows).map(move |col| Tile { row, col }));
            assert_eq!(seen, all.collect::<Vec<_>>());
        }
    }
}
