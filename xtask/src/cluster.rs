//! `cargo xtask cluster`: the crate for several machines, which is a workspace of its own.

use std::process::{Command, Stdio};

use crate::failure::{Failure, Result};
use crate::kernels::Kernels;
use crate::steps::{self, Beside, Table};
use crate::tally::Tally;
use crate::tried::Tried;
use crate::workspace::Workspace;

const MANIFEST: [&str; 2] = ["--manifest-path", "cluster/Cargo.toml"];

/// What a build and the tests call.
const PROGRAMS: [&str; 2] = ["mpicc", "mpirun"];

/// Checks all of it, and runs its tests as several ranks on CPUs.
pub(crate) fn run(workspace: &Workspace, tried: Tried) -> Result<()> {
    if let Some(missing) = missing() {
        return Err(Failure::new(
            format!("there is no `{missing}`, and so no MPI"),
            "install an MPI library: on Debian `apt-get install libopenmpi-dev openmpi-bin libclang-dev`",
        ));
    }
    let cargo = |arguments: &[&str]| {
        let mut command = workspace.cargo([arguments[0]]);
        command.args(MANIFEST).args(&arguments[1..]);
        command
    };
    steps::run(&mut cargo(&["fmt", "--", "--check"]))?;
    // Where the workspace is built: most dependencies are the same, and are there already. Cargo keeps those of other versions
    // and features beside them.
    let build = |arguments: &[&str]| {
        let mut command = cargo(arguments);
        command.env("CARGO_TARGET_DIR", workspace.target());
        command
    };
    let features: &[&str] = if tried == Tried::Every { &["--features", "every"] } else { &[] };
    let mut lints = build(&["clippy", "--locked", "--all-targets"]);
    steps::run(lints.args(features).args(["--", "-D", "warnings"]))?;
    let mut tests = build(&["test", "--locked"]);
    // A job has several ranks, which all load the same kernels.
    let kernels = Kernels::new(workspace)?;
    kernels.give_to(&mut tests);
    steps::run(tests.args(features))?;
    let mut documentation = build(&["doc", "--locked", "--no-deps"]);
    steps::run(documentation.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The step of `ci`, which runs beside others: much of the time its ranks wait for each other, or for the end of one that was
/// killed.
pub(crate) struct Check(Result<Beside>);

impl Check {
    /// Starts this task in a process of its own.
    pub(crate) fn start(workspace: &Workspace, tried: Tried) -> Check {
        // What runs now, rather than by cargo, which would wait for other builds to look whether it is up to date.
        let started = std::env::current_exe().map_err(|error| {
            Failure::new(format!("cannot find this program: {error}"), "run it by `cargo xtask`")
        });
        Check(started.and_then(|program| {
            let mut command = Command::new(program);
            command.arg("cluster").current_dir(workspace.root());
            if tried == Tried::Every {
                command.arg("--every");
            }
            Beside::start(command)
        }))
    }

    /// Waits for it.
    pub(crate) fn finish(self, table: &mut Table) {
        table.step("cluster", || self.0?.finish(&mut Tally::default()));
    }
}

/// The first of the programs that does not start.
fn missing() -> Option<&'static str> {
    PROGRAMS.into_iter().find(|program| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_err()
    })
}
