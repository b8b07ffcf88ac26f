//! Measurements on a GPU, side by side, each a ratio taken in one run.

mod h_launches;
mod timing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures the generated kernels on a GPU.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The launches of the map h: one after another on one stream, or side by side on several.
    HLaunches {
        /// Writes the figures to this file, as JSON.
        #[arg(long)]
        output: Option<PathBuf>,
    },
}

/// What a measurement ends with when it cannot go on.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let Command::HLaunches { output } = Arguments::parse().command;
    match h_launches::run(output.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
