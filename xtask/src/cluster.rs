//! `cargo xtask cluster`: the crate for several machines, which is a workspace of its own.

use std::process::{Command, Stdio};

use crate::failure::{Failure, Result};
use crate::steps::{self, Table};
use crate::workspace::Workspace;

const MANIFEST: [&str; 2] = ["--manifest-path", "cluster/Cargo.toml"];

/// What a build and the tests call.
const PROGRAMS: [&str; 2] = ["mpicc", "mpirun"];

/// Checks all of it, and runs its tests as several ranks on CPUs.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
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
    steps::run(&mut build(&["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]))?;
    steps::run(&mut build(&["test", "--locked"]))?;
    let mut documentation = build(&["doc", "--locked", "--no-deps"]);
    steps::run(documentation.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The step of `ci`, where there is MPI.
pub(crate) fn check(workspace: &Workspace, table: &mut Table) {
    const STEP: &str = "cluster";
    match missing() {
        Some(missing) => table.skip(STEP, &format!("there is no `{missing}`, and so no MPI")),
        None => {
            table.step(STEP, || run(workspace));
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// What is built with another profile is built again, and nothing would tell.
    #[test]
    fn the_workspaces_beside_this_one_have_its_profile() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let table = |manifest: &str| {
            let text = std::fs::read_to_string(root.join(manifest)).unwrap();
            let (_, table) = text.split_once("\n[profile.dev.package]\n").unwrap();
            table
                .lines()
                .take_while(|line| line.contains('='))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let own = table("Cargo.toml");
        assert!(own.len() > 2, "{own:?}");
        for manifest in ["cluster/Cargo.toml", "fuzz/libfuzzer/Cargo.toml"] {
            assert_eq!(table(manifest), own, "{manifest}");
        }
    }
}
