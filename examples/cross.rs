//! The nearest point of a second set for each point of a first set: a result for each row of a rectangle of pairs.
//! Example: `cargo run --release --example cross -- --within 0.3`

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use td_kernel::{Nearest, Ordered, td_kernel};
use td_kernel_examples::{
    DeviceChoice, Frame, Output, Result, Table, TableOptions, listed, number_in, rate, timed,
};

/// The nearest point of each query. This becomes a kernel over all pairs of a query and a point, which skips tiles that are farther
/// apart than the nearest points found so far. Points come from a `Frame`: `q_low` and `p_low` are the rounding errors, and `unit`
/// undoes the scaling.
#[td_kernel(prelude = include_str!("distance.cuh"))]
unsafe fn nearest(
    #[row] q: &[[f32; 4]],
    #[row] q_low: &[[f32; 4]],
    #[column] p: &[[f32; 4]],
    #[column] p_low: &[[f32; 4]],
    unit: f32,
    #[row] near: &mut Nearest<f32, 1>,
) {
    let pair = r#" near.push(distance(q, q_low, p, p_low, unit, false)); "#;
    // The distance of x, y and z is at most that of all four. Rounding moves two points by less than 256: see `Frame`.
    let lower_bound = r#" unit * (box_distance(q, p) - 256) "#;
}

/// The pairs at a distance of at most `radius`, with their distances. Tiles that are farther apart are skipped.
#[td_kernel(prelude = include_str!("distance.cuh"))]
unsafe fn within(
    #[row] q: &[[f32; 4]],
    #[row] q_low: &[[f32; 4]],
    #[column] p: &[[f32; 4]],
    #[column] p_low: &[[f32; 4]],
    unit: f32,
    radius: f32,
    close: &mut Pairs<f32>,
) {
    let pair = r#"
    float d = distance(q, q_low, p, p_low, unit, false);
    if (d <= radius) close.push(d);
    "#;
    let lower_bound = r#" unit * (box_distance(q, p) - 256) - radius "#;
}

/// Finds for each point of --input the nearest point of --other, and with --within all pairs within a radius
///
/// Points have one to four coordinates, and distances are in their unit. If several points are equally near, the first one is taken.
/// Without --other, the sets are the even and the odd rows of --input. Prints the nearest points of the first five, the smallest, the
/// largest and the mean distance to a nearest point, and the number of pairs within the radius. i and j count
/// the rows of their tables from 0.
#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example: cross --input shops.csv --other homes.csv --columns x,y --within 500 --output pairs.csv"
)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// Read the second set from this table, in the same way
    #[arg(long, value_name = "FILE.csv", requires = "input", conflicts_with = "random")]
    other: Option<PathBuf>,
    /// Find all pairs at a distance of at most R
    #[arg(long, value_name = "R", value_parser = number_in(0.0..1e30))]
    within: Option<f64>,
    /// Write i, j and the distance to this table: of the nearest points, or with --within of all pairs
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
}

fn main() {
    td_kernel_examples::start(run);
}

