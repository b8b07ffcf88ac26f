//! Measurements, side by side, each a ratio taken in one run. All but `cpu-loops`, `load`, `ladder --cpu`, `peers --cpu`,
//! `report`, `bands --device cpu`, `scale --device cpu` and those with `--from` need a GPU.

mod all;
mod bands;
mod cpu_loops;
mod devices;
mod edm_square;
mod experiment;
mod figures;
mod h_launches;
mod ladder;
mod launch;
mod limits;
mod load;
mod machine;
mod measure;
mod nearest_ladder;
mod peers;
mod plot;
mod python;
mod report;
mod scale;
mod subject;
mod targets;
mod variants;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::experiment::Run;

/// Measures the generated kernels on a GPU.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Each variant of some kernels at each n: where the next one becomes faster.
    Variants(Run),
    /// What a launch costs the host, over one by cudarc alone.
    Launch(Run),
    /// Loading a kernel in a process with an empty cache, and in the next one. Without a GPU, as far
    /// as NVRTC goes, for an H100 or H200.
    Load {
        /// How often, each time with an empty cache at first.
        #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
        rounds: u32,
        #[command(flatten)]
        run: Run,
    },
    /// What `load` runs in a process of its own: loads one kernel once, and prints the milliseconds.
    #[command(hide = true)]
    LoadOnce { kernel: String, far: String, cache: PathBuf },
    /// The plain loops of the CPU beside such loops by hand. Without a GPU.
    CpuLoops(Run),
    /// The papers' experiments: every map, root and space over n, against the bounding box.
    Figures(figures::Options),
    /// What the GPU can do at most, measured, and how near the generated kernels come to it.
    Limits(Run),
    /// The whole square of distances: a ladder of kernels by hand, and the generated ones.
    EdmSquare(Run),
    /// Vector distances: a paper's ladder from sequential C to kernels without bank conflicts, and the generated one.
    Ladder(ladder::Options),
    /// What others do for pairs: timed, checked, and asked for many elements.
    Peers(peers::Options),
    /// Tables and plots from the figures of a run, without a GPU.
    Report(report::Options),
    /// Everything for a report, and the report.
    All(all::Options),
    /// What the generated kernels are to reach: times against floors, and against kernels by others.
    Targets(targets::Options),
    /// Distances in bands of rows, to host memory and to a file, beside the machine's own rates.
    Bands(bands::Options),
    /// Distances that no memory has all of, streamed by one GPU, and by two, four and all that there are.
    Scale(scale::Options),
    /// The launches of the map h: one after another on one stream, or side by side on several.
    HLaunches(Run),
    /// Nearest neighbours: a paper's way, step by step, beside the generated kernel.
    NearestLadder(Run),
    /// The same work on one GPU, and on two, four and all that there are.
    Devices(Run),
}

/// What a measurement ends with when it cannot go on.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Variants(run) => variants::run(&run),
        Command::Launch(run) => launch::run(&run),
        Command::CpuLoops(run) => cpu_loops::run(&run),
        Command::Load { rounds, run } => load::run(rounds, &run),
        Command::LoadOnce { kernel, far, cache } => load::once(&kernel, &far, &cache),
        Command::Targets(options) => targets::run(options),
        Command::Figures(options) => figures::run(&options),
        Command::Limits(run) => limits::run(&run),
        Command::EdmSquare(run) => edm_square::run(&run),
        Command::Ladder(options) => ladder::run(&options),
        Command::Peers(options) => peers::run(&options),
        Command::Report(options) => report::run(&options),
        Command::All(options) => all::run(&options),
        Command::Bands(options) => bands::run(&options),
        Command::Scale(options) => scale::run(&options),
        Command::HLaunches(run) => h_launches::run(&run),
        Command::NearestLadder(run) => nearest_ladder::run(&run),
        Command::Devices(run) => devices::run(&run),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
