//! The rows of all pairs, and their parts.

use std::fmt;
use std::ops::Range;

/// What is computed: the rows of a triangle, or of a rectangle, and how many values each has.
///
/// ```
/// use td_kernel_cluster::Shape;
///
/// // 45 pairs of ten elements, in three parts.
/// let shape = Shape::triangle(10);
/// let parts = shape.parts(3);
/// assert_eq!(parts, [0..6, 6..8, 8..10]);
/// let values: Vec<usize> = parts.iter().map(|rows| shape.values(rows)).collect();
/// assert_eq!(values, [15, 13, 17]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    rows: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Triangle { diagonal: bool },
    Rectangle { columns: usize },
}

/// Parts end at multiples of so many rows, where they are long: no tile of a kernel is higher.
const TALL: usize = 256;

/// A part has at least as many multiples as this of the rows that it ends at.
const STEPS: usize = 16;

impl Shape {
    /// The pairs i > j of so many elements.
    pub const fn triangle(elements: usize) -> Shape {
        Shape { rows: elements, kind: Kind::Triangle { diagonal: false } }
    }

    /// The pairs i >= j, for kernels that visit the pairs (i, i).
    pub const fn triangle_with_diagonal(elements: usize) -> Shape {
        Shape { rows: elements, kind: Kind::Triangle { diagonal: true } }
    }

    /// The pairs of two sets of so many elements.
    pub const fn rectangle(rows: usize, columns: usize) -> Shape {
        Shape { rows, kind: Kind::Rectangle { columns } }
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// How many values the rows before this one have.
    pub fn start(&self, row: usize) -> usize {
        match self.kind {
            Kind::Triangle { diagonal: true } => row * (row + 1) / 2,
            Kind::Triangle { diagonal: false } => row * row.saturating_sub(1) / 2,
            Kind::Rectangle { columns } => row * columns,
        }
    }

    /// How many values these rows have.
    pub fn values(&self, rows: &Range<usize>) -> usize {
        self.start(rows.end.max(rows.start)) - self.start(rows.start)
    }

    /// The lengths of an array of all values.
    pub(crate) fn dimensions(&self) -> Vec<usize> {
        match self.kind {
            Kind::Triangle { .. } => vec![self.start(self.rows)],
            Kind::Rectangle { columns } => vec![self.rows, columns],
        }
    }

    /// Whether an address space could have all values, of so many bytes each.
    pub(crate) fn fits(&self, size: usize) -> bool {
        let values = match self.kind {
            Kind::Triangle { .. } => self.rows.checked_mul(self.rows.saturating_add(1)),
            Kind::Rectangle { columns } => self.rows.checked_mul(columns),
        };
        values
            .and_then(|values| values.checked_mul(size))
            .is_some_and(|bytes| i64::try_from(bytes).is_ok())
    }

    /// All rows in so many parts, one after another, of about as many values each. Where there are few rows, some parts
    /// have none.
    pub fn parts(&self, count: usize) -> Vec<Range<usize>> {
        let parts = self.parts_of(std::slice::from_ref(&(0..self.rows)), count);
        let mut end = 0;
        let whole = parts.iter().map(|part| {
            let first = part.first().map_or(end, |first| first.start);
            end = part.last().map_or(first, |last| last.end);
            first..end
        });
        whole.collect()
    }

    /// These rows, which are in order and do not overlap, in so many parts of about as many values each.
    pub(crate) fn parts_of(&self, ranges: &[Range<usize>], count: usize) -> Vec<Vec<Range<usize>>> {
        let count = count.max(1);
        let rows: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let total: usize = ranges.iter().map(|range| self.values(range)).sum();
        let unit = match rows / (STEPS * count) {
            0 | 1 => 1,
            few => (1 << few.ilog2()).min(TALL),
        };
        let mut parts = vec![Vec::new(); count];
        let (mut done, mut at) = (0, 0);
        for range in ranges {
            let mut start = range.start;
            while start < range.end {
                // The last part takes what is left, and so do rows without values.
                let goal = (total as u128 * (at as u128 + 1) / count as u128) as usize;
                let end = match at + 1 < count {
                    true => self.cut(start..range.end, goal.saturating_sub(done), unit),
                    false => range.end,
                };
                if end > start {
                    parts[at].push(start..end);
                    done += self.values(&(start..end));
                }
                start = end;
                if start < range.end {
                    at += 1;
                }
            }
            if at + 1 < count
                && total > 0
                && done as u128 * count as u128 >= total as u128 * (at as u128 + 1)
            {
                at += 1;
            }
        }
        parts
    }

    /// Where the first so many values of these rows end: at the nearest row, and where it may be at a multiple of `unit`.
    fn cut(&self, rows: Range<usize>, values: usize, unit: usize) -> usize {
        let before = self.start(rows.start);
        let (mut low, mut high) = (rows.start, rows.end);
        // As many values as wanted, or fewer, end at `low`.
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.start(middle) - before <= values { low = middle } else { high = middle - 1 }
        }
        let below = low / unit * unit;
        let above = (below + unit).min(rows.end);
        let distance = |row: usize| (self.start(row) - before).abs_diff(values);
        match below.max(rows.start) {
            below if distance(below) <= distance(above) => below,
            _ => above,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows;
        match self.kind {
            Kind::Triangle { diagonal: false } => write!(f, "a triangle of {rows} elements"),
            Kind::Triangle { diagonal: true } => {
                write!(f, "a triangle of {rows} elements with its diagonal")
            }
            Kind::Rectangle { columns } => write!(f, "a rectangle of {rows} x {columns} elements"),
        }
    }
}

/// The rows that are not among these, which are in order and do not overlap.
pub(crate) fn others(done: &[Range<usize>], rows: usize) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(done.iter().map(|range| range.end));
    let ends = done.iter().map(|range| range.start).chain([rows]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 9] = [
        Shape::triangle(0),
        Shape::triangle(1),
        Shape::triangle(2),
        Shape::triangle(301),
        Shape::triangle_with_diagonal(301),
        Shape::triangle(20_000),
        Shape::rectangle(0, 7),
        Shape::rectangle(97, 0),
        Shape::rectangle(9700, 7),
    ];

