//! How alike the rows of a table are, by any number of features.
//!
//! `kernels.rs` shows td-kernel: each of its functions becomes a GPU kernel over all pairs of rows, which goes along the
//! features of both. The rest reads rows, runs the kernel of the metric, reports the pairs that are most alike, and draws
//! all of them.

mod arguments;
mod closest;
mod distances;
mod kernels;
mod metric;
mod order;
mod plot;
mod report;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use td_kernel_examples::memory::collected;
use td_kernel_examples::plot::Kind;
use td_kernel_examples::{Error, NewFile, Result, Vectors, memory, parallel, program};

use crate::arguments::Arguments;
use crate::closest::Closest;
use crate::metric::Metric;
use crate::report::Report;

fn main() -> ExitCode {
    let arguments: Arguments = program::arguments();
    program::run(|| run(&arguments))
}

fn run(arguments: &Arguments) -> Result<Report> {
    if arguments.gamma.is_some() && arguments.metric != Metric::Rbf {
        return Err(Error::UnfitMetric { option: "--gamma", metric: "rbf" });
    }
    let kind = arguments.plot.as_deref().map(Kind::of).transpose()?;
    let [output, plot, order_file, rows_file] = NewFile::all(
        [
            arguments.output.as_deref(),
            arguments.plot.as_deref(),
            arguments.save_order.as_deref(),
            arguments.save_input.as_deref(),
        ],
        &[arguments.input.as_deref()],
        arguments.force,
    )?;
    NewFile::expect_npy([&output, &order_file, &rows_file])?;
    let rows = rows(arguments)?;
    if plot.is_some() {
        plot::check(&rows, arguments.order)?;
    }
    let device = arguments.device.open()?;

    let further = output.as_ref().map_or(0, |_| arguments.layout.further(rows.count));
    memory::expect_room(&device, rows.count * rows.count.saturating_sub(1) / 2, further)?;

    let compared = distances::of_all_pairs(&device, &rows, arguments.metric, arguments.gamma)?;

    if let Some(file) = rows_file {
        file.write_npy(&[rows.count, rows.features], &rows.values)?;
    }
    let statistics = || {
        let larger_is_closer = arguments.metric.is_similarity();
        Closest::of(&compared.values, arguments.top as usize, larger_is_closer)
    };
    let write = || -> Result<()> {
        if let Some(file) = output {
            arguments.layout.write(&file, &compared.values, |row| compared.own[row])?;
        }
        if let (Some(file), Some(kind)) = (plot, kind) {
            let places = arguments.order.of(&rows)?;
            let choice = (arguments.metric, arguments.order, places.as_slice());
            plot::write(&file, kind, &rows, &compared, choice)?;
            if let Some(file) = order_file {
                let places = collected(rows.count, places.iter().map(|row| *row as i64))?;
                file.write_npy(&[rows.count], &places)?;
            }
        }
        Ok(())
    };
    // Both only read the values, so they run at the same time.
    let (closest, written) = parallel::both(statistics, write);
    written?;
    Ok(Report::new(&device, rows, arguments.metric, closest, compared.time))
}

/// The rows that the arguments ask for: at random, from a file, or built in.
fn rows(arguments: &Arguments) -> Result<Vectors> {
    match (arguments.random, &arguments.input) {
        (Some(count), _) => {
            Vectors::random(count as usize, arguments.features as usize, arguments.seed)
        }
        (None, Some(path)) => Vectors::read(path, &arguments.table),
        (None, None) => Vectors::iris(&arguments.table),
    }
}
