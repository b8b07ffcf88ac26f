//! Rows of many sets: each lane has a row, and visits all columns of its set.
//!
//! The nearest neighbours or the state of an element are found without atomics or queues between blocks if one thread has all pairs of the element.
//! So the rows of all sets are counted together, and warp w has the rows 32 w to 32 w + 31, whatever the sizes of the sets:
//!
//! ```text
//! λ = 32 w + lane      the set s with F(s) <= λ < F(s + 1), for its first row F(s)      row = λ - F(s)      all columns of s
//! ```
//!
//! Each pair within a set is visited twice, once for each of its elements. Lanes of one set visit the same column at a time, so they
//! read it once. A warp takes as long as its largest set.
//!
//! A [`SetRowTable`] has the set of each warp's first row. It lists only sets with rows, so a lane passes at most 31 of them.
//!
//! Several devices take consecutive rows, from [`row_shares`], and all columns of these rows' sets. So no device needs what others
//! find. All have the same table; a launch has the first row of its share.

#[cfg(test)]
mod tests;

use std::iter::zip;
use std::ops::Range;

use super::{PrepareMemory, with_room};
use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, NoTable, Prologue, Shape, Tile};

/// The warps of a block.
pub const ROW_WARPS: u32 = 4;

/// The rows of a warp.
pub const WARP_ROWS: u32 = 32;

/// The rows that are a part for a CPU: two blocks. Shares of several devices end between parts.
pub const PART_ROWS: u32 = 256;

/// Rows of many sets.
///
/// ```
/// use td_kernel_geometry::{Map, SetRows, Shape};
///
/// // A block has 128 rows.
/// let launch = &SetRows.launches(&Shape::blocks(300))[0];
/// assert_eq!(launch.grid.x, 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetRows;

/// The sets that have rows, and the set of each warp's first row.
///
/// ```
/// use td_kernel_geometry::SetRowTable;
///
/// // Sets of 1, 0 and 2 rows, and of 2, 3 and 1 columns.
/// let table = SetRowTable::new(&[0, 1, 1, 3], &[0, 2, 5, 6])?;
/// let mut pairs = Vec::new();
/// table.visit(0, &mut |set, pair| pairs.push((set, pair.row, pair.col)));
/// assert_eq!(pairs, [(0, 0, 0), (0, 0, 1), (2, 0, 0), (2, 1, 0)]);
/// # Ok::<(), td_kernel_geometry::NoTable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetRowTable {
    /// For each set with rows the first of its rows and of its columns, the number of its columns, and its index among all sets;
    /// once more for their end.
    pub sets: Vec<[u32; 4]>,
    /// For the warps of each block, the index in `sets` of the set of its first row; zero past the last row.
    pub firsts: Vec<[u32; ROW_WARPS as usize]>,
    /// The number of rows of all sets.
    pub rows: u32,
}

impl SetRowTable {
    /// The table of the sets whose rows and columns start at these offsets, of which the last is the end of the last set. Offsets
    /// ascend. Both have as many; others are ignored. Within each set, the columns are the rows.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(rows: &[u32], columns: &[u32]) -> Result<SetRowTable, NoTable> {
        SetRowTable::new_in(rows, columns, |_, _| ())
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
    ) -> Result<SetRowTable, NoTable> {
        let sets = || rows.windows(2).zip(columns.windows(2));
        let count = rows.len().min(columns.len());
        let all = count.checked_sub(1).map_or(0, |last| rows[last]);
        let entries = sets().map(|(rows, _)| usize::from(rows[0] < rows[1])).sum::<usize>() + 1;
        let block_count = blocks(all) as usize;
        let (sets_with_rows, firsts) =
            (with_room(entries, prepare)?, with_room(block_count, prepare)?);
        let mut table = SetRowTable { sets: sets_with_rows, firsts, rows: all };
        table.firsts.resize(block_count, [0; ROW_WARPS as usize]);
        let mut warps = table.firsts.as_flattened_mut().iter_mut();
        // The first row of the next warp.
        let mut begin = 0;
        for (set, (rows, columns)) in (0..).zip(sets()) {
            if rows[0] >= rows[1] {
                continue;
            }
            let at = table.sets.len() as u32;
            while begin < u64::from(rows[1])
                && let Some(first) = warps.next()
            {
                *first = at;
                begin += u64::from(WARP_ROWS);
            }
            table.sets.push([rows[0], columns[0], columns[1].saturating_sub(columns[0]), set]);
        }
        table.sets.push([all, 0, 0, 0]);
        Ok(table)
    }

    /// Calls `each` with the set and the pair of each row and column of the block at x: the reference implementation of the kernel's
    /// source. Within each set, an element is a column of its own row too, which a kernel leaves out.
    pub fn visit(&self, x: u64, each: &mut dyn FnMut(u32, Tile)) {
        let first = usize::try_from(x).unwrap_or(usize::MAX);
        let warps = self.firsts.iter().skip(first).take(1).flatten();
        let begins = (u64::from(ROW_WARPS * WARP_ROWS) * x..).step_by(WARP_ROWS as usize);
        for (entry, begin) in warps.zip(begins) {
            for element in begin..u64::from(self.rows).min(begin + u64::from(WARP_ROWS)) {
                let mut at = *entry as usize;
                while element >= u64::from(self.sets[at + 1][0]) {
                    at += 1;
                }
                let [row, _, columns, set] = self.sets[at];
                // Less than the number of rows.
                let row = element as u32 - row;
                (0..columns).for_each(|col| each(set, Tile { row, col }));
            }
        }
    }
}

