//! Cargo's subcommands that are not part of Rust: the one that is installed, where it has the version
//! that is meant, else one of this repository's own, in the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Result;
use crate::output::say;
use crate::steps;
use crate::workspace::Workspace;

/// A program that is built from crates.io. Of a fixed version, so that a change passes or fails
/// today as it will tomorrow.
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
}

pub(crate) const DENY: Tool = Tool { name: "cargo-deny", version: "0.20.2" };
pub(crate) const MACHETE: Tool = Tool { name: "cargo-machete", version: "0.9.2" };

impl Tool {
    /// Finds the program, or builds it, which takes less than a minute of two processors.
    pub(crate) fn ready(&self, workspace: &Workspace) -> Result<PathBuf> {
        let folder = workspace.target().join("tools");
        let own = folder.join("bin").join(format!("{}{}", self.name, std::env::consts::EXE_SUFFIX));
        for program in [own.as_path(), Path::new(self.name)] {
            if self.is(program) {
                return Ok(program.to_path_buf());
            }
        }
        say(&format!("{} {} is missing: building it", self.name, self.version));
        let mut install = workspace.cargo(["install", "--locked", "--force", "--quiet", self.name]);
        install.args(["--version", self.version, "--root"]).arg(&folder);
        // Not optimised: it reads some hundred files, and to build it takes the time.
        install.args(["--debug", "--config", "profile.dev.debug=false"]);
        install.env("CARGO_TARGET_DIR", workspace.target().join("tools-build"));
        steps::run(&mut install)?;
        Ok(own)
    }

    /// Whether the program is there, in the version that is meant.
    fn is(&self, program: &Path) -> bool {
        let output = Command::new(program).arg("--version").output();
        let is_version = |text: &str| text.split_whitespace().next_back() == Some(self.version);
        output.is_ok_and(|output| is_version(&String::from_utf8_lossy(&output.stdout)))
    }
}
