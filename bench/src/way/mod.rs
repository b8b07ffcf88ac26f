//! What a user waits for, from opening the device to the file: each step's time and rate, beside what the machine
//! does at most, and the targets for them.

mod file;
pub(crate) mod floors;
mod judge;
mod steps;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::Args;

use self::file::Step;
pub(crate) use self::file::Way;
use self::judge::Verdict;
use crate::Failure;
use crate::experiment::{Experiment, File, Run, Section, missed};
use crate::words::table;

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

impl Experiment for Way {
    /// The way with each step's share, the rest, the floors and the targets.
    fn sections(&self) -> Vec<Section> {
        let whole: f64 = self.steps.iter().filter_map(Step::median).sum();
        let shares = self.steps.iter().map(|step| {
            let share = step.median().map(|median| format!("{:.1} %", 100.0 * median / whole));
            vec![step.name.clone(), step.milliseconds(), share.unwrap_or_default(), step.rates()]
        });
        let mut rows: Vec<Vec<String>> = shares.collect();
        let all = ["all of it", &format!("{:.3}", 1e3 * whole), "100.0 %", ""];
        rows.push(all.map(str::to_owned).into());
        let heading = format!("The way, once: n = {}, {} cores", self.elements, self.cores);
        let text = table(&["step", "ms", "share", "GB/s"], &rows);
        let mut sections = vec![Section::new("way", heading, text)];
        let headings = ["step", "ms", "low..high", "GB/s"];
        for (name, heading, steps) in [
            ("rest", "The rest, medians", &self.others),
            ("floors", "Floors, medians", &self.floors),
        ] {
            let row = |step: &Step| {
                vec![step.name.clone(), step.milliseconds(), step.range(), step.rates()]
            };
            let rows: Vec<_> = steps.iter().map(row).collect();
            sections.push(Section::new(name, heading, table(&headings, &rows)));
        }
        let verdicts = judge::verdicts(self).map(|verdict| {
            vec![verdict.name.to_owned(), verdict.value, verdict.limit, verdict.words]
        });
        let text = table(&["target", "value", "limit", "verdict"], &verdicts.collect::<Vec<_>>());
        sections.push(Section::new("targets", "Targets", text));
        sections
    }

    fn missed(&self) -> Vec<String> {
        missed(judge::verdicts(self).map(|Verdict { name, value, words, is_missed, .. }| {
            (name.to_owned(), is_missed.then(|| format!("{value}, {words}")))
        }))
    }
}
