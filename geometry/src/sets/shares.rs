//! Shares of several devices: consecutive pairs of many sets, about as many for each device.
//!
//! A share ends between whole parts of runs, or within a large set between rows that are multiples of the tiles of deterministic
//! kernels. So their partial sums have the same bits on any number of devices.

use std::ops::Range;

use super::{RUN, RUNS_OF_PART, RectangleTable, SetTable, start_of, with_room};
use crate::{NoTable, Root, triangle};

/// The rows of a large set between which shares end: a multiple of the side of every tile but 96, which no
/// deterministic kernel has.
pub const SHARE_ROWS: u32 = 256;

/// A set whose pairs are in no run.
///
/// ```
/// use td_kernel_geometry::sets::{LargeSet, shares};
///
/// // Among 5 pairs of other sets, of which 2 come before it.
/// let large = LargeSet { set: 1, elements: 300, start: 2 };
/// let shares = shares(44_850 + 5, &[large], 2);
/// assert_eq!((shares[0].pairs.clone(), shares[1].pairs.clone()), (0..32_642, 32_642..44_855));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LargeSet {
    /// Its index among all sets.
    pub set: u32,
    /// The number of its elements.
    pub elements: u32,
    /// The number of pairs of the sets before it.
    pub start: u64,
}

impl LargeSet {
    /// The number of pairs before this row, counted from the first pair of all sets.
    fn pairs_before(&self, row: u32) -> u64 {
        self.start + triangle(row.saturating_sub(1))
    }
}

/// The share of one of several devices.
///
/// ```
/// use td_kernel_geometry::sets::{LargeSet, shares};
///
/// // 20,000 pairs of small sets, and a large set of 10,000 elements.
/// let large = LargeSet { set: 9, elements: 10_000, start: 20_000 };
/// let shares = shares(20_000 + 49_995_000, &[large], 2);
/// assert_eq!((shares[0].runs.clone(), shares[0].large.clone()), (0..128, vec![(9, 0..7168)]));
/// assert_eq!((shares[1].runs.clone(), shares[1].large.clone()), (128..128, vec![(9, 7168..10_000)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetShare {
    /// Its pairs among those of all sets.
    pub pairs: Range<u64>,
    /// Its runs among those of the table.
    pub runs: Range<usize>,
    /// Its large sets, by their indices among all sets, and its rows of each.
    pub large: Vec<(u32, Range<u32>)>,
}

/// The shares of `count` devices of this many pairs, among which are those of large sets, in ascending order. A share is empty if
/// there are few pairs.
pub fn shares(pairs: u64, large: &[LargeSet], count: u32) -> Vec<SetShare> {
    let cuts = Cuts::new(pairs, large);
    let goal = |at: u32| (u128::from(pairs) * u128::from(at) / u128::from(count.max(1))) as u64;
    let mut begin = Cut { pair: 0, run: 0, large: 0, row: 0 };
    let share = |at: u32| {
        let end = if at + 1 < count { cuts.nearest(goal(at + 1)) } else { cuts.end() };
        let own = large.iter().enumerate().take(end.large + 1).skip(begin.large);
        let rows = own.map(|(index, each)| {
            let first = if index == begin.large { begin.row } else { 0 };
            let last = if index == end.large { end.row } else { each.elements };
            (each.set, first..last)
        });
        // Row 0 alone has no pairs.
        let large = rows.filter(|(_, rows)| !rows.is_empty() && rows.end > 1).collect();
        let share = SetShare { pairs: begin.pair..end.pair, runs: begin.run..end.run, large };
        begin = end;
        share
    };
    (0..count).map(share).collect()
}

/// Where a share ends: the first pair, run, large set, and row of it that are not the share's.
#[derive(Clone, Copy)]
struct Cut {
    pair: u64,
    run: usize,
    large: usize,
    row: u32,
}

/// Where shares can end.
struct Cuts<'a> {
    pairs: u64,
    large: &'a [LargeSet],
    /// The number of runs before each large set.
    runs: Vec<usize>,
    /// The number of all runs.
    all_runs: usize,
}

