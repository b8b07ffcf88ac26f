//! What a launch visits: all pairs of its elements, or those of some rows.

use std::ops::Range;

use td_kernel_maps::{Space, triangle};

use crate::Result;
use crate::error::Cause;
use crate::info::{KernelInfo, Variant};
use crate::triangle::pairs;

/// The pairs of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The number of elements.
    pub(crate) n: usize,
    /// The rows of the pairs, where they are not all: within `0..n`.
    pub(crate) rows: Option<Range<usize>>,
}

impl Extent {
    /// These rows of n elements, or all.
    pub(crate) fn new(info: &KernelInfo, n: usize, rows: Option<&Range<usize>>) -> Result<Extent> {
        match rows {
            Some(rows) if rows.start > rows.end || rows.end > n => {
                Err(Cause::LaunchRows { kernel: info.name, rows: rows.clone(), n }.into())
            }
            rows => Ok(Extent { n, rows: rows.cloned() }),
        }
    }

    /// The rows of the pairs.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.rows.clone().unwrap_or(0..self.n)
    }

    /// The number of pairs. Where it overflows: `usize::MAX`, less the pairs before the first row, which is more than
    /// any map takes.
    pub(crate) fn pairs(&self, diagonal: bool) -> usize {
        let Range { start, end } = self.rows();
        let before = |row| pairs(row, diagonal).unwrap_or(usize::MAX);
        before(end) - before(start)
    }

    /// Whether there is a pair.
    pub(crate) fn has_pairs(&self, diagonal: bool) -> bool {
        let Range { start, end } = self.rows();
        end > start && (diagonal || end > 1)
    }

    /// The rows of units that a map launches, the first one and the end of them.
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
        let before = |row| triangle(u32::try_from(row).unwrap_or(u32::MAX));
        before(end.div_ceil(side)).saturating_sub(before(start / side))
    }

    /// The number of elements whose triangle has about as many pairs.
    pub(crate) fn alike(&self) -> usize {
        match &self.rows {
            None => self.n,
            Some(_) => self.pairs(false).saturating_mul(2).isqrt(),
        }
    }

    /// The variant's text for this extent, where there is one.
    pub(crate) fn text(&self, variant: &Variant) -> Option<&'static str> {
        if self.rows.is_some() { variant.rows } else { Some(variant.source) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: KernelInfo = KernelInfo {
        name: "edm",
        entry: "edm_kernel",
        diagonal: false,
        has_square: false,
        has_packed: true,
        rows_take_n: true,
        variants: &[],
    };

    #[test]
    fn rows_are_within_the_elements() {
        #[allow(clippy::reversed_empty_ranges)]
        for rows in [3..2, 0..8, 8..8, 8..7, usize::MAX..usize::MAX] {
            let error = Extent::new(&INFO, 7, Some(&rows)).unwrap_err();
            assert!(matches!(error.cause(), Cause::LaunchRows { n: 7, .. }), "{error}");
        }
        for rows in [0..0, 7..7, 0..7, 3..4] {
            assert_eq!(Extent::new(&INFO, 7, Some(&rows)).unwrap().rows(), rows);
        }
        assert_eq!(Extent::new(&INFO, usize::MAX, None).unwrap().rows(), 0..usize::MAX);
    }

    #[test]
    fn pairs_are_those_of_the_rows() {
        for n in 0..9 {
            for end in 0..=n {
                for start in 0..=end {
                    let extent = Extent::new(&INFO, n, Some(&(start..end))).unwrap();
                    assert_eq!(extent.pairs(false), (start..end).sum::<usize>());
                    assert_eq!(extent.pairs(true), (start + 1..end + 1).sum::<usize>());
                    for diagonal in [false, true] {
                        assert_eq!(extent.has_pairs(diagonal), extent.pairs(diagonal) > 0);
                    }
                }
            }
        }
        let all = |n| Extent { n, rows: None };
        assert_eq!((all(5).pairs(false), all(5).alike()), (10, 5));
        assert_eq!(all(usize::MAX).pairs(true), usize::MAX);
        assert_eq!(Extent { n: 5, rows: Some(0..5) }.alike(), 4);
    }

    #[test]
    fn tiles_are_those_with_a_row() {
        let tiles = |rows: Range<usize>, side| Extent { n: 1000, rows: Some(rows) }.tiles(side);
        assert_eq!((tiles(0..64, 32), tiles(32..64, 32), tiles(31..33, 32)), (3, 2, 3));
        assert_eq!((tiles(64..64, 32), tiles(0..0, 32)), (0, 0));
        assert_eq!(Extent { n: usize::MAX, rows: None }.tiles(0), triangle(u32::MAX));
    }
}
