//! Every compile-time message: those of rustc for the programs in `cases/`, and those of the macros for the ones in `messages/`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod macros;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The variable that marks the process in which trybuild compiles the cases.
const IN_PROCESS: &str = "TD_KERNEL_UI_TESTS";

/// trybuild compiles the cases in a separate process, whose variables make cargo build less. In a new target folder this halves
/// the time.
#[test]
fn messages() {
    if env::var_os(IN_PROCESS).is_some() {
        trybuild::TestCases::new().compile_fail("cases/*.rs");
        return std::fs::write(mark(), "").unwrap();
    }
    let _ = std::fs::remove_file(mark());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let status = Command::new(env::current_exe().unwrap())
        .args(["--exact", "messages", "--nocapture"])
        .env(IN_PROCESS, "1")
        // trybuild 1.0.122 passes its flags as cargo settings, first without the width and then with it, and cargo would compile
        // every dependency twice. This variable overrides the settings and the user's flags.
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"))
        // Has the macros' dependencies, compiled with the same options. Options that trybuild does not set are in the repository's
        // `.cargo/config.toml`, which cargo finds from a target folder in the repository.
        .env("CARGO_BUILD_BUILD_DIR", target)
        // trybuild reports on standard error. The result of this process would be counted as another test.
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "a message has changed, see above");
    assert!(mark().is_file(), "the process did not run a test of this name");
}

/// The file that the process writes at its end.
fn mark() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages")
}

/// The flags with which trybuild calls rustc.
const FLAGS: [&str; 6] =
    ["--cfg", "trybuild", "--verbose", "-A", "dead_code", "--diagnostic-width=140"];

/// An expected message without a case would never be checked. (A case without a message fails above.)
#[test]
fn expected_messages_have_cases() {
    let cases = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
    let files = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path());
    let is_message = |file: &PathBuf| file.extension().is_some_and(|own| own == "stderr");
    let unused: Vec<_> =
        files.filter(|file| is_message(file) && !file.with_extension("rs").is_file()).collect();
    assert!(unused.is_empty(), "delete these, which have no .rs file: {unused:?}");
}
