//! Shared code of the examples: counts, tables, output files, the choice of a device, progress, pictures.

// `cargo test --doc` reads every library, including this one, which has no examples to run.
#![cfg(not(doctest))]

mod cells;
mod count;
mod device;
mod frame;
mod heatmap;
mod output;
mod sheet;
mod table;
mod text;
mod values;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::filter::LevelFilter;

pub use count::count_in;
pub use device::{DeviceChoice, progress_bar, timed};
pub use frame::Frame;
pub use heatmap::Heatmap;
pub use output::{Layout, Output};
pub use table::{Header, Table, TableOptions, is_table};
pub use text::read_text;
pub use values::{Value, Values, write_chunks};

/// The result of an example.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Runs an example with the arguments of the command line. It writes to standard output, and warnings and an error go to
/// standard error; after an error the exit code is 1.
pub fn start<A: Parser>(example: impl FnOnce(A, &mut dyn Write) -> Result<()>) -> ExitCode {
    warnings_to_standard_error();
    let mut out = BufWriter::new(io::stdout().lock());
    let done = example(A::parse(), &mut out).and_then(|()| Ok(out.flush()?));
    let Err(error) = done else { return ExitCode::SUCCESS };
    let io_error = error.downcast_ref().map(io::Error::kind);
    if io_error == Some(ErrorKind::BrokenPipe) {
        // The reader has closed the pipe, as `head` does.
        return ExitCode::SUCCESS;
    }
    let _ = out.flush();
    // One line, even if a library's message has several.
    let text = error.to_string().lines().map(str::trim).collect::<Vec<_>>().join("; ");
    let _ = writeln!(io::stderr(), "error: {text}");
    ExitCode::FAILURE
}

/// Sends the library's warnings to standard error.
pub fn warnings_to_standard_error() {
    let warnings = tracing_subscriber::fmt().with_max_level(LevelFilter::WARN);
    warnings.with_writer(io::stderr).with_target(false).without_time().init();
}
