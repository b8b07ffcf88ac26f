//! The nearest neighbours of the rows of a table, by several machines.
//!
//! Rank 0 reads the rows and sends them to the others. Each rank visits some of the pairs, and keeps the nearest neighbours of
//! each row. Then ranks merge their results, in pairs, until rank 0 has all of them and writes them. The neighbours are the
//! same on any number of ranks.

mod common;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use td_kernel::td_kernel;
use td_kernel_cluster::Cluster;
use td_kernel_examples::{DeviceChoice, Frame, Output, TableOptions, count_in};

use crate::common::Result;

/// Squared distances, as in the example `knn`. The number of neighbours is a part of the kernel's type.
#[td_kernel]
unsafe fn squares(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 32>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) "#;
}

/// Finds the nearest neighbours of every row of a table by Euclidean distance, exactly, on all machines that mpirun has started
/// it on: mpirun -n 8 --hostfile hosts knn-cluster --input rows.csv --k 20 --output near.csv
#[derive(Debug, Parser)]
#[command(name = "knn-cluster", version)]
struct Arguments {
    #[command(flatten)]
    table: TableOptions,
    /// How many neighbours each row has
    #[arg(long, value_name = "K", default_value_t = 10,
        value_parser = count_in(1..=32))]
    k: usize,
    /// Write row, neighbour and distance to this table, the nearest first
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Where the kernel runs
    #[arg(long, value_enum, default_value_t)]
    device: DeviceChoice,
}

fn main() -> ExitCode {
    common::run(run)
}

fn run(cluster: &Cluster, arguments: &Arguments) -> Result<Option<String>> {
    // Only rank 0 reads and writes. It reports a wrong file name before anything is computed.
    let first = match cluster.is_first() {
        true => Some((
            Output::maybe(&arguments.output, arguments.table.force)?,
            arguments.table.rows(usize::MAX, 64)?,
        )),
        false => None,
    };
    let table = first.as_ref().map(|(_, table)| table);
    let (values, width) = common::broadcast(cluster, table)?;
    let frame = Frame::of(&values, width, &[])?;
    let rows = frame.singles(&values);

    let device = common::device(cluster, arguments.device)?;
    let mut report = common::report(cluster, &device)?;
    let devices = cluster.sharing(device)?;
    let start = Instant::now();
    let norms = rows.chunks(width).map(|row| row.iter().map(|x| x * x).sum::<f32>());
    let norms = devices.upload(&norms.collect::<Vec<_>>())?;
    let p = devices.features(&rows, width)?;
    let mut near = devices.nearest::<f32, 32>(p.len())?;
    squares::load(&devices)?.launch(&p, &norms, &mut near)?;
    let (Some(near), Some((file, table))) = (cluster.joined(&near)?, first) else {
        return Ok(None);
    };

    let k = arguments.k;
    let found = (0..p.len()).flat_map(|row| {
        let (all, found) = near.row(row).unwrap_or_default();
        let found = found.iter().map(|found| found.sqrt() * frame.unit);
        all.iter().zip(found).take(k).map(move |(j, distance)| (row, *j, distance))
    });
    writeln!(report, "rows: {} of {width} features ({})", p.len(), table.origin)?;
    writeln!(report, "neighbours: {}, up to {k} of each row", found.clone().count())?;
    if let Some((row, j, distance)) = found.clone().next() {
        writeln!(report, "nearest of {row}: {j} ({distance:?})")?;
    }
    writeln!(report, "found and merged in {:.3} s", start.elapsed().as_secs_f64())?;
    if let Some(file) = file {
        let cells = found
            .map(|(row, j, distance)| [row.to_string(), j.to_string(), format!("{distance:?}")]);
        file.csv(["row", "neighbour", "value"], cells)?;
    }
    Ok(Some(report))
}
