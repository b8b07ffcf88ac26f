//! What others have for results per element: each is a process of Python's that goes through all of its steps once, so that
//! libraries are imported once, and a crash takes nothing else with it.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::target::{Measured, Outcome};
use super::{CUBE, LARGE, MANY, N, Setting};
use crate::measure::gpu::ROUNDS;
use crate::measure::times::{Spread, Times};
use crate::subject::{Contest, GENERATED, Subject};
use crate::{Failure, python};

/// Compilers take some seconds for each step; longer than this, they hang.
const LIMIT: Duration = Duration::from_secs(150);

/// How often each step is timed: what takes a tenth of a second is timed well enough by a few.
const PEER_ROUNDS: usize = 5;

/// Another way to the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Other {
    #[serde(rename = "torch.compile")]
    Compiled,
    #[serde(rename = "torch.cdist and min")]
    Cdist,
    KeOps,
    /// A product of matrices, by cuBLAS in FP32.
    #[serde(rename = "torch.mm")]
    Product,
    /// Distances by a product of matrices, which are off where two rows are close.
    #[serde(rename = "torch.cdist, with a product")]
    ProductDistance,
    /// Distances by differences.
    #[serde(rename = "torch.cdist, without")]
    Difference,
    /// The same of one set, packed.
    #[serde(rename = "torch.pdist")]
    Packed,
    /// Distances by a product of matrices, and of each row the least.
    #[serde(rename = "torch.cdist and topk")]
    Topk,
    /// Distances by a product of matrices, and the places of those that are small.
    #[serde(rename = "torch.cdist and nonzero")]
    Within,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Work {
    /// What all other bodies add to the velocity of each.
    Forces,
    /// The nearest column of each row, with three features.
    Minima,
    /// Sums over the features of each pair of one set.
    OneSet,
    /// Of each pair of two sets.
    TwoSets,
    /// The nearest ten of each row.
    Neighbours,
    /// The pairs of rows within a distance.
    Close,
}

/// What a script is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    peer: Other,
    work: Work,
    n: usize,
    /// Where the work is over any number of features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    features: Option<usize>,
    rounds: usize,
}

pub(super) const fn step(peer: Other, work: Work, n: usize) -> Step {
    Step { peer, work, n, features: None, rounds: PEER_ROUNDS }
}

/// Of rows of so many features.
pub(super) const fn fold(peer: Other, work: Work, n: usize, features: usize) -> Step {
    Step { features: Some(features), ..step(peer, work, n) }
}

/// The steps of torch, and those of KeOps.
const TORCH: &[Step] = &[
    step(Other::Compiled, Work::Forces, N),
    step(Other::Compiled, Work::Minima, N),
    step(Other::Cdist, Work::Minima, N),
    step(Other::Compiled, Work::Forces, LARGE),
];
const KEOPS: &[Step] = &[
    step(Other::KeOps, Work::Forces, N),
    step(Other::KeOps, Work::Minima, N),
    step(Other::KeOps, Work::Forces, LARGE),
];

const FOLDS: &[Step] = &[
    fold(Other::ProductDistance, Work::OneSet, N, 128),
    fold(Other::ProductDistance, Work::OneSet, N, 512),
    fold(Other::ProductDistance, Work::OneSet, CUBE, CUBE),
    fold(Other::ProductDistance, Work::OneSet, 128, CUBE),
    fold(Other::ProductDistance, Work::OneSet, 256, CUBE),
    fold(Other::ProductDistance, Work::OneSet, 512, CUBE),
    fold(Other::ProductDistance, Work::TwoSets, CUBE, CUBE),
    fold(Other::Product, Work::TwoSets, N, 512),
    fold(Other::Product, Work::OneSet, N, 512),
    fold(Other::Difference, Work::OneSet, CUBE, 512),
    fold(Other::Packed, Work::OneSet, CUBE, CUBE),
    fold(Other::Topk, Work::Neighbours, MANY, 128),
    fold(Other::Within, Work::Close, MANY, 128),
];

