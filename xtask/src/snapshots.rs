//! Snapshots that no test asserts any more. A test that compares a snapshot fails by itself; what is left over when a test is
//! gone would stay for ever.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::NamedTempFile;

use crate::failure::{Failure, Result};
use crate::files;
use crate::workspace::Workspace;

/// The variable in which insta is told to note the file of each snapshot that a test asserts. It is what `cargo insta` asks it
/// by, which would first have to be built.
const VARIABLE: &str = "INSTA_SNAPSHOT_REFERENCES_FILE";

/// The snapshots that the tests of one run assert.
pub(crate) struct Asserted {
    list: NamedTempFile,
}

impl Asserted {
    /// An empty list.
    pub(crate) fn new(workspace: &Workspace) -> Result<Asserted> {
        let parent = workspace.target();
        let list = NamedTempFile::new_in(parent);
        let list = list.map_err(|error| Failure::file("make a file in", parent, &error))?;
        Ok(Asserted { list })
    }

    /// Makes a command's tests note what they assert.
    pub(crate) fn give_to(&self, command: &mut Command) {
        command.env(VARIABLE, self.list.path());
    }

    /// Whether tests have asserted every snapshot of the repository.
    pub(crate) fn check(&self, workspace: &Workspace) -> Result<()> {
        let list = self.list.path();
        let noted =
            fs::read_to_string(list).map_err(|error| Failure::file("read", list, &error))?;
        let left_over = left_over(workspace.root(), &noted)?;
        if left_over.is_empty() {
            return Ok(());
        }
        Err(Failure::new(
            format!("no test asserts these snapshots:\n  {}", left_over.join("\n  ")),
            "`cargo xtask bless` deletes them",
        ))
    }
}

/// The snapshots under a folder that are not among those noted, each on a line.
fn left_over(root: &Path, noted: &str) -> Result<Vec<String>> {
    // Insta notes a path as the test's folder and its own make it, with `..` in it.
    let real = |path: &Path| fs::canonicalize(path).ok();
    let asserted: BTreeSet<PathBuf> =
        noted.lines().filter_map(|line| real(Path::new(line))).collect();
    let is_snapshot = |path: &PathBuf| path.extension() == Some(OsStr::new("snap"));
    let is_asserted = |path: &PathBuf| real(path).is_some_and(|path| asserted.contains(&path));
    let all = files::all(root)?.into_iter().filter(is_snapshot);
    let left_over = all.filter(|path| !is_asserted(path));
    Ok(left_over
        .map(|path| path.strip_prefix(root).unwrap_or(&path).display().to_string())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_that_no_test_asserts_is_named() {
        let root = tempfile::tempdir().unwrap();
        let snapshots = root.path().join("tests/snapshots");
        fs::create_dir_all(&snapshots).unwrap();
        for name in ["a.snap", "b.snap", "c.rs"] {
            fs::write(snapshots.join(name), "").unwrap();
        }
        let a = format!("{}/tests/../tests/snapshots/a.snap\n", root.path().display());
        let found = left_over(root.path(), &a).unwrap();
        assert_eq!(found, [Path::new("tests/snapshots/b.snap").display().to_string()]);
        let both = format!("{a}{}\n", snapshots.join("b.snap").display());
        assert!(left_over(root.path(), &both).unwrap().is_empty());
    }
}
