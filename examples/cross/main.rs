//! The distances of the points of two sets.
//!
//! `kernels.rs` shows td-kernel: each of its functions becomes a GPU kernel over all pairs of a point of the first set and
//! one of the second. The rest reads points, runs the kernels, and reports the results.

mod arguments;
mod kernels;
mod neighbours;
mod report;
mod search;
mod sets;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use td_kernel_examples::{NewFile, Result, memory, program};

use crate::arguments::Arguments;
use crate::report::Report;
use crate::search::Search;
use crate::sets::Sets;

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    let saved = |at: usize| arguments.save_input.as_ref()?.get(at).map(|path| path.as_path());
    let part = |at: usize| arguments.csr.as_ref()?.get(at).map(|path| path.as_path());
    let [output, matrix, pairs, begins, columns, distances, rows_file, columns_file] =
        NewFile::all(
            [
                arguments.output.as_deref(),
                arguments.matrix.as_deref(),
                arguments.pairs.as_deref(),
                part(0),
                part(1),
                part(2),
                saved(0),
                saved(1),
            ],
            &[arguments.first.as_deref(), arguments.second.as_deref()],
            arguments.force,
        )?;
    NewFile::expect_npy([&matrix, &begins, &columns, &distances, &rows_file, &columns_file])?;
    let sets = Sets::choose(arguments)?;
    let device = arguments.device.open()?;
    if matrix.is_some() {
        // The matrix is the last thing that is computed.
        memory::expect_room(&device, sets.rows.len().saturating_mul(sets.columns.len()), 0)?;
    }
    let search = Search::new(&device, &sets)?;

    let (nearest, time) = search.nearest()?;
    for (file, points) in [(rows_file, &sets.rows), (columns_file, &sets.columns)] {
        if let Some(file) = file {
            file.write_npy(&[points.len(), points.features], &points.values)?;
        }
    }
    if let Some(file) = output {
        neighbours::write(nearest.iter().copied(), &file)?;
    }
    if let Some(file) = matrix {
        let distances = search.distances()?;
        file.write_npy(&[sets.rows.len(), sets.columns.len()], distances.as_slice())?;
    }
    let mut within = None;
    if let Some(radius) = arguments.within {
        let close = search.within(radius)?;
        if let Some(file) = pairs {
            neighbours::write(neighbours::of(&close), &file)?;
        }
        if let (Some(begins), Some(columns), Some(distances)) = (begins, columns, distances) {
            neighbours::write_csr(&close, [&begins, &columns, &distances])?;
        }
        within = Some((radius, close.len()));
    }
    Ok(Report::new(&device, &sets, nearest, time, within))
}
