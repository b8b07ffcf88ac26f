//! Divides the rows of a shape into parts, for files and chunks.

use std::collections::VecDeque;
use std::ops::Range;

use crate::Shape;

/// Long parts end at multiples of this many rows: no kernel has taller tiles.
const TALL: usize = 256;

/// The least number of such multiples in a part.
const STEPS: usize = 16;

/// The most parts: far more than there are processes, and few enough for memory.
const MOST_PARTS: usize = 1 << 20;

impl Shape {
    /// The number of values in the last of these rows.
    pub(super) fn last_row_values(&self, rows: &Range<usize>) -> usize {
        self.values(&(rows.end.saturating_sub(1).max(rows.start)..rows.end))
    }

    /// The end of the longest run of these rows, from the first, with at most `values` values.
    pub(super) fn end_of(&self, rows: Range<usize>, values: usize) -> usize {
        let (mut low, mut high) = (rows.start, rows.end);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            let fits = self.values(&(rows.start..middle)) <= values;
            if fits { low = middle } else { high = middle - 1 }
        }
        low
    }

    /// Divides all rows into `count` consecutive parts with about as many values each. With few rows, some parts are empty. There
    /// are at most 1,048,576 parts, also if `count` is larger.
    pub fn parts(&self, count: usize) -> Vec<Range<usize>> {
        let mut end = 0;
        let whole = |part: Vec<Range<usize>>| {
            let rows = part.into_iter().next().unwrap_or(end..end);
            end = rows.end;
            rows
        };
        self.parts_of(&[self.rows()], count).into_iter().map(whole).collect()
    }

    /// Divides these rows, which are in order and do not overlap, into `count` parts with about as many values each, at
    /// most 1,048,576.
    pub fn parts_of(&self, ranges: &[Range<usize>], count: usize) -> Vec<Vec<Range<usize>>> {
        let count = count.clamp(1, MOST_PARTS);
        let rows: usize = ranges.iter().map(ExactSizeIterator::len).fold(0, usize::saturating_add);
        let total: usize =
            ranges.iter().map(|range| self.values(range)).fold(0, usize::saturating_add);
        let unit = match rows / STEPS.saturating_mul(count) {
            0 | 1 => 1,
            few => (1 << few.ilog2()).min(TALL),
        };
        let mut left: VecDeque<_> = ranges.iter().cloned().collect();
        let mut done = 0;
        let part = |at: usize| {
            let goal = (total as u128 * at as u128 / count as u128) as usize;
            let mut part = Vec::new();
            while let Some(rows) = left.pop_front() {
                // The last part takes the rest.
                let end = match at == count {
                    true => rows.end,
                    false => self.cut(rows.clone(), goal.saturating_sub(done), unit),
                };
                done = done.saturating_add(self.values(&(rows.start..end)));
                part.extend((end > rows.start).then_some(rows.start..end));
                if end < rows.end {
                    left.push_front(end..rows.end);
                    break;
                }
            }
            part
        };
        (1..=count).map(part).collect()
    }

    /// The row nearest to where the first `values` values of these rows end, at a multiple of `unit` if possible.
    fn cut(&self, rows: Range<usize>, values: usize, unit: usize) -> usize {
        let below = self.end_of(rows.clone(), values) / unit * unit;
        let above = below.saturating_add(unit).min(rows.end);
        let distance = |row: usize| self.values(&(rows.start..row)).abs_diff(values);
        match below.max(rows.start) {
            below if distance(below) <= distance(above) => below,
            _ => above,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 9] = [
        Shape::triangle(0),
        Shape::triangle(1),
        Shape::triangle(2),
        Shape::triangle(301),
        Shape::triangle(301).with_diagonal(),
        Shape::triangle(20_000),
        Shape::rectangle(0, 7),
        Shape::rectangle(97, 0),
        Shape::rectangle(9700, 7),
    ];

    #[test]
    fn parts_cover_rows_in_order() {
        for shape in SHAPES {
            let rows = shape.row_count();
            // All rows, and the rest of an interrupted job.
            for ranges in
                [vec![0..0, 0..rows], vec![0..rows / 7, rows / 5..rows / 3, rows / 2..rows]]
            {
                for count in [1, 2, 3, 7, 100] {
                    let parts = shape.parts_of(&ranges, count);
                    assert_eq!(parts.len(), count);
                    let all: Vec<_> = parts.into_iter().flatten().flatten().collect();
                    let expected: Vec<_> = ranges.iter().cloned().flatten().collect();
                    assert_eq!(all, expected, "{shape} {ranges:?} {count}");
                }
            }
            let parts = shape.parts(7);
            let ends = parts.windows(2).all(|two| two[0].end == two[1].start);
            assert!(ends && (parts[0].start, parts[6].end) == (0, rows), "{shape} {parts:?}");
        }
    }

    #[test]
    fn parts_have_similar_sizes() {
        let shapes = [Shape::triangle(20_000), Shape::rectangle(9700, 7), Shape::triangle(3010)];
        for (shape, count) in shapes.into_iter().zip([7, 3, 2]) {
            let rows = shape.row_count();
            for ranges in
                [vec![0..0, 0..rows], vec![0..rows / 7, rows / 5..rows / 3, rows / 2..rows]]
            {
                let values = |part: &[Range<usize>]| {
                    part.iter().map(|rows| shape.values(rows)).sum::<usize>() as f64
                };
                let share = values(&ranges) / count as f64;
                for part in shape.parts_of(&ranges, count) {
                    let close = (values(&part) / share - 1.0).abs() < 0.15;
                    assert!(close, "{shape}: {part:?} has {} of {share}", values(&part));
                }
            }
        }
        // Between tiles, if there are many rows.
        let parts = Shape::triangle(100_000).parts(4);
        assert!(parts[..3].iter().all(|part| part.end % 256 == 0), "{parts:?}");
    }

    #[test]
    fn impossible_shapes_are_errors() {
        let values = |shape: Shape| shape.start(shape.row_count());
        assert_eq!(values(Shape::triangle(usize::MAX)), usize::MAX);
        assert_eq!(values(Shape::rectangle(1 << 40, 1 << 40)), usize::MAX);
        for shape in [
            Shape::rectangle(usize::MAX, usize::MAX),
            Shape::rectangle(usize::MAX, 0),
            Shape::triangle(usize::MAX),
            Shape::triangle(usize::MAX).with_diagonal(),
        ] {
            assert_eq!((shape.slot(usize::MAX - 1, 7), shape.slot(usize::MAX, 7)), (None, None));
            assert_eq!(shape.parts_of(&[0..1 << 63, 1 << 63..usize::MAX], 3).len(), 3);
            let parts = shape.parts(3);
            assert_eq!((parts[0].start, parts[2].end), (0, usize::MAX), "{shape}");
            assert!(shape.checked::<u8>().is_err(), "{shape}");
        }
        for shape in [Shape::triangle(9), Shape::rectangle(3, 7), Shape::triangle(usize::MAX)] {
            let parts = shape.parts(usize::MAX);
            assert_eq!((parts.len(), parts[0].start), (1 << 20, 0), "{shape}");
            assert_eq!(parts[parts.len() - 1].end, shape.row_count(), "{shape}");
        }
        assert_eq!(Shape::triangle(9).parts(1 << 20).len(), 1 << 20);
        assert_eq!(Shape::rectangle(usize::MAX, usize::MAX).slot(0, 7), Some(7));
        assert!(Shape::triangle(300_000).checked::<f32>().is_ok());
        assert!(Shape::triangle(usize::MAX).checked::<f32>().is_err());
    }
}
