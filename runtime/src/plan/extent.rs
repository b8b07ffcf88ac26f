//! The pairs that a launch visits: all pairs of one set or of two, or those of some rows.

use std::fmt;
use std::ops::Range;

use td_kernel_geometry::{Shape, Space, Sweep, triangle};

use super::no_rows;
use crate::error::counted;
use crate::host::triangle::pairs;
use crate::types::info::{KernelInfo, Variant};
use crate::{Error, Result};

/// The pairs of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The number of elements; for a rectangle, of its rows.
    pub(crate) n: usize,
    /// The number of a rectangle's columns; `None` for a triangle.
    pub(crate) columns: Option<usize>,
    /// The rows of the pairs, within `0..n`; `None` for all.
    pub(crate) rows: Option<Range<usize>>,
    /// The nearest neighbours of an element, or the numbers of an array, for which the code is compiled, unless `load` compiles it
    /// for as many.
    pub(crate) compiled_for: Option<u32>,
}

impl Extent {
    /// These rows of n elements, or of a rectangle with n rows and `columns` columns; or all rows.
    pub(crate) fn new(
        info: &KernelInfo,
        n: usize,
        columns: Option<usize>,
        rows: Option<&Range<usize>>,
    ) -> Result<Extent> {
        match rows {
            Some(_) if info.is_exchanged => Err(no_rows(info)),
            Some(rows) if rows.start > rows.end || rows.end > n => {
                let all = Extent::all(n, columns);
                let problem = format!(
                    "rows {rows:?} are not within {all}: write `kernel.rows(a..b)` with a <= b <= {n}"
                );
                Err(Error::arguments(problem).of_kernel(info.name))
            }
            rows => Ok(Extent { n, columns, rows: rows.cloned(), compiled_for: None }),
        }
    }

    /// All rows of n elements, or of a rectangle with n rows and `columns` columns.
    pub(crate) fn all(n: usize, columns: Option<usize>) -> Extent {
        Extent { n, columns, rows: None, compiled_for: None }
    }

    /// The pairs of all rows.
    pub(crate) fn whole(&self) -> Extent {
        Extent { rows: None, ..self.clone() }
    }

    /// This extent, cut to at most `most` rows and columns.
    pub(crate) fn up_to(&self, most: usize) -> Extent {
        let rows = self.rows.as_ref().map(|rows| rows.start.min(most)..rows.end.min(most));
        let columns = self.columns.map(|columns| columns.min(most));
        Extent { n: self.n.min(most), columns, rows, compiled_for: self.compiled_for }
    }

    /// The larger of its numbers of elements.
    pub(crate) fn largest_count(&self) -> usize {
        self.n.max(self.columns.unwrap_or(0))
    }

