//! Rounds of offsets: each tile is paired with the next tiles first, then with farther ones.
//!
//! Each visited pair improves the nearest neighbours of its elements. All elements should make about equal progress: then a
//! round has a few new neighbours for each of them, and no element's queue is much longer than another's. So with *t* rows of
//! tiles, block (x, y) of a round that begins at offset *o* has the tiles
//!
//! ```text
//! from = x      to = (x + o + y) mod t
//! ```
//!
//! where the larger one is the row and the smaller one the column. Each unordered pair of tiles occurs once if offsets go from
//! 0 to t/2: two tiles are d places apart one way around and t - d the other way, and the smaller distance counts. For an even
//! t both distances are equal at offset t/2, and the second half of its blocks is surplus.
//!
//! In a rectangle of *c* columns of tiles, block (x, y) has row x and column (x + o + y) mod c, for offsets below c. So a row
//! visits its columns in turn, and neighbouring rows have different columns at a time.
//!
//! A round is a launch of some offsets, for some or all of the first tiles. [`launches`](Map::launches) has rounds that double:
//! 0, 1, 2 to 3, 4 to 7 and so on. Each of them doubles the number of elements with which an element has been paired. A kernel
//! that needs smaller steps splits them with [`round`](Rounds::round). Exact at every size: all numbers are integers.
//!
//! With several devices, each takes some of the offsets ([`shares`](Rounds::shares)) and all tiles. So on each device, too, all
//! elements have been paired with about as many others at any time. If each device took some of the first tiles instead,
//! elements of another device's tiles would first occur in a wide round, and would queue every pair of it. In a rectangle only
//! rows have neighbours: each device takes some rows and all offsets, so no other device has results for these rows. If there
//! are too few rows for that, each device takes some of the offsets.

use std::ops::Range;

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, MAX_GRID_Y, Map, Prologue, Shape, Tile};

/// Rounds of offsets, the map of nearest neighbours, in a triangle or a rectangle.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, Rounds, Shape};
///
/// let shape = Shape::blocks(9);
/// let grids: Vec<_> = Rounds.launches(&shape).into_iter().map(|launch| launch.grid).collect();
/// // Offsets 0, 1, 2 and 3, and 4.
/// assert_eq!(grids, [Grid::new(9, 1), Grid::new(9, 1), Grid::new(9, 2), Grid::new(9, 1)]);
/// // Some of the tiles only.
/// assert_eq!(Rounds.round(&shape, 2..4, 0..5).grid, Grid::new(5, 2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rounds;

/// The share of one of several devices: these first tiles, and the tiles at these offsets after them.
///
/// ```
/// use td_kernel_geometry::{Rounds, Shape};
///
/// let shares = Rounds.shares(&Shape::blocks(6), 5);
/// assert!(shares[0].is_empty());
/// assert_eq!((shares[1].offsets.clone(), shares[1].tiles.clone()), (0..1, 0..6));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The offsets.
    pub offsets: Range<u32>,
    /// The first tiles.
    pub tiles: Range<u32>,
}

impl Share {
    /// Whether the share is empty.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty() || self.tiles.is_empty()
    }

    /// The offsets of rounds that double, each at most a grid's height.
    pub(crate) fn rounds(&self) -> Vec<Range<u32>> {
        let Range { start, end } = self.offsets;
        let (mut rounds, mut begin) = (Vec::new(), start);
        while begin < end {
            let width = (begin - start).clamp(1, MAX_GRID_Y as u32).min(end - begin);
            rounds.push(begin..begin + width);
            begin += width;
        }
        rounds
    }
}

impl Rounds {
    /// The number of offsets: after them each tile has been paired with every other one.
    ///
    /// ```
    /// use td_kernel_geometry::{Rounds, Shape};
    ///
    /// let offsets = [0, 1, 2, 3, 8].map(|rows| Rounds.offsets(&Shape::blocks(rows)));
    /// assert_eq!(offsets, [0, 1, 2, 2, 5]);
    /// assert_eq!(Rounds.offsets(&Shape::blocks(3).with_columns(7)), 7);
    /// ```
    pub fn offsets(&self, shape: &Shape) -> u32 {
        match shape.columns {
            _ if shape.rows == 0 => 0,
            Some(columns) => columns,
            None => shape.rows / 2 + 1,
        }
    }

