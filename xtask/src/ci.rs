//! `cargo xtask ci`: what a change must pass. Each step runs even if an earlier one failed, so
//! that one run shows everything.

use crate::draw;
use crate::failure::Result;
use crate::modules;
use crate::nvrtc::Nvrtc;
use crate::orphans;
use crate::steps::{self, Table};
use crate::supply;
use crate::targets;
use crate::test;
use crate::workspace::{EXAMPLES, EXAMPLES_PACKAGE, Workspace};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let mut table = Table::new();
    let cargo = |arguments: &[&str]| workspace.cargo(arguments.iter().copied());

    table.step("format", || steps::run(&mut cargo(&["fmt", "--all", "--check"])));
    let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    table.step("lints", || steps::run(&mut cargo(&lints)));

    table.step("pictures", || draw::check(workspace));
    table.step("modules", || modules::check(workspace.root()));

    test_without_blessing(workspace, &mut table);

    table.step("documentation", || {
        let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
        steps::run(command.env("RUSTDOCFLAGS", "-D warnings"))
    });
    // In release only, here and in `bundle`: the examples' own dependencies are then built once.
    for example in EXAMPLES {
        let build = ["run", "--release", "-p", EXAMPLES_PACKAGE, "--example", example];
        let device = ["--", "--device", "cpu"];
        table.step(&format!("example {example}"), || {
            steps::run(&mut cargo(&[&build[..], &device].concat()))
        });
    }
    supply::check(workspace, &mut table);
    table.finish()
}

/// The tests, with every expectation as it is in the repository.
fn test_without_blessing(workspace: &Workspace, table: &mut Table) {
    let prepared = table.step("NVRTC", || {
        let nvrtc = Nvrtc::ready(workspace)?;
        let references = orphans::start_references(workspace)?;
        Ok((nvrtc, targets::read(workspace)?, references))
    });
    let Some((nvrtc, targets, references)) = prepared else {
        table.skip("tests", "they need NVRTC");
        return;
    };
    let mut all_passed = true;
    for (step, mut command) in
        test::commands(workspace, &nvrtc, &targets, &["--no-fail-fast".into()])
    {
        command
            .env("CI", "true")
            .env("INSTA_UPDATE", "no")
            .env(orphans::REFERENCES_VARIABLE, &references)
            // Left over in a developer's shell, these would bless or pass what is wrong.
            .env_remove("INSTA_FORCE_UPDATE")
            .env_remove("INSTA_FORCE_UPDATE_SNAPSHOTS")
            .env_remove("INSTA_FORCE_PASS")
            .env_remove("TRYBUILD");
        all_passed &= table.step(step, || steps::run(&mut command)).is_some();
    }
    table.step("oldest NVRTC", || steps::run(&mut test::with_oldest_nvrtc(workspace)?));
    if all_passed {
        table.step("orphans", || orphans::find(workspace, &targets, &references)?.reject());
    } else {
        table.skip("orphans", "only a whole run lists every snapshot, and some tests failed");
    }
}
