//! Tests that need a process of their own: system faults, limits, and exhausted memory.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

#[macro_use(assert_errors)]
extern crate td_kernel_tests;

mod faults;
mod limits;
#[cfg(target_os = "linux")]
mod memory;

use std::env;
use std::process::{Command, Output, Stdio};

/// The environment variable of a test's process with its case.
const CASE: &str = "TD_KERNEL_TEST_CASE";

/// The output of a process that has passed.
const PASSED: &str = "all as it should be";

/// Not a test by itself: the other tests start it in processes.
#[test]
fn child_process() {
    let Ok(case) = env::var(CASE) else { return };
    #[cfg(not(target_os = "linux"))]
    let is_memory = false;
    #[cfg(target_os = "linux")]
    let is_memory = memory::run(&case);
    assert!(is_memory || faults::run(&case) || limits::run(&case), "no case {case}");
    eprintln!("{PASSED}");
}

/// The process for a case, started by a shell after the commands in `prefix`.
fn process(prefix: &str, case: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{prefix} exec \"$0\" \"$@\"")]).arg(env::current_exe().unwrap());
    command.args(["--exact", "child_process", "--nocapture"]);
    command.env(CASE, case).stdout(Stdio::null());
    command
}

/// The output of a process, which must pass.
#[track_caller]
fn succeeds(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && text.contains(PASSED), "{}\n{text}", output.status);
    text
}
