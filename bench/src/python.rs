//! Other libraries, as Python scripts: each step is a process of its own, so that a crash affects nothing else.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::measure::times::{Spread, Times};
use crate::results::Untimed;

/// All files that Python reads. Triton reads a kernel's source from its file, so scripts cannot be piped in.
const FILES: &[(&str, &str)] = &[
    ("steps.py", include_str!("../peers/steps.py")),
    ("torch_elements.py", include_str!("../peers/torch_elements.py")),
    ("torch_folds.py", include_str!("../peers/torch_folds.py")),
    ("keops_elements.py", include_str!("../peers/keops_elements.py")),
    ("triton_pairs.py", include_str!("../peers/triton_pairs.py")),
    ("cupy_pairs.py", include_str!("../peers/cupy_pairs.py")),
    ("scipy_trees.py", include_str!("../peers/scipy_trees.py")),
];

/// A request to a script: it times a work in this many rounds, or with zero rounds runs it once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Step {
    #[serde(skip)]
    pub(crate) script: &'static str,
    /// The script's name for one of its ways.
    pub(crate) peer: &'static str,
    pub(crate) work: &'static str,
    pub(crate) n: usize,
    /// None if the work defines the features of an element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) features: Option<usize>,
    pub(crate) rounds: usize,
}

/// The output of a script.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answer {
    outcome: Outcome,
    #[serde(default)]
    detail: String,
    pub(crate) ms: Option<Spread>,
    /// Its fastest variant, if it has several.
    #[serde(default)]
    variant: String,
    #[serde(default)]
    pub(crate) versions: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Right,
    /// The error exceeds rounding, but is small.
    Inexact,
    /// Wrong, without an error.
    Garbage,
    Error,
}

impl Answer {
    /// Whether the results are correct.
    pub(crate) fn is_usable(&self) -> bool {
        matches!(self.outcome, Outcome::Right | Outcome::Inexact)
    }

    /// The variant, the quality of the results, and the reason.
    pub(crate) fn words(&self) -> String {
        let outcome = match self.outcome {
            Outcome::Right => "right",
            Outcome::Inexact => "inexact",
            Outcome::Garbage => "wrong results",
            Outcome::Error => "error",
        };
        let words = [&*self.variant, outcome, &*self.detail];
        words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(", ")
    }
}

impl Step {
    /// The answer; Python's own error if there is none.
    pub(crate) fn ask(&self, python: &Path) -> Result<Answer, String> {
        let step = serde_json::to_string(self).map_err(|error| error.to_string())?;
        run(python, self.script, &step)
    }

    /// The times of usable results; otherwise the answer's words, or Python's own error.
    pub(crate) fn time(&self, python: &Path) -> Result<Times, Untimed> {
        let answer = self.ask(python).map_err(Untimed)?;
        let ms = answer.ms.filter(|_| answer.is_usable());
        let ms = ms.ok_or_else(|| Untimed(answer.words()))?;
        let versions = answer.versions.iter();
        let versions = versions.map(|(name, version)| format!("{name} {version}"));
        let words: Vec<_> = versions.chain([answer.words()]).collect();
        Ok((format!("{}: {}", self.peer, words.join(", ")), ms))
    }
}

/// Runs a script, and reads the JSON on its last line, after any output of libraries.
fn run(python: &Path, script: &str, step: &str) -> Result<Answer, String> {
    let failed = |error| format!("cannot run {}: {error}", python.display());
    let folder = tempfile::tempdir().map_err(failed)?;
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).map_err(failed)?;
    }
    // Files rather than pipes, which processes that a library has started could keep open.
    let [output, errors] = ["output", "errors"].map(|name| folder.path().join(name));
    let status = Command::new(python)
        .arg(folder.path().join(script))
        .arg(step)
        .stdin(Stdio::null())
        .stdout(File::create(&output).map_err(failed)?)
        .stderr(File::create(&errors).map_err(failed)?)
        .status()
        .map_err(failed)?;
    let answer = serde_json::from_str(&last_line(&output));
    answer.map_err(|error| match last_line(&errors) {
        _ if status.success() => format!("{script} printed no answer: {error}"),
        line if line.is_empty() => format!("it ended with {status}"),
        // The last line of a Python error is its message.
        line if status.code().is_some() => line,
        line => format!("it ended with {status}: {line}"),
    })
}

fn last_line(path: &Path) -> String {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn script_gives_answer_or_error() {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        let timed = r#"echo '{"outcome": "inexact", "detail": "by 1e-4", "variant": "x", "ms": [2, 1, 3]}'"#;
        for (text, expected) in [
            (format!("echo a warning; {timed}"), Ok("x, inexact, by 1e-4")),
            // An answer counts, however the process ends.
            (format!("{timed}; exit 1"), Ok("x, inexact, by 1e-4")),
            ("echo Trace >&2; echo 'no triton' >&2; exit 1".into(), Err("no triton")),
            ("kill -9 $$".into(), Err("it ended with signal: 9 (SIGKILL)")),
            ("echo nothing".into(), Err("steps.py printed no answer: expected ident")),
        ] {
            std::fs::write(&python, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
            match (run(&python, "steps.py", "{}"), expected) {
                (Ok(answer), Ok(words)) => assert_eq!(answer.words(), words),
                (Err(error), Err(expected)) => assert!(error.starts_with(expected), "{error}"),
                (answer, _) => panic!("{text}: {answer:?}"),
            }
        }
        let none = run(Path::new("no-python"), "steps.py", "{}");
        assert!(none.unwrap_err().starts_with("cannot run no-python: "));
    }
}
