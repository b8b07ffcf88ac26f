//! How the density around a point depends on the distance, the pair correlation function g(r): the result is a histogram.
//! Example: `cargo run --release --example correlation -- --random 30000 --box 1 --bins 100 --max 0.5 --output counts.csv --plot g.svg`

use std::f64::consts::PI;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use plotters::prelude::*;
use td_kernel::{Histogram, td_kernel};
use td_kernel_examples::{
    DeviceChoice, Output, Result, Table, TableOptions, count_in, number_in, rate, timed,
};
use td_kernel_examples_files::{atoms, input_of_atoms};

/// Counts the distances of pairs up to `most` in bins with these begins, in double precision. Tiles of points that are farther
/// apart in the cell are skipped.
#[td_kernel(prelude = include_str!("correlation.cuh"))]
unsafe fn distances(
    #[each] p: &[[f64; 3]],
    edges: [f64; 3],
    most: f64,
    begins: &[f64],
    h: &mut Histogram<u64>,
) {
    let pair = r#"
    double r = distance(p.i, p.j, edges);
    if (r <= most) h.add(bin_of(r, most, begins, h.bins));
    "#;
    let lower_bound = r#" periodic_distance(p.i, p.j, edges.x, edges.y, edges.z) - most "#;
}

/// The same with weights: a bin is the sum of the products of both weights.
#[td_kernel(prelude = include_str!("correlation.cuh"))]
unsafe fn weighted_distances(
    #[each] p: &[[f64; 3]],
    #[each] weight: &[f64],
    edges: [f64; 3],
    most: f64,
    begins: &[f64],
    h: &mut Histogram<f64>,
) {
    let pair = r#"
    double r = distance(p.i, p.j, edges);
    if (r <= most) h.add(bin_of(r, most, begins, h.bins), weight.i * weight.j);
    "#;
    let lower_bound = r#" periodic_distance(p.i, p.j, edges.x, edges.y, edges.z) - most "#;
}

/// Computes the pair correlation function g(r) of points: those of a table with one to three coordinates, or the atoms of a PDB or
/// mmCIF file, in ångström
///
/// g is the number of pairs at a distance, over that of as many points without correlation at the same density. Prints the pairs up
/// to the end of the last bin, and the largest g. Lengths are in the unit of the points. A bin includes its begin and not its end;
/// the last one includes its end.
#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    mut_arg("input", input_of_atoms),
    after_help = "Example: correlation --input points.csv --columns x,y,z --box 10 --max 2 --bins 50 --output g.csv"
)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// The sides of a periodic box: one number, or one for each coordinate [default: not periodic, with the density in the points'
    /// bounding box]
    #[arg(long = "box", value_name = "L,…", value_delimiter = ',', value_parser = number_in(1e-30..1e30))]
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
    /// The end of the last bin [default: half the shortest side]. Pairs farther apart take no time
    #[arg(long, value_parser = number_in(1e-30..1e30))]
    max: Option<f64>,
    /// Write the bins to this table: from, to, count, g. With --weights, count is the weight of the pairs
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Draw g
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// A bin: its begin, its end, its pairs or their weight, and g.
type Bin = [f64; 4];

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.table.force)?;
    let picture = Output::maybe(&arguments.plot, arguments.table.force)?;
    let (table, cell) = points(&arguments)?;
    // In a plane or on a line, other coordinates are zero.
    let dimensions = table.width() - usize::from(arguments.weights.is_some());
    let point = |row: &[f64]| [0, 1, 2].map(|axis| if axis < dimensions { row[axis] } else { 0.0 });
    let mut points: Vec<[f64; 3]> = table.rows().map(point).collect();
    let weights: Vec<f64> = table.rows().filter_map(|row| row.get(dimensions).copied()).collect();
    let given = cell.map_or(arguments.sides, |edges| edges.to_vec());
    let is_periodic = !given.is_empty();
    let sides = sides(&points, &table.names[..dimensions], &given)?;
    let half = sides.iter().copied().fold(f64::INFINITY, f64::min) / 2.0;
    let most = arguments.max.unwrap_or(half);
    if is_periodic && most > half {
        return Err(format!("--max {most} is more than half of the shortest side of the box, so several images of a point would count: write at most {half}").into());
    }
    let mut edges = [f64::INFINITY; 3];
    if is_periodic {
        edges[..dimensions].copy_from_slice(&sides);
        // Near tiles are small if all points are in one cell. Those that are in it keep their digits.
        for (at, edge) in points.iter_mut().flat_map(|point| point.iter_mut().zip(edges)) {
            *at = if edge.is_finite() { at.rem_euclid(edge) } else { *at };
        }
    }
    let begin = |bin: usize| most * bin as f64 / arguments.bins as f64;
    let begins: Vec<f64> = (0..arguments.bins).map(begin).collect();

    let (device, n) = (device.open()?, points.len());
    let (points, begins) = (device.upload(&points)?, device.upload(&begins)?);
    let pairs = n * (n - 1) / 2;
    // The pairs of all distances or their weight, and those of each bin.
    let (what, all, counts, time) = if weights.is_empty() {
        let (kernel, mut h) = (distances::load(&device)?, device.histogram(arguments.bins)?);
        kernel.prepare(n)?;
        let launch = |h: &mut _| kernel.launch(&points, edges, most, &begins, h);
        let time = timed(&device, (&kernel, n), &mut h, Histogram::clear, launch)?;
        let counts = h.download()?.into_vec().into_iter().map(|count| count as f64);
        ("pairs", pairs as f64, counts.collect(), time)
    } else {
        let (kernel, mut h) =
            (weighted_distances::load(&device)?, device.histogram(arguments.bins)?);
        kernel.prepare(n)?;
        let on_each = device.upload(&weights)?;
        let launch = |h: &mut _| kernel.launch(&points, &on_each, edges, most, &begins, h);
        let time = timed(&device, (&kernel, n), &mut h, Histogram::clear, launch)?;
        let add = |(pairs, sum), weight| (pairs + weight * sum, sum + weight);
        let (all, _) = weights.iter().fold((0.0, 0.0), add);
        ("weight of pairs", all, h.download()?.into_vec(), time)
    };
    let density = all / sides.iter().product::<f64>();
    // The length, the area or the volume around a point.
    let ball = |r: f64| [2.0 * r, PI * r * r, 4.0 / 3.0 * PI * r.powi(3)][dimensions - 1];
    let with_g = |(bin, count): (usize, f64)| {
        let (from, to) = (begin(bin), begin(bin + 1));
        [from, to, count, count / (density * (ball(to) - ball(from)))]
    };
    let bins: Vec<Bin> = counts.into_iter().enumerate().map(with_g).collect();

    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "points: {n} ({})", table.origin)?;
    let kind = if is_periodic { "periodic" } else { "bounding" };
    let shown: Vec<String> = sides.iter().map(|side| (*side as f32).to_string()).collect();
    writeln!(out, "{kind} box: {}", shown.join(" x "))?;
    let within: f64 = bins.iter().map(|bin| bin[2]).sum();
    writeln!(out, "{what} within {}: {within} of {all}", most as f32)?;
    if let Some([from, to, _, g]) = bins.iter().max_by(|a, b| a[3].total_cmp(&b[3])) {
        writeln!(out, "largest g: {g:.3} from {from:.4} to {to:.4}")?;
    }
    writeln!(out, "kernel: {}", rate(time, pairs))?;
    if let Some(file) = output {
        let row = |bin: &Bin| bin.map(|number| number.to_string());
        file.csv(["from", "to", "count", "g"], bins.iter().map(row))?;
    }
    picture.map_or(Ok(()), |file| draw(file, &bins, most))
}

