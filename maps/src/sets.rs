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
//! the sizes of the sets. A lane goes on by 32 pairs. While it stays in its set, it steps from row to row without a root.
//!
//! A [`SetTable`] has the set in which each run starts, so a warp does not search. It lists only sets that have pairs: empty sets
//! and sets of one cost nothing, and a step of 32 pairs passes at most 32 sets. The root is exact at every size.
//!
//! As a [`Map`], the shape is a single set whose units are elements. The picture has runs of 4 pairs, of sets of 5, 2, 1, 4 and 3
//! elements.
//!
#![doc = include_str!("../pictures/sets-5.svg")]

use std::collections::TryReserveError;

use crate::map::Sealed;
use crate::{Form, Grid, Launch, Map, NoTable, Prologue, Root, Shape, Tile, Walking, triangle};

/// The pairs of a warp.
pub const RUN: u32 = 256;

/// The warps of a block.
pub const WARPS: u32 = 8;

/// The threads of a warp.
const LANES: u32 = 32;

/// Runs of the pairs of many sets.
///
/// ```
/// use td_kernel_maps::{Map, Sets, Shape};
///
/// // A set of 100 elements has 4,950 pairs.
/// let launch = &Sets.launches(&Shape::blocks(100))[0];
/// assert_eq!(launch.grid.x, 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sets;

/// The sets that have pairs, and where each run starts.
///
/// ```
/// use td_kernel_maps::{SetTable, Tile};
///
/// // Sets of 2, 0, 3 and 1 elements have 1 + 3 pairs.
/// let table = SetTable::new(&[0, 2, 2, 5, 6])?;
/// assert_eq!(table.pairs, 4);
/// let mut pairs = Vec::new();
/// table.visit(0, &mut |set, pair| pairs.push((set, pair.row, pair.col)));
/// assert_eq!(pairs, [(0, 1, 0), (2, 1, 0), (2, 2, 0), (2, 2, 1)]);
/// # Ok::<(), td_kernel_maps::NoTable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetTable {
    /// For each set with pairs, and once for their end: the low and the high half of the number of pairs before it, its first
    /// element, and its index among all sets.
    pub sets: Vec<[u32; 4]>,
    /// For each run the index in `sets` of its first pair's set, in whole blocks.
    pub runs: Vec<u32>,
    /// The number of pairs.
    pub pairs: u64,
}

impl SetTable {
    /// The table of the sets whose elements start at `offsets`, of which the last is the end of the last set. Offsets ascend.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(offsets: &[u32]) -> Result<SetTable, NoTable> {
        let sizes = || offsets.windows(2).map(|ends| u64::from(ends[1].saturating_sub(ends[0])));
        let pairs_of = |size: u64| size * size.saturating_sub(1) / 2;
        let pairs: u64 = sizes().map(pairs_of).sum();
        let count = sizes().filter(|size| *size > 1).count() + 1;
        let runs_of_all = blocks(pairs).saturating_mul(WARPS.into());
        let memory = |_: TryReserveError| NoTable::Memory {
            bytes: count * size_of::<[u32; 4]>() + runs_of_all as usize * size_of::<u32>(),
        };
        let (mut sets, mut runs): (Vec<[u32; 4]>, Vec<u32>) = Default::default();
        sets.try_reserve_exact(count).map_err(memory)?;
        runs.try_reserve_exact(runs_of_all as usize).map_err(memory)?;
        let entry = |start: u64, first: u32, set: usize| {
            [start as u32, (start >> 32) as u32, first, set as u32]
        };
        let mut start = 0;
        for (set, (size, first)) in
            sizes().zip(offsets).enumerate().filter(|(_, (size, _))| *size > 1)
        {
            let end = start + pairs_of(size);
            // The runs that start in this set.
            while (runs.len() as u64) * u64::from(RUN) < end {
                runs.push(sets.len() as u32);
            }
            sets.push(entry(start, *first, set));
            start = end;
        }
        // Surplus warps of the last block read an entry, but visit no pairs.
        runs.resize(runs_of_all as usize, sets.len().saturating_sub(1) as u32);
        sets.push(entry(start, 0, 0));
        Ok(SetTable { sets, runs, pairs })
    }

    /// Calls `each` with the set and the pair of each λ of the block at x: the reference implementation of the kernel's
    /// source, in the order of its lanes' steps.
    pub fn visit(&self, x: u64, each: &mut dyn FnMut(u32, Tile)) {
        let runs = u64::from(WARPS) * x..u64::from(WARPS) * (x + 1);
        for run in runs {
            let begin = u64::from(RUN) * run;
            let end = self.pairs.min(begin.saturating_add(RUN.into()));
            let Some(&first) = usize::try_from(run).ok().and_then(|run| self.runs.get(run)) else {
                return;
            };
            for lane in 0..u64::from(LANES) {
                let mut at = first as usize;
                for lambda in (begin + lane..end).step_by(LANES as usize) {
                    while lambda >= self.start(at + 1) {
                        at += 1;
                    }
                    let offset = lambda - self.start(at);
                    let row = Root::Exact.row(offset);
                    // At most `row`.
                    let col = (offset - triangle(row)) as u32;
                    each(self.sets[at][3], Tile { row: row + 1, col });
                }
            }
        }
    }

    /// The number of pairs before the set of this index in `sets`.
    fn start(&self, at: usize) -> u64 {
        self.sets
            .get(at)
            .map_or(self.pairs, |[low, high, ..]| u64::from(*high) << 32 | u64::from(*low))
    }
}

/// The blocks of a launch for this many pairs.
pub fn blocks(pairs: u64) -> u64 {
    pairs.div_ceil(u64::from(RUN) * u64::from(WARPS))
}

impl Sealed for Sets {}

impl Map for Sets {
    fn name(&self) -> &'static str {
        "sets"
    }

    fn summary(&self) -> &'static str {
        "a run of pairs for each warp, counted through the triangles of many sets"
    }

    fn advice(&self) -> &'static str {
        "if elements belong to many small sets, and only pairs within a set exist"
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        match blocks(triangle(shape.rows.saturating_sub(1))) {
            0 => Vec::new(),
            blocks => vec![Launch::of(Grid::line(blocks))],
        }
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if let Ok(table) = SetTable::new(&[0, shape.rows]) {
            table.visit(x, &mut |_, pair| each(pair));
        }
    }

    fn prologue(&self, _: &Form) -> Prologue {
        let open = "    // sets: a run of pairs for each warp, counted along the rows of one set after another. Neighbouring lanes have
    // neighbouring pairs.
    const unsigned int run = WARPS * blockIdx.x + threadIdx.y;
    const unsigned long long begin = (unsigned long long)RUN * run, end = min(begin + RUN, pairs);
    unsigned int row = 0, col = 0, following = runs[run];
    td_set own{}, next = sets[following];
    for (unsigned long long lambda = begin + threadIdx.x; lambda < end; lambda += 32) {
        if (lambda >= next.start) {
            // Another set: sets have at least one pair, so at most 32 sets further.
            do {
                own = next;
                next = sets[++following];
            } while (lambda >= next.start);
            const unsigned long long offset = lambda - own.start;
            row = td_row_of_pair(offset);
            col = offset - (unsigned long long)row * (row + 1) / 2;
        } else {
            for (col += 32; col > row;)
                col -= ++row;
        }
"
        .to_owned();
        let walk = Walking { close: "    }\n", is_new_row: "true" };
        Prologue { helpers: vec![include_str!("sets/set.cuh")], open, walk: Some(walk) }
    }
}
