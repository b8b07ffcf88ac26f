//! Programs of others, run beside ours: what they print, and how they end.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How the complaint about a program that was stopped begins.
pub(crate) const TOO_LONG: &str = "it took over";

/// What a program printed, and whether it succeeded.
pub(crate) struct Ended {
    pub(crate) output: String,
    /// Why it did not succeed, in its own words where it had some.
    pub(crate) complaint: Option<String>,
}

/// Runs a command, which is stopped when it prints nothing for as long as `patience`.
pub(crate) fn run(command: &mut Command, patience: Duration) -> Result<Ended, String> {
    let no_folder = |error| format!("cannot keep what a program prints: {error}");
    let folder = tempfile::tempdir().map_err(no_folder)?;
    // Into files rather than pipes, which would have to be emptied while the program runs.
    let (output, complaint) = (folder.path().join("output"), folder.path().join("complaint"));
    command
        .stdin(Stdio::null())
        .stdout(File::create(&output).map_err(no_folder)?)
        .stderr(File::create(&complaint).map_err(no_folder)?);
    let failure = wait(command, &output, patience)?;
    let text = |path: &Path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let complaint = failure.map(|ending| match last_line(&text(&complaint)) {
        Some(line) if ending.is_empty() => line,
        Some(line) => format!("{ending}: {line}"),
        None if ending.is_empty() => "it failed without a word".into(),
        None => ending,
    });
    Ok(Ended { output: text(&output), complaint })
}

/// `None` for success; else how it ended, empty for a plain failure.
fn wait(
    command: &mut Command,
    output: &Path,
    patience: Duration,
) -> Result<Option<String>, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |error| format!("cannot run {program}: {error}");
    let mut child = command.spawn().map_err(failed)?;
    let (mut printed, mut since) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(match (status.success(), status.code()) {
                (true, _) => None,
                (false, Some(_)) => Some(String::new()),
                (false, None) => Some(format!("it ended by itself ({status})")),
            });
        }
        let length = std::fs::metadata(output).map_or(0, |file| file.len());
        if length != printed {
            (printed, since) = (length, Instant::now());
        }
        if since.elapsed() > patience {
            // It may have ended just now, in which case there is nothing to stop.
            let _ = child.kill();
            let _ = child.wait();
            return Ok(Some(format!("{TOO_LONG} {} s", patience.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Of an error of Python's, the line that tells what it is.
fn last_line(complaint: &str) -> Option<String> {
    let line = complaint.lines().rev().find(|line| !line.trim().is_empty());
    line.map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str, patience: u64) -> Ended {
        let mut command = Command::new("sh");
        run(command.args(["-c", text]), Duration::from_millis(patience)).unwrap()
    }

    #[test]
    fn what_a_program_prints_is_kept_however_it_ends() {
        let ended = shell("echo one; echo two", 10_000);
        assert_eq!((ended.output.as_str(), ended.complaint), ("one\ntwo\n", None));
        let ended = shell("echo one; echo oh >&2; exit 1", 10_000);
        assert_eq!((ended.output.as_str(), ended.complaint.as_deref()), ("one\n", Some("oh")));
        let ended = shell("exit 1", 10_000);
        assert_eq!(ended.complaint.as_deref(), Some("it failed without a word"));
        let ended = shell("echo one; exec sleep 60", 300);
        assert_eq!(ended.output, "one\n");
        assert!(ended.complaint.unwrap().starts_with("it took over"));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("no-such-python"), Duration::from_secs(1)).err();
        assert!(error.unwrap().starts_with("cannot run no-such-python: "));
        let complaint = "Traceback:\n  File\nModuleNotFoundError: No module named 'triton'\n\n";
        let line = last_line(complaint).unwrap();
        assert_eq!(line, "ModuleNotFoundError: No module named 'triton'");
    }
}
