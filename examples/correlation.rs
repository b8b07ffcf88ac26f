//! How the density around a point depends on the distance, the pair correlation function g(r): the result is a histogram.
//!
//! ```sh
//! cargo run --release --example correlation -- --random 30000 --box 1 --bins 100 --max 0.5 --output counts.csv --plot g.svg
//! ```

use std::f64::consts::PI;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use plotters::prelude::*;
use td_kernel::td_kernel;
use td_kernel_examples::{DeviceChoice, Output, Result, Table, TableOptions, count_in, timed};
use td_kernel_examples_files::{Atoms, atoms, cell, input_of_atoms};

/// Counts the distances of all pairs in bins of equal widths up to `most`. Coordinates are in units of the box's sides. If it is
/// periodic, `period` is 1 and the nearest images count; otherwise it is 0.
#[td_kernel]
unsafe fn distances(
    #[each] p: &[[f32; 3]],
    sides: [f32; 3],
    period: f32,
    most: f32,
    h: &mut Histogram<u64>,
) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    x = sides.x * (x - period * rintf(x));
    y = sides.y * (y - period * rintf(y));
    z = sides.z * (z - period * rintf(z));
    h.add(h.linear(sqrtf(fmaf(z, z, fmaf(y, y, x * x))), 0, most));
    "#
}

/// Computes the pair correlation function of points in space: those of a table, or the atoms of a PDB or mmCIF file [default:
/// the protein 1A8O]. In a bin, g is the number of pairs over that of as many points without correlation
#[derive(Parser)]
#[command(allow_negative_numbers = true, mut_arg("input", input_of_atoms))]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// The sides of a periodic box, in the unit of the points: one number, or three [default: not periodic, with the density in
    /// the points' bounding box]
    #[arg(long = "box", value_name = "L,…", value_delimiter = ',', value_parser = positive)]
    sides: Vec<f64>,
    /// Take the periodic box from the input's cell: the CRYST1 record of a PDB file, or _cell of an mmCIF file. The copies of a
    /// space group are left out
    #[arg(long, conflicts_with_all = ["sides", "random"])]
    periodic: bool,
    /// The number of bins
    #[arg(long, default_value_t = 100, value_parser = count_in(1..=1_000_000))]
    bins: usize,
    /// The end of the last bin [default: half the shortest side]
    #[arg(long, value_parser = positive)]
    max: Option<f64>,
    /// Write the bins to this table: from, to, count, g
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Draw g
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    device: DeviceChoice,
}

/// The option of a length.
fn positive(text: &str) -> Result<f64> {
    let number = text.parse().ok().filter(|number| (1e-30..1e30).contains(number));
    number.ok_or_else(|| "write a positive number".into())
}

/// A bin: its begin, its end, its pairs, and g.
type Bin = (f64, f64, u64, f64);

fn main() -> ExitCode {
    td_kernel_examples::start(run)
}

