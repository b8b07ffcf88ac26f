//! Scripts for Python, each in a process of its own, so that a crash takes nothing else with it.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

/// All that Python reads. Triton reads a kernel's text from its file, so that no script can be piped in.
const FILES: &[(&str, &str)] = &[
    ("steps.py", include_str!("../peers/steps.py")),
    ("torch_pairs.py", include_str!("../peers/torch_pairs.py")),
    ("torch_elements.py", include_str!("../peers/torch_elements.py")),
    ("torch_folds.py", include_str!("../peers/torch_folds.py")),
    ("keops_elements.py", include_str!("../peers/keops_elements.py")),
    ("triton_pairs.py", include_str!("../peers/triton_pairs.py")),
    ("triton_edm.py", include_str!("../peers/triton_edm.py")),
    ("cupy_pairs.py", include_str!("../peers/cupy_pairs.py")),
    ("numba_pairs.py", include_str!("../peers/numba_pairs.py")),
    ("scipy_pairs.py", include_str!("../peers/scipy_pairs.py")),
];

/// Runs a script, and reads the JSON that is its last line, whatever libraries print before it. Else why there is
/// none, in Python's own words where it had some.
pub(crate) fn run<T: DeserializeOwned>(
    python: &Path,
    script: &str,
    arguments: &[String],
    limit: Duration,
) -> Result<T, String> {
    let failed = |error| format!("cannot run {}: {error}", python.display());
    let folder = tempfile::tempdir().map_err(failed)?;
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).map_err(failed)?;
    }
    // Into files rather than pipes, which would have to be emptied while the script runs.
    let [output, errors] = ["output", "errors"].map(|name| folder.path().join(name));
    let mut child = Command::new(python)
        .arg(folder.path().join(script))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(File::create(&output).map_err(failed)?)
        .stderr(File::create(&errors).map_err(failed)?)
        .spawn()
        .map_err(failed)?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if start.elapsed() > limit {
            // It may have ended just now, in which case there is nothing to stop.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it took over {} s", limit.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let answer = serde_json::from_str(&last_line(&output));
    answer.map_err(|error| match last_line(&errors) {
        _ if status.success() => format!("{script} printed no answer: {error}"),
        line if line.is_empty() => format!("it ended with {status}"),
        // An error of Python's ends with the line that tells what it is.
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
    fn a_script_answers_or_says_why_not() {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        for (text, expected) in [
            ("echo a warning; echo 7", Ok(7)),
            // An answer stands, however the process ends.
            ("echo 7; exit 1", Ok(7)),
            ("echo; echo Trace >&2; echo 'no triton' >&2; exit 1", Err("no triton")),
            ("exit 1", Err("it ended with exit status: 1")),
            ("kill -9 $$", Err("it ended with signal: 9 (SIGKILL): ")),
            ("echo nothing", Err("steps.py printed no answer: expected ident")),
            ("exec sleep 60", Err("it took over 1 s")),
        ] {
            std::fs::write(&python, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
            let answer: Result<u32, String> = run(&python, "steps.py", &[], Duration::from_secs(1));
            match (&answer, expected) {
                (Ok(answer), Ok(expected)) => assert_eq!(*answer, expected),
                (Err(error), Err(expected)) => {
                    assert!(error.starts_with(expected.trim_end_matches(": ")), "{error}");
                }
                _ => panic!("{text}: {answer:?}"),
            }
        }
        let none = run::<u32>(Path::new("no-python"), "steps.py", &[], Duration::from_secs(1));
        assert!(none.unwrap_err().starts_with("cannot run no-python: "));
    }
}
