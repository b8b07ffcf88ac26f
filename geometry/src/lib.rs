//! Maps from a GPU grid onto a triangular domain.
//!
//! Work over all pairs `(row, col)`, `row >= col`, of `rows` units fills the lower triangle of a square. A launch over the
//! square wastes nearly half of its blocks. A [`Map`] launches little more than the triangle, and computes a block's position
//! in the triangle from its position in the grid.
//!
//! A unit is a *block* of threads (block space), or a single *thread* (thread space, as in some of the papers). Either way the
//! diagonal belongs to the triangle. In block space a diagonal block holds pairs of different elements. In thread space the
//! pairs i > j of n elements are the triangle of n - 1 rows with its diagonal, one row further down.
//!
//! Each map is one file with its derivation and source, its launch geometry, the CUDA source of a kernel's prologue, and a
//! reference implementation of that source, which the tests check against brute force. [`MAPS`] is the registry: tests of every
//! map loop over it.
//!
//! # Which one?
//!
//! <!-- docs: words -->
//!
//! | `map` | what it does | choose it |
//! | --- | --- | --- |
//! | `"bb"` | the bounding box, whose blocks above the diagonal exit | as the baseline |
//! | `"ltm"` | the lower-triangular map | in most cases: with the exact root it is correct at every size |
//! | `"utm"` | the upper-triangular map, counted along columns | for comparison |
//! | `"rb"` | the rectangular box, the triangle folded into a rectangle | if the index arithmetic must be cheap: it needs no square root |
//! | `"rec"` | the recursive partition, with one launch per level | for comparison |
//! | `"h"` | the non-linear map h, with one launch for each set bit of the number of block rows | if the number of block rows is a power of two, or close to one |
//! | `"walk"` | persistent blocks, each with a run of tiles, row by row | if a pair takes so little work that starting blocks dominates the time |
//! | `"table"` | a lookup table of all blocks | for comparison: it takes 4 bytes of memory per block |
//! | `"strips"` | strips of eight rows, column by column | if a block reads much data of each element, as in folds over many features |
//!
//! <!-- end -->
//!
//! The table is for a triangle of 1,000 rows of blocks, which are 500,500, on a device that runs 1,024 blocks at a time; for
//! [`Full`], for a rectangle of 1,000 rows and columns. "Most rows" is the limit of the grid on every GPU. The last n in thread
//! space is for blocks of 16 x 16 threads.
//!
//! <!-- docs: launches -->
//!
//! | map | grid | launches | surplus blocks | most rows | root | last n in thread space | ranges of rows |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | `bb` | 1,000 x 1,000 | 1 | 499,500 (49.95 %) | 65,535 |  |  | yes |
//! | `ltm` | 708 x 707 | 1 | 56 (0.01 %) | 16,777,087 | yes | 1,048,576 | yes |
//! | `ltm`, linear grid | 500,500 x 1 | 1 | 0 | 65,535 | yes |  | yes |
//! | `utm` | 500,500 x 1 | 1 | 0 | 65,535 | yes | 1,048,576 |  |
//! | `rb` | 500 x 1,001 | 1 | 0 | 65,535 |  | 1,048,560 | yes |
//! | `rec` | 512 x 512 the largest | 7 | 31,980 (6.01 %) | 61,440 |  |  |  |
//! | `h` | 256 x 1,489 the largest | 6 | 0 | 49,151 |  |  |  |
//! | `walk` | 1,024 x 1 | 1 | 0 | any | yes |  | yes |
//! | `table` | 500,500 x 1 | 1 | 0 | 65,535 |  |  | yes |
//! | `strips` | 500,500 x 1 | 1 | 0 | 16,777,087 |  |  | yes |
//! | `full`, as many columns | 1,000 x 1,000 | 1 | 0 | any |  |  | yes |
//!
//! <!-- end -->
//!
//! Each map's module has its derivation, its source and a picture of its launch.
//!
//! A block covers 8 to 256 elements in each direction; a thread covers one.
//!
//! ```
//! use td_kernel_geometry::{Ltm, Map, Shape, Tile};
//!
//! let shape = Shape::blocks(4); // ten blocks
//! let launches = Ltm.launches(&shape);
//! assert_eq!((launches[0].grid.x, launches[0].grid.y), (4, 3));
//! let mut tiles = Vec::new();
//! Ltm.tiles(&shape, &launches[0], [1, 1], &mut |tile| tiles.push(tile));
//! assert_eq!(tiles, [Tile::new(2, 2)]);
//! ```
//!
//! Some maps can also launch a range of the triangle's rows ([`Map::has_row_ranges`]): [`Shape::first`] is the first one, and
//! the prologue is the one for [`Domain::Rows`].
//!
//! A rectangle, the pairs of two different sets, is a grid already: its map is [`Full`] or [`Strips`]. Searches for nearest
//! neighbours use rounds, by the maps [`Rounds`] and [`RoundRows`]. Lists and sums with a filter use [`Runs`],
//! those of near elements [`Near`], and nearest neighbours among near elements [`NearRows`]. Products of features on tensor cores
//! use [`Persistent`], or [`PersistentRounds`] for nearest neighbours. The pairs of a list have [`Entries`], and the pairs within
//! many small sets [`Sets`], or [`SetRows`] for nearest neighbours and states of elements and [`SetTiles`] for elements with features. States that a
//! function joins have [`RowBlocks`]. Of these, only [`Strips`] has a key.
//!
//! Sources: C. A. Navarro and N. Hitschfeld, "GPU maps for the space of computation in triangular domain problems", 2014, for
//! the maps that they compare; [`H`] and [`Walk`] have their own.

