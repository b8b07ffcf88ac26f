//! Maps from a GPU grid onto a triangular domain.
//!
//! Work over all pairs `(row, col)`, `row >= col`, of `rows` elements fills the lower triangle of a
//! square. A launch over the square wastes nearly half of its blocks. A [`Map`] launches (little
//! more than) the triangle, and turns a block's place in the grid into its place in the triangle.
//!
//! The elements here are *blocks* of threads, so the diagonal always belongs to the triangle: a
//! diagonal block holds pairs of different elements even where no element is paired with itself.
//!
//! Each map is one file with its derivation and source, its launch geometry, the CUDA text that
//! opens a kernel, and a Rust twin of that text which the tests check against brute force.
//! [`MAPS`] is the registry: whatever must hold for every map loops over it.
//!
//! | map | grid | root | spare blocks | choose it |
//! | --- | --- | --- | --- | --- |
//! | [`Ltm`] | nearly square | one a block | fewer than 2 √T | nearly always |
//! | [`Bb`] | the whole square | none | rows (rows - 1) / 2 | as the baseline to compare with |
//!
//! ```
//! use td_kernel_maps::{Ltm, Map, Root, Tile};
//!
//! let grids = Ltm.grids(4); // ten blocks
//! assert_eq!((grids[0].x, grids[0].y), (4, 3));
//! assert_eq!(Ltm.tile([1, 1], grids[0], 4, Root::Exact), Some(Tile { row: 2, col: 2 }));
//! ```
//!
//! Source: C. A. Navarro and N. Hitschfeld, "GPU maps for the space of computation in triangular
//! domain problems", 2014.

mod bb;
mod ltm;
mod root;

pub use bb::Bb;
pub use ltm::Ltm;
pub use root::{DEFAULT_EPSILON, Root};

/// Every map, in the order in which messages and documents list them.
pub const MAPS: &[&dyn Map] = &[&Bb, &Ltm];

/// The map of this name, if there is one.
pub fn map(name: &str) -> Option<&'static dyn Map> {
    MAPS.iter().copied().find(|map| map.name() == name)
}

/// The blocks of one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Blocks along x.
    pub x: u32,
    /// Blocks along y.
    pub y: u32,
}

/// A block's place in the triangle, counted in blocks: `row >= col`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// The block's row.
    pub row: u32,
    /// The block's column.
    pub col: u32,
}

/// The text with which a map opens a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prologue {
    /// Device functions that the text calls, each complete in itself.
    pub helpers: Vec<&'static str>,
    /// Statements that define `row` and `col`, and return from blocks outside the triangle.
    /// They read the kernel's parameter `n` and nothing else of the kernel.
    pub text: String,
}

/// One way to launch a triangle of blocks.
///
/// A map knows nothing of threads, pairs, parameters or devices.
pub trait Map: Sync {
    /// The word in the attribute: `map = "ltm"`.
    fn name(&self) -> &'static str;

    /// What the map does, as a phrase that fits after its name.
    fn summary(&self) -> &'static str;

    /// Whether the map takes a square root, and so has the keys `sqrt` and `epsilon`.
    fn takes_root(&self) -> bool;

    /// The most block rows for which the map's integers and grids are right on every GPU.
    /// A float root may end before: see [`Root::first_failure`].
    fn largest(&self) -> u32;

    /// The launches that cover a triangle of `rows` block rows; none for 0 rows.
    fn grids(&self, rows: u32) -> Vec<Grid>;

    /// Where the block at (x, y) of `grid` lies in a triangle of `rows` block rows; `None` if it
    /// is a spare one. The twin of [`prologue`](Map::prologue).
    fn tile(&self, block: [u32; 2], grid: Grid, rows: u32, root: Root) -> Option<Tile>;

    /// The CUDA text of [`tile`](Map::tile), for blocks that cover `side` elements in each
    /// direction. Maps without a root ignore `root`.
    fn prologue(&self, root: Root, side: u32) -> Prologue;
}

/// The number of blocks in a triangle of `rows` rows, with its diagonal: `rows (rows + 1) / 2`.
pub const fn triangle(rows: u32) -> u64 {
    rows as u64 * (rows as u64 + 1) / 2
}

/// The longest grid along y that every CUDA device takes.
pub const MAX_GRID_Y: u32 = 65_535;
