//! Snapshots and expected compiler messages.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::files;

/// `cargo xtask bless`: updates the expected results of the tests. `git diff` then shows the changes.
pub(crate) fn bless(shell: &Shell) -> Result<()> {
    cmd!(shell, "cargo test --workspace --test snapshots --test reviewing --test texts --test ui")
        .env("INSTA_UPDATE", "force")
        .env("TRYBUILD", "overwrite")
        .run()?;
    println!("\nchanged expectations, for review with git diff:");
    cmd!(shell, "git status --short -- *.snap *.snap.* *.stderr").run()?;
    Ok(())
}

/// Runs all tests by `run`, and fails if no test asserts some snapshot.
pub(crate) fn check(shell: &Shell, run: impl FnOnce() -> Result<()>) -> Result<()> {
    let folder = shell.create_temp_dir()?;
    // Insta lists the files here.
    let list = folder.path().join("asserted");
    let _variable = shell.push_env("INSTA_SNAPSHOT_REFERENCES_FILE", &list);
    run()?;
    let real = |path: PathBuf| fs::canonicalize(path).ok();
    let asserted = shell.read_file(&list)?;
    let asserted: BTreeSet<_> = asserted.lines().filter_map(|line| real(line.into())).collect();
    let mut left_over = files(shell, &["*.snap"])?;
    left_over.retain(|path| {
        real(shell.current_dir().join(path)).is_none_or(|path| !asserted.contains(&path))
    });
    ensure!(
        left_over.is_empty(),
        "these snapshots are not used by any test: delete them\n{}",
        left_over.join("\n")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::repository;

    #[test]
    fn names_snapshots_that_no_test_asserts() {
        let (shell, folder) = repository(&[("tests/a.snap", ""), ("tests/b.snap", "")]);
        let asserted = |names: &[&str]| {
            check(&shell, || {
                let paths = names
                    .iter()
                    .map(|name| format!("{}/tests/../tests/{name}\n", folder.path().display()));
                shell.write_file(
                    shell.var("INSTA_SNAPSHOT_REFERENCES_FILE")?,
                    paths.collect::<String>(),
                )?;
                Ok(())
            })
        };
        asserted(&["a.snap", "b.snap"]).unwrap();
        assert!(asserted(&["a.snap"]).unwrap_err().to_string().ends_with("\ntests/b.snap"));
    }
}