    /// The rows of the pairs.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.rows.clone().unwrap_or(0..self.n)
    }

    /// The same pairs, as a range of rows.
    pub(crate) fn with_rows(self) -> Extent {
        Extent { rows: Some(self.rows()), ..self }
    }

    /// The number of pairs. If it overflows: `usize::MAX` less the pairs before the first row, which is more than any map
    /// supports.
    pub(crate) fn pairs(&self, diagonal: bool) -> usize {
        let Range { start, end } = self.rows();
        if let Some(columns) = self.columns {
            return (end - start).saturating_mul(columns);
        }
        let before = |row| pairs(row, diagonal).unwrap_or(usize::MAX);
        before(end) - before(start)
    }

    /// The first slot of a row, among the slots of all pairs. If it overflows, there are more elements than any map supports,
    /// which `plan` reports.
    pub(crate) fn slot(&self, row: usize, diagonal: bool) -> usize {
        match self.columns {
            Some(columns) => row.saturating_mul(columns),
            None => pairs(row, diagonal).unwrap_or(usize::MAX),
        }
    }

    pub(crate) fn has_pairs(&self, diagonal: bool) -> bool {
        let Range { start, end } = self.rows();
        let has_columns = self.columns.map_or(diagonal || end > 1, |columns| columns > 0);
        end > start && has_columns
    }

    /// The shape that a map launches: the units of these pairs.
    pub(crate) fn shape(&self, variant: &Variant, diagonal: bool) -> Shape {
        let [first, rows] = self.units(variant, diagonal);
        let shape = Shape::blocks(rows).with_first(first);
        let side = variant.tiling.side.max(1) as usize;
        let units = |columns: usize| u32::try_from(columns.div_ceil(side)).unwrap_or(u32::MAX);
        self.columns.map_or(shape, |columns| shape.with_columns(units(columns)))
    }

    /// The rows of units that a map launches: the first one and the end.
    pub(crate) fn units(&self, variant: &Variant, diagonal: bool) -> [u32; 2] {
        let Range { start, end } = self.rows();
        let side = variant.tiling.side.max(1) as usize;
        let units = match (variant.space, diagonal) {
            (Space::Thread, true) => [start, end],
            (Space::Thread, false) => [start.saturating_sub(1), end.saturating_sub(1)],
            _ => [start / side, end.div_ceil(side)],
        };
        units.map(|units| u32::try_from(units).unwrap_or(u32::MAX))
    }

    /// The number of tiles of `side` elements that have pairs in these rows.
    pub(crate) fn tiles(&self, side: u32) -> u64 {
        let Range { start, end } = self.rows();
        let side = side.max(1) as usize;
        if let Some(columns) = self.columns {
            let height = end.div_ceil(side).saturating_sub(start / side) as u64;
            return height.saturating_mul(columns.div_ceil(side) as u64);
        }
        let before = |row| triangle(u32::try_from(row).unwrap_or(u32::MAX));
        before(end.div_ceil(side)).saturating_sub(before(start / side))
    }

    /// The number of elements whose triangle has about as many pairs.
    pub(crate) fn equivalent_n(&self) -> usize {
        match (&self.rows, self.columns) {
            (None, None) => self.n,
            _ => self.pairs(false).saturating_mul(2).isqrt(),
        }
    }

    /// Whether the variant can visit these pairs. Sorted elements have no ranges of rows, but near tiles may be those of all rows.
    pub(crate) fn has(&self, variant: &Variant) -> bool {
        let is_near = variant.tiling.sweep == Sweep::Near && self.rows() == (0..self.n);
        self.rows.is_none() || variant.has_rows || is_near
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elements = counted(self.n, "element");
        match (&self.rows, self.columns) {
            (None, None) => f.write_str(&elements),
            (Some(rows), None) => write!(f, "rows {rows:?} of {elements}"),
            (None, Some(columns)) => {
                write!(f, "{} of {}", counted(self.n, "row"), counted(columns, "column"))
            }
            (Some(rows), Some(columns)) => {
                write!(f, "rows {rows:?} of {}", counted(columns, "column"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::info::samples::EDM;

    #[test]
    fn rows_past_n_are_refused() {
        #[allow(clippy::reversed_empty_ranges)]
        for rows in [3..2, 0..8, 8..8, 8..7, usize::MAX..usize::MAX] {
            let error = Extent::new(&EDM, 7, None, Some(&rows)).unwrap_err();
            assert!(error.to_string().contains("a <= b <= 7"), "{error}");
        }
        for rows in [0..0, 7..7, 0..7, 3..4] {
            assert_eq!(Extent::new(&EDM, 7, None, Some(&rows)).unwrap().rows(), rows);
        }
        assert_eq!(Extent::new(&EDM, usize::MAX, None, None).unwrap().rows(), 0..usize::MAX);
    }

    #[test]
    fn counts_have_their_nouns() {
        for (n, columns, rows, expected) in [
            (1, None, None, "1 element"),
            (2, None, Some(0..1), "rows 0..1 of 2 elements"),
            (1, Some(2), None, "1 row of 2 columns"),
            (2, Some(1), None, "2 rows of 1 column"),
            (2, Some(1), Some(1..2), "rows 1..2 of 1 column"),
        ] {
            let extent = Extent { n, columns, rows, compiled_for: None };
            assert_eq!(extent.to_string(), expected);
        }
    }

    #[test]
    fn pairs_of_rows_are_counted() {
        for n in 0..9 {
            for end in 0..=n {
                for start in 0..=end {
                    let extent = Extent::new(&EDM, n, None, Some(&(start..end))).unwrap();
                    assert_eq!(extent.pairs(false), (start..end).sum::<usize>());
                    assert_eq!(extent.pairs(true), (start + 1..end + 1).sum::<usize>());
                    for diagonal in [false, true] {
                        assert_eq!(extent.has_pairs(diagonal), extent.pairs(diagonal) > 0);
                    }
                }
            }
        }
        let all = |n| Extent::all(n, None);
        assert_eq!((all(5).pairs(false), all(5).equivalent_n()), (10, 5));
        assert_eq!(all(usize::MAX).pairs(true), usize::MAX);
        assert_eq!(all(5).with_rows().equivalent_n(), 4);
    }

    #[test]
    fn tiles_of_rows_are_counted() {
        let extent = |n, rows| Extent { n, columns: None, rows, compiled_for: None };
        let tiles = |rows: Range<usize>, side| extent(1000, Some(rows)).tiles(side);
        assert_eq!((tiles(0..64, 32), tiles(32..64, 32), tiles(31..33, 32)), (3, 2, 3));
        assert_eq!((tiles(64..64, 32), tiles(0..0, 32)), (0, 0));
        assert_eq!(extent(usize::MAX, None).tiles(0), triangle(u32::MAX));
    }

    #[test]
    fn rectangle_has_rows_and_columns() {
        let of = |[n, columns]: [usize; 2], rows: Option<Range<usize>>| {
            Extent::new(&EDM, n, Some(columns), rows.as_ref())
        };
        for (rows, columns) in [(0, 0), (0, 5), (5, 0), (1, 1), (3, 7)] {
            let all = of([rows, columns], None).unwrap();
            assert_eq!((all.rows(), all.pairs(false)), (0..rows, rows * columns));
            assert_eq!(all.has_pairs(false), rows * columns > 0);
        }
        let some = of([100, 70], Some(30..65)).unwrap();
        assert_eq!((some.pairs(false), some.tiles(32), some.tiles(64)), (35 * 70, 9, 4));
        assert_eq!((some.equivalent_n(), some.largest_count()), (70, 100));
        assert_eq!(some.up_to(50), of([50, 50], Some(30..50)).unwrap());
        #[allow(clippy::reversed_empty_ranges)]
        for rows in [3..2, 0..8, 8..8] {
            let error = of([7, 9], Some(rows)).unwrap_err();
            assert!(error.to_string().contains("not within 7 rows of 9 columns"), "{error}");
        }
        assert_eq!(of([usize::MAX; 2], None).unwrap().pairs(false), usize::MAX);
    }
}
