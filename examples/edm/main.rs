//! Euclidean distances of all pairs of points.
//!
//! `kernels.rs` shows td-kernel: each of its four functions becomes a GPU kernel. The rest reads points, runs the
//! kernel for their number of features, and reports the results.

mod arguments;
mod distances;
mod kernels;
mod report;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use td_kernel_examples::{Extremes, NewFile, Points, Result, Table, data, parallel, program};

use crate::arguments::Arguments;
use crate::report::Report;

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    let [output, points_file] = NewFile::all(
        [arguments.output.as_deref(), arguments.save_input.as_deref()],
        &[arguments.input.as_deref()],
        arguments.force,
    )?;
    let points = points(arguments)?;
    let device = arguments.device.open()?;

    let (distances, time) = distances::of_all_pairs(&device, &points)?;

    if let Some(file) = points_file {
        file.write_npy(&[points.len(), points.features], &points.values)?;
    }
    let statistics = || Extremes::of(&distances);
    let extremes = match output {
        Some(file) => {
            // Both only read the distances, so they run at the same time; writing takes longer.
            let write = || arguments.layout.write(&file, &distances, |_| 0.0);
            let (extremes, written) = parallel::both(statistics, write);
            written?;
            extremes
        }
        None => statistics(),
    };
    Ok(Report::new(&device, &points, distances.as_slice().len(), extremes, time))
}

/// The points that the arguments ask for: at random, from a file, or built in.
fn points(arguments: &Arguments) -> Result<Points> {
    let columns = arguments.columns.as_deref();
    match (arguments.random, &arguments.input) {
        (Some(count), _) => {
            Points::random(count as usize, arguments.features.into(), arguments.seed)
        }
        (None, Some(path)) => Points::read(path, columns),
        (None, None) => {
            let table = Table::parse(data::IRIS.name, data::IRIS.text.as_bytes())?;
            Points::from_table(data::IRIS.name, &table, columns)
        }
    }
}
