//! Fills the triangle of a matrix that is not stored. Its rows are the stored triangle's columns.
//!
//! Read one by one, each value would be in another cache line. So several threads fill chunks of rows, each from blocks of
//! stored rows that stay in the cache meanwhile.

use std::iter;
use std::ops::Range;

use crate::host;

/// The number of stored rows in a block.
const BLOCK: usize = 64;

/// The bytes that a chunk takes from a stored row: some whole cache lines.
const WIDTH: usize = 512;

/// The number of rows in a chunk.
fn height<T>() -> usize {
    (WIDTH / size_of::<T>().max(1)).clamp(4, 128)
}

/// Calls `fill` for each chunk of `rows` rows, with its rows and its part of `values`. `values` holds the rows in order; row i
/// starts at `start(i)`.
pub(super) fn each_chunk<T: Send>(
    rows: usize,
    values: &mut [T],
    start: impl Fn(usize) -> usize + Sync,
    fill: impl Fn(Range<usize>, &mut [T]) + Sync,
) {
    let (mut rest, height) = (values, height::<T>());
    let threads = if size_of_val(rest) < host::LARGE { 1 } else { host::threads() };
    let mut row = 0;
    let chunks = iter::from_fn(|| {
        let chunk = row..rows.min(row + height);
        let length = start(chunk.end) - start(chunk.start);
        let (part, others) = std::mem::take(&mut rest).split_at_mut_checked(length)?;
        (rest, row) = (others, chunk.end);
        (!chunk.is_empty()).then_some((chunk, part))
    });
    host::each(threads, chunks, |(chunk, part)| fill(chunk, part));
}

/// A stored row. Its first value belongs to row `first` of the other triangle.
#[derive(Clone, Copy)]
pub(super) struct Stored<'a, T> {
    pub(super) first: usize,
    pub(super) values: &'a [T],
}

/// What a row takes from stored rows: one value from each of `columns`, written from position `at` on.
pub(super) struct Taken {
    pub(super) columns: Range<usize>,
    pub(super) at: usize,
}

/// Fills a chunk with the values that its rows take from stored rows.
pub(super) fn gather<'a, T: Copy + 'a>(
    rows: Range<usize>,
    chunk: &mut [T],
    taken: impl Fn(usize) -> Taken,
    stored: impl Fn(usize) -> Stored<'a, T>,
) {
    let all = rows.clone().map(|row| taken(row).columns).filter(|columns| !columns.is_empty());
    let all = all.reduce(|all, columns| all.start.min(columns.start)..all.end.max(columns.end));
    let Some(all) = all else { return };
    let mut block = [Stored { first: 0, values: &[] }; BLOCK];
    for from in all.clone().step_by(BLOCK) {
        let to = all.end.min(from + BLOCK);
        for (place, row) in block.iter_mut().zip(from..to) {
            *place = stored(row);
        }
        for row in rows.clone() {
            let Taken { columns, at } = taken(row);
            let now = columns.start.max(from)..columns.end.min(to);
            if now.is_empty() {
                continue;
            }
            let places = &mut chunk[at + now.start - columns.start..][..now.len()];
            for (place, stored) in places.iter_mut().zip(&block[now.start - from..]) {
                *place = stored.values[row - stored.first];
            }
        }
    }
}
