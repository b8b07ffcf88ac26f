//! Tiles of many sets: each block has a tile of one set.
//!
//! Elements with features need tiles, in which each feature that a block reads serves many pairs. So the tiles of all sets are
//! counted together. With tiles of side b, set s with m elements has T(ceil(m / b)) tiles, those on the diagonal included, and one
//! with r rows and c columns has ceil(r / b) ceil(c / b):
//!
//! ```text
//! λ = blockIdx.x      the entry λ of the table: (s, tile_i, tile_j)
//! ```
//!
//! A block reads its entry and that of its set, so it neither searches nor takes a root, and sets of all sizes have the same
//! source. The last tiles of a set have fewer pairs, so a launch chooses the side by the sizes of the sets. Within a set, strips of
//! eight rows of tiles are visited column by column, as by [`Strips`](crate::Strips): blocks that run together share elements.
//!
//! A CPU's loops visit bands instead, which have some rows and all of their columns, in parts of eight.

mod shares;

use std::collections::TryReserveError;

pub use self::shares::TiledSets;
use crate::map::{About, Sealed};
use crate::{Form, Launch, Map, NoTable, Prologue, Shape, Tile, triangle};

/// The rows of tiles in a strip.
const STRIP: u32 = 8;

/// The rows of a band of a CPU's loops, at most.
pub const BAND_ROWS: u32 = 64;

/// The bands of a part of a CPU's loops, at most.
pub const BANDS_OF_PART: u32 = 8;

/// Tiles of many sets.
///
/// ```
/// use td_kernel_geometry::{Map, SetTiles, Shape};
///
/// // A set of three rows of tiles.
/// let launch = &SetTiles.launches(&Shape::blocks(3))[0];
/// assert_eq!(launch.grid.x, 6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetTiles;

/// The sets that have pairs, and their tiles.
///
/// ```
/// use td_kernel_geometry::sets::tiles::TiledSets;
/// use td_kernel_geometry::{SetTileTable, Tile};
///
/// // Sets of 3, 1 and 5 elements, in tiles of 4.
/// let table = SetTileTable::new(&TiledSets::new(&[0, 3, 4, 9], None), 4)?;
/// let mut tiles = Vec::new();
/// (0..4).for_each(|x| table.visit(x, &mut |set, tile| tiles.push((set, tile.row, tile.col))));
/// assert_eq!(tiles, [(0, 0, 0), (2, 0, 0), (2, 1, 0), (2, 1, 1)]);
/// # Ok::<(), td_kernel_geometry::NoTable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetTileTable {
    /// For each set with pairs the low and the high half of the number of pairs before it, its first row and the number of its
    /// rows; then its first column, the number of its columns, its index among all sets, and zero. The last entry has no rows. Pairs
    /// are counted from the first one of the share, so a set that begins before it has their number modulo 2^64.
    pub sets: Vec<[[u32; 4]; 2]>,
    /// For each tile the index in `sets` of its set, its row and its column; then zero.
    pub tiles: Vec<[u32; 4]>,
}

impl SetTileTable {
    /// The table of the tiles of side `side` of these sets.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(sets: &TiledSets<'_>, side: u32) -> Result<SetTileTable, NoTable> {
        let mut table = SetTileTable::with_room(sets, sets.tile_count(side))?;
        for (at, set) in (0..).zip(sets.each()) {
            let (rows, columns) = set.tiles(side);
            for strip in rows.clone().step_by(STRIP as usize) {
                let end = rows.end.min(strip.saturating_add(STRIP));
                for col in 0..columns.unwrap_or(end) {
                    let first = if columns.is_some() { strip } else { strip.max(col) };
                    table.tiles.extend((first..end).map(|row| [at, row, col, 0]));
                }
            }
        }
        Ok(table)
    }

    /// The table of bands of [`BAND_ROWS`] rows, in parts of [`BANDS_OF_PART`]. A part has several small sets or some rows of another
    /// one, so it may end with bands without rows.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn bands(sets: &TiledSets<'_>) -> Result<SetTileTable, NoTable> {
        let count = sets.band_count();
        let mut table = SetTileTable::with_room(sets, count)?;
        let none = [table.sets.len() as u32 - 1, 0, 0, 0];
        for (at, set) in (0..).zip(sets.each()) {
            for (first, bands) in set.parts(table.tiles.len() as u64) {
                table.tiles.resize(first as usize, none);
                table.tiles.extend(bands.map(|row| [at, row, 0, 0]));
            }
        }
        table.tiles.resize(count as usize, none);
        Ok(table)
    }

    /// The sets, and room for this many tiles.
    fn with_room(sets: &TiledSets<'_>, tiles: u64) -> Result<SetTileTable, NoTable> {
        let tiles = usize::try_from(tiles).unwrap_or(usize::MAX);
        let bytes = tiles.saturating_mul(size_of::<[u32; 4]>());
        let memory = |_: TryReserveError| NoTable::Memory { bytes };
        let mut table = SetTileTable { sets: Vec::new(), tiles: Vec::new() };
        table.sets.try_reserve_exact(sets.each().count() + 1).map_err(memory)?;
        table.tiles.try_reserve_exact(tiles).map_err(memory)?;
        let base = sets.pairs().start;
        let halves = |pair: u64| {
            let pair = pair.wrapping_sub(base);
            [pair as u32, (pair >> 32) as u32]
        };
        table.sets.extend(sets.each().map(|set| {
            let [low, high] = halves(set.start);
            [[low, high, set.row, set.rows], [set.column, set.columns, set.index, 0]]
        }));
        let [low, high] = halves(sets.pairs().end);
        table.sets.push([[low, high, 0, 0], [0; 4]]);
        Ok(table)
    }

    /// Calls `each` with the set and the tile of the block at x: the reference implementation of the kernel's source.
    pub fn visit(&self, x: u64, each: &mut dyn FnMut(u32, Tile)) {
        let tile = usize::try_from(x).ok().and_then(|x| self.tiles.get(x));
        if let Some(&[at, row, col, _]) = tile {
            let [_, [_, _, set, _]] = self.sets[at as usize];
            each(set, Tile { row, col });
        }
    }
}

impl Sealed for SetTiles {
    fn about(&self) -> About {
        About::new(
            "set_tiles",
            "the tiles of one set after another, from a table",
            "if the elements of many sets have features",
        )
    }
}

impl Map for SetTiles {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        Launch::line(match shape.columns {
            Some(columns) => u64::from(shape.rows) * u64::from(columns),
            None => triangle(shape.rows),
        })
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        // Tiles of two elements, so that a triangle's only tile has a pair.
        let end = |units: u32| [0, units.saturating_mul(2)];
        let columns = shape.columns.map(end);
        let rows = end(shape.rows);
        let sets = TiledSets::new(&rows, columns.as_ref().map(<[u32; 2]>::as_slice));
        let table = SetTileTable::new(&sets, 2);
        if let Ok(table) = table {
            table.visit(x, &mut |_, tile| each(tile));
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let counts = match form.domain.is_rectangle() {
            true => "const unsigned int rows = own.rows, columns = own.columns;",
            false => "const unsigned int n = own.rows;",
        };
        let open = format!(
            "    // set_tiles: a tile of one set for each block.
    const td_set_tile entry = tiles[blockIdx.x];
    const unsigned int tile_i = entry.row, tile_j = entry.col;
    // The set is kept in shared memory, because the folds need the registers.
    __shared__ td_set own;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        own = sets[entry.set];
    __syncthreads();
    {counts}
"
        );
        Prologue::straight(vec![include_str!("tile.cuh")], open)
    }
}
