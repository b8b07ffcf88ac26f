//! What an example does around its work: warnings, the report, the exit code.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::filter::LevelFilter;

use crate::text::escaped_lines;
use crate::{Error, Result};

/// The program's arguments. If they are wrong, or ask for help, the process ends here.
pub fn arguments<A: Parser>() -> A {
    A::try_parse().unwrap_or_else(|error| {
        let text = error.render().to_string();
        let escaped = escaped_lines(&text);
        if escaped == text {
            error.exit();
        }
        // Escaped, because an argument could control the terminal.
        let _ = io::stderr().write_all(escaped.as_bytes());
        std::process::exit(error.exit_code())
    })
}

/// Does `work`, and prints its report to standard output or its error to standard error. Warnings meanwhile go to
/// standard error. If a signal ends the process, unfinished files are removed.
pub fn run<R: Display>(work: impl FnOnce() -> Result<R>) -> ExitCode {
    prepare();
    let outcome = work();
    match conclude(outcome, &mut io::stdout().lock(), &mut io::stderr().lock()) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// What [`run`] does before the work: has warnings go to standard error, and unfinished files removed if a signal ends the
/// process.
pub fn prepare() {
    // It fails only where a subscriber exists already.
    let _ = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        // Standard error may be full: a warning that cannot be written must not end the work.
        .log_internal_errors(false)
        .without_time()
        .try_init();
    #[cfg(unix)]
    if let Err(error) = crate::signals::clean_up() {
        // This is no reason to stop.
        let _ = writeln!(io::stderr(), "unfinished files would stay after a signal: {error}");
    }
}

/// Prints the outcome, and returns whether it is a success.
fn conclude<R: Display>(outcome: Result<R>, out: &mut dyn Write, err: &mut dyn Write) -> bool {
    let error = match outcome {
        Err(error) => error,
        Ok(report) => {
            let report = escaped_lines(&report.to_string());
            match writeln!(out, "{report}").and_then(|()| out.flush()) {
                Ok(()) => return true,
                // The reader has seen enough, as `head` does.
                Err(reason) if reason.kind() == ErrorKind::BrokenPipe => return true,
                Err(reason) => Error::Print { reason, report },
            }
        }
    };
    // Where even this cannot be written, only the exit code reports the failure.
    let _ = writeln!(err, "error: {}", escaped_lines(&error.to_string()));
    if let Error::Print { report, .. } = &error {
        let _ = writeln!(err, "{report}");
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe that fails with this error.
    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    /// Not a test by itself: the next test starts it.
    #[test]
    fn in_a_process_of_its_own() {
        if std::env::var_os("TD_KERNEL_TEST_PROGRAM").is_some() {
            let code = run(|| {
                tracing::warn!("nobody can read this");
                Ok("42 pairs")
            });
            assert_eq!(code, ExitCode::SUCCESS);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_standard_error_ends_no_work() {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "program::tests::in_a_process_of_its_own", "--nocapture"]);
        let output = command.env("TD_KERNEL_TEST_PROGRAM", "").stderr(full).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("42 pairs"), "{}: {text}", output.status);
    }

    #[test]
    fn an_error_has_its_reason_once() {
        use std::error::Error as _;
        let reason = || io::Error::other("the disk is on fire");
        for error in [
            Error::Print { reason: reason(), report: "42 pairs".into() },
            Error::Read { path: "a.csv".into(), reason: reason() },
        ] {
            let text = error.to_string();
            assert_eq!(text.matches(": the disk is on fire").count(), 1, "{text}");
            assert!(error.source().is_none(), "{error}");
        }
    }

    #[test]
    fn a_report_goes_out_and_an_error_does_not() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        assert!(conclude(Ok("42 pairs"), &mut out, &mut err));
        assert!(!conclude(
            Err::<&str, _>(Error::Exists { path: "a.npy".into() }),
            &mut out,
            &mut err
        ));
        assert_eq!(out, b"42 pairs\n");
        let err = String::from_utf8(err).unwrap();
        assert!(err.starts_with("error: a.npy exists already"), "{err}");
        assert_eq!(err.lines().count(), 1);
    }

    #[test]
    fn a_reader_who_leaves_is_no_error_and_a_full_disk_is() {
        let mut err = Vec::new();
        assert!(conclude(Ok(""), &mut Failing(ErrorKind::BrokenPipe), &mut err));
        assert!(err.is_empty());
        assert!(!conclude(Ok(""), &mut Failing(ErrorKind::StorageFull), &mut err));
        assert!(!err.is_empty());
        assert!(!conclude(
            Ok(""),
            &mut Failing(ErrorKind::StorageFull),
            &mut Failing(ErrorKind::StorageFull)
        ));
    }
}
