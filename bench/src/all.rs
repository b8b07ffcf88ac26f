//! Everything, one after another, each in a process of its own: what one does to the GPU or to itself is no
//! other's trouble.

use std::ffi::OsStr;
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
    let quick = options.quick.then_some("--quick");
    let resume = options.resume.then_some("--resume");
    let python: [&OsStr; 2] = ["--python".as_ref(), options.python.as_os_str()];
    let commit = options.commit.iter().flat_map(|commit| ["--commit", commit]);
    let measurement = |name| {
        let mut command = vec![OsStr::new(name), "--output".as_ref(), options.output.as_ref()];
        command.extend(commit.clone().map(OsStr::new));
        command
    };
    let words = |words: [Option<&'static str>; 2]| words.into_iter().flatten().map(OsStr::new);
    let steps = [
        measurement("figures").into_iter().chain(words([quick, resume])).collect(),
        measurement("limits"),
        measurement("edm-square"),
        measurement("peers").into_iter().chain(words([quick, None])).chain(python).collect(),
        vec!["report".as_ref(), "--from".as_ref(), options.output.as_os_str()],
    ];
    let mut failed = Vec::new();
    for step in steps {
        let (name, start) = (step[0].display(), Instant::now());
        println!("\n== {name}");
        let status = Command::new(std::env::current_exe()?).args(&step).status()?;
        println!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        if !status.success() {
            failed.push(format!("{name} ended with {status}"));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}
