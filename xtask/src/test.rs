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
use crate::targets::{self, Target, Tested};
use crate::tried::Tried;
use crate::workspace::{GPU_TEST, Workspace};

pub(crate) fn run(workspace: &Workspace, tried: Tried, extra: &[OsString]) -> Result<()> {
    let start = Instant::now();
    let nvrtc = Nvrtc::ready(workspace)?;
    let targets = targets::read(workspace)?;
    let kernels = Kernels::new(workspace)?;
    let mut tally = Tally::default();
    let Commands { build, first, beside } = commands(workspace, tried, &nvrtc, &targets, extra);
    if let Some(mut build) = build {
        say("\n== build");
        steps::run(&mut build)?;
    }
    let beside: Vec<_> = beside
        .into_iter()
        .map(|(step, mut command)| {
            kernels.give_to(&mut command);
            (step, Beside::start(command))
        })
        .collect();
    let (step, mut command) = first;
    kernels.give_to(&mut command);
    say(&format!("\n== {step}"));
    let mut outcome = steps::run_tests(&mut command, &mut tally);
    // Where one fails, the others are shown too.
    for (step, beside) in beside {
        say(&format!("\n== {step}"));
        outcome = outcome.and(beside.and_then(|beside| beside.finish(&mut tally)));
    }
    outcome?;
    say(&format!("\n{}\n\n{}", programs::table(&tally.programs), tally.text(start.elapsed())));
    Ok(())
}

/// The variable that tells the examples' tests where the examples are built.
pub(crate) const EXAMPLES_BUILT: &str = "TD_KERNEL_EXAMPLES";

/// The calls of `cargo test`.
pub(crate) struct Commands {
    /// Builds what the others run: two calls of cargo cannot build at the same time.
    pub(crate) build: Option<Command>,
    /// The one whose output is shown as it comes, with its name.
    pub(crate) first: (&'static str, Command),
    /// Those that run beside it. Cargo runs one program after another, and many a test has one thread.
    pub(crate) beside: Vec<(&'static str, Command)>,
}

/// The target of the tests of what NVRTC compiles.
const NVRTC_TEST: &str = "nvrtc";

impl Commands {
    fn one(command: Command) -> Commands {
        Commands { build: None, first: ("tests", command), beside: Vec::new() }
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
        command.env_remove(EXAMPLES_BUILT);
        command
    };
    if own.iter().any(|word| is_package(word)) {
        return Commands::one(call(&[]));
    }
    if own.iter().any(|word| is_target(word) || *word == "--no-run") {
        return Commands::one(call(&["--workspace"]));
    }
    let Tested { of_kernels, of_crates, .. } = Tested::new(targets, &[GPU_TEST, NVRTC_TEST]);
    // What only a GPU runs, `ci` and `bundle` build.
    let built = Tested::new(targets, &[GPU_TEST]).both();
    let call = |first: &[&str], words: &[String]| {
        call(&first.iter().copied().chain(words.iter().map(String::as_str)).collect::<Vec<_>>())
    };
    Commands {
        build: Some(call(&["--no-run"], &built)),
        first: ("tests of kernels", call(&[], &of_kernels)),
        beside: vec![
            ("tests of crates", call(&[], &of_crates)),
            ("doc tests", call(&["--workspace", "--doc"], &[])),
            ("newest NVRTC", call(&["--workspace", "--test", NVRTC_TEST], &[])),
        ],
    }
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
