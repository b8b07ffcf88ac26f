//! Vector distances, `C[i][j] = sum over k of (A[i][k] - B[j][k])^2` for n x n x n: a paper's ladder, from a loop in C to a
//! kernel without bank conflicts, on this machine; then register tiles, by hand and generated.

pub(crate) mod host;
mod rung;

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use td_kernel::Device;

use self::host::{Failed, Host, Numbers};
use self::rung::{Rung, sizes};
use crate::Failure;
use crate::experiment::{self, Experiment, File, Run, Section};
use crate::measure::fold::Fold;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::rows_of_two;
use crate::measure::times::Spread;
use crate::plot::{BLUE, Bar, GREY, Group, groups};
use crate::subject::{Contest, Folds, Launch, Subject, TwoSets};
use crate::targets::folds::square_of_distance;
use crate::words::{first_line, table, thousands, three_digits};

/// How the ladder is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// Without a GPU: the rungs on the CPU alone.
    #[arg(long)]
    cpu: bool,
    /// The C++ compiler, which must understand the options of g++.
    #[arg(long, default_value = "g++")]
    compiler: PathBuf,
    /// The n that are measured, of the paper's: 128, 256, 512, 1024, 2048, 4096. On one thread, the largest takes up to
    /// some minutes.
    #[arg(long, value_delimiter = ',', default_values_t = sizes(), value_parser = is_size)]
    sizes: Vec<usize>,
    #[command(flatten)]
    run: Run,
}

fn is_size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|n| sizes().contains(n));
    size.ok_or_else(|| format!("the paper has {:?}", sizes()))
}

/// How often each kernel is timed.
const ROUNDS: usize = 11;

/// The features of a chunk of the register tiles.
const CHUNK: u32 = 16;

/// Launches in each round: so many that they are seen in the clock of the events.
fn repeats(n: usize) -> u32 {
    match n {
        0..=256 => 50,
        257..=512 => 20,
        513..=1024 => 5,
        1025..=2048 => 2,
        _ => 1,
    }
}

/// The ladder.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ladder {
    /// What the rungs on the CPU ran on, and with what they were compiled.
    pub(crate) host: String,
    /// By n, and then by rung.
    pub(crate) rows: Vec<Row>,
}

/// One rung at one n.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    n: usize,
    rung: Rung,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Ms(Spread),
    /// Why it did not run.
    NotMeasured(String),
    /// What is wrong with its sums.
    Wrong(String),
}

/// The rungs where there is no GPU.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct CpuLadder(Ladder);

/// Measures, and writes the file.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.cpu {
        let name = "ladder --cpu";
        if let Some(from) = &options.run.from {
            return File::<CpuLadder>::judge(from, name);
        }
        let device = Device::cpu()?;
        let mut file = File::new(&options.run, name, Some(&device), CpuLadder::default())?;
        measure(options, None, &mut file, |CpuLadder(ladder)| ladder)?;
        return file.finish();
    }
    experiment::run(&options.run, "ladder", |gpu, file: &mut File<Ladder>| {
        measure(options, Some(gpu), file, |ladder| ladder)
    })
}

/// The file is written after each n, so that a run that is cut short has told something.
fn measure<E: Experiment>(
    options: &Options,
    gpu: Option<&Gpu>,
    file: &mut File<E>,
    ladder: impl Fn(&mut E) -> &mut Ladder,
) -> Result<(), Failure> {
    let host = Host::compile(&options.compiler)?;
    ladder(&mut file.figures).host = host::described(&options.compiler);
    for &n in &options.sizes {
        let [a, b] = rows_of_two(n, n, n);
        let numbers = Numbers { n, a: &a, b: &b };
        host.put(&numbers)?;
        for rung in Rung::HOST {
            eprintln!("n = {n}, {}", rung.name());
            let outcome = match host.time(rung, &numbers) {
                Ok(ms) => Outcome::Ms(ms),
                Err(Failed::Run(reason)) => Outcome::NotMeasured(reason),
                Err(Failed::Wrong(wrong)) => Outcome::Wrong(wrong),
            };
            ladder(&mut file.figures).rows.push(Row { n, rung, outcome });
        }
        if let Some(gpu) = gpu {
            eprintln!("n = {n}, the GPU's");
            ladder(&mut file.figures).rows.extend(on_gpu(gpu, n)?);
        }
        file.keep()?;
    }
    Ok(())
}

