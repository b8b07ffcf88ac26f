//! Runs of pairs: each warp visits some pairs of many small sets, one set after another.
//!
//! Only pairs within a set exist, so the domain is many triangles. A set of 20 elements has 190 pairs, too few for a block. So
//! the pairs of all sets are counted together, as in packed memory: along the rows of the first set's triangle, then those of
//! the second, and so on. Set s with m elements has T(m - 1) = m (m - 1) / 2 pairs, and starts at pair S(s), the sum of those
//! before it. With runs of R = 256 pairs, warp w visits
//!
//! ```text
//! λ = R w to R (w + 1) - 1      the set s with S(s) <= λ < S(s + 1)
//! row = floor(sqrt(1/4 + 2 (λ - S(s))) - 1/2)      i = row + 1      j = λ - S(s) - T(row)
//! ```
//!
//! Neighbouring lanes have neighbouring pairs, so a warp stores neighbouring values, and all warps have the same work whatever
//! the sizes of the sets. A lane steps by 32 pairs.
//!
//! A [`SetTable`] has the set in which each run starts, so a warp does not search. It lists only sets that have pairs: empty sets
//! and sets of one cost nothing, and a step of 32 pairs passes at most 32 sets.
//!
//! A row of a large set has more elements than a multiprocessor's cache holds. Large sets have launches of their own, with
//! the tiles of a single set. Runs end before their pairs and begin again after them, with a new part: so the pairs of a part are
//! contiguous, and several devices take [`shares`] of whole parts and of rows of large sets.
//!
//! So a set of a run has fewer than 8192 elements and 2^25 pairs, and 32 bits suffice for a lane's pair, counted from the first one
//! of its set or of its run. The root is exact. It is x rsqrtf(x) for x = 1/4 + 2 (λ - S(s)): two roundings of x and one of the
//! product have a relative error of 2^-24 each, those of x halved by the root, and `rsqrtf` one of 2^-22. Of a root below 8192 this
//! is less than 0.003. With 0.495 subtracted instead of 1/2, the floor is the row or the one after it. If it is the one after it, j
//! is negative: then j + row and row - 1 are right. A CPU's loops take sets of up to 65,536 elements by runs, with a root in double
//! precision.
//!
//! Rectangles, of rows and columns of many sets, have the same runs: [`RectangleTable`]. Nearest neighbours have the map [`rows`],
//! elements with features [`tiles`].
//!
//! As a [`Map`], the shape is a single set whose units are elements. The picture has sets of 5, 2, 1, 4 and 3, in runs of 4 pairs.
//!
#![doc = include_str!("../pictures/sets-5.svg")]

mod rectangles;
pub mod rows;
mod shares;
pub mod tiles;

use std::collections::TryReserveError;
use std::ptr::NonNull;

pub use self::rectangles::{RectangleTable, pair_after};
pub use self::shares::{LargeSet, SHARE_ROWS, SetShare, shares};
use crate::map::{About, Sealed};
use crate::{Form, Launch, Map, NoTable, Prologue, Root, Shape, Tile, Walking, triangle};

/// The pairs of a warp, at most.
pub const RUN: u32 = 256;

/// The warps of a block.
pub const WARPS: u32 = 8;

/// The threads of a warp.
const LANES: u32 = 32;

/// Runs of the pairs of many sets.
///
/// ```
/// use td_kernel_geometry::{Map, Sets, Shape};
///
/// // A set of 100 elements has 4,950 pairs.
/// let launch = &Sets.launches(&Shape::blocks(100))[0];
/// assert_eq!(launch.grid.x, 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sets;

/// The number of elements from which a set is large: a row of its pairs reads more elements than a multiprocessor's cache keeps.
/// The runs leave out large sets, which have tiles.
pub const LARGE: u32 = 8192;

/// Runs come in multiples of this number, for whole blocks and for whole parts of a CPU.
pub const RUNS_OF_PART: u32 = 64;

