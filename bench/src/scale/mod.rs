//! Packed distances that no memory has all of, streamed to the host by one GPU, by two, by as many as there are: with a
//! checksum of each row, which is the same on any number of them and, where that fits, of one launch.

mod steps;
#[cfg(test)]
mod tests;

use clap::Args;
use serde::{Deserialize, Serialize};
use td_kernel::Device;

use crate::Failure;
use crate::experiment::{Experiment, File, Run, Section, missed};
use crate::measure::host::DeviceChoice;
use crate::measure::times::Spread;
use crate::plot::{BLUE, Bar, GREY, Group, groups};
use crate::words::{table, thousands, three_digits};

/// What bands to the host are to reach of copies by all GPUs at the same time.
const SHARE: f64 = 0.95;

/// How it is measured, or read from a file.
#[derive(Args)]
pub(crate) struct Options {
    /// The numbers of points, with four features each.
    #[arg(long, value_delimiter = ',', default_values_t = [200_000, 300_000],
        value_parser = clap::value_parser!(u32).range(2..))]
    elements: Vec<u32>,
    /// The most devices; without it all GPUs, or one CPU.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    devices: Option<u32>,
    /// Where the kernel runs.
    #[arg(long, value_enum, default_value = "cuda")]
    device: DeviceChoice,
    /// The most bytes of each device's memory for bands in flight; what is usual without it.
    #[arg(long)]
    memory: Option<usize>,
    /// How often each is timed, after a pass for the checksums.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Nothing is begun after so many seconds.
    #[arg(long, default_value_t = 90)]
    seconds: u64,
    #[command(flatten)]
    run: Run,
}

/// All numbers of points on all numbers of devices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scaled {
    on_gpus: bool,
    pub(crate) rows: Vec<Row>,
}

/// One number of points on one number of devices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) elements: usize,
    pub(crate) devices: usize,
    /// How many bands there were, and the bytes of the largest.
    bands: usize,
    largest: usize,
    /// The seconds of each pass to memory of the host, in which nothing looks at the values.
    pub(crate) seconds: Vec<f64>,
    /// The seconds of each pass whose values stay on the devices, band over band.
    pub(crate) computed: Vec<f64>,
    /// The bytes a second that the devices copy at the same time to pinned memory, where they are GPUs.
    copied: Option<f64>,
    /// The seconds of the pass with checksums, and the checksum of all of them.
    checked: f64,
    checksum: String,
    /// How many rows have other checksums than on one device.
    differing: usize,
    /// How many rows have other checksums than those of one launch, where that was made.
    of_launch: Option<usize>,
}

impl Row {
    fn bytes(&self) -> f64 {
        (self.elements * (self.elements - 1) / 2 * size_of::<f32>()) as f64
    }

    /// Bytes a second to the host.
    fn rate(&self) -> Option<f64> {
        Some(self.bytes() / median(&self.seconds)?)
    }

    /// The share of what the GPUs copy.
    fn share(&self) -> Option<f64> {
        Some(self.rate()? / self.copied?)
    }
}

pub(crate) fn median(seconds: &[f64]) -> Option<f64> {
    Spread::extremes(seconds.to_vec()).map(|spread| spread.median)
}

/// Measures, or reads a file; prints the table.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if let Some(from) = &options.run.from {
        return File::<Scaled>::judge(from, "scale");
    }
    let all = open(options)?;
    let figures = Scaled { on_gpus: all.iter().all(|one| !one.is_cpu()), rows: Vec::new() };
    let mut file = File::new(&options.run, "scale", all.first(), figures)?;
    steps::measure(options, &all, &mut file)?;
    file.finish()
}

/// The devices of the options, each by itself.
fn open(options: &Options) -> Result<Vec<Device>, Failure> {
    Ok(options.device.open_all(options.devices)?)
}

impl Scaled {
    fn one(&self, row: &Row) -> Option<&Row> {
        self.rows.iter().find(|one| one.elements == row.elements && one.devices == 1)
    }

