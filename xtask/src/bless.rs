//! `cargo xtask bless`: what the code does now becomes what the tests expect. The result is for
//! review: `git diff` shows what changed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::files;
use crate::nvrtc::Nvrtc;
use crate::orphans::{self, Orphans};
use crate::output::say;
use crate::steps;
use crate::targets;
use crate::test;
use crate::workspace::{UI_TESTS_FOLDER, Workspace};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let nvrtc = Nvrtc::ready(workspace)?;
    let targets = targets::read(workspace)?;
    let references = orphans::start_references(workspace)?;
    // All tests, since any of them may assert a snapshot: what none asserts is deleted below.
    for (step, mut command) in
        test::commands(workspace, &nvrtc, &targets, &["--no-fail-fast".into()])
    {
        say(&format!("\n== {step}"));
        command
            // `force` writes also those that match, whose headers may be out of date.
            .env("INSTA_UPDATE", "force")
            .env("TRYBUILD", "overwrite")
            .env(orphans::REFERENCES_VARIABLE, &references);
        steps::run(&mut command).map_err(|failure| {
            failure.with_remedy(
                "expectations were rewritten as far as the tests came, and orphans were kept. \
                 Mend what failed (an inline snapshot is accepted by hand), then bless again",
            )
        })?;
    }
    say("\n== orphans");
    let found = orphans::find(workspace, &targets, &references)?;
    let cases = found.cases.clone();
    for path in found.snapshots.iter().chain(&found.messages) {
        delete(path)?;
    }
    delete_leftovers(workspace)?;
    show_changes(workspace)?;
    Orphans { snapshots: Vec::new(), messages: Vec::new(), cases }.reject()
}

fn delete(path: &Path) -> Result<()> {
    say(&format!("deleting {}", path.display()));
    fs::remove_file(path).map_err(|error| Failure::file("delete", path, &error))
}

/// What insta and trybuild had put aside for a decision, which is now taken.
fn delete_leftovers(workspace: &Workspace) -> Result<()> {
    for path in files::all(workspace.root())? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".snap.new") || name.ends_with(".pending-snap") {
            delete(&path)?;
        }
    }
    let wip = workspace.root().join(UI_TESTS_FOLDER).join("wip");
    if wip.is_dir() {
        say(&format!("deleting {}", wip.display()));
        fs::remove_dir_all(&wip).map_err(|error| Failure::file("delete", &wip, &error))?;
    }
    Ok(())
}

fn show_changes(workspace: &Workspace) -> Result<()> {
    say("\n== changed expectations, for review with git diff");
    let mut git = Command::new("git");
    git.current_dir(workspace.root());
    steps::run(git.args(["status", "--short", "--", "*.snap", "*.snap.*", "*.stderr"]))
}
