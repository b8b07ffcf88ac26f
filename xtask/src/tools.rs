//! Programs that are not part of Rust: the installed one if it has the right version, else one that is built once into the
//! user's cache folder, where other checkouts find it too. Built for each new checkout, they would take a good part of
//! what `ci` takes.

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
    /// The program and its crate.
    program: &'static str,
    /// The word by which cargo calls it, if it is one of cargo's subcommands.
    word: Option<&'static str>,
    version: &'static str,
    /// What the installation says of features.
    features: &'static [&'static str],
}

/// All of them: some call others.
const TOOLS: [&Tool; 6] = [&DENY, &HACK, &INSTA, &MACHETE, &MDBOOK, &MINIMAL_VERSIONS];

pub(crate) const DENY: Tool = Tool::of_cargo("cargo-deny", "deny", "0.20.2");
pub(crate) const HACK: Tool = Tool::of_cargo("cargo-hack", "hack", "0.6.46");
pub(crate) const INSTA: Tool = Tool::of_cargo("cargo-insta", "insta", "1.49.0");
pub(crate) const MACHETE: Tool = Tool::of_cargo("cargo-machete", "machete", "0.9.2");
/// Without its server and its search, which only a reader of the book would miss.
pub(crate) const MDBOOK: Tool =
    Tool { program: "mdbook", word: None, version: "0.5.4", features: &["--no-default-features"] };
pub(crate) const MINIMAL_VERSIONS: Tool =
    Tool::of_cargo("cargo-minimal-versions", "minimal-versions", "0.1.38");

impl Tool {
    const fn of_cargo(program: &'static str, word: &'static str, version: &'static str) -> Tool {
        Tool { program, word: Some(word), version, features: &[] }
    }

    /// A call of the program in the workspace's root. A missing program is built first, which takes about a
    /// minute on two processors.
    pub(crate) fn command(&self, workspace: &Workspace) -> Result<Command> {
        let kept = kept_in(workspace);
        let own = self.bin(&kept).join(format!("{}{}", self.program, env::consts::EXE_SUFFIX));
        let installed = PathBuf::from(self.program);
        let found = [&installed, &own].into_iter().find(|program| self.is(workspace, program));
        let program = match found {
            Some(program) => program,
            None => {
                self.build(workspace, &kept)?;
                &own
            }
        };
        let mut command = self.call(workspace, program);
        // Some call others of these by cargo.
        let path = env::var_os("PATH").unwrap_or_default();
        let path = TOOLS.map(|tool| tool.bin(&kept)).into_iter().chain(env::split_paths(&path));
        command.env("PATH", env::join_paths(path).unwrap_or_else(|_| OsString::new()));
        Ok(command)
    }

    /// The folder of the executable: one for each version, since other checkouts may pin others.
    fn bin(&self, kept: &Path) -> PathBuf {
        kept.join(format!("{}-{}", self.program, self.version)).join("bin")
    }

    fn build(&self, workspace: &Workspace, kept: &Path) -> Result<()> {
        let folder = kept.join(format!("{}-{}", self.program, self.version));
        let shown = folder.display();
        say(&format!("{} {} is missing: building it into {shown}", self.program, self.version));
        let install = ["install", "--locked", "--force", "--quiet", self.program];
        let mut install = workspace.cargo(install);
        install.args(self.features).args(["--version", self.version, "--root"]);
        install.arg(&folder);
        // Not optimised: it reads some hundred files, and to build it takes the time.
        install.args(["--debug", "--config", "profile.dev.debug=false"]);
        install.env("CARGO_TARGET_DIR", workspace.target().join("tools-build"));
        steps::run(&mut install)
    }

    /// Whether the program is there, in the version that is meant.
    fn is(&self, workspace: &Workspace, program: &Path) -> bool {
        let output = self.call(workspace, program).arg("--version").output();
        output.is_ok_and(|output| self.is_version(&String::from_utf8_lossy(&output.stdout)))
    }

    /// Whether a program that says this of itself is the one that is meant: its name and version, which may have a `v`.
    fn is_version(&self, said: &str) -> bool {
        let last = said.split_whitespace().next_back();
        last.is_some_and(|word| word.strip_prefix('v').unwrap_or(word) == self.version)
    }

    /// A call; of a subcommand as cargo makes it, which would take the one that is installed, whatever its version.
    fn call(&self, workspace: &Workspace, program: &Path) -> Command {
        let cargo = workspace.cargo([]);
        let mut command = Command::new(program);
        command.args(self.word).current_dir(workspace.root()).env("CARGO", cargo.get_program());
        // A subcommand that finds it takes itself for a program that `cargo run` has started, as this one is.
        command.env_remove("CARGO_PKG_NAME");
        for (name, value) in cargo.get_envs() {
            command.envs(value.map(|value| (name, value)));
        }
        command
    }
}

/// Where the programs are kept: in the user's cache folder, or where there is none, in the build folder.
fn kept_in(workspace: &Workspace) -> PathBuf {
    cache_folder(|name| env::var_os(name).map(PathBuf::from))
        .map_or_else(|| workspace.target().join("tools"), |cache| cache.join("td-kernel-xtask"))
}

/// The user's cache folder, from variables of the environment. A path that is not absolute is no answer, as the XDG base
/// directory specification has it.
fn cache_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
    let of_home = || {
        let home = absolute("HOME")?;
        Some(home.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
    };
    if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        absolute("XDG_CACHE_HOME").or_else(of_home)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_known_with_and_without_its_letter() {
        assert!(MDBOOK.is_version("mdbook v0.5.4\n"));
        assert!(HACK.is_version("cargo-hack 0.6.46\n"));
        for other in ["mdbook v0.5.40", "mdbook 0.5", "v", ""] {
            assert!(!MDBOOK.is_version(other), "{other}");
        }
    }
    #[cfg(unix)]
    #[test]
    fn the_cache_folder_is_what_the_environment_says() {
        let found = |variables: &[(&str, &str)]| {
            cache_folder(|wanted| {
                let named = variables.iter().find(|(name, _)| *name == wanted);
                named.map(|(_, value)| value.into())
            })
        };
        let both = [("HOME", "/home/ada"), ("XDG_CACHE_HOME", "/cache")];
        assert_eq!(found(&both), Some("/cache".into()));
        let relative = [("HOME", "/home/ada"), ("XDG_CACHE_HOME", "cache")];
        assert!(found(&relative).is_some_and(|folder| folder.starts_with("/home/ada")));
        assert_eq!(found(&[("HOME", "")]), None);
    }

    #[test]
    fn each_version_has_a_folder_of_its_own() {
        let folders: std::collections::BTreeSet<_> =
            TOOLS.iter().map(|tool| tool.bin(Path::new("tools"))).collect();
        assert_eq!(folders.len(), TOOLS.len());
        assert!(folders.contains(Path::new("tools/cargo-deny-0.20.2/bin")));
    }
}
