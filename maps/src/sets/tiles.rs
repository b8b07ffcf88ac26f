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
//! A CPU's loops visit bands instead, which have some rows and all of their columns.

use std::collections::TryReserveError;

use crate::map::Sealed;
use crate::{Form, Grid, Launch, Map, NoTable, Prologue, Shape, Tile, triangle};

/// The rows of tiles in a strip.
const STRIP: u32 = 8;

/// The rows of a band of a CPU's loops, at most.
pub const BAND_ROWS: u32 = 64;

/// Bands come in multiples of this number, for whole parts of a CPU.
pub const BANDS_OF_PART: u32 = 8;

/// Tiles of many sets.
///
/// ```
/// use td_kernel_maps::{Map, SetTiles, Shape};
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
/// use td_kernel_maps::{SetTileTable, Tile};
///
/// // Sets of 3, 1 and 5 elements, in tiles of 4.
/// let table = SetTileTable::new(&[0, 3, 4, 9], None, 4)?;
/// let mut tiles = Vec::new();
/// (0..4).for_each(|x| table.visit(x, &mut |set, tile| tiles.push((set, tile.row, tile.col))));
/// assert_eq!(tiles, [(0, 0, 0), (2, 0, 0), (2, 1, 0), (2, 1, 1)]);
/// # Ok::<(), td_kernel_maps::NoTable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetTileTable {
    /// For each set with pairs the low and the high half of the number of pairs before it, its first row and the number of its
    /// rows; then its first column, the number of its columns, its index among all sets, and zero. The last entry has no rows.
    pub sets: Vec<[[u32; 4]; 2]>,
    /// For each tile the index in `sets` of its set, its row and its column; then zero.
    pub tiles: Vec<[u32; 4]>,
}

impl SetTileTable {
    /// The table of tiles of side `side` of the sets whose rows and columns start at these offsets, of which the last is the end of
    /// the last set. Offsets ascend. Both have as many; others are ignored. Without columns, the pairs are those within each set.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(rows: &[u32], columns: Option<&[u32]>, side: u32) -> Result<SetTileTable, NoTable> {
        let count = tile_count(rows, columns, side);
        let mut table = SetTileTable::with_room(rows, columns, usize::try_from(count).ok())?;
        let side = side.max(1);
        for at in 0..table.sets.len() as u32 {
            let [[_, _, _, rows], [_, of_columns, ..]] = table.sets[at as usize];
            let [rows, of_columns] = [rows, of_columns].map(|all| all.div_ceil(side));
            for strip in (0..rows).step_by(STRIP as usize) {
                let end = rows.min(strip.saturating_add(STRIP));
                let width = if columns.is_some() { of_columns } else { end };
                for col in 0..width {
                    let first = if columns.is_some() { strip } else { strip.max(col) };
                    table.tiles.extend((first..end).map(|row| [at, row, col, 0]));
                }
            }
        }
        Ok(table)
    }

    /// The table of bands of [`BAND_ROWS`] rows. The last ones, up to whole parts, have no rows.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn of_bands(rows: &[u32], columns: Option<&[u32]>) -> Result<SetTileTable, NoTable> {
        let bands = |rows: u32| rows.div_ceil(BAND_ROWS);
        let of_set = |(rows, other): (u32, u32)| {
            if pairs(rows, other, columns.is_none()) > 0 { u64::from(bands(rows)) } else { 0 }
        };
        let all: u64 = sizes(rows, columns).map(of_set).sum();
        let count = usize::try_from(all).ok();
        let count = count.and_then(|all| all.checked_next_multiple_of(BANDS_OF_PART as usize));
        let mut table = SetTileTable::with_room(rows, columns, count)?;
        for (at, [[_, _, _, rows], _]) in (0..).zip(&table.sets) {
            table.tiles.extend((0..bands(*rows)).map(|row| [at, row, 0, 0]));
        }
        let end = table.sets.len() as u32 - 1;
        table.tiles.resize(count.unwrap_or_default(), [end, 0, 0, 0]);
        Ok(table)
    }

    /// The sets, and room for this many tiles.
    fn with_room(
        rows: &[u32],
        columns: Option<&[u32]>,
        tiles: Option<usize>,
    ) -> Result<SetTileTable, NoTable> {
        let is_triangle = columns.is_none();
        let own = |(rows, columns): (u32, u32)| pairs(rows, columns, is_triangle);
        let entries = sizes(rows, columns).filter(|sizes| own(*sizes) > 0).count() + 1;
        let bytes = tiles.unwrap_or(usize::MAX).saturating_mul(size_of::<[u32; 4]>());
        let memory = |_: TryReserveError| NoTable::Memory { bytes };
        let mut table = SetTileTable { sets: Vec::new(), tiles: Vec::new() };
        table.sets.try_reserve_exact(entries).map_err(memory)?;
        table.tiles.try_reserve_exact(tiles.unwrap_or(usize::MAX)).map_err(memory)?;
        let mut start = 0_u64;
        let firsts = rows.iter().zip(columns.unwrap_or(rows));
        for (set, (sizes, (row, column))) in (0..).zip(sizes(rows, columns).zip(firsts)) {
            let pairs = own(sizes);
            if pairs > 0 {
                let of_rows = [start as u32, (start >> 32) as u32, *row, sizes.0];
                table.sets.push([of_rows, [*column, sizes.1, set, 0]]);
                start = start.wrapping_add(pairs);
            }
        }
        table.sets.push([[start as u32, (start >> 32) as u32, 0, 0], [0; 4]]);
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

/// The numbers of rows and of columns of each set.
fn sizes<'a>(
    rows: &'a [u32],
    columns: Option<&'a [u32]>,
) -> impl Iterator<Item = (u32, u32)> + use<'a> {
    let size = |ends: &[u32]| ends[1].saturating_sub(ends[0]);
    rows.windows(2).map(size).zip(columns.unwrap_or(rows).windows(2).map(size))
}

