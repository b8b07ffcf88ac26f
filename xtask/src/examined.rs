//! Files that were found in order, by what takes long and depends on little else: the manifests, the guide and the cluster.
//!
//! Which crates are built, by whom and under which licence, follows from the manifests, the lock files and `deny.toml` alone; and
//! what mdBook says, from the chapters and what they include. To build the programs that look at these takes two minutes of a
//! processor, and most changes leave the files as they are. So it is with the tests of ranks and the lints of their crate. A file
//! of the repository therefore has the checksums of those that passed, and `ci` looks again where they have others.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::{Failure, Result};
use crate::output::say;
use crate::tools::Tool;
use crate::workspace::Workspace;

/// The file with the checksums, from the workspace's root.
const RECORD: &str = "xtask/examined.txt";

/// What it tells its readers.
const TITLE: &str =
    "# Checksums of the files that `cargo xtask supply`, `guide` and `cluster` found in order.\n";

/// Files, and the programs that look at them.
pub(crate) struct Subject {
    /// What the record calls them.
    pub(crate) name: &'static str,
    /// The task that looks at them and records that they have passed.
    pub(crate) task: &'static str,
    pub(crate) programs: &'static [&'static Tool],
    pub(crate) files: Vec<PathBuf>,
}

impl Subject {
    /// The step of `ci`: examines the files unless they are those that passed.
    pub(crate) fn check(
        &self,
        workspace: &Workspace,
        examine: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let line = self.line(workspace.root())?;
        if read(workspace).lines().any(|known| known == line) {
            say(&format!("as `cargo xtask {}` found them in order: {RECORD}", self.task));
            return Ok(());
        }
        examine()?;
        say(&format!(
            "`cargo xtask {}` writes that down, so that the next `ci` need not look again",
            self.task
        ));
        Ok(())
    }

    /// Records that they have passed as they are.
    pub(crate) fn record(&self, workspace: &Workspace) -> Result<()> {
        let path = workspace.root().join(RECORD);
        let text = with(&read(workspace), self.name, &self.line(workspace.root())?);
        fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))
    }

    /// What the record says of these files as they are.
    fn line(&self, root: &Path) -> Result<String> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let root = real(root);
        let mut texts = BTreeMap::new();
        for path in &self.files {
            let bytes = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
            let path = real(path);
            let name = path.strip_prefix(&root).unwrap_or(&path);
            let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            // A checkout may have other ends of lines.
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            texts.insert(name.join("/"), text);
        }
        let mut digest = Sha256::new();
        for program in self.programs {
            digest.update(format!("{}\n", program.version()));
        }
        for (name, text) in texts {
            digest.update(format!("{name}\n{}\n{text}", text.len()));
        }
        let bytes: [u8; 32] = digest.finalize().into();
        let checksum: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(start(self.name) + &checksum)
    }
}

/// The record; empty where there is none yet.
fn read(workspace: &Workspace) -> String {
    fs::read_to_string(workspace.root().join(RECORD)).unwrap_or_default()
}

/// A record with another line for these files.
fn with(record: &str, name: &str, line: &str) -> String {
    let of_others = |known: &&str| !known.starts_with('#') && !known.starts_with(&start(name));
    let mut lines: Vec<&str> = record.lines().filter(of_others).chain([line]).collect();
    lines.sort_unstable();
    format!("{TITLE}{}\n", lines.join("\n"))
}

fn start(name: &str) -> String {
    format!("{name}: ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{DENY, MDBOOK};

    #[test]
    fn a_line_follows_from_the_files_and_the_programs() {
        let root = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| root.path().join(name));
        let line = |programs, files: &[&PathBuf]| {
            let files = files.iter().copied().cloned().collect();
            Subject { name: "it", task: "it", programs, files }.line(root.path())
        };
        let line_with = |path: &PathBuf, text: &str| {
            fs::write(path, text).unwrap();
            line(&[&DENY], &[&a, &b]).unwrap()
        };
        fs::write(&b, "").unwrap();
        let first = line_with(&a, "1\n");
        assert!(first.starts_with("it: ") && first.len() == 4 + 64, "{first}");
        assert_eq!(line_with(&a, "1\r\n"), first);
        assert_ne!(line_with(&a, "2\n"), first);
        assert_eq!(line_with(&a, "1\n"), first);
        assert_eq!(line(&[&DENY], &[&b, &a, &a]).unwrap(), first);
        assert_ne!(line(&[&MDBOOK], &[&a, &b]).unwrap(), first);
        assert_ne!(line_with(&b, "1\n"), first);
        assert!(line(&[], &[&root.path().join("c")]).is_err());
    }

    #[test]
    fn a_record_has_one_line_for_each() {
        let one = with("", "one", "one: 1");
        assert_eq!(one, format!("{TITLE}one: 1\n"));
        let both = with(&one, "a", "a: 2");
        assert_eq!(both, format!("{TITLE}a: 2\none: 1\n"));
        assert_eq!(with(&both, "one", "one: 3"), format!("{TITLE}a: 2\none: 3\n"));
    }
}