/// What a script prints, again after each step.
#[derive(Clone, Debug, Deserialize)]
struct Printed {
    answers: Vec<Answer>,
    #[serde(default)]
    versions: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Answer {
    outcome: Ended,
    #[serde(default)]
    detail: String,
    ms: Option<Spread>,
    variant: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ended {
    Right,
    /// Further off than roundings explain, and still near.
    Inexact,
    Garbage,
    Error,
}

/// What the scripts have answered, each asked at most once.
#[derive(Default)]
pub(super) struct Others {
    torch: OnceCell<Result<Printed, String>>,
    keops: OnceCell<Result<Printed, String>>,
    folds: OnceCell<Result<Printed, String>>,
}

impl Others {
    /// The times of a step; or why there are none.
    pub(super) fn times(&self, python: &Path, step: Step) -> Result<Times, String> {
        let (cell, script, steps) = match step.peer {
            Other::KeOps => (&self.keops, "keops_elements.py", KEOPS),
            Other::Compiled | Other::Cdist => (&self.torch, "torch_elements.py", TORCH),
            Other::Product
            | Other::ProductDistance
            | Other::Difference
            | Other::Packed
            | Other::Topk
            | Other::Within => (&self.folds, "torch_folds.py", FOLDS),
        };
        let ask = || {
            let steps = serde_json::to_string(steps).map_err(|error| error.to_string())?;
            python::run::<Printed>(python, script, &[steps], LIMIT)
        };
        let printed = cell.get_or_init(ask).as_ref().map_err(Clone::clone)?;
        let place = steps.iter().position(|asked| *asked == step);
        let place = place.ok_or_else(|| format!("{script} is not asked for n = {}", step.n))?;
        printed.times(place)
    }
}

impl Printed {
    fn times(&self, place: usize) -> Result<Times, String> {
        let none = "the process ended before this step had an answer";
        let Answer { outcome, detail, ms, variant } = self.answers.get(place).ok_or(none)?;
        let words = match outcome {
            Ended::Right => String::new(),
            Ended::Inexact if detail.is_empty() => ", inexact".into(),
            Ended::Inexact => format!(", inexact: {detail}"),
            Ended::Garbage => return Err(format!("wrong results: {detail}")),
            Ended::Error => return Err(detail.clone()),
        };
        let versions = self.versions.iter().map(|(name, version)| format!("{name} {version}"));
        let variant = variant.as_ref().map(|variant| format!(", {variant}")).unwrap_or_default();
        let name = versions.collect::<Vec<_>>().join(", ") + &variant + &words;
        Ok(Times { name, ms: ms.ok_or("the step was not timed")? })
    }
}

/// The contest's one kernel, timed before the other and after it.
pub(super) fn beside<S: Subject>(
    setting: &Setting,
    contest: &Contest<'_, S>,
    repeats: u32,
    step: Step,
) -> Result<Outcome, Failure> {
    contest.check_each().collect::<Result<(), _>>()?;
    around(setting, step, || setting.gpu.samples(ROUNDS, repeats, contest.ways().collect()))
}

/// What samples are of ours, timed before the other and after it.
pub(super) fn around(
    Setting { python, others, .. }: &Setting,
    step: Step,
    mut ours: impl FnMut() -> Result<Vec<Vec<f64>>, Failure>,
) -> Result<Outcome, Failure> {
    let mut samples = ours()?.concat();
    let reference = match others.times(python, step) {
        Ok(times) => times,
        Err(not_measured) => return Ok(Outcome::NotMeasured { not_measured }),
    };
    samples.extend(ours()?.concat());
    let ms = Spread::extremes(samples).ok_or("nothing was timed")?;
    let ours = Times { name: GENERATED.into(), ms };
    Ok(Outcome::Measured(Measured { ours, reference, others: Vec::new() }))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::*;

    /// A Python that does this, and counts how often it was asked.
    fn python(folder: &Path, text: &str) -> std::io::Result<PathBuf> {
        let python = folder.join("python");
        let count = folder.join("count").display().to_string();
        std::fs::write(&python, format!("#!/bin/sh\necho once >> {count}\n{text}\n"))?;
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755))?;
        Ok(python)
    }

    #[test]
    fn a_script_is_asked_once_and_answers_every_step() {
        let folder = tempfile::tempdir().unwrap();
        let answers = r#"{"answers": [{"outcome": "right", "ms": [2.0, 1.5, 3.0], "variant": "x"},
            {"outcome": "error", "detail": "RuntimeError: no room"},
            {"outcome": "inexact", "ms": [4.0, 4.0, 5.0]}], "versions": {"torch": "2.11"}}"#;
        let python =
            python(folder.path(), &format!("echo '{}'", answers.replace('\n', ""))).unwrap();
        let others = Others::default();
        let ask = |peer, work, n| others.times(&python, step(peer, work, n));
        let forces = ask(Other::Compiled, Work::Forces, N).unwrap();
        assert_eq!((forces.name.as_str(), forces.ms.median), ("torch 2.11, x", 2.0));
        let error = ask(Other::Compiled, Work::Minima, N).unwrap_err();
        assert_eq!(error, "RuntimeError: no room");
        assert_eq!(ask(Other::Cdist, Work::Minima, N).unwrap().name, "torch 2.11, inexact");
        let error = ask(Other::Compiled, Work::Forces, LARGE).unwrap_err();
        assert_eq!(error, "the process ended before this step had an answer");
        assert!(ask(Other::Cdist, Work::Forces, N).unwrap_err().contains("is not asked for"));
        // Sums over features are another script's.
        let folds = others.times(&python, FOLDS[2]).unwrap();
        assert_eq!(folds.name, "torch 2.11, inexact");
        let off = Ended::Inexact;
        let answer =
            Answer { outcome: off, detail: "by 1e-4".into(), ms: Some(folds.ms), variant: None };
        let printed = Printed { answers: vec![answer], versions: BTreeMap::new() };
        assert_eq!(printed.times(0).unwrap().name, ", inexact: by 1e-4");
        assert_eq!(std::fs::read_to_string(folder.path().join("count")).unwrap(), "once\nonce\n");
    }

    #[test]
    fn a_crash_is_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let python = python(folder.path(), "echo 'ImportError: no pykeops' >&2; exit 1").unwrap();
        let error =
            Others::default().times(&python, step(Other::KeOps, Work::Forces, N)).unwrap_err();
        assert_eq!(error, "ImportError: no pykeops");
    }
}
