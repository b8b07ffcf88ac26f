//! Every message that a user can cause at compile time: what rustc says for the programs in `cases/`, and what the macros say
//! for those in `messages/`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod macros;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set in the process that has trybuild compile the cases.
const IN_PROCESS: &str = "TD_KERNEL_UI_TESTS";

/// trybuild compiles the cases in a process of its own, whose variables make its calls of cargo build less. In a new target folder
/// that takes half the time.
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
        // trybuild 1.0.122 hands its flags on by cargo's settings, once without the width and then with it, and cargo would
        // compile every dependency for either. This variable comes before settings, and before flags
        // of the user's own.
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"))
        // What the macros need of crates.io is there already, compiled with the same options. Those that are not trybuild's own are
        // in the repository's `.cargo/config.toml`, which cargo finds from a target folder in the repository.
        .env("CARGO_BUILD_BUILD_DIR", target)
        // trybuild tells all on standard error. This process's own result would be counted as one more test.
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "a message is another one, as said above");
    assert!(mark().is_file(), "the process has run no test of this name");
}

/// What the process leaves when it has reached its end.
fn mark() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages")
}

/// The flags of rustc that trybuild has its messages written with.
const FLAGS: [&str; 6] =
    ["--cfg", "trybuild", "--verbose", "-A", "dead_code", "--diagnostic-width=140"];

/// An expected message without a case would look reviewed but is never checked. (A case without a message fails above.)
#[test]
fn expected_messages_have_cases() {
    let cases = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
    let files = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path());
    let is_message = |file: &PathBuf| file.extension().is_some_and(|own| own == "stderr");
    let left: Vec<_> =
        files.filter(|file| is_message(file) && !file.with_extension("rs").is_file()).collect();
    assert!(left.is_empty(), "without a .rs file beside it, to be deleted: {left:?}");
}
