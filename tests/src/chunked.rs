//! What chunks of rows have in common.

use std::ops::Range;

use td_kernel::{Chunks, DeviceType, Result};

/// Elements.
pub fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|k| 3 * k + k % 5).collect()
}

/// The values of all chunks, which must come in order and equal those of `rows`.
pub fn joined<T: DeviceType>(chunks: Chunks<'_, T>, rows: Range<usize>) -> Result<Vec<T>> {
    let (mut values, mut next) = (Vec::new(), rows.start);
    let mut started = chunks.start()?;
    let mut first = None;
    while let Some(chunk) = started.next()? {
        assert_eq!(chunk.rows.start, next);
        assert!(!chunk.rows.is_empty());
        assert_eq!(chunk.start - *first.get_or_insert(chunk.start), values.len());
        let by_rows: usize = chunk.each_row().map(|(_, row)| row.len()).sum();
        assert_eq!(by_rows, chunk.values.len());
        next = chunk.rows.end;
        values.extend_from_slice(chunk.values);
    }
    assert!(started.next()?.is_none());
    assert_eq!(next, rows.end);
    Ok(values)
}
