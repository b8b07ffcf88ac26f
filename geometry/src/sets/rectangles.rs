//! The same runs for rectangles: the pairs of rows and columns of many sets.
//!
//! Set s has r rows and c columns, so r c pairs. Run w has the pairs λ = R w to R (w + 1) - 1, and the table has the row and the
//! column of its first pair, so no division is of more than R pairs. In this row, min(c - col, R) pairs of the run are left. For
//! the pair that is p pairs after the first one of its set and run:
//!
//! ```text
//! passed = 1 + floor((p - min(c - col, R) + 1/2) / c)      i = row + passed      j = col + p - passed c
//! ```
//!
//! j has 32 bits, and sums that overflow come back. The quotient has a magnitude below R and is at least 1/(2c) away from each
//! integer. A float is p - … + 1/2 exactly, and its product with the reciprocal of c, two roundings with a relative error of 2^-24
//! each, differs from the quotient by at most R 2^-23 / c. So the floor is exact, and no set is too large for runs.

use super::{LANES, PrepareMemory, RUN, RUNS_OF_PART, WARPS, start_of, with_room};
use crate::{NoTable, Tile};

/// The sets that have pairs, and the runs.
///
/// ```
/// use td_kernel_geometry::{RectangleTable, Tile};
///
/// // Sets of 1 x 2, 3 x 0 and 1 x 1 elements.
/// let table = RectangleTable::new(&[0, 1, 4, 5], &[0, 2, 2, 3])?;
/// assert_eq!(table.pairs, 3);
/// let mut pairs = Vec::new();
/// table.visit(0, &mut |set, pair| pairs.push((set, pair.row, pair.col)));
/// assert_eq!(pairs, [(0, 0, 0), (0, 0, 1), (2, 0, 0)]);
/// # Ok::<(), td_kernel_geometry::NoTable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RectangleTable {
    /// For each set with pairs, and once for their end: the low and the high half of the number of pairs before it, the first
    /// elements of its rows and of its columns; then the number of its columns, the bits of the reciprocal of that as a float, its
    /// index among all sets, and zero.
    pub sets: Vec<[[u32; 4]; 2]>,
    /// For each run the index in `sets` of its first pair's set, the number of its pairs, and the row and the column of the first
    /// one. The last runs, up to whole parts, have no pairs.
    pub runs: Vec<[u32; 4]>,
    /// The number of pairs of all sets.
    pub pairs: u64,
}

