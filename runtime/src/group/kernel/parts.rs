//! Divides the rows of a launch into parts of about equal work.

use crate::plan::extent::Extent;

/// More rows than any map supports; their work, times the number of devices, is a `u128`.
const MOST: usize = 1 << 48;

impl Extent {
    /// The same pairs in `count` parts of consecutive rows, with about as many pairs each. Parts end at a multiple of `unit`
    /// rows, counted from row `first`, so with few rows some parts are empty.
    pub(crate) fn parts(&self, count: usize, first: usize, unit: u32) -> Vec<Extent> {
        let (rows, unit) = (self.rows(), unit.max(1) as usize);
        let before = |row: usize| self.work_before(row, unit);
        let (begin, end) = (before(rows.start), before(rows.end));
        // The row nearest to the end of a share of the work, among those where a part may end.
        let cut = |at: usize| {
            let goal = begin + (end - begin) * at as u128 / count as u128;
            let row = self.row_of_work(goal, unit).max(first);
            let below = first + (row - first) / unit * unit;
            let above = below.saturating_add(unit);
            let nearer = if before(above) - goal < goal.saturating_sub(before(below)) {
                above
            } else {
                below
            };
            nearer.clamp(rows.start, rows.end)
        };
        let mut start = rows.start;
        let mut part = |at: usize| {
            let end = if at + 1 >= count { rows.end } else { cut(at + 1).max(start) };
            let part = Extent { rows: Some(start..end), ..self.clone() };
            start = end;
            part
        };
        (0..count).map(&mut part).collect()
    }

    /// The work of all rows before this one: for a rectangle their number; for a triangle a number proportional to that of the
    /// tiles with `unit` rows.
    fn work_before(&self, row: usize, unit: usize) -> u128 {
        let row = row.min(MOST) as u128;
        if self.columns.is_some() { row } else { row * (row + unit as u128) }
    }

    /// The last row with at most this much work before it.
    fn row_of_work(&self, work: u128, unit: usize) -> usize {
        if self.columns.is_some() {
            return work as usize;
        }
        // row² + unit row = work, so (2 row + unit)² = 4 work + unit².
        let unit = unit as u128;
        let root = work.saturating_mul(4).saturating_add(unit * unit).isqrt();
        ((root - unit) / 2) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(n: usize, columns: Option<usize>, rows: std::ops::Range<usize>) -> Extent {
        Extent { n, columns, rows: Some(rows), compiled_for: None }
    }

    #[test]
    fn parts_end_at_unit_boundaries() {
        for n in [0, 1, 2, 31, 32, 33, 100, 1000, 4096] {
            for rows in [0..n, n / 3..n, n / 2..n / 2, 0..n / 4] {
                for (count, unit) in [(1, 32), (2, 1), (3, 32), (7, 64), (7, 3), (100, 16)] {
                    for columns in [None, Some(0), Some(50)] {
                        for first in [0, rows.start] {
                            let all = extent(n, columns, rows.clone());
                            let parts = all.parts(count, first, unit);
                            assert_eq!(parts.len(), count);
                            let mut start = rows.start;
                            for part in &parts {
                                assert_eq!((part.n, part.columns), (n, columns));
                                let part = part.rows();
                                assert!(part.start == start && part.end >= start);
                                let is_whole = (part.end - first).is_multiple_of(unit as usize);
                                let is_edge = part.end == rows.start || part.end == rows.end;
                                assert!(is_whole || is_edge, "{part:?} of {rows:?}, {unit}");
                                start = part.end;
                            }
                            assert_eq!(start, rows.end);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn parts_have_similar_pair_counts() {
        for (n, columns) in [(204_800, None), (204_800, Some(3000)), (1 << 32, None)] {
            for (count, unit) in [(2, 64), (4, 128), (8, 256)] {
                for rows in [0..n, n / 2..n] {
                    let all = extent(n, columns, rows);
                    let share = all.pairs(false) as f64 / count as f64;
                    // Either end is within half a row of tiles.
                    let tolerance = (unit * columns.unwrap_or(n)) as f64 * 1.01;
                    for part in all.parts(count, 0, unit as u32) {
                        let error = part.pairs(false) as f64 - share;
                        assert!(error.abs() < tolerance, "{part:?} of {all:?}: {error}");
                    }
                }
            }
        }
        // 8 rows of tiles have 36 tiles: 15 + 21, not 10 + 26.
        let parts = extent(256, None, 0..256).parts(2, 0, 32);
        assert_eq!(parts.iter().map(Extent::rows).collect::<Vec<_>>(), [0..160, 160..256]);
    }

    #[test]
    fn largest_extent_does_not_overflow() {
        let all = Extent::all(usize::MAX, None);
        assert_eq!(all.parts(3, 0, 256).last().map(|last| last.rows().end), Some(usize::MAX));
    }
}
