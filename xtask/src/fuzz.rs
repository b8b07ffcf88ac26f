//! `cargo xtask fuzz`: runs each fuzzer for some time.

use std::fs;

use crate::failure::{Failure, Result};
use crate::output::say;
use crate::steps;
use crate::workspace::Workspace;

/// The targets, and the most bytes of an input: longer inputs only make the search slower.
const TARGETS: [(&str, u32); 3] = [("attribute", 1024), ("body", 512), ("cache", 256)];

/// Fuzzes `target`, or all targets one after another.
pub(crate) fn run(workspace: &Workspace, target: Option<&str>, seconds: u32) -> Result<()> {
    let known = |name: &str| TARGETS.iter().any(|(target, _)| *target == name);
    if let Some(name) = target.filter(|name| !known(name)) {
        let names: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        return Err(Failure::new(
            format!("there is no fuzz target `{name}`"),
            format!("name one of {}, or none for all", names.join(", ")),
        ));
    }
    steps::read(&mut workspace.cargo(["fuzz", "--version"])).map_err(|failure| {
        failure.with_remedy("install cargo-fuzz: `cargo install --locked cargo-fuzz`")
    })?;
    for (name, length) in TARGETS {
        if target.is_none_or(|target| target == name) {
            say(&format!("\n== fuzz {name}"));
            one(workspace, name, length, seconds)?;
        }
    }
    Ok(())
}

fn one(workspace: &Workspace, name: &str, length: u32, seconds: u32) -> Result<()> {
    // New inputs go to the first folder, so that the repository keeps only a few.
    let found = workspace.target().join("fuzz").join(name);
    fs::create_dir_all(&found).map_err(|error| Failure::file("create", &found, &error))?;
    let folder = workspace.root().join("fuzz");
    let mut fuzz = workspace.cargo(["fuzz", "run", "--fuzz-dir"]);
    fuzz.arg(folder.join("libfuzzer"));
    // A sanitizer would look for errors that safe code does not have, take most of the time, and need a nightly
    // toolchain. cfg(fuzzing) is off because proc-macro2 would forget the positions of tokens.
    fuzz.args(["--sanitizer", "none", "--no-cfg-fuzzing", "--target-dir"]);
    fuzz.arg(workspace.target().join("libfuzzer"));
    fuzz.arg(name).arg(&found).arg(folder.join("corpus").join(name)).arg("--");
    let words = folder.join(format!("{name}.dict"));
    if words.is_file() {
        fuzz.arg(format!("-dict={}", words.display()));
    }
    fuzz.arg(format!("-max_total_time={seconds}")).arg(format!("-max_len={length}"));
    fuzz.arg("-print_final_stats=1");
    steps::run(&mut fuzz).map_err(|failure| {
        failure.with_remedy(
            "where an input was found that does not pass, its file is named above: mend what is wrong, and \
             put the file into fuzz/corpus",
        )
    })
}