/// The pairs of a set.
fn pairs(rows: u32, columns: u32, is_triangle: bool) -> u64 {
    match is_triangle {
        true => triangle(rows.saturating_sub(1)),
        false => u64::from(rows) * u64::from(columns),
    }
}

/// The number of tiles of a table.
///
/// ```
/// use td_kernel_maps::sets::tiles::tile_count;
///
/// // Sets of 3, 1 and 5 elements; and of 3 x 8, 1 x 0 and 5 x 4.
/// assert_eq!(tile_count(&[0, 3, 4, 9], None, 4), 4);
/// assert_eq!(tile_count(&[0, 3, 4, 9], Some(&[0, 8, 8, 12]), 4), 4);
/// ```
pub fn tile_count(rows: &[u32], columns: Option<&[u32]>, side: u32) -> u64 {
    let side = side.max(1);
    let is_triangle = columns.is_none();
    let tiles = |(rows, columns): (u32, u32)| match pairs(rows, columns, is_triangle) {
        0 => 0,
        _ if is_triangle => triangle(rows.div_ceil(side)),
        _ => u64::from(rows.div_ceil(side)) * u64::from(columns.div_ceil(side)),
    };
    sizes(rows, columns).map(tiles).fold(0, u64::saturating_add)
}

impl Sealed for SetTiles {}

impl Map for SetTiles {
    fn name(&self) -> &'static str {
        "set_tiles"
    }

    fn summary(&self) -> &'static str {
        "the tiles of one set after another, from a table"
    }

    fn advice(&self) -> &'static str {
        "if the elements of many sets have features"
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let tiles = match shape.columns {
            Some(columns) => u64::from(shape.rows) * u64::from(columns),
            None => triangle(shape.rows),
        };
        match tiles {
            0 => Vec::new(),
            tiles => vec![Launch::of(Grid::line(tiles))],
        }
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        // Tiles of two elements, so that a triangle's only tile has a pair.
        let end = |units: u32| [0, units.saturating_mul(2)];
        let columns = shape.columns.map(end);
        let table =
            SetTileTable::new(&end(shape.rows), columns.as_ref().map(<[u32; 2]>::as_slice), 2);
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
