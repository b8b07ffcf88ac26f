//! Measurements on a GPU, side by side, each a ratio taken in one run.

mod h_launches;
mod maps;
mod tiles;
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
    /// Every map against the bounding box, on packed Euclidean distances with one thread a pair.
    Maps {
        /// The number of points.
        #[arg(long, default_value_t = 30_720)]
        elements: usize,
        /// Writes the figures to this file, as JSON.
        #[arg(long)]
        output: Option<PathBuf>,
    },
    /// Collisions counted with one thread a pair, and with the sweep over the columns of tiles.
    Tiles {
        /// Writes the figures to this file, as JSON.
        #[arg(long)]
        output: Option<PathBuf>,
    },
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
    let done = match Arguments::parse().command {
        Command::Maps { elements, output } => maps::run(elements, output.as_deref()),
        Command::Tiles { output } => tiles::run(output.as_deref()),
        Command::HLaunches { output } => h_launches::run(output.as_deref()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
