//! Distances in bands of rows, which no memory has all of: to memory of the host beside the GPU's own copies, and to a file
//! beside plain writes of the same bytes.

mod steps;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::experiment::{Experiment, File, Run, Section, missed};
use crate::measure::host::DeviceChoice;
use crate::measure::times::Spread;
use crate::words::{table, thousands};

/// Names that the targets use too.
const START: &str = "take the memory";
const BANDS: &str = "bands to host memory";
const COPY: &str = "copies by the GPU into pinned memory";
const IN_TURNS: &str = "launch, then copy, band by band";
const FILE: &str = "bands to a file";
const WRITE: &str = "plain writes of as much";

/// What bands are to reach of what the machine does at most.
const SHARE: f64 = 0.95;

/// How bands are measured, or read from a file.
#[derive(Args)]
pub(crate) struct Options {
    /// The number of points, with four features each.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(2..))]
    elements: u32,
    /// The number of points whose distances go to a file; without it there is none.
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..))]
    file_elements: Option<u32>,
    /// The most bytes of the device's memory for all bands in flight, and of the host's; what is usual without it.
    #[arg(long)]
    memory: Option<usize>,
    /// How many bands are in flight.
    #[arg(long, default_value_t = 2)]
    in_flight: usize,
    /// Where the kernel runs.
    #[arg(long, value_enum, default_value = "cuda")]
    device: DeviceChoice,
    /// How often each is measured.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The folder in which files are written, and removed again.
    #[arg(long, default_value = ".")]
    folder: PathBuf,
    #[command(flatten)]
    run: Run,
}

/// Bands, and what they are compared with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Streamed {
    elements: usize,
    on_gpu: bool,
    /// The bytes of all bands in flight, where they were set.
    memory: Option<usize>,
    in_flight: usize,
    /// How many bands there were, and the bytes of the largest.
    bands: usize,
    largest: usize,
    /// The bands whose values are others than those of a launch of their rows alone.
    differing: usize,
    steps: Vec<Step>,
}

/// Something that takes time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Step {
    name: String,
    /// The bytes that are copied or written; 0 where no rate makes sense.
    bytes: usize,
    /// The time of each round.
    seconds: Vec<f64>,
}

/// Measures, or reads a file; prints the tables.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    match &options.run.from {
        Some(from) => File::<Streamed>::judge(from, "bands"),
        None => steps::measure(options)?.finish(),
    }
}

impl Step {
    fn spread(&self) -> Option<Spread> {
        Spread::extremes(self.seconds.clone())
    }

    /// Bytes a second, in GB.
    fn rate(&self) -> Option<f64> {
        let median = self.spread()?.median;
        (median > 0.0 && self.bytes > 0).then(|| self.bytes as f64 / median / 1e9)
    }
}

impl Streamed {
    fn rate(&self, name: &str) -> Option<f64> {
        self.steps.iter().find(|step| step.name == name)?.rate()
    }

    /// The bytes a second of copies by the GPU, and of plain writes.
    pub(crate) fn copies(&self) -> Option<f64> {
        self.rate(COPY).map(|rate| 1e9 * rate)
    }

    pub(crate) fn writes(&self) -> Option<f64> {
        self.rate(WRITE).map(|rate| 1e9 * rate)
    }

    /// The number of points whose distances came to the host, and the seconds.
    pub(crate) fn to_host(&self) -> Option<(usize, f64)> {
        let step = self.steps.iter().find(|step| step.name == BANDS)?;
        Some((self.elements, step.spread()?.median))
    }

    /// The bytes that went to a file, and the seconds.
    pub(crate) fn to_file(&self) -> Option<(usize, f64)> {
        let step = self.steps.iter().find(|step| step.name == FILE)?;
        Some((step.bytes, step.spread()?.median))
    }

    /// The shares of what the machine does at most, where both were measured.
    fn shares(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let pairs = [(BANDS, COPY), (IN_TURNS, COPY), (FILE, WRITE)];
        pairs
            .into_iter()
            .filter_map(|(name, floor)| Some((name, self.rate(name)? / self.rate(floor)?)))
    }
}

impl Experiment for Streamed {
    fn sections(&self) -> Vec<Section> {
        let shares: Vec<_> = self.shares().collect();
        let rows = self.steps.iter().map(|step| {
            let share = shares.iter().find(|(name, _)| *name == step.name);
            let spread = step.spread();
            vec![
                step.name.clone(),
                spread.map(|spread| format!("{:.3}", 1e3 * spread.median)).unwrap_or_default(),
                spread
                    .map(|Spread { low, high, .. }| format!("{:.3}..{:.3}", 1e3 * low, 1e3 * high))
                    .unwrap_or_default(),
                step.rate().map(|rate| format!("{rate:.2}")).unwrap_or_default(),
                share.map(|(_, share)| format!("{:.1} %", 100.0 * share)).unwrap_or_default(),
            ]
        });
        let memory = match self.memory {
            Some(bytes) => format!("{} bytes for them", thousands(bytes as u64)),
            None => "the usual memory".into(),
        };
        let heading = format!(
            "Bands: n = {}, {} bands of up to {} bytes, {} in flight, {memory}",
            thousands(self.elements as u64),
            thousands(self.bands as u64),
            thousands(self.largest as u64),
            self.in_flight
        );
        let headings = ["step", "ms", "low..high", "GB/s", "of what the machine does"];
        let text = table(&headings, &rows.collect::<Vec<_>>());
        vec![Section::new("bands", heading, text)]
    }

    fn wrong(&self) -> Vec<String> {
        let text =
            || format!("{} bands have other values than launches of their rows", self.differing);
        (self.differing > 0).then(text).into_iter().collect()
    }

    fn missed(&self) -> Vec<String> {
        let is_judged = |name: &str| self.on_gpu && name == BANDS || name == FILE;
        let targets = self.shares().filter(|(name, _)| is_judged(name)).map(|(name, share)| {
            let text = format!("{:.1} %, and not {:.1} %", 100.0 * share, 100.0 * SHARE);
            (name.to_owned(), (share < SHARE).then_some(text))
        });
        [self.wrong(), missed(targets)].concat()
    }
}