fn run(arguments: Arguments, device: DeviceChoice, out: &mut dyn Write) -> Result<()> {
    let output = Output::maybe(&arguments.output, arguments.table.force)?;
    let [first, second] = sets(&arguments)?;
    let all = [first.values.as_slice(), &second.values].concat();
    let frame = Frame::of(&all, first.width(), &[])?;
    let unit = frame.unit;

    let device = device.open()?;
    // Both launches share the order of a set.
    let upload = |table: &Table| -> Result<_> {
        let [points, low] = frame.points::<4>(&table.values);
        Ok([Ordered::new(device.upload(&points)?), Ordered::new(device.upload(&low)?)])
    };
    let ([q, q_low], [p, p_low]) = (upload(&first)?, upload(&second)?);
    let (rows, columns) = (q.len(), p.len());
    writeln!(out, "device: {}", device.name())?;
    writeln!(out, "first set: {rows} ({})", first.origin)?;
    writeln!(out, "second set: {columns} ({})", second.origin)?;
    writeln!(out, "pairs: {}", rows * columns)?;

    let kernel = nearest::load(&device)?;
    let mut near = device.nearest(rows)?;
    let most = rows.max(columns);
    let time = timed(&device, (&kernel, most), &mut near, Nearest::clear, |near| {
        kernel.launch(&q, &q_low, &p, &p_low, unit, near)
    })?;
    let near = near.download()?;
    // The row of the input with this point of a set.
    let row = |at: u32, set: u32| if arguments.other.is_some() { at } else { 2 * at + set };
    let first = |i| {
        let (j, distance) = near.row(i)?;
        Some((row(i as u32, 0), row(*j.first()?, 1), *distance.first()?))
    };
    let found: Vec<(u32, u32, f32)> = (0..rows).filter_map(first).collect();
    for (i, j, distance) in found.iter().take(5) {
        writeln!(out, "nearest of {i}: {j}, at {distance:?}")?;
    }
    let order = |a: &&(u32, u32, f32), b: &&(u32, u32, f32)| a.2.total_cmp(&b.2);
    let ends = [("smallest", found.iter().min_by(order)), ("largest", found.iter().max_by(order))];
    for (name, pair) in ends {
        if let Some((i, j, distance)) = pair {
            writeln!(out, "{name} of these distances: {distance:?} (i = {i}, j = {j})")?;
        }
    }
    let sum: f64 = found.iter().map(|(.., distance)| f64::from(*distance)).sum();
    writeln!(out, "mean of these distances: {:?}", (sum / found.len() as f64) as f32)?;
    writeln!(out, "kernel: {}", rate(time, rows * columns))?;

    let cells = |i: u32, j: u32, d: f32| [i.to_string(), j.to_string(), format!("{d:?}")];
    let header = ["i", "j", "distance"];
    let Some(radius) = arguments.within.map(|it| it as f32) else {
        let rows = found.iter().map(|(i, j, distance)| cells(*i, *j, *distance));
        return output.map_or(Ok(()), |file| file.csv(header, rows));
    };
    let kernel = within::load(&device)?;
    kernel.prepare(rows, columns)?;
    let room = output.is_some().then_some(1 << 20);
    let (close, count, time) = listed(&device, (&kernel, most), room, |close| {
        kernel.launch(&q, &q_low, &p, &p_low, unit, radius, close)
    })?;
    writeln!(out, "pairs within {radius:?}: {count}")?;
    writeln!(out, "kernel: {:.3} ms", time.as_secs_f64() * 1e3)?;
    let Some(file) = output else { return Ok(()) };
    // Threads push them in any order.
    let close = close.download()?.sorted()?;
    file.csv(header, close.iter().map(|([i, j], d)| cells(row(i, 0), row(j, 1), *d)))
}

/// The two sets: from two files, or the halves of one.
fn sets(arguments: &Arguments) -> Result<[Table; 2]> {
    if arguments.other.is_some() {
        let all = arguments.table.few_rows(4, 4)?;
        let input = arguments.other.clone();
        let options = TableOptions { input, save_input: None, ..arguments.table.clone() };
        let other = options.few_rows(4, 4)?;
        // Two headers must have the same names in the same order.
        let have_names =
            [&all, &other].map(|table| table.names.iter().any(|name| name.parse::<f64>().is_err()));
        if all.width() != other.width() || (have_names == [true, true] && all.names != other.names)
        {
            let problem = "both sets need the same columns; choose them with --columns";
            return Err(format!("{} and {}: {problem}", all.origin, other.origin).into());
        }
        return Ok([all, other]);
    }
    let all = arguments.table.rows(4, 4)?;
    Ok([("even", 0), ("odd", 1)].map(|(which, first)| Table {
        values: all.rows().skip(first).step_by(2).flatten().copied().collect(),
        origin: format!("{which} rows, {}", all.origin),
        ..all.clone()
    }))
}
