//! Euclidean distances of all pairs of points, by several machines into one file.
//!
//! Rank 0 reads the points and sends them to the others. Then each rank computes some rows of the triangle on its device, and
//! writes them to their places in the file. Without `mpirun` there is one rank, which computes everything.

mod common;

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use td_kernel::{ErrorKind, td_kernel};
use td_kernel_cluster::{Cluster, Error};
use td_kernel_examples::{DeviceChoice, Frame, TableOptions, count_in};

use crate::common::Result;

/// The distance of two points, as in the example `edm`.
#[td_kernel(map = "ltm", prelude = include_str!("../../../examples/distance.cuh"))]
unsafe fn edm(
    #[each] p: &[[f32; 4]],
    #[each] low: &[[f32; 4]],
    unit: f32,
    length: &mut Packed<f32>,
) {
    r#" length = distance(p.i, low.i, p.j, low.j, unit, false); "#
}

/// Computes the Euclidean distance of every pair of points of one to four coordinates, on all machines that mpirun has started
/// it on, into one file: mpirun -n 8 --hostfile hosts edm-cluster --input points.csv --output /shared/distances.npy
#[derive(Debug, Parser)]
#[command(name = "edm-cluster", version)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// Write the distances to this file, in NumPy's format, as 32-bit floats in packed order; all ranks must see it under this
    /// name
    #[arg(long, value_name = "FILE.npy")]
    output: PathBuf,
    /// Resume an interrupted job: compute only what FILE.npy.part lacks according to FILE.npy.part.journal. The number of ranks
    /// may differ. Without such a job, compute everything
    #[arg(long)]
    resume: bool,
    /// Use at most this many bytes of each device's memory, and of the host's for each rank, for the values. By default, the
    /// ranks of a machine share its free memory
    #[arg(long, value_name = "BYTES", value_parser = count_in(1..))]
    memory: Option<usize>,
    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    device: DeviceChoice,
}

fn main() -> ExitCode {
    common::run(run)
}

fn run(cluster: &Cluster, arguments: &Arguments) -> Result<Option<String>> {
    // Only rank 0 reads.
    let table = if cluster.is_first() { Some(arguments.table.rows(4, 4)?) } else { None };
    let (values, width) = common::broadcast(cluster, table.as_ref())?;

    let device = common::device(cluster, arguments.device)?;
    let mut report = common::report(cluster, &device)?;
    let start = Instant::now();
    let frame = Frame::of(&values, width, &[])?;
    let kernel = edm::load(&device)?;
    let [points, low] = frame.points(&values);
    let (points, low) = (device.upload(&points)?, device.upload(&low)?);
    let mut chunks = kernel.chunks(&points, &low, frame.unit)?;
    if let Some(bytes) = arguments.memory {
        chunks = chunks.memory(bytes).host_memory(bytes);
    }
    let file = chunks.npy_file(&arguments.output, &values)?;
    let file = file.resume(arguments.resume).replace(arguments.table.force);
    let written = cluster.write_npy(file, chunks, |done, of| show(start, done, of));
    let written = written.map_err(|error| with_options(error, arguments))?;

    let Some(table) = table else { return Ok(None) };
    writeln!(report, "points: {} ({})", points.len(), table.origin)?;
    writeln!(report, "pairs: {}", written.before + written.values)?;
    if written.before > 0 {
        writeln!(report, "written before: {}", written.before)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = (written.values * size_of::<f32>()) as f64 / seconds / 1e9;
    writeln!(report, "written now: {}, in {seconds:.3} s, {rate:.3} GB/s", written.values)?;
    Ok(Some(report))
}

/// Shows the progress if standard error is a terminal, which it is not for `mpirun`. The last call clears the line.
fn show(start: Instant, done: usize, of: usize) {
    let mut stderr = io::stderr().lock();
    if stderr.is_terminal() {
        let share = done.max(1) as f64 / of as f64;
        let left = start.elapsed().as_secs_f64() * (1.0 / share - 1.0);
        let text = format!("writing distances: {:.0} %, {left:.0} s left", 100.0 * share);
        // Blanks cover the text before it. If this cannot be written, nothing is lost.
        let _ = write!(stderr, "\r{:50}\r", if done < of { &text } else { "" });
        let _ = stderr.flush();
    }
}

/// The error, with the names of the options that fix it.
fn with_options(error: Error, arguments: &Arguments) -> Box<dyn std::error::Error + Send + Sync> {
    let options = match &error {
        Error::Memory(_) => "--memory sets both limits",
        Error::Kernel(error) if error.kind() == ErrorKind::Exists => {
            "--force without --resume replaces the existing files; --resume continues an interrupted job"
        }
        Error::Kernel(error)
            if arguments.memory.is_some() && error.kind() == ErrorKind::Arguments =>
        {
            "--memory sets both `memory` and `host_memory`"
        }
        _ => return error.into(),
    };
    format!("{error} ({options})").into()
}
