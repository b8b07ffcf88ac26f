//! `cargo xtask bundle`: everything that a machine with a GPU needs and cannot build without Rust. The executables
//! contain the data that they read.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::files;
use crate::messages::{AS_JSON, built};
use crate::output::say;
use crate::steps;
use crate::workspace::{BENCH, EXAMPLES, EXAMPLES_PACKAGE, GPU_TEST, TESTS_PACKAGE, Workspace};

const MIB: u64 = 1024 * 1024;
/// The most bytes that may be sent to the machine.
const LIMIT: u64 = 60 * MIB;

/// Symbols are most of an executable's size, and are not needed on that machine.
const STRIP: [&str; 2] = ["--config", "profile.release.strip=true"];

/// The executables, which are a third as large when compressed. `run.sh` unpacks them.
const ARCHIVE: &str = "executables.tar.gz";

/// The scripts that run the executables there and check their results, from the workspace's root.
const SCRIPTS: [&str; 2] = ["xtask/bundle/run.sh", "xtask/bundle/check.py"];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let mut executables = Vec::new();
    say("\n== GPU tests");
    // A GPU tries every combination.
    let tests = ["test", "--release", "-p", TESTS_PACKAGE, "--features", "every"];
    let mut tests = workspace.cargo(tests);
    let messages = build(tests.args(["--test", GPU_TEST, "--no-run"]))?;
    executables.push((GPU_TEST, built(&messages, "test", GPU_TEST)?));

    say("\n== examples");
    let mut command = workspace.cargo(["build", "--release", "-p", EXAMPLES_PACKAGE]);
    for example in EXAMPLES {
        command.args(["--example", example]);
    }
    let messages = build(&mut command)?;
    for example in EXAMPLES {
        executables.push((example, built(&messages, "example", example)?));
    }

    say("\n== benchmark");
    let messages = build(&mut workspace.cargo(["build", "--release", "-p", BENCH]))?;
    executables.push((BENCH, built(&messages, "bin", BENCH)?));

    let folder = workspace.root().join("bundle");
    start(&folder)?;
    pack(&executables, &folder.join(ARCHIVE))?;
    for script in SCRIPTS {
        let path = workspace.root().join(script);
        let name = path.file_name().unwrap_or_default();
        copy(&path, &folder.join(name))?;
    }
    weigh(&folder)
}

fn build(command: &mut Command) -> Result<String> {
    command.args(STRIP).arg(AS_JSON);
    steps::run_and_read(command)
}

/// An empty folder, without files of an earlier bundle.
fn start(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::file("delete", folder, &error));
        }
        _ => {}
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))
}

/// Packs the executables under these names.
fn pack(executables: &[(&str, PathBuf)], archive: &Path) -> Result<()> {
    let folder = tempfile::tempdir().map_err(|error| {
        Failure::new(format!("cannot create a temporary folder: {error}"), "free some space")
    })?;
    for (name, path) in executables {
        copy(path, &folder.path().join(name))?;
    }
    let mut tar = Command::new("tar");
    tar.arg("-czf").arg(archive).arg("-C").arg(folder.path());
    steps::run(tar.args(executables.iter().map(|(name, _)| name)))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    match fs::copy(from, to) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::file("copy", from, &error)),
    }
}

/// Prints the sizes; a failure above the limit.
fn weigh(folder: &Path) -> Result<()> {
    say(&format!("\n== {}", folder.display()));
    let mut total = 0;
    for path in files::all(folder)? {
        let metadata = fs::metadata(&path).map_err(|error| Failure::file("read", &path, &error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        say(&line(&name, metadata.len()));
        total += metadata.len();
    }
    say(&line("total", total));
    if total > LIMIT {
        return Err(Failure::new(
            format!("the bundle is larger than {} MiB", LIMIT / MIB),
            "see above which executable grew, and whether its data must be embedded",
        ));
    }
    say("run it there with `bash bundle/run.sh [OUTPUT FOLDER]`");
    Ok(())
}

fn line(name: &str, size: u64) -> String {
    format!("{name:12} {:8.2} MiB", size as f64 / MIB as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_starts_empty() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("bundle");
        start(&folder).unwrap();
        fs::write(folder.join("old"), "").unwrap();
        start(&folder).unwrap();
        assert!(files::all(&folder).unwrap().is_empty());
    }

    #[test]
    fn packed_executables_have_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let [path, archive] = ["gpu-0123", ARCHIVE].map(|name| folder.path().join(name));
        fs::write(&path, "what runs").unwrap();
        pack(&[("gpu", path)], &archive).unwrap();
        steps::run(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(folder.path()))
            .unwrap();
        assert_eq!(fs::read(folder.path().join("gpu")).unwrap(), b"what runs");
    }

    #[test]
    fn a_bundle_above_the_limit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = fs::File::create(folder.path().join("gpu")).unwrap();
        file.set_len(LIMIT).unwrap();
        weigh(folder.path()).unwrap();
        file.set_len(LIMIT + 1).unwrap();
        let text = weigh(folder.path()).unwrap_err().to_string();
        assert!(text.starts_with("the bundle is larger than 60 MiB"), "{text}");
    }
}
