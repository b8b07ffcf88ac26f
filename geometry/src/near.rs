//! Near tiles: a warp keeps a row of tiles and visits only the columns that a lower bound leaves.
//!
//! If elements that are far apart change nothing, most tiles of a triangle have no work. Elements are sorted so that those of a
//! tile are near each other, and each tile has a *box*: the least and the greatest of each coordinate. 32 tiles make a group,
//! and 32 groups a section, with boxes of their own. A warp compares the box of its row with 32 boxes at a time, one for each
//! lane: with those of the sections, then with those of the groups in near sections, then with those of the tiles in near
//! groups. So it finds its columns in a time that hardly depends on the number of tiles, and needs neither a list of tiles nor
//! memory for one.
//!
//! A block has four warps, with four rows of tiles one after another, which have most of their columns in common:
//!
//! ```text
//! row = 4 x + warp      the near columns of the groups y, y + P, y + 2 P and so on, up to the row
//! ```
//!
//! With two sets, each set is sorted, and a row has near columns in all groups. P is more than 1 for few rows, so that there are
//! enough blocks to keep all multiprocessors busy. Exact at every size: all numbers are integers. In the picture, elements are on a
//! line, and a tile is near the two before it.
//!
//! Several devices sort all elements alike, and take the blocks in turn: block x of device d of D has the rows 4 (D x + d) + warp. So
//! each device has some blocks in every region, and about as many near columns as any other.
//!
#![doc = include_str!("../pictures/near-16.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, MAX_GRID_Y, Map, Prologue, Shape, Tile};

/// The rows of tiles of a block, one for each warp.
pub(crate) const WARPS: u64 = 4;

/// The tiles of a group: a warp compares a box with this many at a time.
const GROUP: u64 = 32;

/// The minimum number of blocks per resident block. Rows differ in their numbers of near columns, so with fewer some
/// multiprocessors would be idle at the end.
const BLOCKS: u64 = 8;

/// Rows of tiles with near columns.
///
/// ```
/// use td_kernel_geometry::{Map, Near, Shape};
///
/// let shape = Shape::blocks(800).with_resident(264);
/// let launch = &Near.launches(&shape)[0];
/// assert_eq!((launch.grid.x, launch.grid.y, &launch.numbers[..]), (200, 11, &[0, 1, 11][..]));
/// // Without a lower bound, all columns are near.
/// let mut columns = Vec::new();
/// Near.tiles(&shape, launch, [10, 1], &mut |tile| columns.push((tile.row, tile.col)));
/// assert_eq!(columns[..3], [(40, 32), (40, 33), (40, 34)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Near;

impl Near {
    /// The launches of one of several devices; empty if there are fewer blocks than devices, and none is left for it.
    ///
    /// ```
    /// use td_kernel_geometry::{Near, Shape};
    ///
    /// // Three blocks, with four rows each.
    /// let of = |device| Near.launches_of(&Shape::blocks(12), device, 2);
    /// assert_eq!((of(0)[0].grid.x, of(1)[0].grid.x), (2, 1));
    /// assert!(Near.launches_of(&Shape::blocks(12), 3, 4).is_empty());
    /// ```
    pub fn launches_of(&self, shape: &Shape, device: u32, devices: u32) -> Vec<Launch> {
        let x = blocks_of(shape, device, devices);
        if x == 0 {
            return Vec::new();
        }
        let columns = shape.columns.unwrap_or(shape.rows);
        let groups = u64::from(columns).div_ceil(GROUP);
        let enough = BLOCKS * u64::from(shape.resident.max(1));
        // At most the number of groups.
        let parts = enough.div_ceil(x).clamp(1, groups.min(MAX_GRID_Y));
        vec![Launch { grid: Grid { x, y: parts }, numbers: vec![device, devices, parts as u32] }]
    }
}

/// The number of blocks of a device.
pub(crate) fn blocks_of(shape: &Shape, device: u32, devices: u32) -> u64 {
    if shape.units() == 0 {
        return 0;
    }
    let blocks = u64::from(shape.rows).div_ceil(WARPS);
    blocks.saturating_sub(device.into()).div_ceil(devices.max(1).into())
}

/// The rows of tiles of a block, counted on all devices.
pub(crate) fn rows_of(shape: &Shape, block: u64) -> std::ops::Range<u64> {
    let end = u64::from(shape.rows);
    (WARPS * block).min(end)..(WARPS * (block + 1)).min(end)
}

impl Sealed for Near {
    fn about(&self) -> About {
        About {
            parameters: &[
                "const unsigned int device",
                "const unsigned int devices",
                "const unsigned int parts",
            ],
            ..About::new(
                "near",
                "a warp for each row of tiles, which visits the columns that a lower bound leaves",
                "if only elements that are near each other change a result",
            )
        }
    }
}

impl Map for Near {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        self.launches_of(shape, 0, 1)
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [device, devices, parts] = launch.numbers[..] else { return };
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        for row in rows_of(shape, u64::from(devices) * x + u64::from(device)) {
            let end = shape.columns.map_or(row + 1, u64::from);
            let columns = (0..end).filter(|col| col / GROUP % u64::from(parts) == y);
            columns.for_each(|col| each(Tile { row: row as u32, col: col as u32 }));
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.rows();
        let open = format!(
            "    // near: a warp for each row of tiles; devices take the blocks in turn.
    // Its columns are in the groups blockIdx.y, blockIdx.y + parts and so on.
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
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_tile_is_visited_once() {
        for rows in [1, 2, 4, 5, 31, 32, 33, 100, 1025] {
            for (resident, devices) in [(1, 1), (2, 2), (16, 3), (1000, 7)] {
                let shape = Shape::blocks(rows).with_resident(resident);
                let launches = (0..devices).flat_map(|at| Near.launches_of(&shape, at, devices));
                let mut seen = HashSet::new();
                for launch in launches {
                    let Grid { x, y } = launch.grid;
                    for unit in (0..x).flat_map(|x| (0..y).map(move |y| [x, y])) {
                        Near.tiles(&shape, &launch, unit, &mut |tile| {
                            assert!(tile.row < rows && tile.col <= tile.row, "{tile:?}");
                            assert!(seen.insert((tile.row, tile.col)), "{tile:?} twice");
                        });
                    }
                }
                assert_eq!(seen.len() as u64, shape.units(), "{rows} {devices}");
            }
        }
    }
}
