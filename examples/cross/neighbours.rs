//! Pairs of points, and their file.

use std::io::Write;

use td_kernel::Csr;
use td_kernel_examples::memory::collected;
use td_kernel_examples::{NewFile, Result};

/// A point of the first set, one of the second, and their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbour {
    /// The point of the first set, counted from 0.
    pub(crate) i: u32,
    /// The point of the second set, counted from 0.
    pub(crate) j: u32,
    pub(crate) distance: f32,
}

/// Writes a row for each of these pairs to a file of comma-separated values.
pub(crate) fn write(all: impl Iterator<Item = Neighbour>, file: &NewFile) -> Result<()> {
    file.write(|writer| {
        writeln!(writer, "i,j,distance")?;
        for Neighbour { i, j, distance } in all {
            writeln!(writer, "{i},{j},{distance}")?;
        }
        Ok(())
    })
}

/// The pairs of a sparse matrix, in its order.
pub(crate) fn of(pairs: &Csr<f32>) -> impl Iterator<Item = Neighbour> {
    let index = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    pairs.iter().map(move |((i, j), &distance)| Neighbour { i: index(i), j: index(j), distance })
}

/// Writes where each row of a sparse matrix begins, the columns of its pairs, and their distances.
pub(crate) fn write_csr(
    pairs: &Csr<f32>,
    [begins, columns, distances]: [&NewFile; 3],
) -> Result<()> {
    let offsets = pairs.offsets().iter().map(|&offset| offset as i64);
    let offsets: Vec<i64> = collected(pairs.offsets().len(), offsets)?;
    begins.write_npy(&[offsets.len()], &offsets)?;
    let places = pairs.neighbours().iter().map(|&column| i64::from(column));
    let places: Vec<i64> = collected(pairs.len(), places)?;
    columns.write_npy(&[places.len()], &places)?;
    distances.write_npy(&[pairs.len()], pairs.values())
}
