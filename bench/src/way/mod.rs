//! What a user waits for, from opening the device to the file: each step's time and rate, beside what the machine
//! does at most, and the targets for them.

mod file;
mod floors;
mod judge;
mod steps;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::Args;

pub(crate) use self::file::Way;
use crate::Failure;
use crate::experiment::{File, Run};

/// How the way is measured, or read from a file.
#[derive(Args)]
pub(crate) struct Options {
    /// The number of points, with four features each.
    #[arg(long, default_value_t = 30_720, value_parser = clap::value_parser!(u32).range(2..))]
    elements: u32,
    /// Where the kernel runs.
    #[arg(long, value_enum, default_value = "cuda")]
    device: td_kernel_examples::DeviceChoice,
    /// How often what can be repeated is.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The folder in which files are written, and removed again.
    #[arg(long, default_value = ".")]
    folder: PathBuf,
    #[command(flatten)]
    run: Run,
}

/// Measures, or reads a file; prints the table.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    match &options.run.from {
        Some(from) => File::<Way>::judge(from, "way"),
        None => steps::measure(options)?.finish(),
    }
}