/// The rows of each of `count` devices, with about as many pairs for each. A device has none if there are few. `sets` are those of a
/// [`SetRowTable`].
///
/// ```
/// use td_kernel_geometry::SetRowTable;
/// use td_kernel_geometry::sets::rows::row_shares;
///
/// // A row of the large set has as many pairs as 60 rows of the others.
/// let sizes = [vec![10; 300], vec![600], vec![10; 300]].concat();
/// let offsets: Vec<u32> = (0..=sizes.len()).map(|end| sizes[..end].iter().sum()).collect();
/// let table = SetRowTable::new(&offsets, &offsets)?;
/// assert_eq!(row_shares(&table.sets, 3), [0..3072, 3072..3328, 3328..6600]);
/// # Ok::<(), td_kernel_geometry::NoTable>(())
/// ```
pub fn row_shares(sets: &[[u32; 4]], count: u32) -> Vec<Range<u32>> {
    let area = |[first, end]: [&[u32; 4]; 2]| u64::from(end[0] - first[0]) * u64::from(first[2]);
    let ends = || sets.windows(2).map(|ends| [&ends[0], &ends[1]]);
    let (pairs, rows): (u64, _) = (ends().map(area).sum(), sets.last().map_or(0, |end| end[0]));
    let goal = |at: u32| (u128::from(pairs) * u128::from(at) / u128::from(count)) as u64;
    let mut goals = (1..count).map(goal).peekable();
    let (mut cuts, mut before) = (vec![0], 0);
    for [first, end] in ends() {
        let after = before + area([first, end]);
        while let Some(goal) = goals.next_if(|goal| *goal < after) {
            // Less than the set's number of rows.
            let row = first[0] + ((goal - before) / u64::from(first[2])) as u32;
            cuts.push((row.saturating_add(PART_ROWS / 2) / PART_ROWS * PART_ROWS).min(rows));
        }
        before = after;
    }
    // Without pairs, the first device has all rows.
    cuts.resize(count as usize + 1, rows);
    zip(&cuts, &cuts[1..]).map(|(start, end)| *start..*end).collect()
}

/// The blocks of a launch for this many rows.
pub fn blocks(rows: u32) -> u64 {
    u64::from(rows.div_ceil(WARP_ROWS * ROW_WARPS))
}

impl Sealed for SetRows {
    fn about(&self) -> About {
        About {
            parameters: &["const unsigned int row_begin"],
            ..About::new(
                "set_rows",
                "a row for each lane, counted through many sets, with all columns of its set",
                "if each element of many small sets has nearest neighbours or a state in its set",
            )
        }
    }
}

impl SetRows {
    /// The launches for the rows of a device.
    pub fn launches_of(&self, rows: Range<u32>) -> Vec<Launch> {
        match blocks(rows.end.saturating_sub(rows.start)) {
            0 => Vec::new(),
            blocks => vec![Launch { grid: Grid::line(blocks), numbers: vec![rows.start] }],
        }
    }
}

impl Map for SetRows {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        self.launches_of(0..shape.rows)
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [begin] = launch.numbers[..] else { return };
        let rows = u64::from(ROW_WARPS * WARP_ROWS);
        let first = u64::from(begin) + rows * x;
        for row in first..u64::from(shape.rows).min(first + rows) {
            // Less than the number of rows.
            let row = row as u32;
            (0..shape.columns.unwrap_or(shape.rows)).for_each(|col| each(Tile { row, col }));
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.domain.rows();
        let open = format!(
            "    // set_rows: 32 rows for each warp, counted through all sets. A lane has a row and all columns of its set.
    const unsigned int begin = row_begin + 32 * (WARPS * blockIdx.x + threadIdx.y);
    const unsigned int element = min(begin + threadIdx.x, {rows} - 1);
    if (begin >= {rows})
        return; // a surplus warp; warps do not wait for each other
    // Each set has at least one row, so the set of a lane is at most 31 further.
    const td_set *next = sets + firsts[begin / 32] + 1;
    while (element >= next->row)
        ++next;
    const td_set own = next[-1];
"
        );
        Prologue::straight(vec![include_str!("row.cuh")], open)
    }
}
