//! Distances of all pairs of points, in a space of up to four dimensions or on the Earth: one value for each pair.
//! Example: `cargo run --release --example edm -- --output distances.npy`

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use td_kernel::{Device, td_kernel};
use td_kernel_examples::{
    DeviceChoice, Frame, Layout, Output, Result, Table, TableOptions, Values, count_in, split,
    write_chunks,
};

/// The distance of two points. This becomes a kernel over all pairs i > j; `length` is the pair's slot in a triangle. Each
/// coordinate is two floats, `p + low`; `unit` undoes the scaling of a `Frame`, or is the radius of a sphere.
#[td_kernel(map = "ltm", prelude = include_str!("distance.cuh"))]
unsafe fn edm(
    #[each] p: &[[f32; 4]],
    #[each] low: &[[f32; 4]],
    unit: f32,
    is_sphere: u32,
    length: &mut Packed<f32>,
) {
    r#" length = distance(p.i, low.i, p.j, low.j, unit, is_sphere); "#
}

/// The same for whole rows of a square: all pairs of two sets, which here are the same points.
#[td_kernel(prelude = include_str!("distance.cuh"))]
unsafe fn edm_square(
    #[row] p: &[[f32; 4]],
    #[row] p_low: &[[f32; 4]],
    #[column] q: &[[f32; 4]],
    #[column] q_low: &[[f32; 4]],
    unit: f32,
    is_sphere: u32,
    length: &mut Matrix<f32>,
) {
    r#" length = distance(p, p_low, q, q_low, unit, is_sphere); "#
}

/// Computes the distance of every pair of points
///
/// Points are the rows of a table, with one to four coordinates: the distances are Euclidean, in the unit of the table. With
/// --sphere, points are latitudes and longitudes. The nearest pair, the farthest pair and the mean are printed; all distances go
/// to --output. i and j count rows from 0, below the header and without rows that were left out.
#[derive(Args)]
#[command(after_help = "Examples:
  edm --input points.csv
  edm --input points.csv --columns x,y --output distances.npy --layout square
  edm --input cities.csv --columns lat,lon --sphere")]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// Take latitudes and longitudes in degrees, and compute great-circle distances in kilometres, on a sphere with the Earth's
    /// mean radius of 6371.0088 km. Their error is at most a millionth of them, and 0.1 mm. The columns may have any order if
    /// they are called lat and lon; otherwise the latitude is first
    #[arg(long, requires = "input")]
    sphere: bool,
    /// Write the distances to this file, in NumPy's format, as 32-bit floats
    #[arg(long, value_name = "FILE.npy")]
    output: Option<PathBuf>,
    /// How the distances are laid out in the output
    #[arg(long, value_enum, default_value_t, requires = "output")]
    layout: Layout,
    /// Keep at most this many bytes of distances in memory [default: a part of what is free]
    #[arg(long, value_name = "BYTES", value_parser = count_in(1..))]
    memory: Option<usize>,
    /// Resume an interrupted run that had this option
    #[arg(long, requires = "output", conflicts_with = "plot")]
    resume: bool,
    /// Draw the distances as a square of colours
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let picture = Output::maybe(&arguments.plot, arguments.table.force)?;
    let table = arguments.table.rows(if arguments.sphere { 2 } else { 4 }, 4)?;
    let angles = angles(&table);
    let (points, unit) = match arguments.sphere {
        true => (on_sphere(&table, angles, arguments.table.columns.is_some())?, RADIUS as f32),
        false => {
            let frame = Frame::of(&table.values, table.width(), &[])?;
            (frame.points(&table.values), frame.unit)
        }
    };
    let (n, start) = (points[0].len(), Instant::now());
    let pairs = n * n.saturating_sub(1) / 2;

    let device = device.open()?;
    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "points: {n} ({})", table.origin)?;
    writeln!(out, "pairs: {pairs}")?;
    if arguments.sphere {
        writeln!(out, "unit: kilometres along great circles of a sphere of {RADIUS} km")?;
    } else if let [Some(latitude), Some(longitude)] = angles.map(|at| Some(&table.names[at?])) {
        let text = "are angles, and not the coordinates of a plane: with --sphere, distances are in kilometres";
        writeln!(out, "note: {latitude} and {longitude} {text}")?;
    }
    let reversed = arguments.layout == Layout::Condensed;
    let mut values = Values::new(n, 1, reversed, picture);
    in_chunks(&arguments, &device, points, unit, &mut values)?;
    for (name, pair) in [("nearest", &values.least), ("farthest", &values.greatest)] {
        for (distance, i, j) in pair {
            writeln!(out, "{name}: {distance:?} (i = {i}, j = {j})")?;
        }
    }
    writeln!(out, "mean distance: {:?}", values.mean())?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = pairs as f64 / seconds;
    writeln!(out, "time, with the output: {seconds:.3} s, {rate:.3e} pairs/s")?;
    let kind = if arguments.sphere { "Great-circle" } else { "Euclidean" };
    let title = format!("{kind} distance of {n} points");
    values.picture.map_or(Ok(()), |picture| picture.draw(&title, "points", 0.0))
}

