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
//! With two sets, the columns are those of the other set. Several devices take the blocks in turn, as those of `Near` do.

use crate::map::{About, Sealed};
use crate::near::{blocks_of, rows_of};
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// Rows of tiles with the near columns on both sides.
///
/// ```
/// use td_kernel_geometry::{Map, NearRows, Shape};
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

impl NearRows {
    /// The launch of one of several devices; empty if there are fewer blocks than devices, and none is left for it.
    ///
    /// ```
    /// use td_kernel_geometry::{NearRows, Shape};
    ///
    /// let of = |device| NearRows.launches_of(&Shape::blocks(10), device, 2);
    /// assert_eq!((of(0)[0].grid.x, of(1)[0].grid.x), (2, 1));
    /// ```
    pub fn launches_of(&self, shape: &Shape, device: u32, devices: u32) -> Vec<Launch> {
        match blocks_of(shape, device, devices) {
            0 => Vec::new(),
            x => vec![Launch { grid: Grid { x, y: 1 }, numbers: vec![device, devices] }],
        }
    }
}

impl Sealed for NearRows {
    fn about(&self) -> About {
        About {
            parameters: &["const unsigned int device", "const unsigned int devices"],
            ..About::new(
                "near_rows",
                "a warp for each row of tiles, which visits the columns on both sides that a lower bound leaves",
                "if only elements that are near each other can be nearest neighbours",
            )
        }
    }
}

impl Map for NearRows {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        self.launches_of(shape, 0, 1)
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [device, devices] = launch.numbers[..] else { return };
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        for row in rows_of(shape, u64::from(devices) * x + u64::from(device)) {
            (0..shape.columns.unwrap_or(shape.rows))
                .for_each(|col| each(Tile { row: row as u32, col }));
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.rows();
        let open = format!(
            "    // near_rows: a warp for each row of tiles, with the columns on both sides; devices take the blocks in turn.
    const unsigned int tiles = {rows}, tile_i = WARPS * (devices * blockIdx.x + device) + threadIdx.y;
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
            let mut seen = Vec::new();
            for launch in (0..2).flat_map(|device| NearRows.launches_of(&shape, device, 2)) {
                for x in 0..launch.grid.x {
                    NearRows.tiles(&shape, &launch, [x, 0], &mut |tile| seen.push(tile));
                }
            }
            seen.sort_by_key(|tile| (tile.row, tile.col));
            let all = (0..rows).flat_map(|row| (0..rows).map(move |col| Tile { row, col }));
            assert_eq!(seen, all.collect::<Vec<_>>());
        }
    }
}
