//! Measures the generated kernels. Each figure is a ratio of times taken in the same rounds of one run, of checked results. All
//! commands but `cpu-loops`, `cpu-tasks`, `scale --device cpu`, `show` and `report` need a GPU.

mod cpu_loops;
mod cpu_tasks;
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
mod thresholds;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
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
    /// The targets of the generated kernels: times compared with floors and with kernels by others
    Targets(targets::Options),
    /// Where the times of variants cross between which launches choose by n
    Thresholds(Run),
    /// The GPU's limits
    Limits(Run),
    /// The papers' experiments: every map, root and space over n, compared with the bounding box
    Figures(figures::Options),
    /// Vector distances: a paper's steps from sequential C to kernels without bank conflicts, and the generated kernel
    Ladder(ladder::Options),
    /// Nearest neighbours: a paper's way, step by step, and the generated kernel
    NearestLadder(Run),
    /// Other libraries for pairs: timed, checked, and run with many elements
    Peers(peers::Options),
    /// The same work on one GPU, two, four and all
    Devices(Run),
    /// Distances larger than any memory, streamed by one GPU, two, four and all
    Scale(scale::Options),
    /// The CPU device's loops compared with handwritten loops
    CpuLoops(cpu_loops::Options),
    /// The tasks of the guide's comparison on the CPU device
    CpuTasks(cpu_tasks::Options),
    /// The host's time for a load with a cold and with a warm cache, and for a launch
    First,
    /// Prints a file of results. Fails if a target is missed or a result is wrong
    Show {
        /// The file of an experiment
        file: PathBuf,
    },
    /// Writes tables and plots of a folder's results into it
    Report(report::Options),
}

fn run(command: Command) -> Result<()> {
    let results = match command {
        Command::Targets(options) => targets::run(options)?,
        Command::Thresholds(run) => thresholds::run(&run)?,
        Command::Limits(run) => limits::run(&run)?,
        Command::Figures(options) => figures::run(&options)?,
        Command::Ladder(options) => ladder::run(&options)?,
        Command::NearestLadder(run) => nearest_ladder::run(&run)?,
        Command::Peers(options) => peers::run(&options)?,
        Command::Devices(run) => devices::run(&run)?,
        Command::Scale(options) => scale::run(&options)?,
        Command::CpuLoops(options) => cpu_loops::run(&options)?,
        Command::CpuTasks(options) => cpu_tasks::run(&options)?,
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

fn fail(messages: Vec<String>) -> Result<()> {
    ensure!(messages.is_empty(), "{}", messages.join("\n"));
    Ok(())
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
