//! Other libraries for the same work.

use anyhow::Result;

use super::{Measured, Setting};
use crate::measure::gpu::ROUNDS;
use crate::measure::times::Spread;
use crate::python::Step;
use crate::subject::{Contest, GENERATED, Subject};

/// The times of the contest's only kernel, and of another way.
pub(super) fn beside<S: Subject>(
    setting: &Setting,
    contest: &Contest<'_, S>,
    repeats: u32,
    step: Step,
) -> Measured {
    contest.check_each().collect::<Result<(), _>>()?;
    around(setting, step, || setting.gpu.samples(ROUNDS, repeats, contest.ways().collect()))
}

/// Like `beside`, with samples of ours before and after the other way, to reveal a drift of the clock.
pub(super) fn around(
    setting: &Setting,
    step: Step,
    mut ours: impl FnMut() -> Result<Vec<Vec<f64>>>,
) -> Measured {
    let mut samples = ours()?.concat();
    let other = step.time(&setting.python)?;
    samples.extend(ours()?.concat());
    Ok(vec![(GENERATED.into(), Spread::extremes(samples)?), other])
}

/// The number of rounds of other libraries: a way that takes a tenth of a second needs few.
const OTHERS_ROUNDS: usize = 5;

/// A step with results per element.
pub(super) const fn elements(peer: &'static str, work: &'static str, n: usize) -> Step {
    let script =
        if matches!(peer.as_bytes(), b"KeOps") { "keops_elements.py" } else { "torch_elements.py" };
    Step { script, peer, work, n, features: None, rounds: OTHERS_ROUNDS }
}

/// A torch step on rows of this many features.
pub(super) const fn rows(
    peer: &'static str,
    work: &'static str,
    n: usize,
    features: usize,
) -> Step {
    let features = Some(features);
    Step { script: "torch_folds.py", peer, work, n, features, rounds: OTHERS_ROUNDS }
}

/// A step of SciPy's k-d tree on the CPU.
pub(crate) const fn tree(work: &'static str, n: usize) -> Step {
    Step { script: "scipy_trees.py", peer: "cKDTree", work, n, features: None, rounds: 3 }
}