fn run(arguments: Arguments, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.table.force)?;
    let picture = Output::maybe(&arguments.plot, arguments.table.force)?;
    let table = points(&arguments.table)?;
    let points = table.values.as_chunks::<3>().0;
    let given = match arguments.periodic {
        true => cell(arguments.table.input.as_deref())?.to_vec(),
        false => arguments.sides,
    };
    let (origin, sides) = bounds(points, &given)?;
    let half = sides.iter().copied().fold(f64::INFINITY, f64::min) / 2.0;
    let most = arguments.max.unwrap_or(half);
    let is_periodic = !given.is_empty();
    if is_periodic && most > half {
        return Err(format!("--max {most} is more than half of the shortest side of the box, so several images of a point would count: write at most {half}").into());
    }
    // The place in the box, from double precision: it is exact to a ten-millionth of a side.
    let place = |point: &[f64; 3], axis: usize| {
        let place = (point[axis] - origin[axis]) / sides[axis];
        (if is_periodic { place - place.floor() } else { place }) as f32
    };
    let places = points.iter().map(|point| [0, 1, 2].map(|axis| place(point, axis)));

    let (device, n) = (arguments.device.open()?, points.len());
    let on_device = device.upload(&places.collect::<Vec<_>>())?;
    let kernel = distances::load(&device)?;
    let mut histogram = device.histogram(arguments.bins)?;
    let period = if is_periodic { 1.0 } else { 0.0 };
    let [x, y, z] = sides.map(|side| side as f32);
    let time = timed(&device, &kernel, n, || {
        histogram.clear()?; // `timed` may launch twice
        kernel.launch(&on_device, [x, y, z], period, most as f32, &mut histogram)
    })?;
    let (histogram, pairs) = (histogram.download()?, n * (n - 1) / 2);
    let density = pairs as f64 / sides.iter().product::<f64>();
    let with_g = |(from, to, count): (f64, f64, u64)| {
        let shell = 4.0 / 3.0 * PI * (to.powi(3) - from.powi(3));
        (from, to, count, count as f64 / (density * shell))
    };
    let bins: Vec<Bin> = histogram.linear(0.0, most).map(with_g).collect();

    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "points: {n} ({})", table.origin)?;
    let kind = if is_periodic { "periodic" } else { "bounding" };
    writeln!(out, "{kind} box: {x} x {y} x {z}")?;
    writeln!(
        out,
        "pairs within {}: {} of {pairs}",
        most as f32,
        pairs as u64 - histogram.outside()
    )?;
    if let Some((from, to, _, g)) = bins.iter().max_by(|a, b| a.3.total_cmp(&b.3)) {
        writeln!(out, "largest g: {g:.3} from {from:.4} to {to:.4}")?;
    }
    let seconds = time.as_secs_f64();
    writeln!(out, "kernel: {:.3} ms, {:.3e} pairs/s", seconds * 1e3, pairs as f64 / seconds)?;
    if let Some(file) = output {
        let row = |(from, to, count, g): &Bin| {
            [from.to_string(), to.to_string(), count.to_string(), g.to_string()]
        };
        file.csv(["from", "to", "count", "g"], bins.iter().map(row))?;
    }
    picture.map_or(Ok(()), |file| draw(file, &bins, most))
}

/// The origin and the sides of the box: the given sides, or those of the bounding box.
fn bounds(points: &[[f64; 3]], given: &[f64]) -> Result<([f64; 3], [f64; 3])> {
    let ends = |axis: usize| {
        let all = points.iter().map(|point| point[axis]);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], at| [a.min(at), b.max(at)])
    };
    match *given {
        [] => {
            let ends = [0, 1, 2].map(ends);
            let sides = ends.map(|[begin, end]| end - begin);
            if sides.contains(&0.0) {
                return Err("the points are in a plane, without a density: write --box".into());
            }
            Ok((ends.map(|[begin, _]| begin), sides))
        }
        [side] => Ok(([0.0; 3], [side; 3])),
        [x, y, z] => Ok(([0.0; 3], [x, y, z])),
        _ => Err("--box has one side or three: write --box 10 or --box 10,10,20".into()),
    }
}

/// Draws g.
fn draw(file: Output, bins: &[Bin], most: f64) -> Result<()> {
    let top = 1.1 * bins.iter().map(|bin| bin.3).fold(1.0, f64::max);
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, (900, 500)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .x_label_area_size(45)
        .y_label_area_size(55)
        .build_cartesian_2d(0.0..most, 0.0..top)?;
    let font = ("sans-serif", 18);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("r")
        .y_desc("g")
        .label_style(font)
        .draw()?;
    let steps = bins.iter().flat_map(|(from, to, _, g)| [(*from, *g), (*to, *g)]);
    let even = PathElement::new(vec![(0.0, 1.0), (most, 1.0)], BLACK.mix(0.4));
    chart.draw_series([even, PathElement::new(steps.collect::<Vec<_>>(), BLUE.to_rgba())])?;
    root.present()?;
    drop((chart, root));
    file.file().write_all(svg.as_bytes())?;
    file.finish()
}

/// The rows x, y, z of all points.
fn points(options: &TableOptions) -> Result<Table> {
    let is_table = |path: &Path| path.extension().is_some_and(|it| it == "csv" || it == "tsv");
    let table = if options.random.is_none() && !options.input.as_deref().is_some_and(is_table) {
        let Atoms { all, origin } = atoms(options.input.as_deref(), &[])?;
        let names = ["x", "y", "z"].map(String::from).to_vec();
        Table { values: all.iter().flat_map(|atom| atom.position).collect(), names, origin }
    } else {
        TableOptions { save_input: None, ..options.clone() }.rows(3, 3)?
    };
    match table.width() {
        3 => options.saved(table),
        _ => Err(format!(
            "{}: three columns are needed, x, y and z: choose with --columns",
            table.origin
        )
        .into()),
    }
}
