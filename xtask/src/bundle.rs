//! `cargo xtask bundle`: everything that a machine with a GPU needs and cannot build without Rust. The executables contain the
//! data that they read.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::{EXAMPLES, files};

const FOLDER: &str = "bundle";
/// The most MiB that may be sent to the machine.
const LIMIT: u64 = 60;

pub(crate) fn run(shell: &Shell) -> Result<()> {
    let executables = shell.create_temp_dir()?;
    let folder = executables.path();
    // Symbols are most of an executable's size.
    let options = [
        "--release",
        "--config",
        "profile.release.strip=true",
        "--message-format=json-render-diagnostics",
    ];
    let mut names = vec!["gpu", "td-bench"];
    names.extend(EXAMPLES);
    // A GPU tries every combination.
    let tests = cmd!(
        shell,
        "cargo test {options...} --package td-kernel-tests --features every --test gpu --no-run"
    );
    let programs = cmd!(
        shell,
        "cargo build {options...} --package td-kernel-examples --package td-kernel-examples-files --examples --package td-bench --bin td-bench"
    );
    for build in [tests, programs] {
        for message in build.read()?.lines() {
            let message: Value = serde_json::from_str(message)?;
            let name = message["target"]["name"].as_str().filter(|name| names.contains(name));
            if let (Some(name), Some(path)) = (name, message["executable"].as_str()) {
                shell.copy_file(path, folder.join(name))?;
            }
        }
    }
    shell.remove_path(FOLDER)?;
    shell.create_dir(FOLDER)?;
    // Compressed, they are a third as large. `run.sh` unpacks them.
    cmd!(shell, "tar -czf {FOLDER}/executables.tar.gz -C {folder} {names...}").run()?;
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
        "the bundle is larger than {LIMIT} MiB: which executable grew is shown above"
    );
    println!("run it there with `bash bundle/run.sh [OUTPUT FOLDER]`");
    Ok(())
}
