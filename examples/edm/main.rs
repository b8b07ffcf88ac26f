//! Euclidean distances of all pairs of points.
//!
//! `kernels.rs` is what td-kernel is about: four functions, of which each becomes a GPU kernel.
//! The rest reads points, runs the kernel for their number of features, and tells what it found.

mod arguments;
mod distances;
mod kernels;
mod layout;
mod points;
mod report;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use td_kernel_examples::{NewFile, Result, program};

use crate::arguments::Arguments;
use crate::points::Points;
use crate::report::Report;

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    let (output, points_file) = NewFile::pair(
        arguments.output.as_deref(),
        arguments.save_input.as_deref(),
        arguments.input.as_deref(),
        arguments.force,
    )?;
    let points = Points::choose(arguments)?;
    let device = arguments.device.open()?;

    let (distances, time) = distances::of_all_pairs(&device, &points)?;

    let report = Report::new(&device, &points, &distances, time);
    if let Some(file) = points_file {
        file.write_npy(&[points.len(), points.features], &points.values)?;
    }
    if let Some(file) = output {
        arguments.layout.write(&file, distances)?;
    }
    Ok(report)
}
