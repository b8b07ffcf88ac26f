//! The compiled kernels of one run of the tests: many tests load the same kernel, some of them in a loop, and each text is
//! compiled once in the whole run.
//!
//! The folder is new for each run, so nothing is taken from an earlier one. Tests of the cache itself give their devices
//! folders of their own, and tests of machines without a compiler set the variable themselves. What calls the compiler
//! directly, as the tests of what NVRTC compiles do, uses no cache.

use std::process::Command;

use tempfile::TempDir;

use crate::failure::{Failure, Result};
use crate::workspace::Workspace;

/// The variable that the runtime reads.
const VARIABLE: &str = "TD_KERNEL_CACHE";

/// The folder, which goes away with this value.
pub(crate) struct Kernels {
    folder: TempDir,
}

impl Kernels {
    /// A new folder within the build folder.
    pub(crate) fn new(workspace: &Workspace) -> Result<Kernels> {
        let parent = workspace.target();
        let folder = tempfile::Builder::new().prefix("kernels-").tempdir_in(parent);
        let folder = folder.map_err(|error| Failure::file("make a folder in", parent, &error))?;
        Ok(Kernels { folder })
    }

    /// Makes a command's programs keep what they compile there.
    pub(crate) fn give_to(&self, command: &mut Command) {
        command.env(VARIABLE, self.folder.path());
    }
}
