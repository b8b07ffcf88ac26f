//! The sets whose tiles are visited, and the shares of several devices: consecutive rows, with about as many pairs each.
//!
//! A share ends where a part of a CPU's bands begins: between sets, or between some rows of a set, which whole tiles of every side
//! have. So partial sums have the same bits on any number of devices, and values of pairs are divided before a launch chooses its
//! tiles.

use std::ops::Range;

use super::{BAND_ROWS, BANDS_OF_PART};
use crate::triangle;

/// The rows of a set between which shares end: the largest side of tiles.
const SHARE_ROWS: u32 = 128;

/// The bands of these rows.
const BANDS_OF_SHARE: u32 = SHARE_ROWS / BAND_ROWS;

/// The pairs within many sets, or those of the rows and the columns of each; or the share of one of several devices.
///
/// ```
/// use td_kernel_geometry::sets::tiles::TiledSets;
///
/// // A set of 2 elements, and one of 1000.
/// let sets = TiledSets::new(&[0, 2, 1002], None);
/// assert_eq!((sets.pairs(), sets.tile_count(128), sets.band_count()), (0..499_501, 37, 72));
/// let shares = sets.shares(2);
/// assert_eq!((shares[0].pairs(), shares[1].pairs()), (0..294_529, 294_529..499_501));
/// assert_eq!((shares[0].tile_count(128), shares[1].tile_count(128)), (22, 15));
/// ```
#[derive(Clone, Debug)]
pub struct TiledSets<'a> {
    rows: &'a [u32],
    columns: Option<&'a [u32]>,
    begin: Cut,
    end: Cut,
}

/// Where a share begins or ends.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// The number of pairs before it.
    pair: u64,
    /// A set among all sets.
    set: u32,
    /// A row of this set.
    row: u32,
}

/// A set that has pairs.
pub(super) struct OfSet {
    /// Its index among all sets.
    pub(super) index: u32,
    /// The number of pairs of the sets before it.
    pub(super) start: u64,
    /// Its first row among those of all sets, and the number of its rows.
    pub(super) row: u32,
    pub(super) rows: u32,
    /// Its first column among those of all sets, and the number of its columns.
    pub(super) column: u32,
    pub(super) columns: u32,
    is_triangle: bool,
    /// Its rows in the share.
    own: Range<u32>,
}

impl OfSet {
    /// The number of its pairs in the first rows.
    fn pairs_before(&self, row: u32) -> u64 {
        match self.is_triangle {
            true => triangle(row.saturating_sub(1)),
            false => u64::from(row) * u64::from(self.columns),
        }
    }

    /// The rows of its tiles in the share, and for a rectangle the number of tiles in a row.
    pub(super) fn tiles(&self, side: u32) -> (Range<u32>, Option<u32>) {
        let side = side.max(1);
        let columns = (!self.is_triangle).then(|| self.columns.div_ceil(side));
        (self.own.start / side..self.own.end.div_ceil(side), columns)
    }

    /// Its bands in the share, in as many parts as it needs, each with its position after `count` bands of other sets. The only part
    /// of a small set comes directly after other sets if there is room, and every other one is at the beginning of a part.
    pub(super) fn parts(&self, count: u64) -> impl Iterator<Item = (u64, Range<u32>)> + use<> {
        let bands = self.own.start / BAND_ROWS..self.own.end.div_ceil(BAND_ROWS);
        let next = count.next_multiple_of(BANDS_OF_PART.into());
        let is_small = self.rows <= SHARE_ROWS;
        let has_room = is_small && bands.len() as u64 <= next - count;
        let first = if has_room { count } else { next };
        let positions = (first..).step_by(BANDS_OF_PART as usize);
        let starts = bands.clone().step_by(BANDS_OF_SHARE as usize);
        let part = move |start: u32| start..bands.end.min(start.saturating_add(BANDS_OF_SHARE));
        positions.zip(starts.map(part))
    }
}

