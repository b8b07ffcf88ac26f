//! Writes the values of all pairs as a square matrix, from chunks of its lower half.

use std::io::{Seek, SeekFrom, Write};

use td_kernel::{Chunks, Error};
use td_kernel_examples::{Output, Result};

/// Writes a square of n rows in NumPy's format, with `own` on its diagonal, and finishes the file.
pub fn write_square(chunks: Chunks<'_, f32>, file: Output, n: usize, own: f32) -> Result<()> {
    let mut to = file.file();
    ndarray_npy::write_zeroed_npy::<f32, _>(to, (n, n)).map_err(|error| file.failed(error))?;
    let header = to.metadata()?.len() - 4 * (n * n) as u64;
    // Writes values from this slot on.
    let mut write = |slot: usize, values: &mut dyn Iterator<Item = f32>| {
        let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
        let seek = to.seek(SeekFrom::Start(header + 4 * slot as u64));
        seek.and_then(|_| to.write_all(&bytes)).map_err(Error::other)
    };
    let written = chunks.each(|chunk| {
        for (i, row) in chunk.each_row() {
            write(i * n, &mut row.iter().copied().chain([own]))?;
        }
        // A column of these rows is a part of a row of the upper half.
        for j in 0..chunk.rows.end {
            let rows = chunk.rows.start.max(j + 1)..chunk.rows.end;
            let value = |i: usize| chunk.values[i * (i - 1) / 2 + j - chunk.start];
            write(j * n + rows.start, &mut rows.map(value))?;
        }
        Ok(())
    });
    written.map_err(|error| file.failed(error))?;
    file.finish()
}