/// The Earth's mean radius in kilometres.
const RADIUS: f64 = 6371.0088;

/// The columns with the latitude and the longitude, by their names.
fn angles(table: &Table) -> [Option<usize>; 2] {
    [&["latitude", "lat"][..], &["longitude", "lon", "lng", "long"]].map(|known| {
        let is_angle = |word: &str| known.contains(&word) || word.ends_with(known[0]);
        let has_angle =
            |name: &String| name.to_lowercase().split(|c: char| !c.is_alphabetic()).any(is_angle);
        table.names.iter().position(has_angle)
    })
}

/// Points in two parts: rounded numbers and their rounding errors.
type Points = [Vec<[f32; 4]>; 2];

/// The vectors of length 1 at latitudes and longitudes.
fn on_sphere(table: &Table, angles: [Option<usize>; 2], is_chosen: bool) -> Result<Points> {
    let is_unnamed = table.names.iter().all(|name| name.parse::<f64>().is_ok());
    let [latitude, longitude] = match angles {
        [Some(latitude), Some(longitude)] if latitude != longitude => [latitude, longitude],
        _ if table.width() == 2 && (is_chosen || is_unnamed) => [0, 1],
        _ => {
            let problem = "the names do not tell a latitude and a longitude, as lat or latitude, and lon, lng, long or longitude do: choose first the latitude, then the longitude with --columns";
            return Err(format!("{}: {problem}", table.origin).into());
        }
    };
    for (column, most, what) in [(latitude, 90.0, "latitude"), (longitude, 360.0, "longitude")] {
        if let Some(at) = table.rows().position(|row| row[column].abs() > most) {
            let value = table.values[at * table.width() + column];
            let problem = format!("{value} is not a {what} of -{most} to {most} degrees");
            return table.refused(at, &table.names[column], &problem);
        }
    }
    Ok(split(table.rows().map(|row| {
        // The cosine from the distance to the pole, which is 0 there.
        let radius = (90.0 - row[latitude].abs()).to_radians().sin();
        let (sin, cos) = row[longitude].rem_euclid(360.0).to_radians().sin_cos();
        [radius * cos, radius * sin, row[latitude].to_radians().sin(), 0.0]
    })))
}

/// Computes the distances in chunks of rows, which go to the output: they are never all in memory.
fn in_chunks(
    arguments: &Arguments,
    device: &Device,
    mut points: Points,
    unit: f32,
    values: &mut Values,
) -> Result<()> {
    if arguments.layout == Layout::Condensed {
        // The condensed form is the packed form of the points in reverse order, written backwards.
        points.iter_mut().for_each(|part| part.reverse());
    }
    let is_sphere = u32::from(arguments.sphere);
    let (p, low) = (device.upload(&points[0])?, device.upload(&points[1])?);
    let mut chunks = match arguments.layout {
        Layout::Packed => edm::load(device)?.chunks(&p, &low, unit, is_sphere)?,
        Layout::Condensed => edm::load(device)?.chunks(&p, &low, unit, is_sphere)?.condensed(),
        Layout::Square => edm_square::load(device)?.chunks(&p, &low, &p, &low, unit, is_sphere)?,
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
    let work = points.concat().into_iter().flatten().chain([unit, is_sphere as f32]);
    Ok(chunks.resume_npy(path, work.collect::<Vec<f32>>())?)
}
