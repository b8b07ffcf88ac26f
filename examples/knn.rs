//! The nearest neighbours of each row, with any number of features: the K smallest values of each element.
//! Example: `cargo run --release --example knn -- --k 5`

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use td_kernel::{Nearest, td_kernel};
use td_kernel_examples::{
    DeviceChoice, Frame, Output, Result, TableOptions, count_in, rate, timed,
};
use td_kernel_examples_files::{input_of_rows, rows, unit_rows};

/// The maximum number of neighbours of a `Nearest`.
const MOST: usize = 256;

/// Squared distances. This becomes a kernel over all pairs of rows, which runs `feature` for each feature of both rows, and then
/// `pair` once, which pushes the value to both rows. `lower_bound` is a lower bound of the value: the product of both rows is at
/// most `dot_upper`, from tensor cores. With it, most pairs are skipped. A row whose norm is NaN has no neighbours, because `pair`
/// adds 0 times the norms.
#[td_kernel]
unsafe fn squares(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(fmaf(0.0f, norm.i + norm.j, sum)); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) "#;
}

/// The same for rows of up to four columns, the others being 0. Here the bound is for two boxes of rows, and most boxes are farther
/// apart than the neighbours found so far: see the guide, "Only near pairs". With more columns, too few are.
#[td_kernel]
unsafe fn near_squares(#[each] p: &[[f32; 4]], #[each] near: &mut Nearest<f32>) {
    let pair = r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    near.push(fmaf(w, w, fmaf(z, z, fmaf(y, y, x * x))));
    "#;
    // Of x, y and z only, which is below that of all four.
    let lower_bound = r#" box_square(p.i, p.j) "#;
}

/// Sums of absolute differences.
#[td_kernel]
unsafe fn manhattan(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32>) {
    let feature = r#" sum += fabsf(p.i - p.j); "#;
    let pair = r#" near.push(sum); "#;
}

/// Finds the nearest neighbours of every row of a table (.csv) or of an array (.npy), exactly
///
/// Among rows at the same squared distance, the one with the smaller index comes first. A row is not its own neighbour. Prints the
/// neighbours of the first five rows; and recall, the share of neighbours that a search in double precision finds too, for about a
/// hundred rows. Rows count from 0. Distances are in the unit of the features.
#[derive(Args)]
#[command(
    mut_arg("input", input_of_rows),
    after_help = "Example: knn --input cells.csv --k 15 --metric cosine --output neighbours.csv"
)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// The number of neighbours of each row
    #[arg(long, value_name = "K", default_value_t = 10,
        value_parser = count_in(1..=MOST))]
    k: usize,
    /// How rows are compared
    #[arg(long, value_enum, default_value_t)]
    metric: Metric,
    /// Search on this many GPUs together, with the same result; the CPU replaces all of them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count_in(1..))]
    devices: usize,
    /// Write row, neighbour and value to this table, nearest first
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Metric {
    /// The root of the sum of squared differences
    #[default]
    Euclidean,
    /// The sum of absolute differences
    Manhattan,
    /// The cosine of the angle between two rows, largest first; a row of zeros has none
    Cosine,
    /// Pearson's correlation: the cosine of two rows minus their means
    Correlation,
}

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.table.force)?;
    let (table, metric, k) = (rows(&arguments.table, 64, false)?, arguments.metric, arguments.k);
    let (n, width) = (table.rows().len(), table.width());
    // Rows of length 1 for cosines; for correlations minus their means.
    let exact = match metric {
        Metric::Cosine | Metric::Correlation => unit_rows(&table, metric == Metric::Correlation),
        _ => table.values,
    };
    let frame = Frame::of(&exact, width, &[])?;
    let (rounded, unit) = (frame.singles(&exact), frame.unit);
    let norms = rounded.chunks(width).map(|row| row.iter().map(|x| x * x).sum());

    let device = device.open_together(arguments.devices)?;
    // The kernel gets zeros for a row without a direction, which is NaN.
    let known: Vec<f32> = rounded.iter().map(|x| if x.is_nan() { 0.0 } else { *x }).collect();
    let p = device.features(&known, width)?;
    let norms = device.upload(&norms.collect::<Vec<f32>>())?;
    let mut near = device.nearest_k(n, k)?;
    // Neighbours of two rows: the first launch with this k compiles the kernel, which is not timed.
    let (two, two_norms) =
        (device.features(&vec![0.0; 2 * width], width)?, device.upload(&[0.0; 2])?);
    let mut untimed = device.nearest_k(2, k)?;
    let time = if metric == Metric::Manhattan {
        let kernel = manhattan::load(&device)?;
        kernel.launch(&two, &mut untimed)?;
        timed(&device, (&kernel, n), &mut near, Nearest::clear, |near| kernel.launch(&p, near))
    } else if metric == Metric::Euclidean && width <= 4 {
        let point = |row: &[f32]| [0, 1, 2, 3].map(|at| *row.get(at).unwrap_or(&0.0));
        let p = device.upload(&known.chunks(width).map(point).collect::<Vec<_>>())?;
        let kernel = near_squares::load(&device)?;
        kernel.launch(&device.upload(&[[0.0; 4]; 2])?, &mut untimed)?;
        timed(&device, (&kernel, n), &mut near, Nearest::clear, |near| kernel.launch(&p, near))
    } else {
        let kernel = squares::load(&device)?;
        kernel.launch(&two, &two_norms, &mut untimed)?;
        let launch = |near: &mut _| kernel.launch(&p, &norms, near);
        timed(&device, (&kernel, n), &mut near, Nearest::clear, launch)
    }?;
    let near = near.download()?;
    // The nearest rows of each row, and the kernel's values for them.
    let rows: Vec<(&[u32], &[f32])> = (0..n).filter_map(|row| near.row(row)).collect();
    let value = |found: f32| match metric {
        Metric::Euclidean => found.sqrt() * unit,
        Metric::Manhattan => found * unit,
        // The cosine is 1 minus half the squared distance; rounding may take it below -1.
        Metric::Cosine | Metric::Correlation => (1.0 - 0.5 * found * unit * unit).max(-1.0),
    };

    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "rows: {n} of {width} features ({})", table.origin)?;
    let text = "values that single precision makes equal to another of their column";
    writeln!(out, "{text}: {}", frame.merged)?;
    let count: usize = rows.iter().map(|(all, _)| all.len()).sum();
    writeln!(out, "neighbours: {count}, up to {k} of each row")?;
    for (row, (all, found)) in rows.iter().enumerate().take(5) {
        let shown = all.iter().zip(*found).take(3);
        let shown: Vec<String> = shown.map(|(j, d)| format!("{j} ({:?})", value(*d))).collect();
        writeln!(out, "nearest of {row}: {}", shown.join(", "))?;
    }
    let rounded: Vec<f64> = rounded.into_iter().map(f64::from).collect();
    write_recall(out, [&exact, &rounded], width, (metric, k), &rows)?;
    writeln!(out, "kernel: {}", rate(time, n * (n - 1) / 2))?;

    let Some(file) = output else { return Ok(()) };
    let cells =
        |i: usize, j: u32, d: f32| [i.to_string(), j.to_string(), format!("{:?}", value(d))];
    let each = rows.iter().enumerate().flat_map(|(row, (all, found))| {
        all.iter().zip(*found).map(move |(j, found)| cells(row, *j, *found))
    });
    file.csv(["row", "neighbour", "value"], each)
}

