//! Files that a program found in order, which takes long to build: the manifests and the guide.
//!
//! Which crates are built, by whom and under which licence, follows from the manifests, the lock files and `deny.toml` alone; and
//! what mdBook says, from the chapters and what they include. To build the programs that look at these takes two minutes of a
//! processor, and most changes leave the files as they are. So a file of the repository has the checksums of those that passed,
//! and `ci` looks again where they have others.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::{Failure, Result};
use crate::workspace::Workspace;

/// The file with the checksums, from the workspace's root.
const RECORD: &str = "xtask/examined.txt";

/// What it tells its readers.
const TITLE: &str =
    "# Checksums of the files that `cargo xtask supply` and `cargo xtask guide` found in order.\n";

/// Whether these files are those that passed.
pub(crate) fn are_known(workspace: &Workspace, what: &str, files: &[PathBuf]) -> Result<bool> {
    let line = line(workspace.root(), what, files)?;
    Ok(read(workspace).lines().any(|known| known == line))
}

/// Records that they have passed as they are.
pub(crate) fn record(workspace: &Workspace, what: &str, files: &[PathBuf]) -> Result<()> {
    let path = workspace.root().join(RECORD);
    let text = with(&read(workspace), what, &line(workspace.root(), what, files)?);
    fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))
}

/// The record; empty where there is none yet.
fn read(workspace: &Workspace) -> String {
    fs::read_to_string(workspace.root().join(RECORD)).unwrap_or_default()
}

/// A record with another line for these files.
fn with(record: &str, what: &str, line: &str) -> String {
    let of_others = |known: &&str| !known.starts_with('#') && !known.starts_with(&start(what));
    let mut lines: Vec<&str> = record.lines().filter(of_others).chain([line]).collect();
    lines.sort_unstable();
    format!("{TITLE}{}\n", lines.join("\n"))
}

fn start(what: &str) -> String {
    format!("{what}: ")
}

/// What the record says of these files as they are.
fn line(root: &Path, what: &str, files: &[PathBuf]) -> Result<String> {
    let mut digest = Sha256::new();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = real(root);
    for path in files {
        let bytes = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
        // A checkout may have other ends of lines.
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let path = real(path);
        let name = path.strip_prefix(&root).unwrap_or(&path);
        let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
        digest.update(format!("{}\n{}\n{text}", name.join("/"), text.len()));
    }
    let bytes: [u8; 32] = digest.finalize().into();
    let checksum: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(start(what) + &checksum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_follows_from_the_files() {
        let root = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| root.path().join(name));
        let line_with = |path: &PathBuf, text: &str| {
            fs::write(path, text).unwrap();
            line(root.path(), "it", &[a.clone(), b.clone()]).unwrap()
        };
        fs::write(&b, "").unwrap();
        let first = line_with(&a, "1\n");
        assert!(first.starts_with("it: ") && first.len() == 4 + 64, "{first}");
        assert_eq!(line_with(&a, "1\r\n"), first);
        assert_ne!(line_with(&a, "2\n"), first);
        assert_eq!(line_with(&a, "1\n"), first);
        assert_ne!(line_with(&b, "1\n"), first);
        assert!(line(root.path(), "it", &[root.path().join("c")]).is_err());
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
