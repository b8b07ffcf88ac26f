//! Copies rows of features between the host, where they are contiguous, and a device, where each starts at a multiple of 16
//! bytes.

use crate::backend::Backend;
use crate::error::counted;
use crate::memory::Memory;
use crate::{DeviceType, Error, Result, host};

use super::shape::Shape;

/// The bytes that are padded on the host at a time: enough for copies to reach full speed, and little beside the data.
pub(super) const PIECE: usize = 64 << 20;

/// Roughly the bytes that a thread pads at a time.
const PART: usize = 1 << 20;

/// Rows on a device that `fill` writes: each once, in any order, on several threads.
pub(super) fn upload<T: DeviceType>(
    backend: &dyn Backend,
    shape: &Shape,
    piece: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) -> Result<Memory<T>> {
    if shape.rows <= rows_of::<T>(shape, piece) {
        let mut padded = host::zeros(shape.places())?;
        fill_rows(&mut padded, shape, 0, &fill);
        return uploaded(backend, shape, &padded);
    }
    let mut memory = Memory::zeroed(backend, shape.memory::<T>())?;
    replace(&mut memory, shape, piece, fill)?;
    Ok(memory)
}

/// Rows on a device, from rows that are already padded.
pub(super) fn uploaded<T: DeviceType>(
    backend: &dyn Backend,
    shape: &Shape,
    padded: &[T],
) -> Result<Memory<T>> {
    let mut memory = Memory::zeroed(backend, shape.memory::<T>())?;
    memory.upload_into(0..padded.len(), padded)?;
    Ok(memory)
}

/// Overwrites rows on a device.
pub(super) fn replace<T: DeviceType>(
    memory: &mut Memory<T>,
    shape: &Shape,
    piece: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) -> Result<()> {
    let most = rows_of::<T>(shape, piece).min(shape.rows);
    // The padding stays zero while the buffer is reused.
    let mut padded = host::zeros(most * shape.pitch)?;
    for first in (0..shape.rows).step_by(most.max(1)) {
        let places = most.min(shape.rows - first) * shape.pitch;
        let padded = &mut padded[..places];
        fill_rows(padded, shape, first, &fill);
        let start = first * shape.pitch;
        memory.upload_into(start..start + places, padded)?;
    }
    Ok(())
}

/// Calls `fill` for the rows from `first` on.
fn fill_rows<T: DeviceType>(
    padded: &mut [T],
    shape: &Shape,
    first: usize,
    fill: &(impl Fn(usize, &mut [T]) + Sync),
) {
    let rows = rows_of::<T>(shape, PART);
    let threads = threads(padded);
    let parts = padded.chunks_mut(rows * shape.pitch).enumerate();
    host::each(threads, parts, |(part, padded)| {
        for (row, padded) in padded.chunks_mut(shape.pitch).enumerate() {
            fill(first + part * rows + row, &mut padded[..shape.width]);
        }
    });
}

/// Copies the rows into `values`, which has the same number of features.
pub(super) fn download<T: DeviceType>(
    memory: &Memory<T>,
    shape: &Shape,
    piece: usize,
    values: &mut [T],
) -> Result<()> {
    let most = rows_of::<T>(shape, piece).min(shape.rows);
    let mut padded = host::zeros(most * shape.pitch)?;
    let pieces = values.chunks_mut(most.max(1) * shape.width);
    for (piece, values) in pieces.enumerate() {
        let places = values.len() / shape.width * shape.pitch;
        let padded = &mut padded[..places];
        let start = piece * most * shape.pitch;
        memory.download_into(start..start + places, padded)?;
        let rows = rows_of::<T>(shape, PART);
        let parts = values.chunks_mut(rows * shape.width).zip(padded.chunks(rows * shape.pitch));
        host::each(threads(padded), parts, |(values, padded)| {
            let rows = values.chunks_mut(shape.width).zip(padded.chunks(shape.pitch));
            for (values, padded) in rows {
                values.copy_from_slice(&padded[..shape.width]);
            }
        });
    }
    Ok(())
}

/// The number of rows in about `bytes` bytes, at least one.
fn rows_of<T>(shape: &Shape, bytes: usize) -> usize {
    (bytes / size_of::<T>() / shape.pitch).max(1)
}

/// The number of threads that share the work on these values.
fn threads<T>(values: &[T]) -> usize {
    if size_of_val(values) < host::LARGE { 1 } else { host::threads() }
}

/// Pads rows on the host. Each row is visited once.
pub(super) fn padded<T: DeviceType, R: AsRef<[T]>>(
    rows: impl IntoIterator<Item = R>,
) -> Result<(Vec<T>, Shape)> {
    let mut padded = Vec::new();
    let mut shape: Option<Shape> = None;
    for (row, values) in rows.into_iter().enumerate() {
        let values = values.as_ref();
        let (width, found) = (shape.map_or(values.len(), |shape| shape.width), values.len());
        if found != width {
            return Err(Error::arguments(format!(
                "row {row} has {}, but row 0 has {width}: give each row {width}",
                counted(found, "feature")
            )));
        }
        if width == 0 {
            return Err(Error::arguments(
                "row 0 is empty, but its length is the number of features of all rows: give each row at least 1 feature",
            ));
        }
        let grown = Shape::new::<T>(row + 1, width)?;
        let needed = grown.places() * size_of::<T>();
        let room = padded.try_reserve(grown.pitch);
        room.map_err(|_| Error::out_of_host_memory(needed))?;
        padded.extend_from_slice(values);
        padded.resize(grown.places(), host::zero());
        shape = Some(grown);
    }
    let shape = shape.ok_or_else(|| Error::arguments("the list of rows is empty, so the number of features is unknown: if it may be empty, use `device.features(&values, width)`, or for sets `device.feature_sets(&values, width, &offsets)`, with the values of all rows one after another"))?;
    Ok((padded, shape))
}
