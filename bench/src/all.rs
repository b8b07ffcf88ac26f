//! Everything, one after another, each in a process of its own: what one does to the GPU or to itself is no
//! other's trouble.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use clap::Args;

use crate::Failure;
use crate::figures::THERE;

/// How everything is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// Fewer n and fewer rounds: some minutes in all.
    #[arg(long)]
    quick: bool,
    /// Goes on from the figures in the output folder.
    #[arg(long)]
    resume: bool,
    /// The Python that has torch, Triton, CuPy and numba-cuda.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// The folder that the figures go to.
    #[arg(long, default_value = "results")]
    output: PathBuf,
    /// The commit that this program is built from, to be noted with the figures.
    #[arg(long)]
    commit: Option<String>,
}

/// Runs all measurements and the report. What fails is told at the end, and keeps nothing else from running.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    // Otherwise the parts after the figures would take the places of earlier ones.
    let figures = options.output.join("figures.json");
    if figures.exists() && !options.resume {
        return Err(format!("{} {THERE}", figures.display()).into());
    }
    let mut failed = Vec::new();
    let names = [
        "figures",
        "limits",
        "edm-square",
        "ladder",
        "peers",
        "targets",
        "nearest-ladder",
        "devices",
        "scale",
        "report",
    ];
    for name in names {
        let mut command = Command::new(std::env::current_exe()?);
        let folder = if name == "report" { "--from" } else { "--output" };
        command.arg(name).arg(folder).arg(&options.output);
        if let Some(commit) = options.commit.as_ref().filter(|_| name != "report") {
            command.args(["--commit", commit]);
        }
        if options.quick && ["figures", "peers"].contains(&name) {
            command.arg("--quick");
        }
        // On one thread, the larger n take minutes.
        if options.quick && name == "ladder" {
            command.args(["--sizes", "128,256,512,1024"]);
        }
        if options.resume && name == "figures" {
            command.arg("--resume");
        }
        if ["peers", "targets"].contains(&name) {
            command.arg("--python").arg(&options.python);
        }
        println!("\n== {name}");
        let start = Instant::now();
        let status = command.status()?;
        println!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        if !status.success() {
            failed.push(format!("{name} ended with {status}"));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}
