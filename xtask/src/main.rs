//! The tasks of this repository, run as `cargo xtask <task>`.
//!
//! | task | does |
//! | --- | --- |
//! | `test` | every test that needs no GPU |
//! | `ci` | what a change must pass |
//! | `bless` | accepts what the code does now as what the tests expect |
//! | `bundle` | executables for a machine with a GPU and no Rust |
//! | `draw` | the pictures of the maps |
//! | `docs` | the tables of maps and sweeps in documents |
//! | `guide` | the guide, a book of web pages |
//! | `modules` | the circles of modules that need each other, if there are any |
//! | `supply` | the dependencies: licences, versions, sources, and which are not used |
//! | `fuzz` | the fuzzers, each for some time |
//! | `cluster` | the crate for several machines, and its tests; needs MPI |

mod bless;
mod bundle;
mod ci;
mod clock;
mod cluster;
mod docs;
mod draw;
mod failure;
mod files;
mod fuzz;
mod guide;
mod kernels;
mod links;
mod messages;
mod modules;
mod nvrtc;
mod output;
mod programs;
mod snapshots;
mod steps;
mod supply;
mod tally;
mod targets;
mod test;
mod tools;
mod tried;
mod workspace;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::tried::Tried;
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The tasks of this repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every test that needs no GPU; fetches NVRTC if no CUDA toolkit has it
    Test {
        /// Try every combination of maps, sweeps, sizes and types, rather than a few in which each of these occurs
        #[arg(long)]
        every: bool,
        /// Handed to `cargo test`. If they choose packages or targets (-p, --test, --doc, …),
        /// only those run
        #[arg(last = true, value_name = "CARGO TEST ARGUMENTS")]
        extra: Vec<OsString>,
    },
    /// Run what a change must pass: format, lints, pictures, tables, modules, tests, snapshots, documentation, the
    /// guide, examples, dependencies, packages, the crate for several machines
    Ci {
        /// Also what takes long and seldom fails: every combination in the tests, each feature alone, the lowest
        /// versions of dependencies, the fuzz targets
        #[arg(long)]
        every: bool,
    },
    /// Rewrite every snapshot and every expected compiler message, and delete snapshots that no test asserts
    Bless,
    /// Build the folder bundle/ anew: executables and a script for a machine with a GPU, no Rust
    Bundle,
    /// Draw how each map launches a triangle, into maps/pictures/
    Draw {
        /// Write nothing; fail where a picture differs from what would be drawn, or is left over
        #[arg(long)]
        check: bool,
    },
    /// Write the tables of maps and sweeps in README.md, docs/maps.md and the documentation of the maps
    Docs {
        /// Write nothing; fail where a table differs from what would be written
        #[arg(long)]
        check: bool,
    },
    /// Build the guide into guide/ of the target folder, and check its listings and the links of all documents
    Guide,
    /// Look for modules of a crate that need each other
    Modules,
    /// Check the licences, versions and sources of all dependencies, and look for unused ones
    Supply,
    /// Check the crate for several machines, and run its tests as several ranks on CPUs; needs MPI
    Cluster {
        /// Cut jobs more often
        #[arg(long)]
        every: bool,
    },
    /// Give the code generator and the cache inputs that are made up, and look for what does not hold;
    /// needs cargo-fuzz
    Fuzz {
        /// attribute, body or cache; all of them without this
        target: Option<String>,
        /// How long, for each target
        #[arg(long, default_value_t = 600)]
        seconds: u32,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = Workspace::open().and_then(|workspace| match &arguments.task {
        Task::Test { every, extra } => test::run(&workspace, Tried::new(*every), extra),
        Task::Ci { every } => ci::run(&workspace, Tried::new(*every)),
        Task::Bless => bless::run(&workspace),
        Task::Bundle => bundle::run(&workspace),
        Task::Draw { check: false } => draw::run(&workspace),
        Task::Draw { check: true } => draw::check(&workspace),
        Task::Docs { check: false } => docs::run(&workspace),
        Task::Docs { check: true } => docs::check(&workspace),
        Task::Guide => guide::run(&workspace),
        Task::Modules => modules::check(workspace.root()),
        Task::Supply => supply::run(&workspace),
        Task::Cluster { every } => cluster::run(&workspace, Tried::new(*every)),
        Task::Fuzz { target, seconds } => fuzz::run(&workspace, target.as_deref(), *seconds),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::FAILURE
        }
    }
}
