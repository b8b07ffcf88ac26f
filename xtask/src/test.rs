//! `cargo xtask test`: cargo's own test command, with NVRTC found.

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::nvrtc;

/// The feature with which tests try every combination.
pub(crate) fn features(every: bool) -> &'static [&'static str] {
    if every { &["--features", "every"] } else { &[] }
}

/// Runs `cargo test` with these arguments, for the whole workspace unless they choose packages.
pub(crate) fn run(shell: &Shell, every: bool, arguments: &[String]) -> Result<()> {
    let chooses = |word: &String| {
        ["-p", "--package", "--workspace"].iter().any(|flag| word.starts_with(flag))
    };
    let has_choice = arguments.iter().take_while(|word| *word != "--").any(chooses);
    let workspace = (!has_choice).then_some("--workspace");
    let features = features(every);
    let _nvrtc = nvrtc::usual(shell)?;
    cmd!(shell, "cargo test {workspace...} {features...} {arguments...}").run()?;
    Ok(())
}

/// Runs the tests that use NVRTC with its oldest supported version.
pub(crate) fn run_with_oldest_nvrtc(shell: &Shell, every: bool) -> Result<()> {
    let _nvrtc = nvrtc::oldest(shell)?;
    let features = features(every);
    let tests = ["--test", "nvrtc", "--test", "cache", "--test", "testing"];
    cmd!(shell, "cargo test --workspace --no-fail-fast {tests...} {features...}").run()?;
    Ok(())
}
