//! The content of a picture: the order in which blocks start, and the tiles of each block.

use td_kernel_geometry::{Entries, Full, Grid, Launch, Map, Near, SetTable, Sets, Shape, Tile};

/// The blocks that a pictured device runs at the same time: few enough to distinguish their runs.
const RESIDENT: u32 = 4;

/// The launches of a map over a triangle or a rectangle.
pub(super) struct Plan<'a> {
    pub(super) map: &'a dyn Map,
    pub(super) shape: Shape,
    /// The maximum height of a grid in blocks, if less than on a GPU.
    highest: Option<u64>,
    /// The grid of each launch.
    pub(super) grids: Vec<Grid>,
    /// Every block, in the order in which the hardware starts them: along x, then along y, one launch after the other. So a
    /// block's index is its number in the picture.
    pub(super) blocks: Vec<Block>,
}

/// One block of one launch.
pub(super) struct Block {
    /// The index of its launch.
    pub(super) launch: usize,
    /// Its position in the launch's grid.
    pub(super) x: u64,
    pub(super) y: u64,
    /// Its tiles: none for a surplus block, several if it walks.
    pub(super) tiles: Vec<Tile>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(map: &'a dyn Map, rows: u32) -> Self {
        let shape = Shape::blocks(rows).with_resident(RESIDENT);
        Self::of(map, shape, None, &map.launches(&shape))
    }

    /// A rectangle on a device whose grids are at most `highest` blocks high. On a GPU this is 65,535.
    pub(super) fn rectangle([rows, columns]: [u32; 2], highest: u64) -> Plan<'static> {
        let shape = Shape::blocks(rows).with_columns(columns);
        let is_cut = u64::from(rows) > highest;
        let launches = Full.launches_up_to(&shape, highest);
        Plan::of(&Full, shape, is_cut.then_some(highest), &launches)
    }

    /// Near tiles of elements on a line: a tile is near the `distance` tiles before it.
    pub(super) fn near(rows: u32, distance: u32) -> Plan<'static> {
        let mut plan = Plan::new(&Near, rows);
        for block in &mut plan.blocks {
            block.tiles.retain(|tile| tile.row - tile.col <= distance);
        }
        plan
    }

    /// The parts of a list, in one row.
    pub(super) fn entries(parts: u32) -> Plan<'static> {
        let shape = Shape::blocks(1).with_columns(parts);
        Plan::of(&Entries, shape, None, &Entries.launches(&shape))
    }

    /// Runs of `run` pairs of sets with these numbers of elements, one set after another.
    pub(super) fn sets(sizes: &[u32], run: usize) -> Plan<'static> {
        let ends = sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        let offsets: Vec<u32> = [0].into_iter().chain(ends).collect();
        let mut pairs = Vec::new();
        if let Ok(table) = SetTable::new(&offsets, u32::MAX) {
            table.visit(0, &mut |set, pair| {
                let first = offsets[set as usize];
                pairs.push(Tile::new(first + pair.row, first + pair.col));
            });
        }
        // A warp visits every 32nd pair with each of its lanes.
        pairs.sort_unstable();
        let runs = pairs.chunks(run).enumerate();
        let block = |(x, run): (usize, &[Tile])| Block {
            launch: 0,
            x: x as u64,
            y: 0,
            tiles: run.to_vec(),
        };
        let blocks: Vec<_> = runs.map(block).collect();
        let shape = Shape::blocks(offsets.last().copied().unwrap_or_default());
        let grids = vec![Grid::new(blocks.len() as u64, 1)];
        Plan {
            map: &Sets,
            shape: shape.with_resident(blocks.len() as u32),
            highest: None,
            grids,
            blocks,
        }
    }

    fn of(map: &'a dyn Map, shape: Shape, highest: Option<u64>, launches: &[Launch]) -> Self {
        let mut blocks = Vec::new();
        for (index, launch) in launches.iter().enumerate() {
            for y in 0..launch.grid.y {
                for x in 0..launch.grid.x {
                    let mut tiles = Vec::new();
                    map.tiles(&shape, launch, [x, y], &mut |tile| tiles.push(tile));
                    blocks.push(Block { launch: index, x, y, tiles });
                }
            }
        }
        let grids = launches.iter().map(|launch| launch.grid).collect();
        Self { map, shape, highest, grids, blocks }
    }

    /// The blocks without a tile.
    pub(super) fn spare(&self) -> usize {
        self.blocks.iter().filter(|block| block.tiles.is_empty()).count()
    }

    /// Whether a block has more than one tile.
    pub(super) fn walks(&self) -> bool {
        self.blocks.iter().any(|block| block.tiles.len() > 1)
    }

    /// The columns of the square around the triangle, or of the rectangle.
    pub(super) fn columns(&self) -> u32 {
        self.shape.columns.unwrap_or(self.shape.rows)
    }

    /// Whether each block's position in the grid is its position in the square around the triangle, or in the rectangle. Then
    /// one drawing shows both.
    pub(super) fn is_square(&self) -> bool {
        let [columns, rows] = [self.columns(), self.shape.rows].map(u64::from);
        self.grids == [Grid::new(columns, rows)]
            && self.blocks.iter().all(|block| {
                let in_place =
                    |tile: &Tile| [tile.col, tile.row].map(u64::from) == [block.x, block.y];
                block.tiles.iter().all(in_place)
            })
    }

    /// One line: the map, the rows, and the number of launches and blocks.
    pub(super) fn caption(&self) -> String {
        let resident = if self.walks() {
            format!(", {} resident", count(self.shape.resident as usize, "block"))
        } else {
            String::new()
        };
        let highest =
            self.highest.map_or(String::new(), |highest| format!(", {highest} high at most"));
        // A rectangle has one launch.
        let more = match self.shape.columns {
            Some(columns) => count(columns as usize, "column"),
            None => count(self.grids.len(), "launch"),
        };
        format!(
            "{}{resident}{highest}: {}, {more}, {} started, {}",
            self.map.name(),
            count(self.shape.rows as usize, "row"),
            count(self.blocks.len(), "block"),
            count(self.spare(), "spare block"),
        )
    }
}

/// A number and a noun.
fn count(number: usize, noun: &str) -> String {
    let plural = match number {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use td_kernel_geometry::{MAPS, triangle};

    #[test]
    fn blocks_do_each_tile_once() {
        let check = |plan: &Plan, tiles: u64| {
            let mut own: Vec<Tile> =
                plan.blocks.iter().flat_map(|block| block.tiles.clone()).collect();
            own.sort();
            own.dedup();
            assert_eq!(own.len() as u64, tiles, "{}", plan.caption());
            let useful = plan.blocks.len() - plan.spare();
            assert!(plan.walks() || useful as u64 == tiles, "{}", plan.caption());
        };
        for &map in MAPS {
            for rows in [1, 2, 8, 13, 17] {
                check(&Plan::new(map, rows), triangle(rows));
            }
        }
        check(&Plan::rectangle([13, 4], 5), 52);
    }
}
