//! Measures the generated kernels: each figure is a ratio of times that were taken in the same rounds of one run, of results
//! that were checked. All but `cpu-loops`, `scale --device cpu`, `show` and `report` need a GPU.

mod cpu_loops;
mod devices;
mod figures;
mod first;
mod kernels;
mod ladder;
mod limits;
mod measure;
mod nearest_ladder;
mod peers;
mod plot;
mod python;
mod report;
mod results;
mod scale;
mod subject;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::results::{Results, Run};

/// Measures the generated kernels. Each experiment writes its results to a file, and prints them.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What the generated kernels are to reach: times beside floors, and beside kernels by others.
    Targets(targets::Options),
    /// What the GPU can do at most.
    Limits(Run),
    /// The papers' experiments: every map, root and space over n, beside the bounding box.
    Figures(figures::Options),
    /// Vector distances: a paper's ladder from sequential C to kernels without bank conflicts, and the generated kernel.
    Ladder(ladder::Options),
    /// Nearest neighbours: a paper's way, step by step, beside the generated kernel.
    NearestLadder(Run),
    /// What others do for pairs: timed, checked, and asked for many elements.
    Peers(peers::Options),
    /// The same work on one GPU, and on two, four and all that there are.
    Devices(Run),
    /// Distances that no memory has all of, streamed by one GPU, and by two, four and all that there are.
    Scale(scale::Options),
    /// The loops of the CPU device beside loops by hand.
    CpuLoops(cpu_loops::Options),
    /// What a launch costs the host: the first one, a load with a warm cache, and each later launch. Prints times.
    First,
    /// Prints a file of results. Fails where a target is missed or a result is wrong.
    Show {
        /// What an experiment has written.
        file: PathBuf,
    },
    /// Tables and plots of the results of a folder, written to it.
    Report(report::Options),
}

/// What a measurement ends with when it cannot go on.
type Failure = Box<dyn std::error::Error>;

fn run(command: Command) -> Result<(), Failure> {
    let results = match command {
        Command::Targets(options) => targets::run(options)?,
        Command::Limits(run) => limits::run(&run)?,
        Command::Figures(options) => figures::run(&options)?,
        Command::Ladder(options) => ladder::run(&options)?,
        Command::NearestLadder(run) => nearest_ladder::run(&run)?,
        Command::Peers(options) => peers::run(&options)?,
        Command::Devices(run) => devices::run(&run)?,
        Command::Scale(options) => scale::run(&options)?,
        Command::CpuLoops(options) => cpu_loops::run(&options)?,
        Command::First => return first::run(),
        Command::Report(options) => return report::run(&options),
        Command::Show { file } => {
            let results = Results::read(&file)?;
            println!("{}", report::text(&results));
            let (targets, mut missed) = results.missed();
            if !missed.is_empty() {
                missed.insert(0, format!("{} of {targets} targets are missed", missed.len()));
            }
            return fail([results.wrong(), missed].concat());
        }
    };
    println!("{}", report::text(&results));
    fail(results.wrong())
}

fn fail(messages: Vec<String>) -> Result<(), Failure> {
    if messages.is_empty() { Ok(()) } else { Err(messages.join("\n").into()) }
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
