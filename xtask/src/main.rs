//! The tasks of this repository: `cargo xtask --help` lists them.

mod bundle;
mod ci;
mod commands;
mod docs;
mod draw;
mod fuzz;
mod guide;
mod modules;
mod mutants;
mod nvrtc;
mod site;
mod snapshots;
mod supply;
mod test;
mod tools;

use std::env;
use std::path::{self, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use xshell::{Shell, cmd};

/// The examples that `ci` runs on the CPU and `bundle` takes to a GPU.
const EXAMPLES: [&str; 8] =
    ["edm", "collision", "correlation", "forces", "cross", "similarity", "knn", "conformers"];

/// Runs the program of the catalogue's kernels.
const CATALOGUE: [&str; 7] =
    ["run", "--package", "td-kernel-tests", "--features", "every", "--bin", "catalogue"];

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The tasks of this repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every test that needs no GPU: `cargo test --workspace`, with NVRTC, which is downloaded if no CUDA toolkit has it
    Test {
        /// Try every combination of maps, sweeps, sizes and types, rather than a small set that covers every option
        #[arg(long)]
        every: bool,
        /// Arguments for `cargo test`. If they choose packages (-p), only those are tested
        #[arg(last = true, value_name = "CARGO TEST ARGUMENTS")]
        arguments: Vec<String>,
    },
    /// Run the checks of a change: format, lints, tests, documents, examples, dependencies, packages
    Ci {
        /// Also run slow checks that seldom fail: every combination in the tests, the bundle, each feature alone, the lowest
        /// versions of dependencies, the fuzz targets
        #[arg(long)]
        every: bool,
    },
    /// Rewrite every snapshot and every expected compiler message
    Bless,
    /// Build the folder bundle/: executables and a script for a machine with a GPU and no Rust
    Bundle,
    /// Draw how each map launches a triangle, into geometry/pictures/
    Draw {
        /// Write nothing; fail if a picture is outdated or unused
        #[arg(long)]
        check: bool,
    },
    /// Write the tables of maps and sweeps in docs/maps.md and the documentation of the maps
    Docs {
        /// Write nothing; fail if a table is outdated
        #[arg(long)]
        check: bool,
    },
    /// Copy listings into the documents, and check all links and commands
    Guide {
        /// Write no document; fail if a listing differs from its file
        #[arg(long)]
        check: bool,
    },
    /// Build the guide, the other documents and the crates' documentation as web pages, into site/ of the target folder
    Site,
    /// Look for modules of a crate that depend on each other in a circle
    Modules,
    /// Check the licences, versions and sources of all dependencies, and look for unused ones
    Supply,
    /// Check the crate for several machines, and run its tests as several ranks on CPUs; needs MPI
    Cluster {
        /// Interrupt jobs more often
        #[arg(long)]
        every: bool,
    },
    /// Fuzz the code generator and the cache, which needs cargo-fuzz, or run the catalogue's kernels with random elements
    Fuzz {
        /// attribute, body, cache or kernels [default: the first three]
        target: Option<String>,
        /// Seconds for each target
        #[arg(long, default_value_t = 600)]
        seconds: u32,
        /// For kernels: cpu, emulator or cuda
        #[arg(long, default_value = "emulator")]
        device: String,
        /// For kernels: the first launch
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// For kernels: only this one
        #[arg(long)]
        kernel: Option<String>,
    },
    /// Change lines of generated sources, or operators of Rust files, and print the changes that no result of the catalogue's
    /// kernels shows, or no test
    Mutants {
        /// Change these files, each operator once, rather than generated sources
        #[arg(long, value_name = "FILE")]
        rust: Vec<String>,
        /// With --rust: show the changes to this test program rather than to the catalogue's kernels
        #[arg(long, requires = "rust")]
        test: Option<String>,
        /// With --rust: show them to all tests of this package, like `td-kernel-geometry`
        #[arg(long, requires = "rust", conflicts_with = "test")]
        package: Option<String>,
        /// With --rust: only the kernels that have this in their text, like `Sets<`
        #[arg(long, requires = "rust", conflicts_with_all = ["test", "package"])]
        kernels: Option<String>,
        /// How many changes to try: of sources, of each of their kinds
        #[arg(long, default_value_t = 100)]
        count: usize,
        /// Which ones
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// A program of other tests, which runs the changes that no kernel shows
        #[arg(long, value_name = "PROGRAM", conflicts_with = "rust")]
        suite: Option<String>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = open().and_then(|shell| run(&shell, arguments.task)) {
        eprintln!("\nerror: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn run(shell: &Shell, task: Task) -> Result<()> {
    match task {
        Task::Test { every, arguments } => test::run(shell, every, &arguments),
        Task::Ci { every } => ci::run(shell, every),
        Task::Bless => snapshots::bless(shell),
        Task::Bundle => bundle::run(shell),
        Task::Draw { check } => draw::run(shell, check),
        Task::Docs { check } => docs::run(shell, check),
        Task::Guide { check } => guide::run(shell, check),
        Task::Site => site::run(shell),
        Task::Modules => modules::check(shell),
        Task::Supply => supply::run(shell),
        Task::Cluster { every } => ci::cluster(shell, every),
        Task::Mutants { rust, test, package, kernels, count, seed, .. } if !rust.is_empty() => {
            let others = test.map(mutants::Shown::Test).or(package.map(mutants::Shown::Package));
            let shown = others.unwrap_or(mutants::Shown::Kernels(kernels));
            mutants::run(shell, &rust, &shown, count, seed)
        }
        Task::Mutants { count, seed, suite, .. } => {
            let [count, seed] = [count.to_string(), seed.to_string()];
            Ok(cmd!(shell, "cargo {CATALOGUE...} -- mutants {count} {seed} {suite...}").run()?)
        }
        Task::Fuzz { target: Some(target), seconds, device, seed, kernel }
            if target == "kernels" =>
        {
            let [seconds, seed] = [seconds.to_string(), seed.to_string()];
            Ok(cmd!(shell, "cargo {CATALOGUE...} -- fuzz {device} {seconds} {seed} {kernel...}")
                .run()?)
        }
        Task::Fuzz { target, seconds, .. } => fuzz::run(shell, target.as_deref(), seconds),
    }
}

/// A shell in the repository's root, in which every call of cargo builds into the same folder.
fn open() -> Result<Shell> {
    let shell = Shell::new()?;
    let package = env::var("CARGO_MANIFEST_DIR").context("run it as `cargo xtask`")?;
    shell.change_dir(PathBuf::from(package).parent().context("xtask has no parent folder")?);
    // A relative folder is relative to the user's folder, as in cargo.
    let target = env::var_os("CARGO_TARGET_DIR").map(path::absolute).transpose()?;
    shell.set_var("CARGO_TARGET_DIR", target.unwrap_or_else(|| shell.current_dir().join("target")));
    Ok(shell)
}

/// The folder that cargo builds into.
fn target(shell: &Shell) -> Result<PathBuf> {
    Ok(shell.var_os("CARGO_TARGET_DIR").context("CARGO_TARGET_DIR is not set")?.into())
}

/// The files of the repository that match these git patterns, including new ones.
fn files(shell: &Shell, patterns: &[&str]) -> Result<Vec<String>> {
    let list = cmd!(shell, "git ls-files --cached --others --exclude-standard -- {patterns...}");
    let mut files: Vec<_> = list.quiet().read()?.lines().map(str::to_owned).collect();
    // Git still lists deleted files.
    files.retain(|file| shell.path_exists(file));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use xshell::TempDir;

    use super::*;

    /// A shell in a repository with these files, whose folder is removed in the end.
    pub(crate) fn repository(files: &[(&str, &str)]) -> (Shell, TempDir) {
        let shell = Shell::new().unwrap();
        let folder = shell.create_temp_dir().unwrap();
        shell.change_dir(folder.path());
        cmd!(shell, "git init --quiet").run().unwrap();
        for (file, text) in files {
            shell.write_file(file, text).unwrap();
        }
        (shell, folder)
    }
}
