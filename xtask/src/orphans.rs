//! Expectations that no test asserts any more: they would pass for reviewed text that nothing
//! checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::files;
use crate::targets::Target;
use crate::workspace::{UI_TESTS_FOLDER, UI_TESTS_PACKAGE, Workspace};

/// Names the file to which insta appends the path of every snapshot that a test asserts.
pub(crate) const REFERENCES_VARIABLE: &str = "INSTA_SNAPSHOT_REFERENCES_FILE";

/// Starts a new list of asserted snapshots, and returns its path.
pub(crate) fn start_references(workspace: &Workspace) -> Result<PathBuf> {
    let path = workspace.target().join("snapshot-references.txt");
    // An empty list, so that a run that asserts no snapshot leaves one too.
    fs::write(&path, "").map_err(|error| Failure::file("write", &path, &error))?;
    Ok(path)
}

/// What is left over, or missing, among the expectations.
#[derive(Debug, PartialEq)]
pub(crate) struct Orphans {
    /// Snapshots that no test asserted.
    pub(crate) snapshots: Vec<PathBuf>,
    /// Expected compiler messages without their case.
    pub(crate) messages: Vec<PathBuf>,
    /// Cases without their expected compiler message, which no test looks at.
    pub(crate) cases: Vec<PathBuf>,
}

/// Looks for orphans. The list of asserted snapshots must be that of a whole, passed run.
pub(crate) fn find(
    workspace: &Workspace,
    targets: &[Target],
    references: &Path,
) -> Result<Orphans> {
    let list = fs::read_to_string(references)
        .map_err(|error| Failure::file("read", references, &error))?;
    let snapshots = unasserted(&files::all(workspace.root())?, &list);
    let sources: BTreeSet<&Path> = targets
        .iter()
        .filter(|target| target.package == UI_TESTS_PACKAGE)
        .map(|target| target.source.as_path())
        .collect();
    let folder = workspace.root().join(UI_TESTS_FOLDER);
    let (messages, cases) = unpaired(&folder, &files::all(&folder)?, &sources);
    Ok(Orphans { snapshots, messages, cases })
}

impl Orphans {
    /// A failure that names every orphan.
    pub(crate) fn reject(&self) -> Result<()> {
        let mut lines = Vec::new();
        let mut name = |paths: &[PathBuf], what: &str| {
            lines.extend(paths.iter().map(|path| format!("\n  {}: {what}", path.display())));
        };
        name(&self.snapshots, "no test asserts this snapshot");
        name(&self.messages, "there is no .rs file beside it");
        name(&self.cases, "there is no .stderr file beside it");
        if lines.is_empty() {
            return Ok(());
        }
        Err(Failure::new(
            format!("expectations and tests do not match:{}", lines.concat()),
            "`cargo xtask bless` deletes what is left over. A case without a message is in no \
             test's list; one that is to compile belongs into a folder named `pass`",
        ))
    }
}

fn unasserted(files: &[PathBuf], references: &str) -> Vec<PathBuf> {
    let asserted: BTreeSet<PathBuf> = references.lines().map(resolved).collect();
    let snapshots = files.iter().filter(|path| has_extension(path, "snap"));
    snapshots.filter(|path| !asserted.contains(&resolved(path))).cloned().collect()
}

/// One spelling for each file: insta writes paths with `..` in them.
fn resolved(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The messages without a case, and the cases without a message. Not cases: the sources of the
/// package's own targets and of its libraries (`src`, `attributes`), what is to compile (`pass`), and what
/// trybuild put aside (`wip`).
fn unpaired(
    package: &Path,
    files: &[PathBuf],
    sources: &BTreeSet<&Path>,
) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let top = |path: &Path| {
        let inside = path.strip_prefix(package).unwrap_or(path);
        inside.components().next().map(|part| part.as_os_str().to_owned())
    };
    let is_case = |path: &Path| {
        let in_pass = path.iter().any(|part| part == "pass");
        let others = ["src", "attributes", "wip"];
        let in_library = top(path).is_some_and(|top| others.iter().any(|other| top == *other));
        let is_build_script = top(path).is_some_and(|top| top == "build.rs");
        !in_pass && !in_library && !is_build_script && !sources.contains(path)
    };
    let lacks = |path: &Path, extension: &str| !path.with_extension(extension).is_file();
    let is_put_aside = |path: &Path| top(path).is_some_and(|top| top == "wip");
    let messages = files.iter().filter(|path| has_extension(path, "stderr"));
    let messages = messages.filter(|path| lacks(path, "rs") && !is_put_aside(path));
    let cases = files.iter().filter(|path| has_extension(path, "rs"));
    let cases = cases.filter(|path| is_case(path) && lacks(path, "stderr"));
    (messages.cloned().collect(), cases.cloned().collect())
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|own| own == extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(paths: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for path in paths {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn a_snapshot_outside_the_list_is_an_orphan() {
        let folder = folder_of(&["tests/snapshots/a.snap", "tests/snapshots/b.snap", "tests/a.rs"]);
        let root = folder.path();
        let files = files::all(root).unwrap();
        let list = format!("{}\n", root.join("tests/../tests/snapshots/a.snap").display());
        assert_eq!(unasserted(&files, &list), [root.join("tests/snapshots/b.snap")]);
        assert_eq!(unasserted(&files, "").len(), 2);
    }

    #[test]
    fn a_case_and_its_message_belong_together() {
        let folder = folder_of(&[
            "build.rs",
            "src/lib.rs",
            "tests/ui.rs",
            "cases/both.rs",
            "cases/both.stderr",
            "cases/no_message.rs",
            "cases/no_case.stderr",
            "cases/pass/compiles.rs",
            "wip/both.stderr",
        ]);
        let root = folder.path();
        let test = root.join("tests/ui.rs");
        let sources = BTreeSet::from([test.as_path()]);
        let (messages, cases) = unpaired(root, &files::all(root).unwrap(), &sources);
        assert_eq!(messages, [root.join("cases/no_case.stderr")]);
        assert_eq!(cases, [root.join("cases/no_message.rs")]);
    }

    #[test]
    fn a_rejection_names_the_file() {
        let mut orphans = Orphans {
            snapshots: vec!["tests/snapshots/old.snap".into()],
            messages: vec![],
            cases: vec![],
        };
        let text = orphans.reject().unwrap_err().to_string();
        assert!(text.contains("tests/snapshots/old.snap: no test asserts"), "{text}");
        orphans.snapshots.clear();
        orphans.reject().unwrap();
    }
}
