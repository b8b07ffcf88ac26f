//! Pairs of points, and their file.

use std::io::Write;

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
pub(crate) fn write(all: &[Neighbour], file: &NewFile) -> Result<()> {
    file.write(|writer| {
        writeln!(writer, "i,j,distance")?;
        for Neighbour { i, j, distance } in all {
            writeln!(writer, "{i},{j},{distance}")?;
        }
        Ok(())
    })
}
