//! `cargo xtask bundle`: everything that a machine with a GPU needs but cannot build without Rust. The executables contain the
//! data that they read.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::{EXAMPLES, files};

const FOLDER: &str = "bundle";
/// The maximum size of the bundle, in MiB.
const LIMIT: u64 = 60;

pub(crate) fn run(shell: &Shell) -> Result<()> {
    let executables = shell.create_temp_dir()?;
    let folder = executables.path();
    let tests = ["test", "--package", "td-kernel-tests", "--test", "gpu", "--no-run"];
    let every = ["--features", "every"];
    let of_examples = ["--package", "td-kernel-examples", "--package", "td-kernel-examples-files"];
    let examples = [&["build", "--examples"][..], &of_examples].concat();
    let tests_of_examples = [&["test", "--tests", "--no-run"][..], &of_examples].concat();
    let bench = ["build", "--package", "td-bench", "--bin", "td-bench"];
    // A GPU tries every combination. Racecheck is slow: it runs a few combinations that cover everything.
    build(shell, &[&tests[..], &every].concat(), &[("gpu", "gpu")], folder)?;
    build(shell, &tests, &[("gpu", "gpu-few")], folder)?;
    // The tests find the examples in the folder beside their own.
    build(shell, &examples, &EXAMPLES.map(|name| (name, name)), &folder.join("examples"))?;
    let names = [("tables", "tables"), ("files", "files")];
    build(shell, &tests_of_examples, &names, &folder.join("tests"))?;
    build(shell, &bench, &[("td-bench", "td-bench")], folder)?;
    shell.remove_path(FOLDER)?;
    shell.create_dir(FOLDER)?;
    // Compressed, they are a third of the size. `run.sh` unpacks them.
    cmd!(shell, "tar -czf {FOLDER}/executables.tar.gz -C {folder} .").run()?;
    for script in files(shell, &["xtask/bundle"])? {
        shell.copy_file(script, FOLDER)?;
    }
    let mut total = 0;
    for path in shell.read_dir(FOLDER)? {
        let size = fs::metadata(&path)?.len();
        println!("{:8.2} MiB  {}", size as f64 / f64::from(1 << 20), path.display());
        total += size;
    }
    ensure!(
        total <= LIMIT << 20,
        "the bundle is larger than {LIMIT} MiB: compare the sizes of the executables above"
    );
    println!("run it there with `bash bundle/run.sh [OUTPUT FOLDER]`");
    Ok(())
}

/// Builds with these arguments of cargo, and copies executables from their targets' names to others.
fn build(shell: &Shell, arguments: &[&str], names: &[(&str, &str)], folder: &Path) -> Result<()> {
    shell.create_dir(folder)?;
    // Symbols are most of an executable's size.
    let strip = ["--config", "profile.release.strip=true"];
    let messages = "--message-format=json-render-diagnostics";
    let output = cmd!(shell, "cargo {arguments...} --release {strip...} {messages}").read()?;
    let mut copied = 0;
    for message in output.lines() {
        let message: Value = serde_json::from_str(message)?;
        let name = names.iter().find(|(target, _)| message["target"]["name"] == *target);
        if let (Some((_, name)), Some(path)) = (name, message["executable"].as_str()) {
            shell.copy_file(path, folder.join(name))?;
            copied += 1;
        }
    }
    ensure!(copied == names.len(), "cargo built {copied} of the executables {names:?}");
    Ok(())
}
