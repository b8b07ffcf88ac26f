//! How the density around a point depends on the distance, the pair correlation function g(r): the result is a histogram.
//!
//! ```sh
//! cargo run --release --example correlation -- --random 30000 --box 1 --bins 100 --max 0.5 --output counts.csv --plot g.svg
//! ```

use std::f64::consts::PI;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use plotters::prelude::*;
use td_kernel::td_kernel;
use td_kernel_examples::{DeviceChoice, Output, Result, Table, TableOptions, count_in, timed};
use td_kernel_examples_files::{atoms, input_of_atoms};

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

/// The same with weights: a bin is the sum of the products of both weights.
#[td_kernel]
unsafe fn weighted_distances(
    #[each] p: &[[f32; 3]],
    #[each] weight: &[f64],
    sides: [f32; 3],
    period: f32,
    most: f32,
    h: &mut Histogram<f64>,
) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    x = sides.x * (x - period * rintf(x));
    y = sides.y * (y - period * rintf(y));
    z = sides.z * (z - period * rintf(z));
    h.add(h.linear(sqrtf(fmaf(z, z, fmaf(y, y, x * x))), 0, most), weight.i * weight.j);
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
    /// The column of the table with weights of zero or more, by number from 0 or by name. A pair then counts as the product of both
    /// weights
    #[arg(long, value_name = "COLUMN", requires = "input")]
    weights: Option<String>,
    /// The number of bins
    #[arg(long, default_value_t = 100, value_parser = count_in(1..=1_000_000))]
    bins: usize,
    /// The end of the last bin [default: half the shortest side]
    #[arg(long, value_parser = positive)]
    max: Option<f64>,
    /// Write the bins to this table: from, to, count, g. With --weights, count is the weight of the pairs
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

/// A bin: its begin, its end, its pairs or their weight, and g.
type Bin = (f64, f64, f64, f64);

fn main() -> ExitCode {
    td_kernel_examples::start(run)
}

fn run(arguments: Arguments, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.table.force)?;
    let picture = Output::maybe(&arguments.plot, arguments.table.force)?;
    let (table, edges) =
        points(&arguments.table, arguments.weights.as_deref(), arguments.periodic)?;
    let points: Vec<[f64; 3]> = table.rows().map(|row| [row[0], row[1], row[2]]).collect();
    let weights: Vec<f64> = table.rows().filter_map(|row| row.get(3).copied()).collect();
    let given = edges.map_or(arguments.sides, |edges| edges.to_vec());
    let (origin, sides) = bounds(&points, &given)?;
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
    let period = if is_periodic { 1.0 } else { 0.0 };
    let [x, y, z] = sides.map(|side| side as f32);
    let pairs = (n * (n - 1) / 2) as f64;
    // The pairs of all distances or their weight, and those of each bin.
    let (what, all, bins, time): (_, _, Vec<_>, _) = if weights.is_empty() {
        let kernel = distances::load(&device)?;
        let mut histogram = device.histogram(arguments.bins)?;
        let time = timed(&device, &kernel, n, || {
            histogram.clear()?; // `timed` may launch twice
            kernel.launch(&on_device, [x, y, z], period, most as f32, &mut histogram)
        })?;
        let bins = histogram.download()?;
        let bins = bins.linear(0.0, most).map(|(from, to, count)| (from, to, count as f64));
        ("pairs", pairs, bins.collect(), time)
    } else {
        let kernel = weighted_distances::load(&device)?;
        let mut histogram = device.histogram(arguments.bins)?;
        let on_each = device.upload(&weights)?;
        let time = timed(&device, &kernel, n, || {
            histogram.clear()?;
            kernel.launch(&on_device, &on_each, [x, y, z], period, most as f32, &mut histogram)
        })?;
        let add = |(pairs, sum), weight| (pairs + weight * sum, sum + weight);
        let (all, _) = weights.iter().fold((0.0, 0.0), add);
        ("weight of pairs", all, histogram.download()?.linear(0.0, most).collect(), time)
    };
    let density = all / sides.iter().product::<f64>();
    let with_g = |(from, to, count): (f64, f64, f64)| {
        let shell = 4.0 / 3.0 * PI * (to.powi(3) - from.powi(3));
        (from, to, count, count / (density * shell))
    };
    let bins: Vec<Bin> = bins.into_iter().map(with_g).collect();

    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "points: {n} ({})", table.origin)?;
    let kind = if is_periodic { "periodic" } else { "bounding" };
    writeln!(out, "{kind} box: {x} x {y} x {z}")?;
    let within: f64 = bins.iter().map(|bin| bin.2).sum();
    writeln!(out, "{what} within {}: {within} of {all}", most as f32)?;
    if let Some((from, to, _, g)) = bins.iter().max_by(|a, b| a.3.total_cmp(&b.3)) {
        writeln!(out, "largest g: {g:.3} from {from:.4} to {to:.4}")?;
    }
    let seconds = time.as_secs_f64();
    writeln!(out, "kernel: {:.3} ms, {:.3e} pairs/s", seconds * 1e3, pairs / seconds)?;
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
    file.file().write_all(svg.as_bytes()).map_err(|error| file.failed(error))?;
    file.finish()
}

/// The rows x, y, z of all points, and the column with their weights; if `periodic`, also the edges of the cell.
fn points(
    options: &TableOptions,
    weights: Option<&str>,
    periodic: bool,
) -> Result<(Table, Option<[f64; 3]>)> {
    let mut edges = None;
    let table = if options.random.is_none() && !options.has_table() {
        if weights.is_some() {
            return Err("--weights takes a column of a table: pass a .csv or .tsv file".into());
        }
        let atoms = atoms(options.input.as_deref())?;
        edges = periodic.then(|| atoms.edges()).transpose()?;
        let names = ["x", "y", "z"].map(String::from).to_vec();
        let values = atoms.all.iter().flat_map(|atom| atom.position).collect();
        Table { values, names, origin: atoms.origin }
    } else if periodic {
        return Err("a table does not have a cell: write --box instead of --periodic".into());
    } else {
        let other = weights.map(|column| ("--weights", column));
        let options = TableOptions { save_input: None, ..options.clone() };
        let (table, cells) = options.rows_and(other, 3, 3)?;
        match weights {
            Some(column) if table.width() == 3 => weighted(table, column, &cells)?,
            _ => table,
        }
    };
    if table.width() < 3 {
        let needed = "three columns are needed, x, y and z: choose with --columns";
        return Err(format!("{}: {needed}", table.origin).into());
    }
    Ok((options.saved(table)?, edges))
}

/// The rows with their weights.
fn weighted(mut table: Table, column: &str, cells: &[String]) -> Result<Table> {
    let error = |text: String| Err(format!("{}: --weights {column}: {text}", table.origin).into());
    let (mut values, mut positive) = (Vec::new(), 0);
    for (row, (point, cell)) in table.rows().zip(cells).enumerate() {
        let weight = cell.parse().ok().filter(|weight| (0.0..1e30).contains(weight));
        let Some(weight) = weight else {
            return error(format!("row {row} has {cell:?}: a weight is a number of zero or more"));
        };
        values.extend_from_slice(point);
        values.push(weight);
        positive += usize::from(weight > 0.0);
    }
    if positive < 2 {
        return error("at least two points need a weight above zero".into());
    }
    table.values = values;
    table.names.push(column.to_owned());
    Ok(table)
}
