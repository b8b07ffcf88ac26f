//! `cargo xtask test`: every test that needs no GPU.

use std::ffi::OsString;
use std::process::Command;
use std::time::Instant;

use crate::failure::Result;
use crate::kernels::Kernels;
use crate::nvrtc::Nvrtc;
use crate::output::say;
use crate::programs;
use crate::steps::{self, Beside};
use crate::tally::Tally;
use crate::targets::{self, Target};
use crate::tried::Tried;
use crate::workspace::{GPU_TEST, Workspace};

pub(crate) fn run(workspace: &Workspace, tried: Tried, extra: &[OsString]) -> Result<()> {
    let start = Instant::now();
    let nvrtc = Nvrtc::ready(workspace)?;
    let targets = targets::read(workspace)?;
    let kernels = Kernels::new(workspace)?;
    let mut tally = Tally::default();
    let Commands { one_by_one, beside } = commands(workspace, tried, &nvrtc, &targets, extra);
    let beside = beside.map(|mut command| {
        kernels.give_to(&mut command);
        Beside::start(command)
    });
    let beside = beside.transpose()?;
    for (step, mut command) in one_by_one {
        kernels.give_to(&mut command);
        say(&format!("\n== {step}"));
        steps::run_tests(&mut command, &mut tally)?;
    }
    if let Some(beside) = beside {
        say(&format!("\n== {NEWEST}"));
        beside.finish(&mut tally)?;
    }
    say(&format!("\n{}\n\n{}", programs::table(&tally.programs), tally.text(start.elapsed())));
    Ok(())
}

/// The calls of `cargo test`.
pub(crate) struct Commands {
    /// Those that run one after another, each with a name.
    pub(crate) one_by_one: Vec<(&'static str, Command)>,
    /// The one that runs beside them.
    pub(crate) beside: Option<Command>,
}

/// The name of what runs beside the others: what NVRTC compiles, and little else.
pub(crate) const NEWEST: &str = "newest NVRTC";

/// The target of these tests.
const NVRTC_TEST: &str = "nvrtc";

impl Commands {
    fn one(command: Command) -> Commands {
        Commands { one_by_one: vec![("tests", command)], beside: None }
    }
}

/// The calls of `cargo test`. All are for the whole workspace: a choice of packages would build their dependencies again with
/// another set of features.
pub(crate) fn commands(
    workspace: &Workspace,
    tried: Tried,
    nvrtc: &Nvrtc,
    targets: &[Target],
    extra: &[OsString],
) -> Commands {
    let own: Vec<_> = extra.iter().take_while(|word| *word != "--").collect();
    let call = |arguments: &[&str]| {
        let mut command = workspace.cargo(["test"]);
        command.args(arguments);
        let packages = || own.iter().filter(|word| is_package(word));
        let all = ["--workspace", "--all"];
        let is_all = packages().all(|word| all.iter().any(|all| *word == all));
        tried.give_to_those(&mut command, |package| {
            is_all || own.iter().any(|word| word.to_string_lossy().ends_with(package))
        });
        command.args(extra);
        nvrtc.give_to(&mut command);
        command
    };
    if own.iter().any(|word| is_package(word)) {
        return Commands::one(call(&[]));
    }
    if own.iter().any(|word| is_target(word)) {
        return Commands::one(call(&["--workspace"]));
    }
    let tested = targets::tested(targets, &[GPU_TEST, NVRTC_TEST]);
    let tested: Vec<&str> = tested.iter().map(String::as_str).collect();
    let one_by_one = vec![
        ("tests", call(&tested)),
        ("doc tests", call(&["--workspace", "--doc"])),
        ("compile the GPU's tests", call(&["--workspace", "--test", GPU_TEST, "--no-run"])),
    ];
    Commands { one_by_one, beside: Some(call(&["--workspace", "--test", NVRTC_TEST])) }
}

/// The tests of what NVRTC compiles, with the oldest supported version, for the oldest and the newest architecture that
/// it knows. Other architectures would take long, and so would the tests of names, whose meaning in C++ is the same in
/// every version. Few of them have a text of each template; those of the cache and of what users' tests call are for `--every`.
pub(crate) fn with_oldest_nvrtc(workspace: &Workspace, tried: Tried) -> Result<Command> {
    let mut command = workspace.cargo(["test", "--no-fail-fast", "--workspace"]);
    command.args(["--test", NVRTC_TEST]);
    if tried == Tried::Every {
        command.args(["--test", "cache", "--test", "testing"]);
    }
    tried.give_to(&mut command);
    command.args(["--", "--skip", "can_have_every_name", "--skip", "for_every_architecture"]);
    if tried == Tried::Few {
        // The templates of these texts are those of the others.
        for skipped in [
            "maps::every_combination",
            "types::every_type",
            "types::every_sum",
            "folds::every_type",
            "folds::slots_of_every_size",
            "every_rectangle",
            "nearest::kernels_with_a_lower_bound",
        ] {
            command.args(["--skip", skipped]);
        }
    }
    Nvrtc::oldest(workspace)?.give_to(&mut command);
    Ok(command)
}

/// Whether an argument of `cargo test` chooses packages.
fn is_package(word: &OsString) -> bool {
    let word = word.to_string_lossy();
    let flags = ["--package", "--workspace", "--all", "--exclude"];
    is_one_of(&flags, &word) || (word.starts_with("-p") && !word.starts_with("--"))
}

/// Whether an argument of `cargo test` chooses targets.
fn is_target(word: &OsString) -> bool {
    let flags = [
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
    is_one_of(&flags, &word.to_string_lossy())
}

fn is_one_of(flags: &[&str], word: &str) -> bool {
    flags.contains(&word.split('=').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_packages_or_targets_is_known() {
        for word in ["-p", "-ptd-kernel-maps", "--package=td-kernel", "--workspace"] {
            assert!(is_package(&word.into()) && !is_target(&word.into()), "{word}");
        }
        for word in ["--doc", "--test", "--test=cpu"] {
            assert!(is_target(&word.into()) && !is_package(&word.into()), "{word}");
        }
        for word in ["--release", "small", "--no-fail-fast", "--profile", "packed"] {
            assert!(!is_target(&word.into()) && !is_package(&word.into()), "{word}");
        }
    }
}