    #[test]
    fn parts_are_all_rows_in_order() {
        for shape in SHAPES {
            for count in [1, 2, 3, 7, 100] {
                let parts = shape.parts(count);
                assert_eq!(parts.len(), count);
                let mut end = 0;
                for part in &parts {
                    assert_eq!(part.start, end, "{shape} {parts:?}");
                    end = part.end;
                }
                assert_eq!(end, shape.rows(), "{shape} {parts:?}");
            }
        }
    }

    #[test]
    fn parts_have_about_as_many_values() {
        for (shape, count) in [
            (Shape::triangle(20_000), 7),
            (Shape::rectangle(9700, 7), 3),
            (Shape::triangle(301), 2),
        ] {
            let share = shape.start(shape.rows()) as f64 / count as f64;
            for part in shape.parts(count) {
                let values = shape.values(&part) as f64;
                assert!(
                    (values / share - 1.0).abs() < 0.15,
                    "{shape}: {part:?} has {values} of {share}"
                );
            }
        }
        // Between tiles, where there are many rows.
        assert!(shape_ends(Shape::triangle(100_000), 4).all(|end| end % 256 == 0));
    }

    fn shape_ends(shape: Shape, count: usize) -> impl Iterator<Item = usize> {
        shape.parts(count).into_iter().take(count - 1).map(|part| part.end)
    }

    /// What is left of a job that was cut.
    #[test]
    fn what_is_left_is_shared() {
        for shape in SHAPES {
            let rows = shape.rows();
            let done = [rows / 7..rows / 5, rows / 3..rows / 2];
            let done: Vec<_> = done.into_iter().filter(|range| !range.is_empty()).collect();
            let left = others(&done, rows);
            let total: usize = left.iter().map(|range| shape.values(range)).sum();
            for count in [1, 2, 3, 7] {
                let parts = shape.parts_of(&left, count);
                let mut all: Vec<_> =
                    parts.iter().flatten().cloned().chain(done.iter().cloned()).collect();
                all.sort_by_key(|range| range.start);
                let mut end = 0;
                for range in &all {
                    assert!(range.start == end && range.end > end, "{shape} {count} {all:?}");
                    end = range.end;
                }
                assert_eq!(end, rows, "{shape} {count} {all:?}");
                if rows > 5000 {
                    for part in parts {
                        let values: usize = part.iter().map(|range| shape.values(range)).sum();
                        let share = values as f64 * count as f64 / total as f64;
                        assert!((share - 1.0).abs() < 0.15, "{shape} {count} {part:?} {share}");
                    }
                }
            }
        }
        assert_eq!(others(&[], 5).as_slice(), std::slice::from_ref(&(0..5)));
        assert_eq!(others(std::slice::from_ref(&(0..5)), 5), []);
    }

    #[test]
    fn impossible_shapes_are_known() {
        assert!(Shape::triangle(300_000).fits(4));
        assert!(!Shape::triangle(usize::MAX).fits(1));
        assert!(!Shape::rectangle(1 << 40, 1 << 20).fits(16));
    }
}
