//! Compares the rows of a table, with any number of features: a value for each pair, folded over the features.
//! Example: `cargo run --release --example similarity -- --metric correlation --plot iris.svg`

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use td_kernel::td_kernel;
use td_kernel_examples::{
    DeviceChoice, Frame, Layout, Output, Result, TableOptions, Values, write_chunks,
};
use td_kernel_examples_files::{input_of_rows, rows, unit_rows, write_square};

/// The Euclidean distance, or for rows of length 1 the cosine of the angle between them. This becomes a kernel over all pairs of
/// rows i > j, which runs `feature` for each feature of both rows, and then `pair` once. `sum` starts at zero for each pair.
/// Features are scaled by a `Frame`; `unit` undoes the scaling. A row without a direction is NaN, and so are its cosines.
#[td_kernel(prelude = include_str!("similarity.cuh"))]
unsafe fn euclidean(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    unit: f32,
    is_cosine: u32,
    value: &mut Packed<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" value = value_of(sum, unit, is_cosine); "#;
}

/// The same, with squares of distances off by at most 0.0002 of themselves, or as much as in `euclidean`: `quick` takes the product
/// of both rows from tensor cores, where the GPU has them, and leaves near rows, whose squares cancel, to `feature` and `pair`.
/// `norm` is the square of a row's length.
#[td_kernel(prelude = include_str!("similarity.cuh"))]
unsafe fn quick_euclidean(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    #[dot] dot: f32,
    #[fold] sum: f32,
    unit: f32,
    is_cosine: u32,
    value: &mut Packed<f32>,
) {
    let quick = r#"
    float square = fmaf(-2.0f, dot, norm.i + norm.j);
    if (2.05f * dot_error > 1.9e-4f * square) exact();
    value = value_of(square, unit, is_cosine);
    "#;
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" value = value_of(sum, unit, is_cosine); "#;
}

/// The sum of absolute differences.
#[td_kernel]
unsafe fn manhattan(#[each] p: &Features<f32>, #[fold] sum: f32, unit: f32, d: &mut Packed<f32>) {
    let feature = r#" sum += fabsf(p.i - p.j); "#;
    let pair = r#" d = unit * sum; "#;
}

/// The share of features that differ; `features` is their number.
#[td_kernel]
unsafe fn hamming(#[each] p: &Features<f64>, #[fold] different: u32, share: &mut Packed<f32>) {
    let feature = r#" different += p.i != p.j; "#;
    let pair = r#" share = (float)different / (float)features; "#;
}

/// Compares every row of a table (.csv) or of an array (.npy) with every other, by any number of features
///
/// Prints the five pairs that are most alike, and the mean of all pairs. Rows count from 0. Distances are in the unit of the features.
/// The values of all pairs go to --output, and are never all in memory.
#[derive(Args)]
#[command(
    mut_arg("input", input_of_rows),
    after_help = "Example: similarity --input genes.csv --metric correlation --output values.npy --layout square"
)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// How rows are compared
    #[arg(long, value_enum, default_value_t)]
    metric: Metric,
    /// Fold the features of every pair, without tensor cores
    #[arg(long)]
    exact: bool,
    /// Write the values of all pairs to this file, in NumPy's format, as 32-bit floats
    #[arg(long, value_name = "FILE.npy")]
    output: Option<PathBuf>,
    /// The layout of the output
    #[arg(long, value_enum, default_value_t, requires = "output")]
    layout: Layout,
    /// Draw the values as a square of colours
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Metric {
    /// The root of the sum of squared differences
    #[default]
    Euclidean,
    /// The sum of absolute differences
    Manhattan,
    /// The cosine of the angle between two rows; a row of zeros has none
    Cosine,
    /// Pearson's correlation: the cosine of two rows minus their means
    Correlation,
    /// The share of features that differ
    Hamming,
}

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.table.force)?;
    let picture = Output::maybe(&arguments.plot, arguments.table.force)?;
    let metric = arguments.metric;
    let table = rows(&arguments.table, 64, metric == Metric::Hamming)?;
    let (n, width) = (table.rows().len(), table.width());
    let is_similarity = matches!(metric, Metric::Cosine | Metric::Correlation);
    // Rows of length 1 for cosines; for correlations minus their means.
    let mut features =
        if is_similarity { unit_rows(&table, metric == Metric::Correlation) } else { table.values };
    let is_reversed = arguments.layout == Layout::Condensed;
    if is_reversed {
        // The condensed form is the packed form of the rows in reverse order, written backwards.
        features = features.chunks(width).rev().flatten().copied().collect();
    }
    let frame = Frame::of(&features, width, &[])?;

    let device = device.open()?;
    let rounded = frame.singles(&features);
    let p = device.features(&rounded, width)?;
    let square = |row: &[f32]| row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() as f32;
    let norms = device.upload(&rounded.chunks(width).map(square).collect::<Vec<_>>())?;
    let (unit, doubles) = (frame.unit, device.features(&features, width)?);
    let (is_cosine, start) = (u32::from(is_similarity), Instant::now());
    let chunks = match metric {
        Metric::Manhattan => manhattan::load(&device)?.chunks(&p, unit)?,
        Metric::Hamming => hamming::load(&device)?.chunks(&doubles)?,
        _ if arguments.exact => euclidean::load(&device)?.chunks(&p, unit, is_cosine)?,
        _ => quick_euclidean::load(&device)?.chunks(&p, &norms, unit, is_cosine)?,
    };
    let own = if is_similarity { 1.0 } else { 0.0 };
    let mut values = Values::new(n, 5, is_reversed, picture);
    let chunks = values.watch(chunks, "similarity");
    match (output, arguments.layout) {
        (Some(file), Layout::Square) => write_square(chunks, file, n, own)?,
        (file, Layout::Condensed) => write_chunks(chunks.condensed(), file)?,
        (file, _) => write_chunks(chunks, file)?,
    }
    let seconds = start.elapsed().as_secs_f64();

    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "rows: {n} of {width} features ({})", table.origin)?;
    if metric != Metric::Hamming {
        let text = "values that single precision makes equal to another of their column";
        writeln!(out, "{text}: {}", frame.merged)?;
    }
    let pairs = values.count + values.undefined;
    writeln!(out, "pairs: {pairs}")?;
    for (value, i, j) in if is_similarity { &values.greatest } else { &values.least } {
        writeln!(out, "most alike: {value:?} (i = {i}, j = {j})")?;
    }
    writeln!(out, "mean of all pairs: {:?}", values.mean())?;
    if values.undefined > 0 {
        writeln!(out, "undefined: {} pairs, with a row that has no direction", values.undefined)?;
    }
    let rate = pairs as f64 * width as f64 / seconds;
    writeln!(out, "time, with the output: {seconds:.3} s, {rate:.3e} features of pairs/s")?;
    let title = format!("{metric:?}, {n} rows of {width} features");
    values.picture.map_or(Ok(()), |picture| picture.draw(&title, "rows", own))
}
