//! What a user waits for, from opening the device to the file: each step's time and rate, beside what the machine
//! does at most, and the targets for them.

mod file;
mod floors;
mod judge;
mod steps;
mod table;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::Args;

use self::file::Way;
use crate::Failure;
use crate::record::{File, Record};

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
    /// Writes the figures to this file, as JSON.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Prints the figures of this file, measures nothing, and fails where a target is missed.
    #[arg(long, conflicts_with_all = ["elements", "device", "rounds", "folder", "output", "commit"])]
    from: Option<PathBuf>,
    /// The commit that this program is built from, to be noted with the figures.
    #[arg(long)]
    commit: Option<String>,
}

/// Measures, or reads a file; prints the table.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let Some(from) = &options.from else {
        let file = steps::measure(options)?;
        print!("{}", table::text(&file));
        return match &options.output {
            Some(path) => file.write_to(path),
            None => Ok(()),
        };
    };
    let file: File<Way> = File::read_from(from)?.ok_or_else(|| {
        format!(
            "there is no file {}\n to do: give one that `{}` wrote",
            from.display(),
            Way::COMMAND
        )
    })?;
    print!("{}", table::text(&file));
    match judge::missed(&file.figures) {
        None => Ok(()),
        Some(text) => Err(text.into()),
    }
}