/// The kernels, side by side.
fn on_gpu(gpu: &Gpu, n: usize) -> Result<Vec<Row>, Failure> {
    let subject = Folds::of_two(gpu, Fold::Squares, [n, n], n)?;
    let (rungs, kernels): (Vec<Rung>, Vec<_>) = kernels(&subject)?.into_iter().unzip();
    // All write to the same slots: each is checked alone before all are timed.
    let contest = Contest::in_one_place(&subject, kernels)?;
    let checked: Vec<_> = contest.check_each().collect();
    let samples = gpu.samples(ROUNDS, repeats(n), contest.ways().collect::<Vec<Way<'_>>>())?;
    let rows = rungs.into_iter().zip(checked).zip(samples).map(|((rung, checked), samples)| {
        let outcome = match checked {
            Ok(()) => Outcome::Ms(Spread::quarters(samples).ok_or("nothing was timed")?),
            Err(error) => Outcome::Wrong(error.to_string()),
        };
        Ok(Row { n, rung, outcome })
    });
    rows.collect()
}

type Kernels = Vec<(Rung, (String, Launch<Folds<TwoSets>>))>;

fn kernels(subject: &Folds<TwoSets>) -> Result<Kernels, Failure> {
    let mut by_hand = subject.ladder_by_hand()?;
    by_hand.push(subject.tiles_by_hand(CHUNK)?);
    let mut kernels: Kernels = Rung::BY_HAND.into_iter().zip(by_hand).collect();
    kernels.push((Rung::Generated, subject.generated::<square_of_distance>()?));
    Ok(kernels)
}

impl Ladder {
    fn outcome(&self, rung: Rung, n: usize) -> Option<&Outcome> {
        let mut rows = self.rows.iter();
        rows.find(|row| (row.rung, row.n) == (rung, n)).map(|row| &row.outcome)
    }

    fn ms(&self, rung: Rung, n: usize) -> Option<f64> {
        match self.outcome(rung, n)? {
            Outcome::Ms(ms) => Some(ms.median),
            Outcome::NotMeasured(_) | Outcome::Wrong(_) => None,
        }
    }

    /// How many times as fast as sequential C a rung is: in the paper, and here.
    fn factors(&self, rung: Rung, n: usize) -> [Option<f64>; 2] {
        let over = |first: Option<f64>, time: Option<f64>| Some(first? / time?);
        [
            over(Rung::Sequential.paper(n), rung.paper(n)),
            over(self.ms(Rung::Sequential, n), self.ms(rung, n)),
        ]
    }

    fn times(&self) -> String {
        let cell = |rung, n| match self.outcome(rung, n) {
            Some(Outcome::Ms(ms)) => three_digits(ms.median),
            Some(Outcome::NotMeasured(reason)) => format!("not measured: {}", first_line(reason)),
            Some(Outcome::Wrong(wrong)) => format!("wrong: {}", first_line(wrong)),
            None => String::new(),
        };
        let row = |rung: Rung| {
            let cells = sizes().map(|n| cell(rung, n));
            [vec![rung.name().to_owned()], cells.into()].concat()
        };
        table(&headings("ms"), &Rung::ALL.map(row))
    }

    fn speed_ups(&self) -> String {
        let mut rows = Vec::new();
        for rung in Rung::ALL.into_iter().filter(|rung| *rung != Rung::Sequential) {
            for (place, whose) in ["the paper", "here"].into_iter().enumerate() {
                let cells = sizes().map(|n| self.factors(rung, n)[place].map(three_digits));
                if whose == "here" || cells.iter().any(Option::is_some) {
                    let name = format!("{}, {whose}", rung.name());
                    rows.push([vec![name], cells.map(Option::unwrap_or_default).into()].concat());
                }
            }
        }
        table(&headings("times as fast as sequential C"), &rows)
    }

    /// The bars of one n: the paper's factors beside those here.
    fn group(&self, n: usize) -> Option<Group> {
        let mut bars = Vec::new();
        for rung in Rung::ALL.into_iter().filter(|rung| *rung != Rung::Sequential) {
            let [paper, here] = self.factors(rung, n);
            let mut bar = |whose: &str, value: f64, ms: Option<f64>, colour| {
                let ms = ms.map(three_digits).unwrap_or_default();
                let text = format!("{} x, {ms} ms", three_digits(value));
                bars.push(Bar { name: format!("{}, {whose}", rung.name()), value, text, colour });
            };
            if let Some(paper) = paper {
                bar("the paper", paper, rung.paper(n), GREY);
            }
            if let Some(here) = here {
                bar("here", here, self.ms(rung, n), BLUE);
            }
        }
        self.ms(Rung::Sequential, n)?;
        Some(Group {
            title: format!("Vector distances of {0} x {0} x {0}", thousands(n as u64)),
            unit: "times as fast as sequential C on the same machine, on a scale that multiplies",
            bars,
            mark: None,
            multiplies: true,
        })
    }
}

fn headings(first: &str) -> Vec<String> {
    let sizes = sizes().map(|n| format!("n = {}", thousands(n as u64)));
    [vec![first.to_owned()], sizes.into()].concat()
}

/// The n that are drawn.
const DRAWN: [usize; 2] = [512, 4096];

impl Experiment for Ladder {
    fn sections(&self) -> Vec<Section> {
        let host = if self.host.is_empty() { "Not measured." } else { &self.host };
        vec![
            Section::new("ladder-host", "Vector distances: the CPU's rungs", format!("{host}\n")),
            Section::new("ladder", "Vector distances, n x n x n", self.times()),
            Section::new("ladder-factors", "Vector distances, over sequential C", self.speed_ups()),
        ]
    }

    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let groups_of: Vec<Group> = DRAWN.iter().filter_map(|n| self.group(*n)).collect();
        if groups_of.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![("ladder", groups(&groups_of)?)])
    }

    fn wrong(&self) -> Vec<String> {
        let wrong = |row: &Row| match &row.outcome {
            Outcome::Wrong(wrong) => Some(format!("{}, n = {}: {wrong}", row.rung.name(), row.n)),
            Outcome::Ms(_) | Outcome::NotMeasured(_) => None,
        };
        self.rows.iter().filter_map(wrong).collect()
    }
}

impl Experiment for CpuLadder {
    fn sections(&self) -> Vec<Section> {
        self.0.sections()
    }

    fn wrong(&self) -> Vec<String> {
        self.0.wrong()
    }
}

#[cfg(test)]
mod tests;
