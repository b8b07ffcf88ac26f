//! The peers that are Python: each goes through its steps in processes of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{Answer, Outcome, Work};
use crate::child;
use crate::measure::times::Spread;

/// A peer, and where it is written.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) name: &'static str,
    script: &'static str,
    pub(super) works: &'static [Work],
}

const EDM: &[Work] = &[Work::Edm];
const BOTH: &[Work] = &[Work::Edm, Work::Collision];

const fn peer(name: &'static str, script: &'static str, works: &'static [Work]) -> Peer {
    Peer { name, script, works }
}

/// Those for a GPU.
pub(super) const PEERS: &[Peer] = &[
    peer("torch.pdist", "torch_pairs.py", EDM),
    peer("torch.cdist, with a product", "torch_pairs.py", EDM),
    peer("torch.cdist, without", "torch_pairs.py", EDM),
    peer("torch.compile", "torch_pairs.py", BOTH),
    peer("Triton, packed, linear", "triton_pairs.py", EDM),
    peer("Triton, tiled", "triton_pairs.py", BOTH),
    peer("CuPy, elementwise", "cupy_pairs.py", EDM),
    peer("numba-cuda", "numba_pairs.py", EDM),
];

/// The one for a CPU.
pub(super) const SCIPY: Peer = peer("SciPy pdist, one core, f64", "scipy_pairs.py", EDM);

/// All that Python reads.
const FILES: &[(&str, &str)] = &[
    ("steps.py", include_str!("../../peers/steps.py")),
    ("torch_pairs.py", include_str!("../../peers/torch_pairs.py")),
    ("triton_pairs.py", include_str!("../../peers/triton_pairs.py")),
    ("triton_edm.py", include_str!("../../peers/triton_edm.py")),
    ("cupy_pairs.py", include_str!("../../peers/cupy_pairs.py")),
    ("numba_pairs.py", include_str!("../../peers/numba_pairs.py")),
    ("scipy_pairs.py", include_str!("../../peers/scipy_pairs.py")),
];

/// torch.compile may take half a minute for a step; longer than this without an answer, it hangs.
const PATIENCE: Duration = Duration::from_secs(75);

/// What is asked of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) work: Work,
    pub(super) n: usize,
    /// How often it is timed; 0 where only what happens is asked.
    pub(super) rounds: usize,
}

/// An answer as a script prints it.
#[derive(Deserialize)]
struct Printed {
    outcome: Outcome,
    #[serde(default)]
    detail: String,
    ms: Option<Spread>,
    variant: Option<String>,
    #[serde(default)]
    versions: BTreeMap<String, String>,
}

/// Asks a peer for all steps. A process that ends early has failed at the step that it was at, and another
/// one goes on behind that; one that has not come to its first answer is not tried again.
pub(super) fn ask(
    python: &Path,
    peer: &Peer,
    steps: &[Step],
    versions: &mut BTreeMap<String, String>,
) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(steps.len());
    while let Some(rest @ [next, ..]) = steps.get(answers.len()..) {
        let (printed, complaint) = match run(python, peer, rest) {
            Ok((printed, complaint)) => (printed, complaint),
            Err(error) => (Vec::new(), Some(error)),
        };
        let before = answers.len();
        for (step, printed) in rest.iter().zip(printed) {
            versions.extend(printed.versions);
            let Step { work, n, .. } = *step;
            let Printed { outcome, detail, ms, variant, .. } = printed;
            let ms = ms.map(Spread::rounded);
            answers.push(Answer { peer: peer.name.into(), variant, work, n, outcome, detail, ms });
        }
        let answered = answers.len() - before;
        let told_to_go_on = answers.last().is_some_and(|last| last.outcome == Outcome::Error);
        if answered == rest.len() || (answered > 0 && told_to_go_on) {
            continue;
        }
        let detail = complaint.unwrap_or_else(|| "it ended without an answer".into());
        let failed = |step: &Step| Answer::of(peer.name, step.work, step.n, Err(detail.clone()));
        let is_not_there = answered == 0 && before == 0 && detail.contains("Error");
        if is_not_there || detail.starts_with(child::TOO_LONG) {
            // Its packages are missing, or it hangs: trying again would take as long and tell nothing.
            answers.extend(rest.iter().skip(answered).map(failed));
        } else {
            answers.push(failed(rest.get(answered).unwrap_or(next)));
        }
    }
    answers
}

/// The answers of one process, and what it says where it failed.
fn run(
    python: &Path,
    peer: &Peer,
    steps: &[Step],
) -> Result<(Vec<Printed>, Option<String>), String> {
    let no_folder = |error| format!("cannot write the scripts: {error}");
    let folder = tempfile::tempdir().map_err(no_folder)?;
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).map_err(no_folder)?;
    }
    let asked: Vec<_> = steps
        .iter()
        .map(|step| json!({ "work": step.work, "n": step.n, "rounds": step.rounds }))
        .collect();
    let mut command = Command::new(python);
    command.arg(folder.path().join(peer.script)).arg(json!(asked).to_string()).arg(peer.name);
    let ended = child::run(&mut command, PATIENCE)?;
    // Libraries print too; what is no answer is theirs.
    let answers = ended.output.lines().filter_map(|line| serde_json::from_str(line).ok());
    Ok((answers.collect(), ended.complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [Step; 2] = [
        Step { work: Work::Edm, n: 1000, rounds: 3 },
        Step { work: Work::Edm, n: 2000, rounds: 0 },
    ];

    #[test]
    fn a_python_that_is_not_there_answers_with_errors() {
        let answers = ask(Path::new("no-such-python"), &PEERS[0], &STEPS, &mut BTreeMap::new());
        assert_eq!(answers.len(), 2);
        for answer in answers {
            assert_eq!(answer.outcome, Outcome::Error);
            assert!(answer.detail.starts_with("cannot run no-such-python"), "{answer:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_process_that_dies_takes_its_step_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        // In place of Python: answers the step of n = 2000 and dies at the one of n = 1000.
        let text = r#"#!/bin/sh
case "$2" in
*1000*) echo 'a warning'; echo 'out of luck' >&2; exit 1 ;;
*) echo '{"outcome": "right", "detail": "", "ms": [2, 1, 3], "versions": {"x": "1"}}' ;;
esac
"#;
        std::fs::write(&python, text).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut versions = BTreeMap::new();
        let answers = ask(&python, &PEERS[0], &STEPS, &mut versions);
        assert_eq!(
            (answers[0].outcome, answers[0].detail.as_str()),
            (Outcome::Error, "out of luck")
        );
        assert_eq!(answers[1].ms.map(|ms| ms.median), Some(2.0));
        assert_eq!(versions["x"], "1");
    }
}
