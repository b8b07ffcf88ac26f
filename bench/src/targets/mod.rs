//! What the generated kernels are to reach: each work's time against its floor's, or against what else
//! does it, taken in the same rounds of one run, with the results checked.

pub(crate) mod collisions;
mod dummy;
pub(crate) mod edm;
mod outputs;
pub(crate) mod packed;
mod report;
pub(crate) mod square;
mod table;
pub(crate) mod target;
#[cfg(test)]
mod tests;
mod triton;

use std::path::{Path, PathBuf};

use clap::Args;
use td_kernel::nvrtc;

use self::report::Report;
use self::target::{Measured, Outcome, Row, Target};
use crate::measure::gpu::Gpu;
use crate::{Failure, record};

/// How the targets are measured, or read from a file.
#[derive(Args)]
pub(crate) struct Options {
    /// Writes the figures to this file, as JSON; after each row, so that a run that is cut short has
    /// told something.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Prints the figures of this file, measures nothing, and fails where a target is missed.
    #[arg(long, conflicts_with_all = ["output", "python", "commit"])]
    from: Option<PathBuf>,
    /// The Python that has torch and Triton.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// The commit that this program is built from, to be noted with the figures.
    #[arg(long)]
    commit: Option<String>,
}

/// What a measurement runs on.
pub(crate) struct Setting {
    gpu: Gpu,
    python: PathBuf,
}

/// Targets that are measured in the same way.
struct Work {
    targets: &'static [Target],
    measure: fn(&Setting, &Target) -> Result<Outcome, Failure>,
}

/// The targets against a floor, in the order in which they are measured and printed.
const FLOORS: &[Work] = &[
    Work { targets: packed::AGAINST_FILL, measure: packed::against_fill },
    Work { targets: square::TARGETS, measure: square::measure },
    Work { targets: outputs::TARGETS, measure: outputs::measure },
    Work { targets: collisions::COUNT, measure: collisions::counted },
    Work { targets: collisions::LIST, measure: collisions::listed },
];

/// Those against what else does the work, which come after.
const RIVALS: &[Work] = &[
    Work { targets: dummy::TARGETS, measure: dummy::measure },
    Work { targets: packed::AGAINST_HAND, measure: packed::against_hand },
    Work { targets: triton::TARGETS, measure: triton::measure },
];

/// Every work.
fn works() -> impl Iterator<Item = &'static Work> {
    FLOORS.iter().chain(RIVALS)
}

/// A generated kernel beside its floor, for each that has one; or why it was not measured.
pub(crate) fn beside_floors(
    gpu: Gpu,
) -> impl Iterator<Item = (&'static Target, Result<Measured, String>)> {
    // No floor needs Python.
    let setting = Setting { gpu, python: PathBuf::new() };
    let each = FLOORS.iter().flat_map(|work| work.targets.iter().map(move |target| (work, target)));
    each.map(move |(work, target)| match (work.measure)(&setting, target) {
        Ok(Outcome::Measured(measured)) => (target, Ok(measured)),
        Ok(Outcome::NotMeasured(reason)) => (target, Err(reason)),
        Err(error) => (target, Err(error.to_string())),
    })
}

/// Measures, or reads a file; prints the table.
pub(crate) fn run(options: Options) -> Result<(), Failure> {
    match &options.from {
        Some(path) => judge(path),
        None => measure(options),
    }
}

/// An error where a target is missed.
fn judge(path: &Path) -> Result<(), Failure> {
    let report = Report::read(path, &all())?;
    print!("{}", table::text(&report));
    match missed(&report) {
        None => Ok(()),
        Some(text) => Err(text.into()),
    }
}

/// An error where something was wrong. A missed target is not: it is shown, and `--from` judges it.
fn measure(options: Options) -> Result<(), Failure> {
    let setting = Setting { gpu: Gpu::open()?, python: options.python };
    let (major, minor) = nvrtc::version()?;
    let mut report = Report {
        device: setting.gpu.device.name().to_owned(),
        driver: setting.gpu.driver(),
        nvrtc: format!("{major}.{minor}"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: options.commit,
        command: record::command(std::env::args().skip(1)),
        rows: Vec::new(),
    };
    let count = all().len();
    let mut wrong = Vec::new();
    for work in works() {
        for target in work.targets {
            eprintln!("[{:>2}/{count}] {}", report.rows.len() + 1, target.name());
            // One work that fails says nothing about the next.
            let outcome = (work.measure)(&setting, target).unwrap_or_else(|error| {
                wrong.push(format!("{}: {error}", target.name()));
                Outcome::NotMeasured(error.to_string())
            });
            report.rows.push(Row { target, outcome });
            if let Some(path) = &options.output {
                report.write(path)?;
            }
        }
    }
    print!("{}", table::text(&report));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Every target.
fn all() -> Vec<&'static Target> {
    works().flat_map(|work| work.targets).collect()
}

/// Which targets are missed, and by how much; `None` where all are met.
fn missed(report: &Report) -> Option<String> {
    let missed: Vec<&Row> = report.rows.iter().filter(|row| !row.is_met()).collect();
    if missed.is_empty() {
        return None;
    }
    let mut text = format!("{} of {} targets are missed", missed.len(), report.rows.len());
    for row in missed {
        text += &format!("\n  {}: {}", row.target.name(), row.verdict());
    }
    Some(text)
}
