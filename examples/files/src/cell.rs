//! The cell in which the atoms of a file repeat.

use std::path::Path;
use std::{array, fs};

use td_kernel_examples::Result;

use crate::atoms::{BUILT_IN, file_name};

/// The keys of an mmCIF file, and the columns of a PDB file's CRYST1 record: three edges, three angles.
const NUMBERS: [(&str, [usize; 2]); 6] = [
    ("_cell.length_a", [6, 15]),
    ("_cell.length_b", [15, 24]),
    ("_cell.length_c", [24, 33]),
    ("_cell.angle_alpha", [33, 40]),
    ("_cell.angle_beta", [40, 47]),
    ("_cell.angle_gamma", [47, 54]),
];

/// The edges of the cell of a PDB file, an mmCIF file or the entry 1A8O, in ångström. An error without a cell, or if an angle is
/// not 90°.
pub fn cell(path: Option<&Path>) -> Result<[f64; 3]> {
    let (name, read) = (file_name(path), path.map(fs::read).transpose());
    let read = read.map_err(|error| format!("{name}: {error}"))?;
    let text = read.as_deref().map_or(BUILT_IN.into(), String::from_utf8_lossy);
    let record = text.lines().find(|line| line.starts_with("CRYST1"));
    let instead = "write the edges of a box instead of --periodic, as --box 40,40,60";
    let numbers = NUMBERS.map(|(key, [begin, end])| match record {
        Some(record) => record.get(begin..end)?.trim().parse().ok(),
        // A key and its value.
        None => text.split_whitespace().skip_while(|word| *word != key).nth(1)?.parse().ok(),
    });
    let numbers: Option<Vec<f64>> = numbers.into_iter().collect();
    // Edges of 1 Å mean that a structure has no cell.
    let is_cell = |all: &Vec<f64>| all.iter().all(|it| *it > 0.0) && all[..3] != [1.0; 3];
    let Some(numbers) = numbers.filter(is_cell) else {
        return Err(format!("{name}: it does not have a cell, as a CRYST1 record or as _cell.length_a and the other edges and angles: {instead}").into());
    };
    let angles = &numbers[3..];
    if angles != [90.0; 3] {
        return Err(format!("{name}: the angles of its cell are {angles:?}, but a periodic box has angles of 90°: {instead}").into());
    }
    Ok(array::from_fn(|axis| numbers[axis]))
}
