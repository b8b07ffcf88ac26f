//! The sizes of a triangle or a rectangle, and of the launches that cover it.

use crate::{Root, triangle};

/// The unit of a map.
///
/// ```
/// use td_kernel_geometry::{MAPS, Space};
///
/// let units = |thread| if thread { Space::Thread } else { Space::Block };
/// let both = MAPS.iter().filter(|map| units(map.has_thread_space()) == Space::Thread);
/// assert_eq!(both.count(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Space {
    /// Blocks of threads: each block computes its tile, which its threads share.
    Block,
    /// Threads: each thread finds its own pair.
    Thread,
}

/// A triangle to launch, or some of its rows: the units (row, col) with first <= row < rows and col <= row. Or a rectangle, for
/// the map [`Full`](crate::Full): the units with col < columns.
///
/// ```
/// use td_kernel_geometry::Shape;
///
/// assert_eq!(Shape::blocks(4).units(), 10);
/// assert_eq!(Shape::blocks(4).with_first(2).units(), 7);
/// assert_eq!(Shape::blocks(4).with_columns(5).units(), 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shape {
    /// The first row, in units: 0 for the whole triangle. A map without [ranges of rows](crate::Map::has_row_ranges)
    /// ignores this and launches the whole triangle.
    pub first: u32,
    /// The rows of the triangle or rectangle, in units: the end of the range.
    pub rows: u32,
    /// The columns of a rectangle, in units; `None` for a triangle.
    pub columns: Option<u32>,
    /// The root inside the map.
    pub root: Root,
    /// Whether the grid is one-dimensional, if a map has two grids.
    pub linear: bool,
    /// The number of blocks that the device runs at the same time, for maps that need it.
    pub resident: u32,
}

impl Shape {
    /// A triangle of blocks, or of threads in thread space, with an exact root, on a device that runs 1024 blocks at a time.
    pub fn blocks(rows: u32) -> Shape {
        Shape { first: 0, rows, columns: None, root: Root::Exact, linear: false, resident: 1024 }
    }

    /// This shape with another first row.
    #[must_use]
    pub fn with_first(self, first: u32) -> Shape {
        Shape { first, ..self }
    }

    /// This shape with another number of rows.
    #[must_use]
    pub fn with_rows(self, rows: u32) -> Shape {
        Shape { rows, ..self }
    }

    /// The rectangle with this shape's rows and this many columns.
    #[must_use]
    pub fn with_columns(self, columns: u32) -> Shape {
        Shape { columns: Some(columns), ..self }
    }

    /// This shape with another root.
    #[must_use]
    pub fn with_root(self, root: Root) -> Shape {
        Shape { root, ..self }
    }

    /// This shape with or without the one-dimensional grid.
    #[must_use]
    pub fn with_linear(self, linear: bool) -> Shape {
        Shape { linear, ..self }
    }

    /// This shape on a device that runs `resident` blocks at a time.
    #[must_use]
    pub fn with_resident(self, resident: u32) -> Shape {
        Shape { resident, ..self }
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        match self.columns {
            None => triangle(self.rows).saturating_sub(triangle(self.first)),
            Some(columns) => u64::from(self.rows.saturating_sub(self.first)) * u64::from(columns),
        }
    }
}

/// The position of a unit; in a triangle `row >= col`.
///
/// ```
/// use td_kernel_geometry::{Bb, Map, Shape, Tile};
///
/// let (shape, mut tiles) = (Shape::blocks(4), Vec::new());
/// Bb.tiles(&shape, &Bb.launches(&shape)[0], [1, 3], &mut |tile| tiles.push(tile));
/// assert_eq!(tiles, [Tile::new(3, 1)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Tile {
    /// The row.
    pub row: u32,
    /// The column.
    pub col: u32,
}

impl Tile {
    /// The unit at this row and column.
    pub const fn new(row: u32, col: u32) -> Tile {
        Tile { row, col }
    }
}

/// The units of one launch.
///
/// ```
/// use td_kernel_geometry::{Grid, Space};
///
/// let grid = Grid::new(100, 3);
/// assert_eq!(grid.units(), 300);
/// assert_eq!(grid.blocks(Space::Thread, 16), Some([7, 1]));
/// assert_eq!(grid.blocks(Space::Block, 16), Some([100, 3]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grid {
    /// Units along x.
    pub x: u64,
    /// Units along y.
    pub y: u64,
}

/// The longest grid along x, in blocks, that every CUDA device supports.
pub const MAX_GRID_X: u64 = (1 << 31) - 1;

/// The longest grid along y, in blocks, that every CUDA device supports.
pub const MAX_GRID_Y: u64 = 65_535;

impl Grid {
    /// A grid of `x` by `y` units.
    pub const fn new(x: u64, y: u64) -> Grid {
        Grid { x, y }
    }

    /// A one-dimensional grid.
    pub(crate) fn line(x: u64) -> Grid {
        Grid { x, y: 1 }
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.x.saturating_mul(self.y)
    }

    /// The blocks of `side` x `side` threads that hold the units; `None` if a device does not support that many blocks, or if
    /// `side` is 0. A line of threads fills its blocks row by row.
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
///
/// ```
/// use td_kernel_geometry::{Grid, H, Map, Shape};
///
/// let launches = H.launches(&Shape::blocks(12)); // 8 rows, then 4
/// assert_eq!(launches.len(), 2);
/// assert_eq!(launches[1].grid, Grid::new(2, 5));
/// assert_eq!(launches[1].numbers.len(), H.parameters().len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

    /// The launch of a line of units, without parameters; none without units.
    pub(crate) fn line(units: u64) -> Vec<Launch> {
        if units == 0 { Vec::new() } else { vec![Launch::of(Grid::line(units))] }
    }
}
