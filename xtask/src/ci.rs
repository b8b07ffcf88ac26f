//! `cargo xtask ci`: what a change must pass. Each step runs even if an earlier one failed, so
//! that one run shows everything.

use std::path::PathBuf;
use std::process::Command;

use crate::bundle;
use crate::cluster;
use crate::docs;
use crate::draw;
use crate::failure::Result;
use crate::guide;
use crate::kernels::Kernels;
use crate::messages::{self, AS_JSON};
use crate::modules;
use crate::nvrtc::Nvrtc;
use crate::output::say;
use crate::programs;
use crate::snapshots::Asserted;
use crate::steps::{self, Beside, Table};
use crate::supply;
use crate::tally::Tally;
use crate::targets::{self, Tested};
use crate::test::{self, Commands};
use crate::tried::Tried;
use crate::workspace::{EXAMPLES, PUBLISHED, Workspace};

pub(crate) fn run(workspace: &Workspace, tried: Tried) -> Result<()> {
    let mut table = Table::new();
    let cargo = |arguments: &[&str]| workspace.cargo(arguments.iter().copied());

    table.step("format", || steps::run(&mut cargo(&["fmt", "--all", "--check"])));
    // What the tests are built with. What clippy has built is also what runs; where that fails, rustc builds the tests once more.
    let linted = workspace.linted();
    let lints = table.step("lints", || match tried {
        Tried::Few => lint_tests(&linted),
        Tried::Every => lint_all(workspace),
    });
    let built = if lints.is_some() && tried == Tried::Few { &linted } else { workspace };

    table.step("pictures", || draw::check(workspace));
    table.step("tables", || docs::check(workspace));
    table.step("modules", || modules::check(workspace.root()));

    let cluster = cluster::Check::start(workspace, tried);
    let examples = table.step("examples", || build_examples(built));
    test_without_blessing(built, tried, examples.as_deref(), &mut table);

    table.step("documentation", || document(built, tried));
    table.step("guide", || guide::run(workspace));
    run_examples(workspace, examples.as_deref(), &mut table);
    supply::check(workspace, &mut table);
    table.step("bundle", || bundle::run(workspace));
    if tried == Tried::Every {
        supply::check_every(workspace, &mut table);
    }
    cluster.finish(&mut table);
    table.finish()
}

/// Builds all tests with clippy as their compiler, and the libraries without their tests: one that no test uses would be built
/// as a test only.
fn lint_tests(linted: &Workspace) -> Result<()> {
    let tested = Tested::new(&targets::read(linted)?, &[]);
    steps::run(linted.cargo(["test", "--no-run"]).args(tested.all))?;
    build_examples(linted).map(drop)
}

/// The lints of all targets with all combinations.
fn lint_all(workspace: &Workspace) -> Result<()> {
    let mut lints = workspace.cargo(["clippy", "--workspace", "--all-targets"]);
    Tried::Every.give_to(&mut lints);
    steps::run(lints.args(["--", "-D", "warnings"]))
}

/// Builds the documentation: of a change, that of the published crates, and of a release that of all.
fn document(workspace: &Workspace, tried: Tried) -> Result<()> {
    let mut command = workspace.cargo(["doc", "--no-deps"]);
    match tried {
        Tried::Few => {
            command.args(PUBLISHED.iter().flat_map(|(name, _)| ["--package", name]));
            // What docs.rs shows, which others of the workspace would ask for.
            command.args([
                "--features",
                "td-kernel/testing,td-kernel/half,td-kernel/ndarray,td-kernel/serde",
            ])
        }
        Tried::Every => command.arg("--workspace"),
    };
    steps::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Builds the examples, and the libraries, as the tests are built: another profile would build all that they need again, and
/// `bundle` makes the optimised ones. Returns the examples' executables.
fn build_examples(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let mut build = workspace.cargo(["build", "--workspace", "--lib", AS_JSON]);
    // With examples among them, libraries have the features that the tests ask for too.
    build.args(EXAMPLES.iter().flat_map(|example| ["--example", example]));
    let messages = steps::run_and_read(&mut build)?;
    EXAMPLES.iter().map(|example| messages::built(&messages, "example", example)).collect()
}

/// Runs each example on the CPU.
fn run_examples(workspace: &Workspace, built: Option<&[PathBuf]>, table: &mut Table) {
    let Some(built) = built else {
        return table.skip("each example", "they were not built");
    };
    for (example, path) in EXAMPLES.iter().zip(built) {
        table.step(&format!("example {example}"), || {
            let mut command = Command::new(path);
            steps::run(command.current_dir(workspace.root()).args(["--device", "cpu"]))
        });
    }
}

/// The tests, with every expectation as it is in the repository. Those of the examples run these executables, rather than have
/// cargo build them once more without lints.
fn test_without_blessing(
    workspace: &Workspace,
    tried: Tried,
    examples: Option<&[PathBuf]>,
    table: &mut Table,
) {
    let prepared = table.step("NVRTC", || {
        let (nvrtc, targets) = (Nvrtc::ready(workspace)?, targets::read(workspace)?);
        let oldest = test::with_oldest_nvrtc(workspace, tried)?;
        Ok((oldest, nvrtc, targets, Kernels::new(workspace)?, Asserted::new(workspace)?))
    });
    let Some((oldest, nvrtc, targets, kernels, asserted)) = prepared else {
        table.skip("tests", "they need NVRTC");
        return;
    };
    let mut tally = Tally::default();
    let Commands { build, first, beside } =
        test::commands(workspace, tried, &nvrtc, &targets, &["--no-fail-fast".into()]);
    if let Some(mut build) = build {
        table.step("build", || steps::run(&mut build));
    }
    let prepared = |mut command: Command| {
        kernels.give_to(&mut command);
        asserted.give_to(&mut command);
        blessing_nothing(&mut command);
        if let Some(folder) = examples.and_then(|all| all.first()?.parent()) {
            command.env(test::EXAMPLES_BUILT, folder);
        }
        command
    };
    let beside = beside.into_iter().chain([("oldest NVRTC", oldest)]);
    let beside = beside.map(|(step, command)| (step, Beside::start(prepared(command))));
    // They are started now.
    let beside: Vec<_> = beside.collect();
    let (step, first) = first;
    let passed = table.step(step, || steps::run_tests(&mut prepared(first), &mut tally));
    let mut have_passed = passed.is_some();
    for (step, beside) in beside {
        have_passed &= table.step(step, || beside?.finish(&mut tally)).is_some();
    }
    say(&format!("\n{}", programs::table(&tally.programs)));
    match have_passed {
        true => drop(table.step("snapshots", || asserted.check(workspace))),
        false => table.skip("snapshots", "the tests that assert them did not all pass"),
    }
}

/// Removes variables that a developer's shell may have, and that would bless results or accept wrong ones.
fn blessing_nothing(command: &mut Command) {
    for left in
        ["INSTA_FORCE_UPDATE", "INSTA_FORCE_UPDATE_SNAPSHOTS", "INSTA_FORCE_PASS", "TRYBUILD"]
    {
        command.env_remove(left);
    }
    command.env("CI", "true").env("INSTA_UPDATE", "no");
}