/// Searches about a hundred rows again in double precision. A neighbour farther than the K-th nearest is a miss. It is a miss
/// by rounding if it is right for the rounded rows, which the kernel got.
fn write_recall(
    out: &mut dyn Write,
    [exact, rounded]: [&[f64]; 2],
    width: usize,
    (metric, k): (Metric, usize),
    found: &[(&[u32], &[f32])],
) -> Result<()> {
    let n = found.len();
    let distance = |rows: &[f64], i: usize, j: usize| -> f64 {
        let features = rows[i * width..][..width].iter().zip(&rows[j * width..]);
        let is_sum = metric == Metric::Manhattan;
        features.map(|(a, b)| if is_sum { (a - b).abs() } else { (a - b).powi(2) }).sum()
    };
    // The number of a row's neighbours, and the distance of the last one.
    let last = |rows: &[f64], i: usize| -> (usize, f64) {
        let others = (0..n).filter(|j| *j != i).map(|j| distance(rows, i, j));
        let mut others: Vec<f64> = others.filter(|distance| !distance.is_nan()).collect();
        others.sort_by(f64::total_cmp);
        others.truncate(k);
        (others.len(), others.last().copied().unwrap_or(f64::NAN))
    };
    let slack = 1.0 + 2.0 * (width as f64 + 4.0) / f64::from(1 << 24);
    let (step, mut hits, mut by_rounding, mut expected) = (n.div_ceil(100), 0, 0, 0);
    for i in (0..n).step_by(step) {
        let ((count, limit), (_, limit_of_rounded)) = (last(exact, i), last(rounded, i));
        expected += count;
        for j in found[i].0.iter().map(|&j| j as usize) {
            if distance(exact, i, j) <= limit * (1.0 + 1e-12) {
                hits += 1;
            } else if distance(rounded, i, j) <= limit_of_rounded * slack {
                by_rounding += 1;
            }
        }
    }
    let (recall, searched) = (hits as f64 / expected as f64, n.div_ceil(step));
    writeln!(out, "recall: {recall} ({hits} of {expected} neighbours of {searched} rows)")?;
    let misses = expected - hits;
    writeln!(out, "misses within single-precision rounding: {by_rounding} of {misses}")?;
    Ok(())
}
