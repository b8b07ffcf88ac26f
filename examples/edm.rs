//! Euclidean distances of all pairs of points: one value for each pair.
//!
//! ```sh
//! cargo run --release --example edm -- --output distances.npy
//! ```

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use td_kernel::{Device, td_kernel};
use td_kernel_examples::{
    DeviceChoice, Frame, Layout, Output, Result, TableOptions, Values, count_in, write_chunks,
};

/// The distance of two points. This becomes a kernel over all pairs i > j; `distance` is the pair's slot in a triangle. Each
/// coordinate is two floats, `p + low`, so that close points far from zero keep their digits; `unit` undoes the scaling of a
/// `Frame`.
#[td_kernel(map = "ltm")]
unsafe fn edm(
    #[each] p: &[[f32; 4]],
    #[each] low: &[[f32; 4]],
    unit: f32,
    distance: &mut Packed<f32>,
) {
    r#"
    float dx = p.i.x - p.j.x + (low.i.x - low.j.x), dy = p.i.y - p.j.y + (low.i.y - low.j.y);
    float dz = p.i.z - p.j.z + (low.i.z - low.j.z), dw = p.i.w - p.j.w + (low.i.w - low.j.w);
    distance = unit * sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// The same for whole rows of a square: all pairs of two sets, which here are the same points.
#[td_kernel]
unsafe fn edm_square(
    #[row] p: &[[f32; 4]],
    #[row] p_low: &[[f32; 4]],
    #[column] q: &[[f32; 4]],
    #[column] q_low: &[[f32; 4]],
    unit: f32,
    distance: &mut Matrix<f32>,
) {
    r#"
    float dx = p.x - q.x + (p_low.x - q_low.x), dy = p.y - q.y + (p_low.y - q_low.y);
    float dz = p.z - q.z + (p_low.z - q_low.z), dw = p.w - q.w + (p_low.w - q_low.w);
    distance = unit * sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// Computes the Euclidean distance of every pair of points of one to four coordinates
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// Write the distances to this file, in NumPy's format, as 32-bit floats
    #[arg(long, value_name = "FILE.npy")]
    output: Option<PathBuf>,
    /// How the distances are laid out in the output
    #[arg(long, value_enum, default_value_t, requires = "output")]
    layout: Layout,
    /// Keep at most this many bytes of distances in memory
    #[arg(long, value_name = "BYTES", value_parser = count_in(1..))]
    memory: Option<usize>,
    /// Resume an interrupted run that had this option
    #[arg(long, requires = "output", conflicts_with = "plot")]
    resume: bool,
    /// Draw the distances as a square of colours
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    device: DeviceChoice,
}

fn main() -> ExitCode {
    td_kernel_examples::start(run)
}

fn run(arguments: Arguments, out: &mut dyn Write) -> Result<()> {
    let picture = Output::maybe(&arguments.plot, arguments.table.force)?;
    let table = arguments.table.rows(4, 4)?;
    let frame = Frame::of(&table.values, table.width(), &[])?;
    let points = frame.points(&table.values);
    let (n, start) = (points[0].len(), Instant::now());

    let device = arguments.device.open()?;
    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "points: {n} ({})", table.origin)?;
    writeln!(out, "pairs: {}", n * n.saturating_sub(1) / 2)?;
    let reversed = arguments.layout == Layout::Condensed;
    let mut values = Values::new(n, 1, reversed, picture.is_some());
    in_chunks(&arguments, &device, points, frame.unit, &mut values)?;
    for (name, pair) in [("nearest", &values.least), ("farthest", &values.greatest)] {
        for (distance, i, j) in pair {
            writeln!(out, "{name}: {distance:?} (i = {i}, j = {j})")?;
        }
    }
    writeln!(out, "mean distance: {:?}", values.mean())?;
    writeln!(out, "time, with the output: {:.3} s", start.elapsed().as_secs_f64())?;
    if let Some((file, heatmap)) = picture.zip(values.picture) {
        let title = format!("Euclidean distance of {n} points");
        heatmap.draw(file, &title, "points", 0.0)?;
    }
    Ok(())
}

/// Computes the distances in chunks of rows, which go to the output: they are never all in memory.
fn in_chunks(
    arguments: &Arguments,
    device: &Device,
    mut points: [Vec<[f32; 4]>; 2],
    unit: f32,
    values: &mut Values,
) -> Result<()> {
    if arguments.layout == Layout::Condensed {
        // The condensed form is the packed form of the points in reverse order, written backwards.
        points.iter_mut().for_each(|part| part.reverse());
    }
    let (p, low) = (device.upload(&points[0])?, device.upload(&points[1])?);
    let mut chunks = match arguments.layout {
        Layout::Packed => edm::load(device)?.chunks(&p, &low, unit)?,
        Layout::Condensed => edm::load(device)?.chunks(&p, &low, unit)?.condensed(),
        Layout::Square => edm_square::load(device)?.chunks(&p, &low, &p, &low, unit)?,
    };
    if let Some(bytes) = arguments.memory {
        chunks = chunks.memory(bytes).host_memory(bytes);
    }
    let chunks = values.watch(chunks, "edm");
    let Some(path) = arguments.output.as_ref().filter(|_| arguments.resume) else {
        return write_chunks(chunks, Output::maybe(&arguments.output, arguments.table.force)?);
    };
    let journal = PathBuf::from(format!("{}.part.journal", path.display()));
    Output::check(path, arguments.table.force || journal.exists())?;
    // An interrupted run is only resumed with the same points.
    let work = points.concat().into_iter().flatten().chain([unit]);
    Ok(chunks.resume_npy(path, work.collect::<Vec<f32>>())?)
}
