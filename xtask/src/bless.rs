//! `cargo xtask bless`: makes the tests expect what the code does now. The result is for review: `git diff` shows what
//! changed.

use std::fs;
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::output::say;
use crate::steps;
use crate::tools::INSTA;
use crate::workspace::{UI_TESTS_FOLDER, Workspace};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    say("\n== snapshots");
    // These test targets assert all snapshots, one of them those of the guide; any that they do not assert are deleted. The
    // command is for the whole workspace, as in the other tests, since a choice of packages would be built with other features.
    let mut snapshots = INSTA.command(workspace)?;
    snapshots.args(["test", "--workspace", "--test", "snapshots", "--test", "reviewing"]);
    // Force updates matching snapshots too, since their headers may be out of date.
    steps::run(snapshots.args(["--force-update-snapshots", "--unreferenced", "delete"]))?;
    say("\n== messages");
    let mut messages = workspace.cargo(["test", "--workspace", "--test", "ui"]);
    steps::run(messages.env("TRYBUILD", "overwrite"))?;
    // The outputs that trybuild keeps until they are accepted, which has happened now.
    let wip = workspace.root().join(UI_TESTS_FOLDER).join("wip");
    if wip.is_dir() {
        fs::remove_dir_all(&wip).map_err(|error| Failure::file("delete", &wip, &error))?;
    }
    say("\n== changed expectations, for review with git diff");
    let mut git = Command::new("git");
    git.current_dir(workspace.root());
    steps::run(git.args(["status", "--short", "--", "*.snap", "*.snap.*", "*.stderr"]))
}
