//! Other libraries for pairs, in the same GPU session as ours: each is checked, timed, and run with element counts past the
//! limits of 32-bit products, rows and slots.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use td_kernel_examples::count_in;

use crate::kernels::{count, packed_4};
use crate::measure::gpu::Gpu;
use crate::measure::times::Spread;
use crate::python::Step;
use crate::results::{Outcome, Record, Results, Run};
use crate::subject::{Contest, Counts, Distances, GENERATED, InPacked, Launch, Subject};

#[derive(Args)]
pub(crate) struct Options {
    /// The timed n.
    #[arg(long, value_delimiter = ',', default_values_t = [4096, 16_384, 30_720],
        value_parser = count_in(2..))]
    sizes: Vec<usize>,
    /// The Python that has torch, Triton, CuPy
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    #[command(flatten)]
    run: Run,
}

/// Past the limits of 32-bit products of n, and of signed and unsigned 32-bit pair numbers: checked, and not timed.
const PAST: [usize; 3] = [46_342, 65_537, 92_683];

const ROUNDS: usize = 21;

/// Launches in each round.
const REPEATS: u32 = 4;

/// The scripts' names for distances of points with four features, and for counted collisions of spheres in space.
const EDM: &str = "edm";
const COLLISION: &str = "collision";

/// The peers, their scripts, and their works.
const PEERS: &[(&str, &str, &[&str])] = &[
    ("torch.pdist", "torch_folds.py", &[EDM]),
    ("torch.cdist, with a product", "torch_folds.py", &[EDM]),
    ("torch.cdist, without", "torch_folds.py", &[EDM]),
    ("torch.compile", "torch_elements.py", &[EDM, COLLISION]),
    ("Triton, tiled", "triton_pairs.py", &[EDM, COLLISION]),
    ("CuPy, elementwise", "cupy_pairs.py", &[EDM]),
];

pub(crate) fn run(options: &Options) -> Result<Results> {
    let Options { sizes, python, run } = options;
    let gpu = Gpu::open()?;
    let mut results = Results::begin(run, "peers", &gpu.device, String::new())?;
    let mut versions = BTreeMap::new();
    for work in [EDM, COLLISION].into_iter().filter(|work| run.asks_for(work)) {
        let timed = sizes.iter().map(|n| (*n, ROUNDS));
        for (n, rounds) in timed.chain(PAST.map(|n| (n, 0))) {
            // Ours before the peers and again after them, to reveal a drift of the clock.
            let before = ours(&gpu, work, n, rounds);
            // Returns freed memory to the GPU, where others need it.
            gpu.device.synchronize()?;
            let mut record = Record::new(work, n);
            for (peer, script, _) in PEERS.iter().filter(|(.., works)| works.contains(&work)) {
                eprintln!("{peer}, n = {n}");
                let step = Step { script, peer, work, n, features: None, rounds };
                let outcome = ask(python, step, &mut record, &mut versions);
                record.results.push(((*peer).to_owned(), outcome));
            }
            let ours = before.and_then(|before| both(before, ours(&gpu, work, n, rounds)?));
            let ours = ours.unwrap_or_else(|error| vec![(GENERATED.into(), error.into())]);
            record.results.splice(0..0, ours);
            let words = versions.iter().map(|(name, version)| format!("{name} {version}"));
            results.machine.beside = words.collect::<Vec<_>>().join(", ");
            results.add(record)?;
        }
    }
    Ok(results)
}

/// Runs a peer. Remarks about a time are recorded.
fn ask(
    python: &Path,
    step: Step,
    record: &mut Record,
    versions: &mut BTreeMap<String, String>,
) -> Outcome {
    let answer = match step.ask(python) {
        Ok(answer) => answer,
        Err(untimed) => return Outcome::Untimed { untimed },
    };
    versions.extend(answer.versions.clone());
    let words = answer.words();
    let Some(ms) = answer.ms.filter(|_| answer.is_usable()) else {
        return Outcome::Untimed { untimed: words };
    };
    if words != "right" {
        let sign = if record.note.is_empty() { "" } else { "; " };
        record.note += &format!("{sign}{}: {words}", step.peer);
    }
    Outcome::Measured(ms)
}

/// The samples of the generated kernel, and if timed those of the handwritten one. They have been checked.
type Samples = Vec<(String, Vec<f64>)>;

fn ours(gpu: &Gpu, work: &str, n: usize, rounds: usize) -> Result<Samples> {
    if work == COLLISION {
        let subject = Counts::of_spheres(gpu, n)?;
        return samples(&subject, vec![subject.generated::<count>()?], rounds);
    }
    let subject = Distances::<[f32; 4], InPacked>::distances(gpu, n)?;
    let mut kernels = vec![subject.generated::<packed_4>()?];
    if rounds > 0 {
        kernels.push(subject.by_hand()?);
    }
    samples(&subject, kernels, rounds)
}

fn samples<S: Subject>(
    subject: &S,
    kernels: Vec<(String, Launch<S>)>,
    rounds: usize,
) -> Result<Samples> {
    let names: Vec<String> = kernels.iter().map(|(name, _)| name.clone()).collect();
    let contest = Contest::new(subject, kernels)?;
    contest.check_each().collect::<Result<(), _>>()?;
    let samples = match rounds {
        0 => vec![Vec::new(); names.len()],
        _ => subject.gpu().samples(rounds, REPEATS, contest.ways().collect())?,
    };
    Ok(names.into_iter().zip(samples).collect())
}

/// Combines both measurements.
fn both(before: Samples, after: Samples) -> Result<Vec<(String, Outcome)>> {
    let both = before.into_iter().zip(after);
    let both = both.map(|((name, before), (_, after))| (name, [before, after].concat()));
    let outcome = |samples: Vec<f64>| match samples.is_empty() {
        true => Outcome::Untimed { untimed: "right".into() },
        false => Spread::quarters(samples).into(),
    };
    Ok(both.map(|(name, samples)| (name, outcome(samples))).collect())
}