impl RectangleTable {
    /// The table of the sets whose rows and columns start at these offsets, of which the last is the end of the last set. Offsets
    /// ascend. Both have as many; others are ignored.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(rows: &[u32], columns: &[u32]) -> Result<RectangleTable, NoTable> {
        RectangleTable::new_in(rows, columns, |_, _| ())
    }

    /// The same, in memory that `prepare` is called with.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new_in(
        rows: &[u32],
        columns: &[u32],
        prepare: PrepareMemory,
    ) -> Result<RectangleTable, NoTable> {
        let size = |ends: &[u32]| ends[1].saturating_sub(ends[0]);
        let sets = || rows.windows(2).zip(columns.windows(2));
        let area =
            |(rows, columns): (&[u32], &[u32])| u64::from(size(rows)) * u64::from(size(columns));
        let (mut pairs, mut all) = (0_u64, 1_usize);
        for area in sets().map(area) {
            pairs = pairs.saturating_add(area);
            all += usize::from(area > 0);
        }
        let most = pairs.div_ceil(RUN.into()).saturating_add(RUNS_OF_PART.into()) as usize;
        let (sets_with_pairs, runs) = (with_room(all, prepare)?, with_room(most, prepare)?);
        let mut table = RectangleTable { sets: sets_with_pairs, runs, pairs };
        let entry = |start: u64, [a, b]: [u32; 2], second| {
            [[start as u32, (start >> 32) as u32, a, b], second]
        };
        // The first pairs of the set and of the next run.
        let (mut start, mut begin) = (0, 0);
        for (set, (rows, columns)) in (0..).zip(sets()) {
            let area = area((rows, columns));
            if area == 0 {
                continue;
            }
            let (end, width, at) = (start + area, size(columns), table.sets.len() as u32);
            while begin < end {
                let count = (pairs - begin).min(RUN.into()) as u32;
                // Both are indices of the set's elements.
                let before = begin - start;
                let [row, col] = [before / u64::from(width), before % u64::from(width)];
                table.runs.push([at, count, row as u32, col as u32]);
                begin += u64::from(RUN);
            }
            let inverse = (1.0 / width as f32).to_bits();
            table.sets.push(entry(start, [rows[0], columns[0]], [width, inverse, set, 0]));
            start = end;
        }
        table.sets.push(entry(start, [0, 0], [0; 4]));
        let whole = table.runs.len().next_multiple_of(RUNS_OF_PART as usize);
        table.runs.resize(whole, [0; 4]);
        Ok(table)
    }

    /// Calls `each` with the set and the pair of each λ of the block at x: the reference implementation of the kernel's source, in
    /// the order of its lanes' steps.
    pub fn visit(&self, x: u64, each: &mut dyn FnMut(u32, Tile)) {
        let first = usize::try_from(u64::from(WARPS) * x).unwrap_or(usize::MAX);
        for (warp, run) in self.runs.iter().enumerate().skip(first).take(WARPS as usize) {
            let [entry, pairs, row, col] = *run;
            let begin = u64::from(RUN) * warp as u64;
            for lane in 0..LANES {
                let (mut at, mut start, mut first) = (entry as usize, 0, [row, col]);
                for pair in (lane..pairs).step_by(LANES as usize) {
                    while begin + u64::from(pair) >= self.start(at + 1) {
                        at += 1;
                        // In the run, so it fits 32 bits.
                        (start, first) = ((self.start(at) - begin) as u32, [0, 0]);
                    }
                    let [columns, _, set, _] = self.sets[at][1];
                    let [row, col] = pair_after(first, pair - start, columns);
                    each(set, Tile { row, col });
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
        self.sets.get(at).map_or(self.pairs, |[start, _]| start_of(start))
    }
}

/// The pair that is `pair` pairs after this one, fewer than [`RUN`], in a set with this number of columns: the arithmetic of the
/// kernel's source.
///
/// ```
/// use td_kernel_geometry::sets::pair_after;
///
/// assert_eq!(pair_after([5, 2], 7, 3), [8, 0]);
/// ```
pub fn pair_after([row, col]: [u32; 2], pair: u32, columns: u32) -> [u32; 2] {
    let inverse = 1.0 / columns as f32;
    let rest = pair as i32 - columns.wrapping_sub(col).min(RUN) as i32;
    let passed = (1 + ((rest as f32 + 0.5) * inverse).floor() as i32) as u32;
    let col = col.wrapping_add(pair).wrapping_sub(passed.wrapping_mul(columns));
    [row.wrapping_add(passed), col]
}

/// The source of the walk.
pub(super) const OPEN: &str =
    "    // sets: a run of pairs for each warp, counted along the rows of one set after another. Neighbouring lanes have
    // neighbouring pairs. Pairs are counted from the first one of the run: 32 bits suffice.
    const unsigned int warp = WARPS * blockIdx.x + threadIdx.y;
    const unsigned long long begin = (unsigned long long)RUN * warp;
    const td_run run = runs[warp];
    // The given row and column are those of the run's first pair in the set.
    const auto visit = [&](const td_set &own, const int start, const unsigned int row, const unsigned int col, const int pair) {
        // The pairs after the end of the first row, fewer than RUN: the product is near enough to the quotient for its floor.
        const int rest = pair - start - (int)min(own.columns - col, RUN);
        const unsigned int passed = 1 + (int)floorf((rest + 0.5f) * own.inverse);
        const unsigned int i = row + passed, j = col + (pair - start) - passed * own.columns;
";

/// The source after that of a pair.
pub(super) const CLOSE: &str = "    };
    const td_set *next = sets + run.set;
    td_set own = *next++;
    int start = 0, end = (int)min(next->start - begin, (unsigned long long)RUN);
    if (run.pairs == RUN && end == RUN) {
        // All pairs are of one set.
#pragma unroll
        for (int step = 0; step < RUN; step += 32)
            visit(own, start, run.row, run.col, step + threadIdx.x);
    } else {
        unsigned int row = run.row, col = run.col;
        for (int pair = threadIdx.x; pair < run.pairs; pair += 32) {
            if (pair >= end) {
                // Another set: sets have at least one pair, so at most 32 sets further.
                do {
                    start = end;
                    end = (int)min((++next)->start - begin, (unsigned long long)RUN);
                } while (pair >= end);
                own = next[-1];
                row = col = 0;
            }
            visit(own, start, row, col, pair);
        }
    }
";