/// The sets that have pairs, and the runs.
///
/// ```
/// use td_kernel_geometry::{SetTable, Tile};
///
/// // Sets of 2, 0, 3 and 1 elements have 1 + 3 pairs.
/// let table = SetTable::new(&[0, 2, 2, 5, 6], u32::MAX)?;
/// assert_eq!(table.pairs, 4);
/// let mut pairs = Vec::new();
/// table.visit(0, &mut |set, pair| pairs.push((set, pair.row, pair.col)));
/// assert_eq!(pairs, [(0, 1, 0), (2, 1, 0), (2, 2, 0), (2, 2, 1)]);
/// # Ok::<(), td_kernel_geometry::NoTable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetTable {
    /// For each set with pairs, and once for their end: the low and the high half of the number of pairs before it, its first
    /// element, and its index among all sets.
    pub sets: Vec<[u32; 4]>,
    /// The low and the high half of the number of pairs before each run, the number of its pairs, and the index in `sets` of its
    /// first pair's set. Runs are cut by large sets. Before a large set and at the end, runs without pairs fill a part.
    pub runs: Vec<[u32; 4]>,
    /// The indices of large sets among all sets.
    pub large: Vec<u32>,
    /// The number of pairs of all sets.
    pub pairs: u64,
}

impl SetTable {
    /// The table of the sets whose elements start at `offsets`, of which the last is the end of the last set. Offsets ascend.
    /// Sets of at least `large` elements are large.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(offsets: &[u32], large: u32) -> Result<SetTable, NoTable> {
        SetTable::new_in(offsets, large, |_, _| ())
    }

    /// The same, in memory that `prepare` is called with.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new_in(
        offsets: &[u32],
        large: u32,
        prepare: PrepareMemory,
    ) -> Result<SetTable, NoTable> {
        let size = |ends: &[u32]| ends[1].saturating_sub(ends[0]);
        let (mut pairs, mut of_small, mut all, mut larges) = (0, 0, 1, 0);
        for size in offsets.windows(2).map(size) {
            let own = triangle(size.saturating_sub(1));
            pairs += own;
            all += usize::from(own > 0);
            of_small += if size < large { own } else { 0 };
            larges += usize::from(own > 0 && size >= large);
        }
        // A large set between small ones may split two runs, and a part.
        let stretches = larges.min(all - 1 - larges) as u64 + 1;
        let most = of_small.div_ceil(RUN.into()) + stretches * u64::from(2 + RUNS_OF_PART);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let (sets, runs) = (with_room(all, prepare)?, with_room(most, prepare)?);
        let mut table = SetTable { sets, runs, large: Vec::new(), pairs };
        let entry = |start: u64, [a, b]: [u32; 2]| [start as u32, (start >> 32) as u32, a, b];
        // The first pairs of the set and of the next run.
        let (mut start, mut begin) = (0, 0);
        for (set, ends) in (0..).zip(offsets.windows(2)) {
            let size = size(ends);
            if size < 2 {
                continue;
            }
            let (end, at) = (start + triangle(size - 1), table.sets.len() as u32);
            if size >= large {
                table.end_runs(start);
                table.large.push(set);
                begin = end;
            }
            while begin < end {
                // At most `RUN`.
                let count = RUN - (begin % u64::from(RUN)) as u32;
                table.runs.push(entry(begin, [count, at]));
                begin += u64::from(count);
            }
            table.sets.push(entry(start, [ends[0], set]));
            start = end;
        }
        table.sets.push(entry(start, [0, 0]));
        table.end_runs(start);
        Ok(table)
    }

    /// Ends the last run before this pair, and adds runs without pairs, up to a whole part.
    fn end_runs(&mut self, end: u64) {
        if let Some(last) = self.runs.last_mut().filter(|run| run[2] > 0) {
            // At most `RUN`.
            last[2] = u64::from(last[2]).min(end - start_of(last)) as u32;
        }
        let whole = self.runs.len().next_multiple_of(RUNS_OF_PART as usize);
        self.runs.resize(whole, [0; 4]);
    }

    /// Calls `each` with the set and the pair of each λ of the block at x, without those of large sets: the reference
    /// implementation of the kernel's source, in the order of its lanes' steps.
    pub fn visit(&self, x: u64, each: &mut dyn FnMut(u32, Tile)) {
        let first = usize::try_from(u64::from(WARPS) * x).unwrap_or(usize::MAX);
        for run in self.runs.iter().skip(first).take(WARPS as usize) {
            let [.., pairs, entry] = *run;
            for lane in 0..LANES {
                let mut at = entry as usize;
                for pair in (lane..pairs).step_by(LANES as usize) {
                    let lambda = start_of(run) + u64::from(pair);
                    while lambda >= self.start(at + 1) {
                        at += 1;
                    }
                    // Modulo 2^64: the first set of a share may begin before its pairs.
                    let offset = lambda.wrapping_sub(self.start(at));
                    let row = Root::Exact.row(offset);
                    // At most `row`.
                    let col = (offset - triangle(row)) as u32;
                    each(self.sets[at][3], Tile { row: row + 1, col });
                }
            }
        }
    }

    /// The blocks of a launch.
    pub fn blocks(&self) -> u64 {
        self.runs.len() as u64 / u64::from(WARPS)
    }

    /// The number of pairs before the set of this index in `sets`.
    fn start(&self, at: usize) -> u64 {
        self.sets.get(at).map_or(self.pairs, start_of)
    }
}

