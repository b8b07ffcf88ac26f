//! The trait that all maps implement.

use std::fmt;

use crate::{Form, Launch, Prologue, Shape, Space, Tile};

/// The facts about a map that do not depend on a shape. [`Map`]'s methods of the same names explain them.
pub struct About {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) advice: &'static str,
    pub(crate) takes_root: bool,
    pub(crate) has_thread_space: bool,
    pub(crate) has_linear_grid: bool,
    pub(crate) has_row_ranges: bool,
    pub(crate) parameters: &'static [&'static str],
}

impl About {
    /// Those of a map with none of the abilities.
    pub(crate) const fn new(
        name: &'static str,
        summary: &'static str,
        advice: &'static str,
    ) -> Self {
        About {
            name,
            summary,
            advice,
            takes_root: false,
            has_thread_space: false,
            has_linear_grid: false,
            has_row_ranges: false,
            parameters: &[],
        }
    }
}

/// Implemented only in this crate.
pub trait Sealed {
    /// The facts about the map.
    fn about(&self) -> About;
}

/// One way to launch a triangle, or a rectangle ([`Full`](crate::Full), [`Rounds`](crate::Rounds)).
///
/// A map does not depend on pairs, a kernel's parameters or devices. It works in *units*: blocks in block space, threads in
/// thread space.
///
/// The maps are those in [`MAPS`](crate::MAPS), [`RECTANGLE`](crate::RECTANGLE) and [`NEAREST`](crate::NEAREST). No other crate
/// can implement this trait, so later versions can add methods.
///
/// ```
/// use td_kernel_geometry::{MAPS, Shape};
///
/// let shape = Shape::blocks(100);
/// let surplus = |name: &str| {
///     let launches = td_kernel_geometry::map(name)?.launches(&shape);
///     Some(launches.iter().map(|launch| launch.grid.units()).sum::<u64>() - shape.units())
/// };
/// assert_eq!(MAPS.len(), 9);
/// assert_eq!((surplus("bb"), surplus("rb")), (Some(4950), Some(0)));
/// ```
pub trait Map: Sealed + Sync {
    /// The word in the attribute: `map = "ltm"`.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// A phrase that fits after its name: what the map does.
    fn summary(&self) -> &'static str {
        self.about().summary
    }

    /// A phrase: when to choose the map.
    fn advice(&self) -> &'static str {
        self.about().advice
    }

    /// Whether the map takes a square root, and so has the keys `sqrt` and `epsilon`.
    fn takes_root(&self) -> bool {
        self.about().takes_root
    }

    /// Whether the map also works in thread space, and so has the key `space`.
    fn has_thread_space(&self) -> bool {
        self.about().has_thread_space
    }

    /// Whether the map has two grids in block space, and so the key `grid`.
    fn has_linear_grid(&self) -> bool {
        self.about().has_linear_grid
    }

    /// Whether the map can also launch a range of the rows, in block space and with either grid: [`Shape::first`] and
    /// [`Domain::Rows`](crate::Domain::Rows). Other maps ignore both.
    fn has_row_ranges(&self) -> bool {
        self.about().has_row_ranges
    }

    /// The kernel parameters that differ from launch to launch, as C++ declarations.
    fn parameters(&self) -> &'static [&'static str] {
        self.about().parameters
    }

    /// The launches that cover the shape; empty if it has no units.
    fn launches(&self, shape: &Shape) -> Vec<Launch>;

    /// Calls `each` with the tiles of the unit at (x, y) of the launch's grid: one tile, none for a surplus unit, several if
    /// the map walks. This is the reference implementation of [`prologue`](Map::prologue).
    fn tiles(&self, shape: &Shape, launch: &Launch, unit: [u64; 2], each: &mut dyn FnMut(Tile));

    /// The CUDA source that does the same as [`tiles`](Map::tiles).
    fn prologue(&self, form: &Form) -> Prologue;

    /// Whether the map has the parameter `table`.
    fn has_table(&self) -> bool {
        false
    }

    /// The contents of the parameter `table`, for a map that has it.
    ///
    /// # Errors
    ///
    /// The map has no table, the table cannot hold that many rows, or there is not enough memory for it.
    fn table(&self, _rows: u32) -> Result<Vec<u32>, NoTable> {
        Err(NoTable::NotThisMap)
    }
}

/// Why there is no table.
///
/// ```
/// use td_kernel_geometry::{Ltm, Map, NoTable, Table};
///
/// assert_eq!(Ltm.table(8), Err(NoTable::NotThisMap));
/// assert_eq!(Table.table(65_537).unwrap_err().to_string(), "the table can have at most 65536 rows");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoTable {
    /// The map has no table.
    NotThisMap,
    /// The entries of the table cannot hold this many rows.
    TooManyRows {
        /// The maximum number of rows.
        most: u32,
    },
    /// The share is not one of the table's sets.
    NotThisShare,
    /// There is not enough memory.
    Memory {
        /// The size of the table in bytes.
        bytes: usize,
    },
}

impl fmt::Display for NoTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTable::NotThisMap => f.write_str("the map does not use a table"),
            NoTable::TooManyRows { most } => write!(f, "the table can have at most {most} rows"),
            NoTable::NotThisShare => f.write_str("the share has runs or sets that the table lacks"),
            NoTable::Memory { bytes } => {
                write!(f, "not enough memory for a table of {bytes} bytes")
            }
        }
    }
}

impl std::error::Error for NoTable {}

/// The most rows that `map` can launch on every CUDA device, in blocks of `side` x `side` threads, from the shape's first row
/// on. A float root may fail earlier.
///
/// ```
/// use td_kernel_geometry::{Rb, Shape, Space, largest};
///
/// assert_eq!(largest(&Rb, &Shape::blocks(0), Space::Block, 16), 65_535);
/// ```
pub fn largest(map: &dyn Map, shape: &Shape, space: Space, side: u32) -> u32 {
    let fits = |rows: u32| {
        let launches = map.launches(&Shape { rows, ..*shape });
        launches.iter().all(|launch| launch.grid.blocks(space, side).is_some())
    };
    let (mut fitting, mut past) = (0, u32::MAX);
    while past - fitting > 1 {
        let middle = fitting + (past - fitting) / 2;
        if fits(middle) { fitting = middle } else { past = middle }
    }
    fitting
}