impl<'a> TiledSets<'a> {
    /// The sets whose rows and columns start at these offsets, of which the last is the end of the last set. Offsets ascend. Both
    /// have as many; others are ignored. Without columns, the pairs are those within each set.
    pub fn new(rows: &'a [u32], columns: Option<&'a [u32]>) -> TiledSets<'a> {
        let begin = Cut { pair: 0, set: 0, row: 0 };
        let mut all = TiledSets { rows, columns, begin, end: Cut { set: u32::MAX, ..begin } };
        let last = all.each().last();
        all.end.pair = last.map_or(0, |set| set.start + set.pairs_before(set.rows));
        all
    }

    /// The pairs of the share, among those of all sets.
    pub fn pairs(&self) -> Range<u64> {
        self.begin.pair..self.end.pair
    }

    /// The number of its tiles of side `side`.
    pub fn tile_count(&self, side: u32) -> u64 {
        let tiles = |set: OfSet| match set.tiles(side) {
            (rows, None) => triangle(rows.end) - triangle(rows.start),
            (rows, Some(columns)) => rows.len() as u64 * u64::from(columns),
        };
        self.each().map(tiles).fold(0, u64::saturating_add)
    }

    /// The number of its bands, in whole parts.
    pub fn band_count(&self) -> u64 {
        let bands = self.each().fold(0, |count, set| end_of(count, set.parts(count)));
        bands.next_multiple_of(BANDS_OF_PART.into())
    }

    /// The shares of `count` devices of all pairs. A share is empty if there are few pairs.
    pub fn shares(&self, count: u32) -> Vec<TiledSets<'a>> {
        let mut bands = 0;
        let mut cuts = self.each().flat_map(|set| {
            let parts = set.parts(bands);
            bands = end_of(bands, set.parts(bands));
            let begins = |(first, _): &(u64, _)| first.is_multiple_of(BANDS_OF_PART.into());
            parts.filter(begins).map(move |(_, bands)| {
                let row = bands.start * BAND_ROWS;
                Cut { pair: set.start + set.pairs_before(row), set: set.index, row }
            })
        });
        let (mut begin, mut before, mut next) = (self.begin, self.begin, self.begin);
        let share = |at: u32| {
            let goal = u128::from(self.end.pair) * u128::from(at) / u128::from(count.max(1));
            let goal = goal as u64;
            while next.pair < goal {
                before = next;
                next = cuts.next().unwrap_or(self.end);
            }
            let is_next = next.pair - goal < goal.saturating_sub(before.pair);
            let nearest = if is_next { next } else { before };
            let end = if at == count { self.end } else { nearest };
            let share = TiledSets { begin, end, ..*self };
            begin = end;
            share
        };
        (1..=count).map(share).collect()
    }

    /// Its sets that have pairs.
    pub(super) fn each(&self) -> impl Iterator<Item = OfSet> + use<'a> {
        let TiledSets { rows, columns, begin, end } = *self;
        let columns = columns.unwrap_or(rows);
        let is_triangle = self.columns.is_none();
        let mut before = 0;
        let all = rows.windows(2).zip(columns.windows(2));
        (0..).zip(all).filter_map(move |(index, (rows, columns))| {
            let size = |ends: &[u32]| ends[1].saturating_sub(ends[0]);
            let first = if index == begin.set { begin.row } else { 0 };
            let last = if index == end.set { end.row } else { size(rows) };
            let set = OfSet {
                index,
                start: before,
                row: rows[0],
                rows: size(rows),
                column: columns[0],
                columns: size(columns),
                is_triangle,
                own: first..last,
            };
            let pairs = set.pairs_before(set.rows);
            before += pairs;
            let is_own = (begin.set..=end.set).contains(&index) && !set.own.is_empty();
            (is_own && pairs > 0).then_some(set)
        })
    }
}

/// The number of bands up to the end of these parts, or `count` without parts.
fn end_of(count: u64, parts: impl Iterator<Item = (u64, Range<u32>)>) -> u64 {
    parts.last().map_or(count, |(first, bands)| first + bands.len() as u64)
}
