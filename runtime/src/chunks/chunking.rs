//! Divides rows into chunks.

use std::collections::VecDeque;
use std::ops::Range;

use crate::Shape;

/// The chunks that are left, in order.
#[derive(Clone, Debug)]
pub(super) struct Chunking {
    pub(super) shape: Shape,
    /// The rows that are left, in order.
    pub(super) rows: VecDeque<Range<usize>>,
    /// The most values of a chunk. No row has more.
    pub(super) values: usize,
    /// The most rows of a chunk.
    pub(super) height: usize,
    /// Chunks end at multiples of this many rows, if that leaves at least half of their rows: a tile that is divided between two
    /// chunks is computed in both.
    pub(super) side: usize,
}

impl Chunking {
    /// The end of the chunk that begins with the first of these rows. There is at least one.
    fn end(&self, Range { start, end }: Range<usize>) -> usize {
        let highest = end.min(start.saturating_add(self.height.max(1)));
        let fitting = self.shape.end_of(start..highest, self.values).max(start + 1);
        let aligned = fitting - fitting % self.side.max(1);
        let is_aligned =
            fitting < end && aligned > start && 2 * (aligned - start) >= fitting - start;
        if is_aligned { aligned } else { fitting }
    }

    /// The number of devices, of `devices`, that get chunks, and the chunks for which each has memory at a time: at most
    /// `flight`.
    pub(super) fn pipelines(&self, devices: usize, flight: usize) -> [usize; 2] {
        // Fewer chunks need less memory, and perhaps fewer devices.
        let chunks = self.clone().take(flight.saturating_mul(devices)).count().max(1);
        [devices.min(chunks), chunks.div_ceil(devices.max(1))]
    }

    /// At least as many values as the largest chunk has, and no more than a chunk may have.
    pub(super) fn most_values(&self) -> usize {
        let longest = self.rows.back().map_or(0, |rows| self.shape.last_row_values(rows));
        let tallest = self.height.max(1).saturating_mul(longest);
        self.values.min(tallest).min(self.values_left())
    }

    /// The values of all chunks.
    pub(super) fn values_left(&self) -> usize {
        self.rows.iter().map(|rows| self.shape.values(rows)).sum()
    }
}

impl Iterator for Chunking {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while self.rows.front()?.is_empty() {
            self.rows.pop_front();
        }
        let end = self.end(self.rows.front()?.clone());
        let rows = self.rows.front_mut()?;
        Some(std::mem::replace(&mut rows.start, end)..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(shape: Shape, values: usize, height: usize, side: usize) -> Chunking {
        Chunking { shape, rows: [shape.rows()].into(), values, height, side }
    }

    /// Chunks are consecutive, and none is larger than allowed or smaller than necessary.
    #[test]
    fn chunks_cover_rows_in_order() {
        let shapes = [
            Shape::triangle(0),
            Shape::triangle(1),
            Shape::triangle(2).with_diagonal(),
            Shape::triangle(301),
            Shape::triangle(301).with_diagonal(),
            Shape::rectangle(0, 7),
            Shape::rectangle(97, 0),
            Shape::rectangle(97, 7),
        ];
        for shape in shapes {
            let longest = shape.row_count().max(7);
            for values in [longest, longest + 1, 3 * longest + 5, 20_000, usize::MAX] {
                for (height, side) in
                    [(usize::MAX, 1), (usize::MAX, 16), (usize::MAX, 64), (1, 64), (5, 4), (0, 1)]
                {
                    let cut = cut(shape, values, height, side);
                    let chunks: Vec<_> = cut.clone().collect();
                    let place = format!("{cut:?}: {chunks:?}");
                    let mut end = 0;
                    for chunk in &chunks {
                        assert_eq!(chunk.start, end, "{place}");
                        assert!(!chunk.is_empty() && chunk.len() <= height.max(1), "{place}");
                        assert!(shape.values(chunk) <= values, "{place}");
                        let is_last = chunk.end == shape.row_count();
                        let is_full = shape.values(&(chunk.start..chunk.end + 1)) > values;
                        let is_cut = chunk.end % side == 0 || chunk.len() == height.max(1);
                        assert!(is_last || is_full || is_cut, "{place}");
                        end = chunk.end;
                    }
                    assert_eq!(end, shape.row_count(), "{place}");
                    let most = chunks.iter().map(|chunk| shape.values(chunk)).max().unwrap_or(0);
                    let room = cut.most_values();
                    assert!(most <= room && room <= values, "{place}");
                }
            }
        }
    }

    #[test]
    fn large_chunks_end_between_tiles() {
        let shape = Shape::rectangle(1000, 10);
        let ends = |values| cut(shape, values, usize::MAX, 64).map(|chunk| chunk.end);
        // Of 200 and 300 rows most are kept; of 50 they would not be.
        assert_eq!(ends(2000).collect::<Vec<_>>(), [192, 384, 576, 768, 960, 1000]);
        assert_eq!(ends(3000).collect::<Vec<_>>(), [256, 512, 768, 1000]);
        assert_eq!(ends(500).take(4).collect::<Vec<_>>(), [50, 100, 128, 178]);
    }

    /// Rows that exist already are in the gaps.
    #[test]
    fn chunks_skip_gaps() {
        let mut cut = cut(Shape::rectangle(100, 10), 200, usize::MAX, 1);
        cut.rows = [0..0, 3..30, 40..40, 50..60].into();
        assert_eq!(cut.clone().collect::<Vec<_>>(), [3..23, 23..30, 50..60]);
        assert_eq!((cut.most_values(), cut.pipelines(5, 1)), (200, [3, 1]));
    }
}