impl Cuts<'_> {
    fn new(pairs: u64, large: &[LargeSet]) -> Cuts<'_> {
        let mut cuts =
            Cuts { pairs, large, runs: Vec::with_capacity(large.len() + 1), all_runs: 0 };
        for index in 0..=large.len() {
            let between = cuts.between(index);
            if !between.is_empty() {
                let count = between.end.div_ceil(RUN.into()) - between.start / u64::from(RUN);
                cuts.all_runs += count.next_multiple_of(RUNS_OF_PART.into()) as usize;
            }
            cuts.runs.push(cuts.all_runs);
        }
        cuts
    }

    /// The pairs between the large set of this index and the one before it.
    fn between(&self, index: usize) -> Range<u64> {
        let end_of = |each: &LargeSet| each.pairs_before(each.elements);
        let start =
            index.checked_sub(1).and_then(|before| self.large.get(before)).map_or(0, end_of);
        start..self.large.get(index).map_or(self.pairs, |next| next.start)
    }

    fn end(&self) -> Cut {
        Cut { pair: self.pairs, run: self.all_runs, large: self.large.len(), row: 0 }
    }

    /// The cut with about this many pairs before it, fewer than all.
    fn nearest(&self, goal: u64) -> Cut {
        let large = self.large.partition_point(|each| each.pairs_before(each.elements) <= goal);
        let [below, above] = match self.large.get(large).filter(|each| each.start <= goal) {
            Some(own) => {
                // A pair of row 1 is the first one of a set.
                let row = Root::Exact.row(goal - own.start) + 1;
                let below = row / SHARE_ROWS * SHARE_ROWS;
                let rows = [below, below.saturating_add(SHARE_ROWS).min(own.elements)];
                rows.map(|row| Cut {
                    pair: own.pairs_before(row),
                    run: self.runs[large],
                    large,
                    row,
                })
            }
            None => {
                let (Range { start, end }, part) =
                    (self.between(large), u64::from(RUN * RUNS_OF_PART));
                // Runs end at multiples of their length.
                let first = start / u64::from(RUN) * u64::from(RUN);
                let below = (goal - first) / part;
                let before = large.checked_sub(1).map_or(0, |before| self.runs[before]);
                [below, below + 1].map(|parts| Cut {
                    pair: (first + parts * part).clamp(start, end),
                    run: before + parts as usize * RUNS_OF_PART as usize,
                    large,
                    row: 0,
                })
            }
        };
        if above.pair - goal < goal.saturating_sub(below.pair) { above } else { below }
    }
}

impl SetTable {
    /// The table of one of the [`shares`] of the same sets, whose pairs are counted from the share's first one. A set that begins
    /// before them has its start modulo 2^64.
    ///
    /// # Errors
    ///
    /// The share is not one of these sets, or there is not enough memory.
    pub fn of_share(&self, share: &SetShare) -> Result<SetTable, NoTable> {
        let base = share.pairs.start;
        let pairs = share.pairs.end - base;
        let large = share.large.iter().map(|(set, _)| *set).collect();
        let runs = self.runs.get(share.runs.clone()).ok_or(NoTable::NotThisShare)?;
        let filled = || runs.iter().filter(|run| run[2] > 0);
        let (Some(first), Some(last)) = (filled().next(), filled().next_back()) else {
            return Ok(SetTable { sets: vec![[0; 4]], runs: Vec::new(), large, pairs });
        };
        let end = start_of(last) + u64::from(last[2]);
        let first = first[3] as usize;
        let after = self.sets.partition_point(|set| start_of(set) < end);
        let sets = self.sets.get(first..=after).ok_or(NoTable::NotThisShare)?;
        let relative = |entry: &[u32; 4]| {
            let start = start_of(entry).wrapping_sub(base);
            [start as u32, (start >> 32) as u32, entry[2], entry[3]]
        };
        let run_tiles = |run: &[u32; 4]| match relative(run) {
            _ if run[2] == 0 => [0; 4],
            [low, high, count, at] => [low, high, count, at - first as u32],
        };
        let sets = collected(sets.len(), sets.iter().map(relative))?;
        let runs = collected(runs.len(), runs.iter().map(run_tiles))?;
        Ok(SetTable { sets, runs, large, pairs })
    }
}

impl RectangleTable {
    /// The table of one of the [`shares`] of the same sets, whose pairs are counted from the share's first one. A set that begins
    /// before them has its start modulo 2^64.
    ///
    /// # Errors
    ///
    /// The share is not one of these sets, or there is not enough memory.
    pub fn of_share(&self, share: &SetShare) -> Result<RectangleTable, NoTable> {
        let base = share.pairs.start;
        let pairs = share.pairs.end - base;
        let runs = self.runs.get(share.runs.clone()).ok_or(NoTable::NotThisShare)?;
        let Some(first) = runs.first().filter(|_| pairs > 0) else {
            return Ok(RectangleTable { sets: vec![[[0; 4]; 2]], runs: Vec::new(), pairs });
        };
        let first = first[0] as usize;
        let after = self.sets.partition_point(|[set, _]| start_of(set) < share.pairs.end);
        let sets = self.sets.get(first..=after).ok_or(NoTable::NotThisShare)?;
        let relative = |[entry, second]: &[[u32; 4]; 2]| {
            let start = start_of(entry).wrapping_sub(base);
            [[start as u32, (start >> 32) as u32, entry[2], entry[3]], *second]
        };
        let run_tiles = |run: &[u32; 4]| match *run {
            [_, 0, ..] => [0; 4],
            [at, count, row, col] => [at - first as u32, count, row, col],
        };
        let sets = collected(sets.len(), sets.iter().map(relative))?;
        let runs = collected(runs.len(), runs.iter().map(run_tiles))?;
        Ok(RectangleTable { sets, runs, pairs })
    }
}

/// These entries, of which there are `count`.
fn collected<T>(count: usize, entries: impl Iterator<Item = T>) -> Result<Vec<T>, NoTable> {
    let mut all = with_room(count, |_, _| ())?;
    all.extend(entries);
    Ok(all)
}
