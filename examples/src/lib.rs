//! Shared code of the examples: counts, tables, output files, the choice of a device, progress, pictures.

// `cargo test --doc` reads every library, including this one, which has no examples to run.
#![cfg(not(doctest))]

mod cells;
mod count;
mod device;
mod frame;
#[cfg(feature = "display")]
mod heatmap;
#[cfg(feature = "display")]
mod launch;
mod output;
mod sheet;
mod table;
mod text;
#[cfg(feature = "display")]
mod values;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::process;

use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser};
use tracing_subscriber::filter::LevelFilter;

pub use count::{count_in, number_in};
pub use device::DeviceChoice;
pub use frame::{Frame, split};
#[cfg(feature = "display")]
pub use heatmap::Heatmap;
#[cfg(feature = "display")]
pub use launch::{listed, progress_bar, rate, timed};
pub use output::{Layout, Output};
pub use table::{Header, Table, TableOptions, is_table};
pub use text::read_text;
#[cfg(feature = "display")]
pub use values::{Value, Values, write_chunks};

/// The result of an example.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

// Without a description, because that of the example is shown.
#[derive(Parser)]
struct Program<A: Args> {
    #[command(flatten)]
    arguments: A,
    /// Where the kernels run
    #[arg(long, value_enum, default_value_t)]
    device: DeviceChoice,
}

/// Runs an example with the arguments of the command line. It writes to standard output, and warnings and an error go to
/// standard error; after an error the exit code is 1.
pub fn start<A: Args>(example: impl FnOnce(A, DeviceChoice, &mut dyn Write) -> Result<()>) {
    warnings_to_standard_error();
    let matches = Program::<A>::command().get_matches();
    let program = Program::<A>::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let Program { arguments, device } = program;
    let mut out = BufWriter::new(io::stdout().lock());
    let done = check_paths(&matches).and_then(|()| example(arguments, device, &mut out));
    let done = done.and_then(|()| Ok(out.flush()?));
    let Err(error) = done else { return };
    if error.downcast_ref().map(io::Error::kind) == Some(ErrorKind::BrokenPipe) {
        // The reader has closed the pipe, as `head` does.
        return;
    }
    let _ = out.flush();
    // One line, even if a library's message has several.
    let text = error.to_string().lines().map(str::trim).collect::<Vec<_>>().join("; ");
    let _ = writeln!(io::stderr(), "error: {text}");
    process::exit(1);
}

/// An error if an output is an input or another output.
fn check_paths(matches: &ArgMatches) -> Result<()> {
    let mut known = Vec::<(&str, PathBuf)>::new();
    for name in ["input", "other", "output", "plot", "save_input"] {
        let path = matches.try_get_one::<PathBuf>(name).ok().flatten();
        let Some(path) = path.map(|path| output::canonical(path)) else { continue };
        let is_same = |(_, known): &&(&str, PathBuf)| name != "other" && path == *known;
        if let Some((other, _)) = known.iter().find(is_same) {
            let names = format!("--{other} and --{name}").replace('_', "-");
            let problem = format!("{names} are the same file, {}", path.display());
            return Err((problem + ": write to another one").into());
        }
        known.push((name, path));
    }
    Ok(())
}

/// Sends the library's warnings to standard error.
pub fn warnings_to_standard_error() {
    let warnings = tracing_subscriber::fmt().with_max_level(LevelFilter::WARN);
    warnings.with_writer(io::stderr).with_target(false).without_time().init();
}
