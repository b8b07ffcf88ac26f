//! Rows of many sets: each lane has a row, and visits all columns of its set.
//!
//! The nearest neighbours of an element are found without atomics or queues between blocks if one thread has all pairs of the element.
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

use std::collections::TryReserveError;

use crate::map::Sealed;
use crate::{Form, Grid, Launch, Map, NoTable, Prologue, Shape, Tile};

/// The warps of a block.
pub const ROW_WARPS: u32 = 4;

/// The rows of a warp.
pub const WARP_ROWS: u32 = 32;

/// The warps whose rows are a part for a CPU.
pub const WARPS_OF_PART: u32 = 8;

/// Rows of many sets.
///
/// ```
/// use td_kernel_maps::{Map, SetRows, Shape};
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
/// use td_kernel_maps::SetRowTable;
///
/// // Sets of 1, 0 and 2 rows, and of 2, 3 and 1 columns.
/// let table = SetRowTable::new(&[0, 1, 1, 3], &[0, 2, 5, 6])?;
/// let mut pairs = Vec::new();
/// table.visit(0, &mut |set, pair| pairs.push((set, pair.row, pair.col)));
/// assert_eq!(pairs, [(0, 0, 0), (0, 0, 1), (2, 0, 0), (2, 1, 0)]);
/// # Ok::<(), td_kernel_maps::NoTable>(())
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
        let sets = || {
            let ends = rows.windows(2).zip(columns.windows(2));
            (0..).zip(ends).filter(|(_, (rows, _))| rows[0] < rows[1])
        };
        let count = rows.len().min(columns.len());
        let all = count.checked_sub(1).map_or(0, |last| rows[last]);
        let (entries, of_blocks) = (sets().count() + 1, blocks(all) as usize);
        let memory = |_: TryReserveError| NoTable::Memory {
            bytes: entries.saturating_add(of_blocks).saturating_mul(size_of::<[u32; 4]>()),
        };
        let mut table = SetRowTable { sets: Vec::new(), firsts: Vec::new(), rows: all };
        table.sets.try_reserve_exact(entries).map_err(memory)?;
        table.firsts.try_reserve_exact(of_blocks).map_err(memory)?;
        table.firsts.resize(of_blocks, [0; ROW_WARPS as usize]);
        let mut warps =
            table.firsts.as_flattened_mut().iter_mut().zip((0..).step_by(WARP_ROWS as usize));
        let mut next = warps.next();
        for (set, (rows, columns)) in sets() {
            let at = table.sets.len() as u32;
            while let Some((first, _)) = next.take_if(|(_, row)| *row < u64::from(rows[1])) {
                *first = at;
                next = warps.next();
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

/// The blocks of a launch for this many rows.
pub fn blocks(rows: u32) -> u64 {
    u64::from(rows.div_ceil(WARP_ROWS * ROW_WARPS))
}

impl Sealed for SetRows {}

impl Map for SetRows {
    fn name(&self) -> &'static str {
        "set_rows"
    }

    fn summary(&self) -> &'static str {
        "a row for each lane, counted through many sets, with all columns of its set"
    }

    fn advice(&self) -> &'static str {
        "if each element of many small sets has nearest neighbours in its set"
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        match blocks(shape.rows) {
            0 => Vec::new(),
            blocks => vec![Launch::of(Grid::line(blocks))],
        }
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let columns = shape.columns.unwrap_or(shape.rows);
        if let Ok(table) = SetRowTable::new(&[0, shape.rows], &[0, columns]) {
            table.visit(x, &mut |_, pair| each(pair));
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let rows = form.domain.rows();
        let open = format!(
            "    // set_rows: 32 rows for each warp, counted through all sets. A lane has a row and all columns of its set.
    const unsigned int begin = 32 * (WARPS * blockIdx.x + threadIdx.y), element = min(begin + threadIdx.x, {rows} - 1);
    if (begin >= {rows})
        return; // a surplus warp; warps do not wait for each other
    // Each set has at least one row, so the set of a lane is at most 31 further.
    const td_set *next = sets + firsts[WARPS * blockIdx.x + threadIdx.y] + 1;
    while (element >= next->row)
        ++next;
    const td_set own = next[-1];
"
        );
        Prologue::straight(vec![include_str!("row.cuh")], open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(sizes: &[u32]) -> Vec<u32> {
        let mut offsets = vec![0];
        offsets.extend(sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        offsets
    }

    #[test]
    fn every_pair_is_visited_from_its_row() {
        let special: &[(&[u32], &[u32])] = &[
            (&[], &[]),
            (&[0], &[3]),
            (&[2, 0, 1], &[0, 5, 1]),
            (&[1; 300], &[2; 300]),
            (&[0, 32, 0, 0, 96, 1, 31, 0], &[1, 2, 3, 4, 5, 6, 7, 8]),
            (&[129, 3, 0, 500], &[1, 0, 9, 2]),
        ];
        for (rows, columns) in special {
            let table = SetRowTable::new(&offsets(rows), &offsets(columns)).unwrap();
            let mut seen = Vec::new();
            for x in 0..blocks(rows.iter().sum()) {
                table.visit(x, &mut |set, pair| seen.push((set, pair.row, pair.col)));
            }
            let expected =
                (0..).zip(rows.iter().zip(*columns)).flat_map(|(set, (rows, columns))| {
                    (0..*rows).flat_map(move |row| (0..*columns).map(move |col| (set, row, col)))
                });
            assert_eq!(seen, expected.collect::<Vec<_>>());
        }
    }
}
