//! `cargo xtask cluster`: the crate for several machines, which is a workspace of its own.

use std::process::{Command, Stdio};

use crate::examined::Subject;
use crate::failure::{Failure, Result};
use crate::files;
use crate::kernels::Kernels;
use crate::steps::{self, Beside, Table};
use crate::tally::Tally;
use crate::tried::Tried;
use crate::workspace::Workspace;

const MANIFEST: [&str; 2] = ["--manifest-path", "cluster/Cargo.toml"];

/// What a build and the tests call.
const PROGRAMS: [&str; 2] = ["mpicc", "mpirun"];

/// What ranks share a launch and its results by: files of the runtime and of `knn`, from the workspace's root.
const SHARED: [&str; 9] = [
    "examples/knn/found.rs",
    "examples/knn/kernels.rs",
    "runtime/src/bands",
    "runtime/src/bands.rs",
    "runtime/src/devices",
    "runtime/src/devices.rs",
    "runtime/src/gathered.rs",
    "runtime/src/kernel/share.rs",
    "runtime/src/word.rs",
];

/// What it is built with: where none of this has changed, it compiles as it did.
const BUILT: [&str; 11] = [
    ".cargo/config.toml",
    "Cargo.toml",
    "clippy.toml",
    "codegen",
    "emulator",
    // Programs of the cluster have files of examples.
    "examples",
    "macros",
    "maps",
    "runtime",
    "rust-toolchain.toml",
    "rustfmt.toml",
];

/// Checks all of it, and runs its tests as several ranks on CPUs: with `if_changed` it looks for lints only where something that
/// is built is not as it was, and runs tests only where the cluster, or what it shares with the runtime, has changed.
pub(crate) fn run(workspace: &Workspace, tried: Tried, if_changed: bool) -> Result<()> {
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
    let lint = || {
        let mut lints = build(&["clippy", "--locked", "--all-targets"]);
        steps::run(lints.args(features).args(["--", "-D", "warnings"]))
    };
    let test = || {
        let mut tests = build(&["test", "--locked"]);
        // A job has several ranks, which all load the same kernels.
        let kernels = Kernels::new(workspace)?;
        kernels.give_to(&mut tests);
        steps::run(tests.args(features))?;
        let mut documentation = build(&["doc", "--locked", "--no-deps"]);
        steps::run(documentation.env("RUSTDOCFLAGS", "-D warnings"))
    };
    let linted = subject(workspace, "cluster's lints", &BUILT)?;
    let tested = subject(workspace, "cluster", &SHARED)?;
    if if_changed {
        linted.check(workspace, lint)?;
        return tested.check(workspace, test);
    }
    lint()?;
    linted.record(workspace)?;
    test()?;
    tested.record(workspace)
}

/// The files of the cluster, and these others from the workspace's root.
fn subject(workspace: &Workspace, name: &'static str, others: &[&str]) -> Result<Subject> {
    let root = workspace.root();
    let mut files = files::all(&root.join("cluster"))?;
    for shared in others.iter().map(|shared| root.join(shared)) {
        if shared.is_dir() {
            files.extend(files::all(&shared)?);
        } else {
            files.push(shared);
        }
    }
    Ok(Subject { name, task: "cluster", programs: &[], files })
}

/// The step of `ci`, which runs beside others: much of the time its ranks wait for each other, or for the end of one that was
/// killed.
pub(crate) struct Check(std::result::Result<Result<Beside>, &'static str>);

impl Check {
    /// Starts this task in a process of its own, where there is MPI.
    pub(crate) fn start(workspace: &Workspace, tried: Tried) -> Check {
        if let Some(missing) = missing() {
            return Check(Err(missing));
        }
        // What runs now, rather than by cargo, which would wait for other builds to look whether it is up to date.
        let started = std::env::current_exe().map_err(|error| {
            Failure::new(format!("cannot find this program: {error}"), "run it by `cargo xtask`")
        });
        let started = started.and_then(|program| {
            let mut command = Command::new(program);
            command.arg("cluster").current_dir(workspace.root());
            if tried == Tried::Every {
                command.arg("--every");
            } else {
                command.arg("--if-changed");
            }
            Beside::start(command)
        });
        Check(Ok(started))
    }

    /// Waits for it.
    pub(crate) fn finish(self, table: &mut Table) {
        const STEP: &str = "cluster";
        match self.0 {
            Err(missing) => table.skip(STEP, &format!("there is no `{missing}`, and so no MPI")),
            Ok(started) => {
                table.step(STEP, || started?.finish(&mut Tally::default()));
            }
        }
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
