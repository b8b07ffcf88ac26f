//! What others do for pairs, in the same session of the GPU as ours: each is checked, timed, and asked for
//! more elements than 32-bit products, rows and slots go.

mod cpu;
mod file;
mod ours;
mod script;

use std::path::PathBuf;

use clap::Args;

pub(crate) use self::file::{Answer, CpuPeers, Peers, Work};
use self::script::Step;
use crate::measure::gpu::Gpu;
use crate::record::{File, Machine};
use crate::{Failure, Run};

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
pub(crate) const PAST: [usize; 3] = [46_342, 65_537, 92_683];

/// Where times are taken.
const SIZES: [usize; 3] = [30_720, 4096, 16_384];

/// Measures, and writes the file.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.cpu {
        return cpu::run(&options.python, &options.run);
    }
    let gpu = Gpu::open()?;
    let machine = Machine::of(&gpu, options.run.commit.clone())?;
    let sizes = if options.quick { &SIZES[..1] } else { &SIZES };
    let rounds = if options.quick { 9 } else { 21 };
    let mut file = File::new(machine, Peers::default());
    // Ours before the peers and again behind them, so that a drift of the clock shows.
    let mut ours = ours::measure(&gpu, sizes, rounds);
    // What was freed goes back to the GPU, where others need it.
    gpu.device.synchronize()?;
    // Ours are in the file from the start, for a run that is cut short, and timed again at its end.
    let first = ours.answers(&gpu);
    let count = first.len();
    file.figures.answers = first;
    file.write(&options.run.output)?;
    for peer in script::PEERS {
        eprintln!("{}", peer.name);
        let mut steps = Vec::new();
        for &work in peer.works {
            steps.extend(sizes.iter().map(|&n| Step { work, n, rounds }));
            steps.extend(PAST.map(|n| Step { work, n, rounds: 0 }));
        }
        let Peers { versions, answers } = &mut file.figures;
        let answered = script::ask(&options.python, peer, &steps, versions);
        answered.iter().for_each(tell);
        answers.extend(answered);
        // After each peer, so that a run that is cut short has told something.
        file.write(&options.run.output)?;
    }
    ours.again(&gpu, sizes, rounds);
    let ours = ours.answers(&gpu);
    ours.iter().for_each(tell);
    file.figures.answers.splice(0..count, ours);
    file.write(&options.run.output)
}

fn tell(answer: &Answer) {
    let Answer { peer, work, n, outcome, detail, ms, .. } = answer;
    let time = ms.map(|ms| format!("{:>10.4} ms", ms.median)).unwrap_or_default();
    println!("{peer:<28} {:<9} {n:>6} {time:>13}  {} {detail}", work.word(), outcome.word());
}
