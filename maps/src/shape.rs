//! The sizes of a triangle and of the launches that cover it.

use crate::{Root, triangle};

/// What a map's units are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Blocks of threads: each block finds its place, and its threads follow.
    Block,
    /// Threads: each thread finds its own pair.
    Thread,
}

/// A triangle to launch, or some of its rows: the units (row, col) with first <= row < rows and col <= row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The first row, in units: 0 for the whole triangle. A map without
    /// [ranges of rows](crate::Map::has_row_ranges) launches the whole triangle whatever this is.
    pub first: u32,
    /// The rows of the triangle, in units: the end of the range.
    pub rows: u32,
    /// The root inside the map.
    pub root: Root,
    /// Whether the grid is the one-dimensional one, where a map has two.
    pub linear: bool,
    /// How many blocks the device runs at the same time, for a map that asks.
    pub resident: u32,
}

impl Shape {
    /// A triangle of blocks, with an exact root, on a device that runs 1024 blocks at a time.
    pub fn blocks(rows: u32) -> Shape {
        Shape { first: 0, rows, root: Root::Exact, linear: false, resident: 1024 }
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        triangle(self.rows).saturating_sub(triangle(self.first))
    }
}

/// A unit's place in the triangle: `row >= col`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// The row.
    pub row: u32,
    /// The column.
    pub col: u32,
}

/// The units of one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Units along x.
    pub x: u64,
    /// Units along y.
    pub y: u64,
}

/// The longest grid along x, in blocks, that every CUDA device takes.
pub const MAX_GRID_X: u64 = (1 << 31) - 1;

/// The longest grid along y, in blocks, that every CUDA device takes.
pub const MAX_GRID_Y: u64 = 65_535;

impl Grid {
    /// A one-dimensional grid.
    pub(crate) fn line(x: u64) -> Grid {
        Grid { x, y: 1 }
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.x.saturating_mul(self.y)
    }

    /// The blocks of `side` x `side` threads that hold the units; `None` where a device does not
    /// take as many, or blocks have no threads. A line of threads fills its blocks row by row.
    pub fn blocks(&self, space: Space, side: u32) -> Option<[u32; 2]> {
        if side == 0 {
            return None;
        }
        let side = u64::from(side);
        let [x, y] = match space {
            Space::Block => [self.x, self.y],
            Space::Thread if self.y == 1 => [self.x.div_ceil(side * side), 1],
            Space::Thread => [self.x.div_ceil(side), self.y.div_ceil(side)],
        };
        (x <= MAX_GRID_X && y <= MAX_GRID_Y).then_some([x as u32, y as u32])
    }
}

/// One launch of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Its units.
    pub grid: Grid,
    /// The values of the map's parameters that are numbers, in order.
    pub numbers: Vec<u32>,
}

impl Launch {
    /// A launch without parameters.
    pub(crate) fn of(grid: Grid) -> Launch {
        Launch { grid, numbers: Vec::new() }
    }
}
