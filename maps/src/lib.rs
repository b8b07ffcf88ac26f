//! Maps from a GPU grid onto a triangular domain.
//!
//! Work over all pairs `(row, col)`, `row >= col`, of `rows` things fills the lower triangle of a
//! square. A launch over the square wastes nearly half of its blocks. A [`Map`] launches (little
//! more than) the triangle, and turns a block's place in the grid into its place in the triangle.
//!
//! The things are *blocks* of threads (block space), or single *threads* (thread space, as some of
//! the papers have it). Either way the diagonal belongs to the triangle: a diagonal block holds
//! pairs of different elements; and the pairs i > j of n single elements are the triangle of n - 1
//! rows with its diagonal, one row further down.
//!
//! Each map is one file with its derivation and source, its launch geometry, the CUDA text that
//! opens a kernel, and a reference implementation of that text which the tests check against brute force.
//! [`MAPS`] is the registry: whatever must hold for every map loops over it.
//!
//! # Which one?
//!
//! | map | grid | launches | surplus blocks | most rows | choose it |
//! | --- | --- | --- | --- | --- | --- |
//! | [`Ltm`] | nearly square, or a line | 1 | fewer than √T, or 0 | 16,777,087 | nearly always: with the root `exact` it is right at every size |
//! | [`Rb`] | a rectangle | 1 | 0 | 65,535 | where the cheapest arithmetic counts: no root at all |
//! | [`Walk`] | what stays resident | 1 | 0 | any | when a pair is so little work that starting blocks is the cost |
//! | [`H`] | rectangles | one per set bit of rows | 0 | 49,151 | when rows is a power of two, or nearly |
//! | [`Rec`] | squares, and small triangles | about log₂ (rows / 8) + 1 | some, for padding and on the diagonal | 61,440 | to compare with |
//! | [`Utm`] | a line | 1 | 0 | 65,535 | to compare with |
//! | [`Table`] | a line | 1 | 0 | 65,535 | to compare with: it costs 4 bytes of memory a block |
//! | [`Bb`] | the whole square | 1 | rows (rows - 1) / 2 | 65,535 | as the baseline |
//!
//! Each map's module has its derivation, its source and a picture of its launch.
//!
//! T is the number of blocks, rows (rows + 1) / 2. A block covers 8 to 256 elements in each
//! direction; a thread one.
//!
//! ```
//! use td_kernel_maps::{Ltm, Map, Shape, Tile};
//!
//! let shape = Shape::blocks(4); // ten blocks
//! let launches = Ltm.launches(&shape);
//! assert_eq!((launches[0].grid.x, launches[0].grid.y), (4, 3));
//! let mut tiles = Vec::new();
//! Ltm.tiles(&shape, &launches[0], [1, 1], &mut |tile| tiles.push(tile));
//! assert_eq!(tiles, [Tile { row: 2, col: 2 }]);
//! ```
//!
//! Some maps also launch a range of the triangle's rows ([`Map::has_row_ranges`]): [`Shape::first`] is its first one, and
//! the text is that for [`Domain::Rows`].
//!
//! Sources: C. A. Navarro and N. Hitschfeld, "GPU maps for the space of computation in triangular
//! domain problems", 2014, for all that they compare; [`H`] and [`Walk`] name their own.

use std::fmt;

pub mod bb;
mod domain;
pub mod h;
pub mod ltm;
pub mod rb;
pub mod rec;
pub mod root;
mod shape;
pub mod sweep;
pub mod table;
mod triangle;
pub mod utm;
pub mod walk;

pub use bb::Bb;
pub use domain::Domain;
pub use h::H;
pub use ltm::Ltm;
pub use rb::Rb;
pub use rec::Rec;
pub use root::{DEFAULT_EPSILON, Root, WIDE};
pub use shape::{Grid, Launch, MAX_GRID_X, MAX_GRID_Y, Shape, Space, Tile};
pub use sweep::{Kept, SWEEPS, Sweep, Tiling};
pub use table::Table;
pub use triangle::triangle;
pub use utm::Utm;
pub use walk::Walk;

/// Every map, in the order in which messages and documents list them.
pub const MAPS: &[&dyn Map] = &[&Bb, &Ltm, &Utm, &Rb, &Rec, &H, &Walk, &Table];

/// The map of this name, if there is one.
pub fn map(name: &str) -> Option<&'static dyn Map> {
    MAPS.iter().copied().find(|map| map.name() == name)
}

/// One way to launch a triangle.
///
/// A map knows nothing of pairs, of a kernel's parameters or of devices. It works in *units*: blocks
/// in block space, threads in thread space.
pub trait Map: Sync {
    /// The word in the attribute: `map = "ltm"`.
    fn name(&self) -> &'static str;

    /// What the map does, as a phrase that fits after its name.
    fn summary(&self) -> &'static str;

    /// Whether the map takes a square root, and so has the keys `sqrt` and `epsilon`.
    fn takes_root(&self) -> bool {
        false
    }

    /// Whether the map also works in thread space, and so has the key `space`.
    fn has_thread_space(&self) -> bool {
        false
    }

    /// Whether the map has two grids in block space, and so the key `grid`.
    fn has_linear_grid(&self) -> bool {
        false
    }

