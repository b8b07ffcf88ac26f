//! What others do for pairs, in the same session of the GPU as ours: each is checked, timed, and asked for
//! more elements than 32-bit products, rows and slots go.

mod cpu;
mod ours;
mod script;
mod tables;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::experiment::{self, Experiment, File, Run, Section};
use crate::measure::times::Spread;

/// How the peers are measured.
#[derive(Args)]
pub(crate) struct Options {
    /// At one n only, and fewer rounds.
    #[arg(long)]
    quick: bool,
    /// Without a GPU: SciPy on a core, and the CPU device, which is there to try kernels and not to be fast.
    #[arg(long)]
    cpu: bool,
    /// The Python that has torch, Triton, CuPy, numba-cuda; for --cpu the one that has SciPy.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    #[command(flatten)]
    run: Run,
}

/// Past 32-bit products of n, 32-bit numbers of pairs with a sign, and those without.
const PAST: [usize; 3] = [46_342, 65_537, 92_683];

/// Where times are taken.
const SIZES: [usize; 3] = [30_720, 4096, 16_384];

/// All peers, beside the generated kernels.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Peers {
    /// Python's packages, and what is told of others.
    versions: BTreeMap<String, String>,
    answers: Vec<Answer>,
}

/// What one of them did with a work at some n.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Answer {
    peer: String,
    /// Which of its forms was fastest, where it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    work: Work,
    n: usize,
    outcome: Outcome,
    /// The error's text, or how far off the results are.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    /// Of one run, in milliseconds, where it was timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ms: Option<Spread>,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Work {
    /// Distances of points with four features.
    Edm,
    /// Collisions of spheres in space, counted.
    Collision,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Right,
    /// Further off than roundings explain, and still near.
    Inexact,
    /// Wrong, without an error.
    Garbage,
    Error,
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Outcome::Right => "right",
            Outcome::Inexact => "inexact",
            Outcome::Garbage => "garbage",
            Outcome::Error => "error",
        }
    }
}

impl Answer {
    /// Times, or why there are none.
    fn of(peer: &str, work: Work, n: usize, times: Result<Option<Spread>, String>) -> Answer {
        let (outcome, detail, ms) = match times {
            Ok(ms) => (Outcome::Right, String::new(), ms),
            Err(error) => (Outcome::Error, error, None),
        };
        Answer { peer: peer.into(), variant: None, work, n, outcome, detail, ms }
    }
}

impl Experiment for Peers {
    fn sections(&self) -> Vec<Section> {
        tables::sections(self)
    }

    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        Ok(vec![("peers", tables::plot(self)?)])
    }
}

/// The peers where there is no GPU.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct CpuPeers(Peers);

impl Experiment for CpuPeers {
    fn sections(&self) -> Vec<Section> {
        vec![Section::new("cpu", "Without a GPU", tables::cpu(&self.0))]
    }
}

/// Measures, and writes the file.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.cpu {
        return cpu::run(&options.python, &options.run);
    }
    experiment::run(&options.run, "peers", |gpu, file: &mut File<Peers>| {
        let sizes = if options.quick { &SIZES[..1] } else { &SIZES };
        let rounds = if options.quick { 9 } else { 21 };
        // Ours before the peers and again behind them, so that a drift of the clock shows.
        let mut ours = vec![ours::measure(gpu, sizes, rounds)];
        // What was freed goes back to the GPU, where others need it.
        gpu.device.synchronize()?;
        // Ours are in the file from the start, for a run that is cut short, and timed again at its end.
        file.figures.answers = ours::answers(&ours);
        let count = file.figures.answers.len();
        file.keep()?;
        for peer in script::PEERS {
            eprintln!("{}", peer.name);
            let Peers { versions, answers } = &mut file.figures;
            for &work in peer.works {
                let timed = sizes.iter().map(|&n| (n, rounds));
                answers.extend(
                    timed
                        .chain(PAST.map(|n| (n, 0)))
                        .map(|(n, rounds)| peer.ask(&options.python, work, n, rounds, versions)),
                );
            }
            // After each peer, so that a run that is cut short has told something.
            file.keep()?;
        }
        ours.push(ours::measure(gpu, sizes, rounds));
        file.figures.answers.splice(0..count, ours::answers(&ours));
        Ok(())
    })
}