    /// How many times as fast as one device: to the host, and what is computed alone.
    fn factors(&self, row: &Row) -> [Option<f64>; 2] {
        let of = |seconds: fn(&Row) -> &Vec<f64>| {
            Some(median(seconds(self.one(row)?))? / median(seconds(row))?)
        };
        [of(|row| &row.seconds), of(|row| &row.computed)]
    }
}

fn gpus(count: usize) -> String {
    format!("{count} GPU{}", if count == 1 { "" } else { "s" })
}

impl Experiment for Scaled {
    fn sections(&self) -> Vec<Section> {
        let gigabytes = |rate: f64| three_digits(rate / 1e9);
        let rows = self.rows.iter().map(|row| {
            let [streamed, computed] = self.factors(row);
            let factor = |factor: Option<f64>| factor.map(three_digits).unwrap_or_default();
            let computed_rate = median(&row.computed).map(|seconds| row.bytes() / seconds);
            vec![
                thousands(row.elements as u64),
                row.devices.to_string(),
                thousands(row.bands as u64),
                gigabytes(row.bytes()),
                median(&row.seconds).map(three_digits).unwrap_or_default(),
                row.rate().map(gigabytes).unwrap_or_default(),
                row.copied.map(gigabytes).unwrap_or_default(),
                row.share().map(|share| format!("{:.1} %", 100.0 * share)).unwrap_or_default(),
                factor(streamed),
                computed_rate.map(gigabytes).unwrap_or_default(),
                factor(computed),
                row.checksum.clone(),
                match row.of_launch {
                    Some(0) => "that of one launch".into(),
                    Some(count) => format!("{count} rows differ from one launch"),
                    None if row.differing > 0 => format!("{} rows differ", row.differing),
                    None if row.devices > 1 => "that of one GPU".into(),
                    None => String::new(),
                },
            ]
        });
        let headings = [
            "n",
            "GPUs",
            "bands",
            "GB",
            "s",
            "GB/s to the host",
            "GB/s of their copies",
            "share",
            "times one",
            "GB/s that stay",
            "times one",
            "checksum",
            "is",
        ];
        let text = table(&headings, &rows.collect::<Vec<_>>());
        vec![Section::new("scale", "Packed distances, streamed to the host", text)]
    }

    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut sizes: Vec<usize> = self.rows.iter().map(|row| row.elements).collect();
        sizes.dedup();
        let bars = |n: usize| {
            let rows = self.rows.iter().filter(move |row| row.elements == n);
            rows.filter_map(|row| {
                let value = row.rate()? / 1e9;
                let text = format!("{} GB/s", three_digits(value));
                let colour = if row.devices == 1 { GREY } else { BLUE };
                Some(Bar { name: gpus(row.devices), value, text, colour })
            })
        };
        let group = |n: usize| Group {
            title: format!("packed distances, n = {}", thousands(n as u64)),
            unit: "GB/s to memory of the host",
            bars: bars(n).collect(),
            mark: None,
            multiplies: false,
        };
        let all: Vec<Group> = sizes.into_iter().map(group).collect();
        if all.is_empty() { Ok(Vec::new()) } else { Ok(vec![("scale", groups(&all)?)]) }
    }

    fn wrong(&self) -> Vec<String> {
        let wrong = self.rows.iter().filter(|row| row.differing + row.of_launch.unwrap_or(0) > 0);
        let text = |row: &Row| {
            let n = thousands(row.elements as u64);
            format!("n = {n} on {}: other values than on one, or of one launch", gpus(row.devices))
        };
        wrong.map(text).collect()
    }

    fn missed(&self) -> Vec<String> {
        let targets = self.rows.iter().filter(|_| self.on_gpus).filter_map(|row| {
            let share = row.share()?;
            let text = format!("{:.1} %, and not {:.1} %", 100.0 * share, 100.0 * SHARE);
            let n = thousands(row.elements as u64);
            let name = format!("n = {n} on {}", gpus(row.devices));
            Some((name, (share < SHARE).then_some(text)))
        });
        [self.wrong(), missed(targets)].concat()
    }
}