    /// Whether the map also launches a range of the triangle's rows, in block space and with either grid:
    /// [`Shape::first`] and [`Domain::Rows`]. Of a map that does not, they change nothing.
    fn has_row_ranges(&self) -> bool {
        false
    }

    /// The kernel parameters that differ from launch to launch, as C++ declares them.
    fn parameters(&self) -> &'static [&'static str] {
        &[]
    }

    /// The launches that cover the shape; none where it has no units.
    fn launches(&self, shape: &Shape) -> Vec<Launch>;

    /// Gives `each` the tiles of the unit at (x, y) of the launch's grid: one, none if it is a surplus
    /// unit, several if it walks. The reference implementation of [`prologue`](Map::prologue).
    fn tiles(&self, shape: &Shape, launch: &Launch, unit: [u64; 2], each: &mut dyn FnMut(Tile));

    /// The CUDA text of [`tiles`](Map::tiles).
    fn prologue(&self, form: &Form) -> Prologue;

    /// Whether the map has the parameter `table`.
    fn has_table(&self) -> bool {
        false
    }

    /// What the parameter `table` points to, for a map that has one.
    ///
    /// # Errors
    ///
    /// The map has none, or none for so many rows, or there is no memory for it.
    fn table(&self, _rows: u32) -> Result<Vec<u32>, NoTable> {
        Err(NoTable::NotThisMap)
    }
}

/// Why there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoTable {
    /// The map has none.
    NotThisMap,
    /// Its entries hold no more rows.
    TooManyRows {
        /// The most that they hold.
        most: u32,
    },
    /// There is not so much memory.
    Memory {
        /// The bytes of the table.
        bytes: usize,
    },
}

impl fmt::Display for NoTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTable::NotThisMap => f.write_str("the map has no table"),
            NoTable::TooManyRows { most } => write!(f, "the table has {most} rows at most"),
            NoTable::Memory { bytes } => write!(f, "no memory for a table of {bytes} bytes"),
        }
    }
}

impl std::error::Error for NoTable {}

/// What a prologue is written for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// What the kernel visits.
    pub domain: Domain,
    /// The root inside the map.
    pub root: Root,
    /// What the units are.
    pub space: Space,
    /// Whether the grid is the one-dimensional one, where a map has two.
    pub linear: bool,
    /// Whether the pairs (i, i) belong to the work.
    pub diagonal: bool,
    /// Elements per side of what a block covers.
    pub side: u32,
}

impl Form {
    /// The expression for the rows of the triangle, in units: the end of the domain's.
    pub fn rows(&self) -> String {
        match (self.space, self.diagonal) {
            (Space::Block, _) => {
                format!("({} + {}) / {}", self.domain.end(), self.side - 1, self.side)
            }
            (Space::Thread, true) => "n".to_owned(),
            (Space::Thread, false) => "n - 1".to_owned(),
        }
    }

    /// The expression for the domain's first row, in units; `None` where it is 0, and in thread space, which has
    /// whole triangles only.
    pub fn first(&self) -> Option<String> {
        match self.space {
            Space::Block => self.domain.first().map(|first| format!("{first} / {}", self.side)),
            Space::Thread => None,
        }
    }

    /// For a map that counts blocks along the rows, of a range of them: the declaration of `tile_begin`, the first row
    /// of tiles, and how many blocks come before it.
    fn skipped(&self, cast: &str) -> Option<[String; 2]> {
        let first = self.first()?;
        let begin = format!("    const unsigned int tile_begin = {first};\n");
        Some([begin, format!("{cast}tile_begin * (tile_begin + 1) / 2")])
    }

    /// The expression for a thread's index, in thread space, along a one-dimensional grid.
    fn thread(&self) -> String {
        let Form { side, .. } = self;
        let index = self.root.index();
        format!("({index})blockIdx.x * {} + threadIdx.y * {side} + threadIdx.x", side * side)
    }
}

/// The slots of a total: a block adds to one of them, by its place in the grid, and they are added up when the
/// total is read. Thousands of blocks that add to a single address would wait for each other.
pub const SLOTS: u32 = 64;

/// The text with which a map opens a kernel.
///
/// It defines `row` and `col` of the unit. In block space it returns from surplus blocks, all of a
/// block's threads together. In thread space surplus threads get a row past the last one instead,
/// because barriers may follow that need them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prologue {
    /// Device functions that the text calls, each complete in itself.
    pub helpers: Vec<&'static str>,
    /// The statements. They read `n`, the parameters of the domain and the map's own, and nothing else.
    pub open: String,
    /// For a map that walks: the loop that `open` begins.
    pub walk: Option<Walking>,
}

/// The loop of a map that walks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walking {
    /// The end of the loop.
    pub close: &'static str,
    /// The condition that `row` is another one than the time before, as C++. A block walks along a row, whose
    /// elements it has already.
    pub is_new_row: &'static str,
}

impl Prologue {
    /// A text without a loop.
    fn straight(helpers: Vec<&'static str>, open: String) -> Prologue {
        Prologue { helpers, open, walk: None }
    }
}

/// The most rows that `map` has launches for on every CUDA device, in blocks of `side` x `side`
/// threads, from the shape's first row on; with float roots their own end comes before.
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