pub mod bb;
mod domain;
pub mod entries;
pub mod full;
pub mod h;
pub mod ltm;
mod map;
pub mod near;
pub mod near_rows;
mod part;
pub mod persistent;
pub mod persistent_rounds;
mod prologue;
pub mod rb;
pub mod rec;
pub mod root;
pub mod round_rows;
pub mod rounds;
pub mod row_blocks;
pub mod runs;
pub mod sets;
mod shape;
pub mod strips;
pub mod sweep;
pub mod table;
mod triangle;
pub mod utm;
pub mod walk;

pub use bb::Bb;
pub use domain::Domain;
pub use entries::{ENTRIES_OF_PART, Entries, entry_shares};
pub use full::Full;
pub use h::H;
pub use ltm::Ltm;
pub use map::{Map, NoTable, largest};
pub use near::Near;
pub use near_rows::NearRows;
pub use part::{PART_ROWS, part_rows};
pub use persistent::Persistent;
pub use persistent_rounds::PersistentRounds;
pub use prologue::{Form, Prologue, Walking};
pub use rb::Rb;
pub use rec::Rec;
pub use root::{DEFAULT_EPSILON, Root, WIDE};
pub use round_rows::RoundRows;
pub use rounds::{Rounds, Share};
pub use row_blocks::RowBlocks;
pub use runs::Runs;
pub use sets::rows::{SetRowTable, SetRows};
pub use sets::tiles::{SetTileTable, SetTiles};
pub use sets::{RectangleTable, SetTable, Sets};
pub use shape::{Grid, Launch, MAX_GRID_X, MAX_GRID_Y, Shape, Space, Tile};
pub use strips::Strips;
pub use sweep::{SWEEPS, SharedUse, Sweep, Tiling};
pub use table::Table;
pub use triangle::triangle;
pub use utm::Utm;
pub use walk::Walk;

/// Every map of triangles, in the order of messages and documents.
pub const MAPS: &[&dyn Map] = &[&Bb, &Ltm, &Utm, &Rb, &Rec, &H, &Walk, &Table, &Strips];

/// The map of rectangles. (Folds use [`Strips`], and histograms [`Walk`].)
pub const RECTANGLE: &dyn Map = &Full;

/// The map of nearest neighbours, in triangles and in rectangles.
pub const NEAREST: &dyn Map = &Rounds;

/// The maps of nearest neighbours with filtered pairs, in triangles and in rectangles.
pub const FILTERED: [&dyn Map; 2] = [&RoundRows::OF_ONE_SET, &RoundRows::OF_TWO_SETS];

/// The map of lists and sums with filtered pairs, in triangles and in rectangles.
pub const RUNS: &dyn Map = &Runs;

/// The map of pairs of near tiles.
pub const NEAR: &dyn Map = &Near;

/// The map of nearest neighbours in near tiles.
pub const NEAR_ROWS: &dyn Map = &NearRows;
/// The map of many small sets.
pub const SETS: &dyn Map = &Sets;

/// The map of nearest neighbours within many small sets.
pub const SET_ROWS: &dyn Map = &SetRows;

/// The map of elements with features of many sets.
pub const SET_TILES: &dyn Map = &SetTiles;

/// The map of states that are joined in a fixed order, in triangles and in rectangles.
pub const ROW_BLOCKS: &dyn Map = &RowBlocks;

/// The map of products on tensor cores, in triangles and in rectangles.
pub const PRODUCTS: &dyn Map = &Persistent;

/// The map of the pairs of a list.
pub const ENTRIES: &dyn Map = &Entries;
/// The map of nearest neighbours by products on tensor cores, in triangles and in rectangles.
pub const NEAREST_PRODUCTS: &dyn Map = &PersistentRounds;

/// The map of this name, if there is one, among those of triangles, rectangles and nearest neighbours.
pub fn map(name: &str) -> Option<&'static dyn Map> {
    MAPS.iter()
        .copied()
        .chain([RECTANGLE, NEAREST, RUNS, NEAR, NEAR_ROWS, ENTRIES, SETS, SET_ROWS, SET_TILES])
        .chain([ROW_BLOCKS, PRODUCTS, NEAREST_PRODUCTS])
        .chain(FILTERED)
        .find(|map| map.name() == name)
}

/// The number of slots of a total. A block adds to one of them, chosen by its index in the grid, and reading the total adds up
/// all slots. If thousands of blocks added to a single address, they would wait for each other.
pub const SLOTS: u32 = 64;
