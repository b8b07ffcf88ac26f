//! Cargo's subcommands that are not part of Rust: the installed one if it has the right version, else one built into
//! the target folder.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Result;
use crate::output::say;
use crate::steps;
use crate::workspace::Workspace;

/// A program from crates.io, at a fixed version, so that new versions do not change the result of a check.
pub(crate) struct Tool {
    /// The subcommand; its program and its crate are called `cargo-` and this name.
    name: &'static str,
    version: &'static str,
}

pub(crate) const DENY: Tool = Tool { name: "deny", version: "0.20.2" };
pub(crate) const HACK: Tool = Tool { name: "hack", version: "0.6.46" };
pub(crate) const INSTA: Tool = Tool { name: "insta", version: "1.49.0" };
pub(crate) const MACHETE: Tool = Tool { name: "machete", version: "0.9.2" };
pub(crate) const MINIMAL_VERSIONS: Tool = Tool { name: "minimal-versions", version: "0.1.38" };

impl Tool {
    /// A call of the subcommand in the workspace's root. A missing program is built first, which takes less than a
    /// minute on two processors.
    pub(crate) fn command(&self, workspace: &Workspace) -> Result<Command> {
        let bin = workspace.target().join("tools").join("bin");
        let own = bin.join(format!("cargo-{}{}", self.name, env::consts::EXE_SUFFIX));
        let installed = PathBuf::from(format!("cargo-{}", self.name));
        let found = [&own, &installed].into_iter().find(|program| self.is(workspace, program));
        let program = match found {
            Some(program) => program,
            None => {
                self.build(workspace)?;
                &own
            }
        };
        let mut command = self.call(workspace, program);
        // Some call others of these by cargo.
        let path = env::var_os("PATH").unwrap_or_default();
        let path = [bin].into_iter().chain(env::split_paths(&path));
        command.env("PATH", env::join_paths(path).unwrap_or_else(|_| OsString::new()));
        Ok(command)
    }

    fn build(&self, workspace: &Workspace) -> Result<()> {
        let name = format!("cargo-{}", self.name);
        say(&format!("{name} {} is missing: building it", self.version));
        let mut install = workspace.cargo(["install", "--locked", "--force", "--quiet", &name]);
        install.args(["--version", self.version, "--root"]);
        install.arg(workspace.target().join("tools"));
        // Not optimised: it reads some hundred files, and to build it takes the time.
        install.args(["--debug", "--config", "profile.dev.debug=false"]);
        install.env("CARGO_TARGET_DIR", workspace.target().join("tools-build"));
        steps::run(&mut install)
    }

    /// Whether the program is there, in the version that is meant.
    fn is(&self, workspace: &Workspace, program: &Path) -> bool {
        let output = self.call(workspace, program).arg("--version").output();
        let is_version = |text: &str| text.split_whitespace().next_back() == Some(self.version);
        output.is_ok_and(|output| is_version(&String::from_utf8_lossy(&output.stdout)))
    }

    /// A call as cargo makes it, which would take the one that is installed, whatever its version.
    fn call(&self, workspace: &Workspace, program: &Path) -> Command {
        let cargo = workspace.cargo([]);
        let mut command = Command::new(program);
        command.arg(self.name).current_dir(workspace.root()).env("CARGO", cargo.get_program());
        // A subcommand that finds it takes itself for a program that `cargo run` has started, as this one is.
        command.env_remove("CARGO_PKG_NAME");
        for (name, value) in cargo.get_envs() {
            command.envs(value.map(|value| (name, value)));
        }
        command
    }
}
