//! The tasks of the guide's comparison on the CPU device, by the kernels that it lists, and a count of near pairs. Tests check their
//! results. `bench/peers/scipy_tasks.py` times NumPy and SciPy on as many elements of the same kind, and SciPy's k-d tree counts as
//! many near pairs here.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use td_kernel::{Device, td_kernel};
use td_kernel_examples::count_in;

use crate::cpu_loops::{compiler, described};
use crate::measure::points::{points, rows_of_two, square_norms, with_norms};
use crate::measure::times::Spread;
use crate::results::{Bound, Outcome, Record, Results, Run, Untimed};
use crate::targets::{near, others, sets};

include!("../../tests/tests/guide/comparison/distances.rs");
include!("../../tests/tests/guide/comparison/cosine.rs");
include!("../../tests/tests/guide/comparison/collisions.rs");
include!("../../tests/tests/guide/comparison/forces.rs");
include!("../../tests/tests/guide/comparison/neighbours.rs");
include!("../../tests/tests/guide/comparison/product.rs");

#[derive(Args)]
pub(crate) struct Options {
    /// The number of elements
    #[arg(long, default_value_t = 4000, value_parser = count_in(2..))]
    n: usize,
    /// A Python with NumPy and SciPy
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    #[command(flatten)]
    run: Run,
}

/// The number of elements whose near pairs are counted, and the limit of the time over that of SciPy's tree.
const NEAR: &str = "near count";
const MANY: usize = 1_000_000;
const OF_THE_TREE: Bound = Bound::AtMost(0.25);

/// The first launch over many sets makes their tables, which later launches find.
const SETS: &str = "distances within sets of 8";

/// The features of an embedding.
const WIDE: usize = 128;

pub(crate) fn run(Options { n, python, run }: &Options) -> Result<Results> {
    let device = &Device::cpu()?;
    let mut results = Results::begin(run, "cpu-tasks", device, described(compiler()))?;
    let balls = points::<[f32; 4]>(*n).into_iter();
    let balls: Vec<_> = balls.map(|[x, y, z, size]| [x, y, z, 0.04 + 0.02 * size]).collect();
    let p = device.upload(&balls)?;
    let mut add = |task: &str, features, launch: &mut Launch<'_>| -> Result<()> {
        if !run.asks_for(task) {
            return Ok(());
        }
        let mut record = Record::new(task, *n).with_features(features);
        record.results.push(("generated".into(), shortest(launch).into()));
        results.add(record)
    };

    let (kernel, mut distance) = (distances::load(device)?, device.packed(*n)?);
    add("distances", 4, &mut || Ok(device.timed(|| kernel.launch(&p, &mut distance))?.1))?;

    let [values, _] = rows_of_two(*n, 0, WIDE);
    let norms: Vec<f32> = square_norms(&values, WIDE).into_iter().map(f32::sqrt).collect();
    let (rows, norm) = (device.features(&values, WIDE)?, device.upload(&norms)?);
    let kernel = cosine::load(device)?;
    add("cosines", WIDE, &mut || {
        Ok(device.timed(|| kernel.launch(&rows, &norm, &mut distance))?.1)
    })?;

    let (kernel, mut touching) = (collisions::load(device)?, device.sum()?);
    add("collisions", 0, &mut || Ok(device.timed(|| kernel.launch(&p, &mut touching))?.1))?;

    let (kernel, mut pull) = (forces::load(device)?, device.sums(*n)?);
    add("forces", 0, &mut || Ok(device.timed(|| kernel.launch(&p, &mut pull))?.1))?;

    let (kernel, mut near) = (neighbours::load(device)?, device.nearest(*n)?);
    for features in [3, WIDE] {
        let [values, _] = rows_of_two(*n, 0, features);
        let (rows, norm) = with_norms(device, &values, features)?;
        add("ten nearest neighbours", features, &mut || {
            // A queue that is full of near neighbours would save work.
            near.clear()?;
            Ok(device.timed(|| kernel.launch(&rows, &norm, &mut near))?.1)
        })?;
    }

    let (kernel, mut sums) = (product::load(device)?, device.sums(*n)?);
    let ones = device.upload(&vec![1.0; *n])?;
    add("product with a kernel matrix", 4, &mut || {
        Ok(device.timed(|| kernel.launch(&p, &ones, 2.0, &mut sums))?.1)
    })?;

    if run.asks_for(NEAR) {
        let (p, kernel) = (device.upload(&near::balls(MANY))?, near::touching::load(device)?);
        let mut count = || Ok(device.timed(|| kernel.launch(&p, &mut touching))?.1);
        let tree = match others::tree("count", MANY).time(python) {
            Ok((name, ms)) => (name, Spread::extremes(vec![ms.low]).into()),
            Err(Untimed(untimed)) => ("cKDTree".into(), Outcome::Untimed { untimed }),
        };
        let mut record = Record::new(NEAR, MANY).with_target(OF_THE_TREE);
        record.results = vec![("generated".into(), shortest(&mut count).into()), tree];
        results.add(record)?;
    }
    if run.asks_for(SETS) {
        let (elements, offsets) =
            (points(8 * MANY), (0..=MANY).map(|set| 8 * set).collect::<Vec<_>>());
        let kernel = sets::distances::load(device)?;
        let mut values = device.zeroed(28 * MANY)?;
        let mut first = || {
            let p = device.sets(&elements, &offsets)?;
            Ok(device.timed(|| kernel.launch(&p, &mut values))?.1)
        };
        let first = ("first launch".into(), shortest(&mut first).into());
        let p = device.sets(&elements, &offsets)?;
        let mut later = || Ok(device.timed(|| kernel.launch(&p, &mut values))?.1);
        let mut record = Record::new(SETS, MANY).with_target(Bound::Cost);
        record.results = vec![first, ("later launches".into(), shortest(&mut later).into())];
        results.add(record)?;
    }
    Ok(results)
}

/// Launches once and returns the time.
type Launch<'a> = dyn FnMut() -> td_kernel::Result<Duration> + 'a;

/// The shortest time in milliseconds: on a busy machine some launches are undisturbed.
fn shortest(launch: &mut Launch<'_>) -> Result<Spread> {
    let (begin, mut count, mut best) = (Instant::now(), 0, f64::INFINITY);
    while count < 5 || (begin.elapsed() < Duration::from_secs(4) && count < 500) {
        best = best.min(1e3 * launch()?.as_secs_f64());
        count += 1;
    }
    Spread::extremes(vec![best])
}
