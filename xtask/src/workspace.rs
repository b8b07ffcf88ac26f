//! Where the workspace is, where it builds, and how cargo is called in it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};

/// The package whose test target [`GPU_TEST`] is.
pub(crate) const TESTS_PACKAGE: &str = "td-kernel-tests";
/// The only test target that needs a GPU.
pub(crate) const GPU_TEST: &str = "gpu";
/// The package of the benchmark, and its executable.
pub(crate) const BENCH: &str = "td-bench";
/// The package of the examples.
pub(crate) const EXAMPLES_PACKAGE: &str = "td-kernel-examples";
/// The examples that `ci` runs on the CPU and `bundle` takes to a GPU.
pub(crate) const EXAMPLES: [&str; 6] = ["edm", "collision", "forces", "cross", "similarity", "knn"];
/// The folder of the compile-fail cases.
pub(crate) const UI_TESTS_FOLDER: &str = "ui-tests";

/// The crates that are for crates.io, each with its folder, in the order in which they are published.
pub(crate) const PUBLISHED: [(&str, &str); 5] = [
    ("td-kernel-maps", "maps"),
    ("td-kernel-codegen", "codegen"),
    ("td-kernel-macros", "macros"),
    ("td-kernel-emulator", "emulator"),
    ("td-kernel", "runtime"),
];

/// What makes clippy refuse what it finds.
const REFUSED: [&str; 2] = ["-D", "warnings"];

const CLIPPY: &str = if cfg!(windows) { "clippy-driver.exe" } else { "clippy-driver" };

/// What stands after each argument in clippy's variable.
const SEPARATOR: &str = "__CLIPPY_HACKERY__";

/// Cargo's variable for what only serves a next build.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// The folders of the workspaces of their own: what these depend on is nobody else's.
pub(crate) const BESIDE: [&str; 2] = ["cluster", "fuzz/libfuzzer"];

/// The checkout that this task works on.
#[derive(Clone)]
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
    cargo: OsString,
    is_linted: bool,
    is_incremental: bool,
}

impl Workspace {
    /// Finds the checkout.
    pub(crate) fn open() -> Result<Self> {
        // `cargo run` sets the variable. The compile-time value serves a direct call; it comes
        // second, because two checkouts that share a target folder share this executable.
        let package = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package.parent().map(Path::to_path_buf).ok_or_else(|| {
            Failure::new(
                format!("{} has no parent folder", package.display()),
                "run the task as `cargo xtask`",
            )
        })?;
        // A relative folder is meant from where the user stands, as cargo itself takes it.
        let target = match env::var_os("CARGO_TARGET_DIR").filter(|value| !value.is_empty()) {
            Some(value) => std::path::absolute(&value)
                .map_err(|error| Failure::file("find", Path::new(&value), &error))?,
            None => root.join("target"),
        };
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let is_incremental = is_asked_for() || is_built_incrementally(&target.join("debug"));
        Ok(Self { root, target, cargo, is_linted: false, is_incremental })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder that cargo builds into.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The same checkout, whose crates clippy compiles: it is a rustc that looks for lints too. `cargo clippy` would make a build
    /// of its own, of which the tests can use nothing. (What clippy compiles is optimised a little less.)
    pub(crate) fn linted(&self) -> Workspace {
        Workspace { is_linted: true, ..self.clone() }
    }

    /// A call of cargo in the workspace's root.
    pub(crate) fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(&self.cargo);
        if self.is_linted {
            // As an argument, which the tests do not inherit: some of them call cargo too. (They do inherit `CLIPPY_ARGS`, which
            // only clippy reads.) The variable would come before it.
            command.env_remove("RUSTC_WORKSPACE_WRAPPER");
            let clippy = serde_json::Value::from(self.clippy().to_string_lossy());
            command.args(["--config", &format!("build.rustc-workspace-wrapper={clippy}")]);
            // As `cargo clippy` hands it on.
            command.env("CLIPPY_ARGS", REFUSED.map(|word| word.to_owned() + SEPARATOR).concat());
        }
        command.current_dir(&self.root).args(arguments);
        if !self.is_incremental {
            command.env(INCREMENTAL, "0");
        }
        // The call is made from the root, where a relative folder would be another one.
        if env::var_os("CARGO_TARGET_DIR").is_some_and(|value| Path::new(&value).is_relative()) {
            command.env("CARGO_TARGET_DIR", &self.target);
        }
        command
    }

    /// The compiler with lints: it is beside cargo, or else on the PATH.
    fn clippy(&self) -> PathBuf {
        let beside = Path::new(&self.cargo).with_file_name(CLIPPY);
        if beside.is_file() { beside } else { CLIPPY.into() }
    }
}

/// Whether the user has decided what serves a next build, by a variable of cargo's.
fn is_asked_for() -> bool {
    let others = ["CARGO_BUILD_INCREMENTAL", "CARGO_PROFILE_DEV_INCREMENTAL"];
    others.into_iter().chain([INCREMENTAL]).any(|name| env::var_os(name).is_some())
}

/// Whether cargo's own calls, such as those of an editor, have built the library incrementally. A first build spends a fifth of its
/// time on that, which is a waste in a clone that is only tested. But to build in the one way and then in the other takes longer still.
fn is_built_incrementally(profile: &Path) -> bool {
    let folders = profile.join("incremental").read_dir().into_iter().flatten().flatten();
    folders.into_iter().any(|folder| folder.file_name().to_string_lossy().starts_with("td_kernel-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_has_built_of_the_library_decides() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_built_incrementally(folder.path()));
        // These tasks are always built by cargo itself.
        std::fs::create_dir_all(folder.path().join("incremental/xtask-1a2b")).unwrap();
        assert!(!is_built_incrementally(folder.path()));
        std::fs::create_dir(folder.path().join("incremental/td_kernel-3c4d")).unwrap();
        assert!(is_built_incrementally(folder.path()));
    }
}