    /// The shares of `count` devices, of about equal work. In a triangle a share is some offsets of all tiles. In a rectangle
    /// it is all offsets of some tiles, unless sharing the offsets makes the largest share more than an eighth smaller. A share
    /// is empty if there are fewer offsets, or tiles, than devices.
    ///
    /// ```
    /// use td_kernel_geometry::{Rounds, Shape};
    ///
    /// let shares = |shape: Shape| {
    ///     let shares = Rounds.shares(&shape, 2).into_iter();
    ///     shares.map(|share| (share.offsets, share.tiles)).collect::<Vec<_>>()
    /// };
    /// assert_eq!(shares(Shape::blocks(6)), [(0..2, 0..6), (2..4, 0..6)]);
    /// assert_eq!(shares(Shape::blocks(6).with_columns(9)), [(0..9, 0..3), (0..9, 3..6)]);
    /// assert_eq!(shares(Shape::blocks(1).with_columns(8)), [(0..4, 0..1), (4..8, 0..1)]);
    /// ```
    pub fn shares(&self, shape: &Shape, count: u32) -> Vec<Share> {
        let (offsets, tiles) = (self.offsets(shape), shape.rows);
        let cut = |all: u32, at: u32| {
            let end = u64::from(all) * u64::from(at) / u64::from(count);
            // At most `all`.
            end as u32
        };
        // The number of units of the largest share.
        let most = |shared: u32, other: u32| {
            u64::from(shared.div_ceil(count.max(1))).saturating_mul(other.into())
        };
        let (by_tiles, by_offsets) = (most(tiles, offsets), most(offsets, tiles));
        let has_tiles = shape.columns.is_some() && by_tiles - by_tiles / 8 <= by_offsets;
        let share = |at: u32| match has_tiles {
            true => Share { offsets: 0..offsets, tiles: cut(tiles, at)..cut(tiles, at + 1) },
            false => Share { offsets: cut(offsets, at)..cut(offsets, at + 1), tiles: 0..tiles },
        };
        (0..count).map(share).collect()
    }

    /// Rounds that double, for a device's share.
    pub fn launches_of(&self, shape: &Shape, share: &Share) -> Vec<Launch> {
        let rounds = share.rounds().into_iter();
        rounds.map(|offsets| self.round(shape, offsets, share.tiles.clone())).collect()
    }

    /// The launch of these offsets, at most [`MAX_GRID_Y`] of them, for these first tiles of all rows.
    pub fn round(&self, _: &Shape, offsets: Range<u32>, tiles: Range<u32>) -> Launch {
        let length = |range: &Range<u32>| u64::from(range.end.saturating_sub(range.start));
        let grid = Grid { x: length(&tiles), y: length(&offsets) };
        Launch { grid, numbers: vec![offsets.start, tiles.start] }
    }
}

impl Sealed for Rounds {
    fn about(&self) -> About {
        About {
            parameters: &["const unsigned int offset_begin", "const unsigned int tile_begin"],
            ..About::new(
                "rounds",
                "rounds of offsets, with a block for each tile and each tile at some offset after it",
                "for the nearest neighbours of each element",
            )
        }
    }
}

impl Map for Rounds {
    /// Rounds that double.
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let (offsets, tiles) = (0..self.offsets(shape), 0..shape.rows);
        self.launches_of(shape, &Share { offsets, tiles })
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [first, tile] = launch.numbers[..] else { return };
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        let (from, offset) = (u64::from(tile) + x, u64::from(first) + y);
        if let Some(columns) = shape.columns {
            let col = (from + offset) % u64::from(columns.max(1));
            return each(Tile { row: from as u32, col: col as u32 });
        }
        let tiles = u64::from(shape.rows.max(1));
        let to = (from + offset) % tiles;
        if 2 * offset != tiles || from < offset {
            each(Tile { row: from.max(to) as u32, col: from.min(to) as u32 });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let open = match form.domain.is_rectangle() {
            true => format!(
                "    // rounds: a row of tiles visits the columns one after another, starting at its own index.
    const unsigned int tiles = {columns};
    const unsigned int tile_i = tile_begin + blockIdx.x;
    const unsigned int tile_j = (tile_i + offset_begin + blockIdx.y) % tiles;
",
                columns = form.columns()
            ),
            false => format!(
                "    // rounds: each tile index is paired with the index an offset after it, cyclically. The larger one is the row.
    const unsigned int tiles = {rows};
    const unsigned int offset = offset_begin + blockIdx.y;
    const unsigned int from = tile_begin + blockIdx.x;
    const unsigned int to = from + offset < tiles ? from + offset : from + offset - tiles;
    const unsigned int tile_i = max(from, to);
    const unsigned int tile_j = min(from, to);
    if (2 * offset == tiles && from >= offset)
        return; // a surplus block: at an offset of half of all tiles, both indices give the same tile
",
                rows = form.rows()
            ),
        };
        Prologue::straight(Vec::new(), open)
    }
}

/// The capacity of an element's queue, for tiles of `side` elements and `neighbours` kept per element. One offset never
/// overflows it: it adds at most two tiles. Rounds that double seldom do: they add about as many new neighbours as are kept.
///
/// ```
/// use td_kernel_geometry::rounds::queue;
///
/// assert_eq!([queue(64, 10), queue(128, 10), queue(64, 100), queue(128, 256)], [128, 256, 1024, 2048]);
/// ```
pub const fn queue(side: u32, neighbours: u32) -> u32 {
    let (tiles, kept) = (2 * side, (8 * neighbours).next_power_of_two());
    if tiles > kept { tiles } else { kept }
}
