//! The nearest neighbours of the rows of a table, by any number of features.
//!
//! `kernels.rs` shows td-kernel: each of its functions becomes a GPU kernel over all pairs of rows, which goes along the
//! features of both and keeps the K nearest of each row. The rest reads rows, runs the kernel of the metric, compares some of
//! the neighbours with those that a plain search finds, and writes them.

mod arguments;
mod found;
mod kernels;
mod metric;
mod recall;
mod report;
mod rows;
mod search;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use td_kernel_examples::{NewFile, Result, program};

use crate::arguments::Arguments;
use crate::found::Names;
use crate::recall::Recall;
use crate::report::Report;
use crate::rows::{Prepared, Sets};

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    let metric = arguments.metric;
    let names = arguments.output.as_deref().map(Names::of).transpose()?.unwrap_or_default();
    let [matrix, indices, values, rows_file] = NewFile::all(
        [
            names.matrix.as_deref(),
            names.indices.as_deref(),
            names.values.as_deref(),
            arguments.save_input.as_deref(),
        ],
        &[arguments.input.as_deref(), arguments.queries.as_deref()],
        arguments.force,
    )?;
    NewFile::expect_npy([&rows_file])?;
    let sets = Sets::choose(arguments)?;
    let device = arguments.device.open_together(arguments.devices)?;
    let prepared = Prepared::new(&sets, metric)?;

    let (found, time) = search::search(&device, &sets, &prepared, metric, arguments.k as usize)?;

    if let Some(file) = rows_file {
        file.write_npy(&[sets.data.count, sets.data.features], &sets.data.values)?;
    }
    if let Some(file) = matrix {
        found.write_matrix(sets.data.count, &metric.to_string(), &file)?;
    }
    if let (Some(indices), Some(values)) = (indices, values) {
        found.write_arrays(&indices, &values)?;
    }
    let recall = Recall::of(&sets, &prepared, metric, &found, arguments.sample as usize)?;
    Ok(Report::new(&device, sets, metric, found, recall, time).with_files(names))
}