/// Is called with the start and the bytes of new memory of a table, before it is written. So a program can ask for huge pages.
pub type PrepareMemory = fn(NonNull<u8>, usize);

/// An empty vector with this capacity.
fn with_room<T>(count: usize, prepare: PrepareMemory) -> Result<Vec<T>, NoTable> {
    let (mut all, bytes) = (Vec::new(), count.saturating_mul(size_of::<T>()));
    all.try_reserve_exact(count).map_err(|_: TryReserveError| NoTable::Memory { bytes })?;
    prepare(NonNull::from(all.spare_capacity_mut()).cast(), bytes);
    Ok(all)
}

/// The number of pairs before a set or a run of the table.
fn start_of([low, high, ..]: &[u32; 4]) -> u64 {
    u64::from(*high) << 32 | u64::from(*low)
}

/// The blocks of a launch for this many pairs.
pub fn blocks(pairs: u64) -> u64 {
    pairs.div_ceil(u64::from(RUN) * u64::from(WARPS))
}

/// The pairs of a single set.
fn pairs_of(shape: &Shape) -> u64 {
    match shape.columns {
        Some(columns) => u64::from(shape.rows) * u64::from(columns),
        None => triangle(shape.rows.saturating_sub(1)),
    }
}

/// The pair of this index among those of a single set.
fn pair_at(shape: &Shape, pair: u64) -> Tile {
    // Less than the numbers of rows and columns.
    match shape.columns.map(u64::from) {
        Some(columns) => Tile { row: (pair / columns) as u32, col: (pair % columns) as u32 },
        None => {
            let row = Root::Exact.row(pair);
            Tile { row: row + 1, col: (pair - triangle(row)) as u32 }
        }
    }
}

/// The source after that of a pair.
const CLOSE: &str = "    };
    const td_set *next = sets + run.set;
    td_set own = *next++;
    int start = (int)(own.start - run.begin), end = (int)(next->start - run.begin);
    if (run.pairs == RUN && end >= RUN) {
        // All pairs are of one set.
#pragma unroll
        for (int step = 0; step < RUN; step += 32)
            visit(own, start, step + threadIdx.x);
    } else {
        for (int pair = threadIdx.x; pair < run.pairs; pair += 32) {
            if (pair >= end) {
                // Another set: sets have at least one pair, so at most 32 sets further.
                do {
                    start = end;
                    end = (int)((++next)->start - run.begin);
                } while (pair >= end);
                own = next[-1];
            }
            visit(own, start, pair);
        }
    }
";

impl Sealed for Sets {
    fn about(&self) -> About {
        About::new(
            "sets",
            "a run of pairs for each warp, counted through many sets",
            "if elements belong to many small sets, and only pairs within a set exist",
        )
    }
}

impl Map for Sets {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        Launch::line(blocks(pairs_of(shape)))
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let (pairs, run) = (pairs_of(shape), u64::from(RUN));
        for begin in (0..u64::from(WARPS)).map(|warp| run * (u64::from(WARPS) * x + warp)) {
            for lane in begin..begin + u64::from(LANES) {
                for pair in (lane..pairs.min(begin + run)).step_by(LANES as usize) {
                    each(pair_at(shape, pair));
                }
            }
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        if form.domain.is_rectangle() {
            let helpers = vec![include_str!("sets/rectangle.cuh")];
            let walk = Some(Walking { close: rectangles::CLOSE, is_new_row: "true" });
            return Prologue { helpers, open: rectangles::OPEN.to_owned(), walk };
        }
        let open = "    // sets: a run of pairs for each warp, counted along the rows of one set after another. Neighbouring lanes have
    // neighbouring pairs. Pairs are counted from the first one of the run: 32 bits suffice, as its sets are not large.
    const td_run run = runs[WARPS * blockIdx.x + threadIdx.y];
    const auto visit = [&](const td_set &own, const int start, const int pair) {
        unsigned int row, col;
        td_find_pair(pair - start, row, col);
"
        .to_owned();
        let walk = Some(Walking { close: CLOSE, is_new_row: "true" });
        let helpers = vec![include_str!("sets/set.cuh"), include_str!("sets/find_pair.cuh")];
        Prologue { helpers, open, walk }
    }
}
