//! `cargo xtask test`: every test that needs no GPU.

use std::ffi::OsString;
use std::process::Command;

use crate::failure::Result;
use crate::nvrtc::Nvrtc;
use crate::output::say;
use crate::steps;
use crate::targets::{self, Target};
use crate::workspace::{GPU_TEST, Workspace};

pub(crate) fn run(workspace: &Workspace, extra: &[OsString]) -> Result<()> {
    let nvrtc = Nvrtc::ready(workspace)?;
    let targets = targets::read(workspace)?;
    for (step, mut command) in commands(workspace, &nvrtc, &targets, extra) {
        say(&format!("\n== {step}"));
        steps::run(&mut command)?;
    }
    Ok(())
}

/// The calls of `cargo test`, each with a name. All three take the whole workspace: a choice of
/// packages would build their dependencies again with another set of features.
pub(crate) fn commands(
    workspace: &Workspace,
    nvrtc: &Nvrtc,
    targets: &[Target],
    extra: &[OsString],
) -> Vec<(&'static str, Command)> {
    let call = |arguments: &[&str]| {
        let mut command = workspace.cargo(["test"]);
        command.args(arguments).args(extra);
        nvrtc.give_to(&mut command);
        command
    };
    if extra.iter().take_while(|word| *word != "--").any(is_choice) {
        return vec![("tests", call(&[]))];
    }
    let tested = targets::tested_without_gpu(targets);
    let tested: Vec<&str> = tested.iter().map(String::as_str).collect();
    vec![
        ("tests", call(&tested)),
        ("doc tests", call(&["--workspace", "--doc"])),
        ("compile the GPU's tests", call(&["--workspace", "--test", GPU_TEST, "--no-run"])),
    ]
}

/// The tests of what NVRTC compiles, with the oldest version that is supported, for the oldest and the newest
/// architecture that it knows: all of them take long. So do those of names, whose meaning in C++ is
/// the same in every version.
pub(crate) fn with_oldest_nvrtc(workspace: &Workspace) -> Result<Command> {
    let mut command = workspace.cargo(["test", "--no-fail-fast", "--workspace"]);
    for target in ["nvrtc", "cache", "testing"] {
        command.args(["--test", target]);
    }
    command.args(["--", "--skip", "can_have_every_name", "--skip", "for_every_architecture"]);
    Nvrtc::oldest(workspace)?.give_to(&mut command);
    Ok(command)
}

/// Whether an argument of `cargo test` chooses packages or targets.
fn is_choice(word: &OsString) -> bool {
    let word = word.to_string_lossy();
    let flag = word.split('=').next().unwrap_or_default();
    let flags = [
        "--package",
        "--workspace",
        "--all",
        "--exclude",
        "--lib",
        "--bin",
        "--bins",
        "--test",
        "--tests",
        "--example",
        "--examples",
        "--bench",
        "--benches",
        "--all-targets",
        "--doc",
    ];
    flags.contains(&flag) || (word.starts_with("-p") && !word.starts_with("--"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_packages_or_targets_is_known() {
        for word in ["-p", "-ptd-kernel-maps", "--package=td-kernel", "--doc", "--test"] {
            assert!(is_choice(&word.into()), "{word}");
        }
        for word in ["--release", "small", "--no-fail-fast", "--profile", "packed"] {
            assert!(!is_choice(&word.into()), "{word}");
        }
    }
}
