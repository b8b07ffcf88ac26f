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
    DeviceChoice, Frame, Heatmap, Layout, Output, Result, TableOptions, count_in, progress_bar,
    timed,
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
    #[arg(long, value_name = "FILE.npy", conflicts_with = "plot")]
    output: Option<PathBuf>,
    /// How the distances are laid out in the output
    #[arg(long, value_enum, default_value_t, requires = "output")]
    layout: Layout,
    /// Keep at most this many bytes of distances in memory
    #[arg(long, value_name = "BYTES", value_parser = count_in(1..), conflicts_with = "plot")]
    memory: Option<usize>,
    /// Resume an interrupted run that had this option
    #[arg(long, requires = "output")]
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
    if arguments.output.is_none() && arguments.memory.is_none() {
        // All distances at once: upload, launch, download.
        let kernel = edm::load(&device)?;
        let (p, low) = (device.upload(&points[0])?, device.upload(&points[1])?);
        let mut distances = device.packed(n)?;
        let launch = || kernel.launch(&p, &low, frame.unit, &mut distances);
        let time = timed(&device, &kernel, n, launch)?.as_secs_f64();
        let distances = distances.download()?;

        let mut summary = Summary::default();
        distances.rows().for_each(|(i, row)| summary.add(i, row));
        summary.print(out)?;
        let bytes = size_of_val(distances.as_slice()) as f64;
        writeln!(out, "kernel: {:.3} ms, {:.3} GB/s written", time * 1e3, bytes / time / 1e9)?;
        if let Some(file) = picture {
            let title = format!("Euclidean distance of {n} points");
            Heatmap { title: &title, side: "points", values: &distances, own: 0.0 }.draw(file)?;
        }
        return Ok(());
    }
    in_chunks(&arguments, &device, points, frame.unit)?.print(out)?;
    Ok(writeln!(out, "time, with the output: {:.3} s", start.elapsed().as_secs_f64())?)
}

/// The same in chunks of rows, which go to the output: the distances are never all in memory.
fn in_chunks(
    arguments: &Arguments,
    device: &Device,
    mut points: [Vec<[f32; 4]>; 2],
    unit: f32,
) -> Result<Summary> {
    let mut summary = Summary::default();
    if arguments.layout == Layout::Condensed {
        // The condensed form is the packed form of the points in reverse order, written backwards.
        points.iter_mut().for_each(|part| part.reverse());
        summary.last = points[0].len().checked_sub(1);
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
    let bar = progress_bar("edm");
    let chunks = chunks.progress(|done| {
        bar.set_length(done.of as u64);
        bar.set_position(done.values as u64);
    });
    let chunks = chunks.inspect(|chunk| {
        chunk.each_row().for_each(|(i, row)| summary.add(i, &row[..i]));
        Ok(())
    });
    match &arguments.output {
        None => chunks.each(|_| Ok(()))?,
        Some(path) if arguments.resume => {
            let journal = PathBuf::from(format!("{}.part.journal", path.display()));
            Output::check(path, arguments.table.force || journal.exists())?;
            // An interrupted run is only resumed with the same points.
            let work = points.concat().into_iter().flatten().chain([unit]);
            chunks.resume_npy(path, work.collect::<Vec<f32>>())?;
        }
        Some(path) => {
            let file = Output::new(path, arguments.table.force)?;
            chunks.write_npy_to(file.file()).map_err(|error| match error.get_ref() {
                // It does not know the file's name.
                Some(reason) if reason.is::<std::io::Error>() => file.failed(error).into(),
                _ => Box::<dyn std::error::Error + Send + Sync>::from(error),
            })?;
            file.finish()?;
        }
    }
    Ok(summary)
}

/// The printed facts about the distances.
#[derive(Default)]
struct Summary {
    nearest: Option<(f32, [usize; 2])>,
    farthest: Option<(f32, [usize; 2])>,
    sum: f64,
    pairs: usize,
    /// The index of the last point, if points are in reverse order.
    last: Option<usize>,
}

impl Summary {
    /// Adds the distances from point i to earlier points.
    fn add(&mut self, i: usize, row: &[f32]) {
        for (j, &distance) in row.iter().enumerate() {
            if self.nearest.is_none_or(|(nearest, _)| distance < nearest) {
                self.nearest = Some((distance, [i, j]));
            }
            if self.farthest.is_none_or(|(farthest, _)| distance > farthest) {
                self.farthest = Some((distance, [i, j]));
            }
            self.sum += f64::from(distance);
        }
        self.pairs += row.len();
    }

    fn print(&self, out: &mut dyn Write) -> Result<()> {
        for (name, pair) in [("nearest", self.nearest), ("farthest", self.farthest)] {
            let Some((distance, [i, j])) = pair else { continue };
            let [i, j] = self.last.map_or([i, j], |last| [last - j, last - i]);
            writeln!(out, "{name}: {distance:?} (i = {i}, j = {j})")?;
        }
        Ok(writeln!(out, "mean distance: {:?}", (self.sum / self.pairs as f64) as f32)?)
    }
}
