//! All the rows that bands are cut from, and how they are cut.

use std::ops::Range;

use crate::{Error, Result, Shape};

/// The shape of an array of these rows' values.
pub(super) fn dimensions(whole: &Shape, rows: &Range<usize>) -> Vec<usize> {
    match whole.column_count() {
        None => vec![whole.values(rows)],
        Some(columns) => vec![rows.len(), columns],
    }
}

/// The bands that are left, from the first to the last.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) whole: Shape,
    /// The rows that are left.
    pub(super) rows: Range<usize>,
    /// The most values of a band. Each row has at most as many.
    pub(super) values: usize,
    /// The most rows of a band.
    pub(super) height: usize,
    /// Bands end at multiples of so many rows, where this leaves at least half of them: a kernel computes a tile that a
    /// band cuts once for each of the two.
    pub(super) side: usize,
}

impl Cut {
    /// The end of the band that begins with this row, which is one of the rows.
    fn end(&self, first: usize) -> usize {
        let before = self.whole.before(first);
        let fits = |end: usize| self.whole.before(end) - before <= self.values;
        let (mut low, mut high) =
            (first + 1, self.rows.end.min(first.saturating_add(self.height.max(1))));
        // Every end up to `low` fits, and none after `high`.
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        if low == self.rows.end {
            return low;
        }
        let aligned = low - low % self.side.max(1);
        if aligned > first && 2 * (aligned - first) >= low - first { aligned } else { low }
    }

    /// How many of so many devices have bands, and for how many at a time each has memory, at most for `flight`.
    pub(super) fn lanes(&self, devices: usize, flight: usize) -> [usize; 2] {
        // Fewer bands need less, and not all devices.
        let bands = self.clone().take(flight.saturating_mul(devices)).count().max(1);
        [devices.min(bands), bands.div_ceil(devices.max(1))]
    }

    /// At least as many values as the largest band has, and no more than a band may have.
    pub(super) fn most_values(&self) -> usize {
        let Range { start, end } = self.rows;
        let last = end.saturating_sub(1).max(start)..end;
        let tallest = self.height.max(1).saturating_mul(self.whole.values(&last));
        self.values.min(tallest).min(self.whole.values(&self.rows))
    }
}

impl Iterator for Cut {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.rows.is_empty() {
            return None;
        }
        let band = self.rows.start..self.end(self.rows.start);
        self.rows.start = band.end;
        Some(band)
    }
}

/// The numbers of rows and columns of a matrix, which a launch's arguments have told.
pub(crate) fn rectangle(
    kernel: &'static str,
    [rows, columns]: [usize; 2],
    range: Option<&Range<usize>>,
) -> Result<Shape> {
    match range {
        Some(range) if range.start > range.end || range.end > rows => {
            let problem = format!(
                "rows {rows:?} are not within {count} rows: write `kernel.rows(a..b)` with a <= b <= {count}",
                rows = range.clone(),
                count = rows
            );
            Err(Error::arguments(problem).of_kernel(kernel))
        }
        _ => Ok(Shape::rectangle(rows, columns)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(whole: &Shape, values: usize, height: usize, side: usize) -> Cut {
        Cut { whole: whole.clone(), rows: 0..whole.row_count(), values, height, side }
    }

    /// They follow each other, and none is larger than it may be or smaller than it has to be.
    #[test]
    fn bands_are_all_rows_in_order() {
        let wholes = [
            Shape::triangle(0, false),
            Shape::triangle(1, false),
            Shape::triangle(2, true),
            Shape::triangle(301, false),
            Shape::triangle(301, true),
            Shape::rectangle(0, 7),
            Shape::rectangle(97, 0),
            Shape::rectangle(97, 7),
        ];
        for whole in wholes {
            let longest = whole.row_count().max(7);
            for values in [longest, longest + 1, 3 * longest + 5, 20_000, usize::MAX] {
                for (height, side) in
                    [(usize::MAX, 1), (usize::MAX, 16), (usize::MAX, 64), (1, 64), (5, 4), (0, 1)]
                {
                    let cut = cut(&whole, values, height, side);
                    let bands: Vec<_> = cut.clone().collect();
                    let place = format!("{cut:?}: {bands:?}");
                    let mut end = 0;
                    for band in &bands {
                        assert_eq!(band.start, end, "{place}");
                        assert!(!band.is_empty() && band.len() <= height.max(1), "{place}");
                        assert!(whole.values(band) <= values, "{place}");
                        let is_last = band.end == whole.row_count();
                        let is_full = whole.values(&(band.start..band.end + 1)) > values;
                        let is_aligned = band.end % side == 0;
                        assert!(
                            is_last || is_full || is_aligned || band.len() == height.max(1),
                            "{place}"
                        );
                        end = band.end;
                    }
                    assert_eq!(end, whole.row_count(), "{place}");
                    let most = bands.iter().map(|band| whole.values(band)).max().unwrap_or(0);
                    let room = cut.most_values();
                    assert!(most <= room && room <= values, "{place}");
                }
            }
        }
    }

    #[test]
    fn bands_end_between_tiles_where_they_have_several() {
        let whole = Shape::rectangle(1000, 10);
        let ends = |values| cut(&whole, values, usize::MAX, 64).map(|band| band.end);
        // Of 200 and 300 rows most are kept, of 50 they would not be.
        assert_eq!(ends(2000).collect::<Vec<_>>(), [192, 384, 576, 768, 960, 1000]);
        assert_eq!(ends(3000).collect::<Vec<_>>(), [256, 512, 768, 1000]);
        assert_eq!(ends(500).take(4).collect::<Vec<_>>(), [50, 100, 128, 178]);
    }
}