/// The sides of the box, one for each name of a coordinate: those that are given, or those of the bounding box.
fn sides(points: &[[f64; 3]], names: &[String], given: &[f64]) -> Result<Vec<f64>> {
    if !given.is_empty() {
        let all = if given.len() == 1 { vec![given[0]; names.len()] } else { given.to_vec() };
        let error = || format!("--box has one side or {}, one for each coordinate", names.len());
        return if all.len() == names.len() { Ok(all) } else { Err(error().into()) };
    }
    let side = |(axis, name): (usize, &String)| {
        let all = points.iter().map(|point| point[axis]);
        let [begin, end] =
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], at| [a.min(at), b.max(at)]);
        let problem = "so their bounding box has no density: write --box";
        match end - begin {
            0.0 => Err(format!("all points have the same {name}, {problem}").into()),
            side => Ok(side),
        }
    };
    names.iter().enumerate().map(side).collect()
}

/// Draws g.
fn draw(file: Output, bins: &[Bin], most: f64) -> Result<()> {
    let top = 1.1 * bins.iter().map(|bin| bin[3]).fold(1.0, f64::max);
    file.svg((900, 500), |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(10)
            .x_label_area_size(45)
            .y_label_area_size(55)
            .build_cartesian_2d(0.0..most, 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).x_desc("r").y_desc("g");
        mesh.label_style(("sans-serif", 18)).draw()?;
        let steps = bins.iter().flat_map(|[from, to, _, g]| [(*from, *g), (*to, *g)]);
        let even = PathElement::new(vec![(0.0, 1.0), (most, 1.0)], BLACK.mix(0.4));
        chart.draw_series([even, PathElement::new(steps.collect::<Vec<_>>(), BLUE.to_rgba())])?;
        Ok(String::new())
    })
}

/// The rows x, y, z of all points, and the column with their weights; if `periodic`, also the edges of the cell.
fn points(arguments: &Arguments) -> Result<(Table, Option<[f64; 3]>)> {
    let Arguments { table: options, weights, periodic, .. } = arguments;
    let mut edges = None;
    let table = if options.random.is_none() && !options.has_table() {
        if weights.is_some() {
            return Err("--weights takes a column of a table: pass a .csv or .tsv file".into());
        }
        let atoms = atoms(options.input.as_deref())?;
        edges = periodic.then(|| atoms.edges()).transpose()?;
        let names = ["x", "y", "z"].map(String::from).to_vec();
        let values = atoms.all.iter().flat_map(|atom| atom.position).collect();
        Table { values, names, origin: atoms.origin, ..Table::default() }
    } else if *periodic {
        return Err("a table does not have a cell: write --box instead of --periodic".into());
    } else {
        let other = ("--weights", Vec::from_iter(weights.clone()));
        let table = TableOptions { other, save_input: None, ..options.clone() }.rows(3, 3)?;
        match weights {
            Some(column) => weighted(table, column)?,
            None => table,
        }
    };
    Ok((options.saved(table)?, edges))
}

/// The rows with their weights.
fn weighted(mut table: Table, column: &str) -> Result<Table> {
    let (mut values, mut positive) = (Vec::new(), 0);
    for (row, (point, cell)) in table.rows().zip(&table.cells).enumerate() {
        let weight = cell.parse().ok().filter(|weight| (0.0..1e30).contains(weight));
        let Some(weight) = weight else {
            let problem = format!("{cell:?} is not a weight: write a number of zero or more");
            return table.refused(row, column, &problem);
        };
        values.extend_from_slice(point);
        values.push(weight);
        positive += usize::from(weight > 0.0);
    }
    if positive < 2 {
        let problem = "at least two points need a weight above zero";
        return Err(format!("{}: --weights {column}: {problem}", table.origin).into());
    }
    table.values = values;
    table.names.push(column.to_owned());
    Ok(table)
}
