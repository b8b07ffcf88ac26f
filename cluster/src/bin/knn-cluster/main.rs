//! The nearest neighbours of the rows of a table, by several machines.
//!
//! Rank 0 reads the rows and sends them to the others. Each rank looks at some of the pairs, and keeps the K nearest of each row;
//! then ranks put together what they have found, in pairs, until rank 0 has all of it and writes it. The kernels are those of the
//! example `knn`, and so are the neighbours, on any number of ranks.

mod arguments;
#[path = "../common/mod.rs"]
mod common;
// Of other metrics, too.
#[allow(dead_code)]
#[path = "../../../../examples/knn/found.rs"]
mod found;
#[allow(dead_code)]
#[path = "../../../../examples/knn/kernels.rs"]
mod kernels;
mod report;

use std::process::ExitCode;
use std::time::Instant;

use td_kernel::{Devices, Neighbours};
use td_kernel_cluster::Cluster;
use td_kernel_examples::{Frame, NewFile, Vectors};

use crate::arguments::Arguments;
use crate::common::Result;
use crate::found::{Found, Names};
use crate::report::Report;

fn main() -> ExitCode {
    common::run(run)
}

fn run(cluster: &Cluster, arguments: &Arguments) -> Result<Option<Report>> {
    // Rank 0 alone reads and writes: what is wrong with a name is told before anything is computed.
    let mut first = if cluster.is_first() { Some(First::new(arguments)?) } else { None };
    let (values, width, unit) = match &mut first {
        Some(First { rows, .. }) => {
            let frame = Frame::of(&[&rows.values], rows.features)?;
            (frame.singles(&rows.values)?, rows.features, frame.unit())
        }
        None => (Vec::new(), 0, 1.0),
    };
    let width = cluster.broadcast(vec![width as u64])?.first().map_or(1, |width| *width as usize);
    let rows = cluster.broadcast(values)?;
    let device = common::device(cluster, arguments.device)?;
    let devices = common::devices(cluster, &device)?;
    let search = Search { cluster, devices: &cluster.sharing(device)?, rows: &rows, width };
    let start = Instant::now();
    let near = match arguments.k {
        ..=10 => search.up_to_10(),
        11..=32 => search.up_to_32(),
        33..=100 => search.up_to_100(),
        _ => search.up_to_256(),
    }?;
    let time = start.elapsed();
    let (Some(near), Some(first)) = (near, first) else { return Ok(None) };
    let found = Found::new(near, arguments.k as usize, |distance| unit * distance)?;
    let [matrix, indices, values] = &first.files;
    if let Some(file) = matrix {
        found.write_matrix(first.rows.count, "Euclidean distance", file)?;
    }
    if let (Some(indices), Some(values)) = (indices, values) {
        found.write_arrays(indices, values)?;
    }
    Ok(Some(Report { devices, rows: first.rows, found, time }))
}

/// What only rank 0 has.
struct First {
    rows: Vectors,
    /// Of a sparse matrix, of indices, of values.
    files: [Option<NewFile>; 3],
}

impl First {
    fn new(arguments: &Arguments) -> Result<First> {
        let names = arguments.output.as_deref().map(Names::of).transpose()?.unwrap_or_default();
        let names = [names.matrix.as_deref(), names.indices.as_deref(), names.values.as_deref()];
        let files = NewFile::all(names, &[arguments.input.as_deref()], arguments.force)?;
        let rows = match (arguments.random, &arguments.input) {
            (Some(count), _) => {
                Vectors::random(count as usize, arguments.features as usize, arguments.seed)
            }
            (None, Some(path)) => Vectors::read(path, &arguments.table),
            (None, None) => Vectors::iris(&arguments.table),
        }?;
        Ok(First { rows, files })
    }
}

/// A search among rows that all ranks have.
struct Search<'a> {
    cluster: &'a Cluster,
    devices: &'a Devices,
    rows: &'a [f32],
    width: usize,
}

/// Methods that search with the kernels of a module.
macro_rules! with_kernels {
    ($($module:ident: $k:literal;)*) => {$(
        /// The neighbours of all rows, on rank 0.
        fn $module(&self) -> Result<Option<Neighbours<f32>>> {
            let Search { cluster, devices, rows, width } = *self;
            let squares = rows.chunks(width).map(|row| row.iter().map(|x| x * x).sum::<f32>());
            let norms = devices.upload(&squares.collect::<Vec<_>>())?;
            let p = devices.features(rows, width)?;
            let mut near = devices.nearest::<f32, $k>(p.len())?;
            kernels::$module::distances::load(devices)?.launch(&p, &norms, &mut near)?;
            Ok(cluster.joined(&near)?)
        }
    )*};
}

impl Search<'_> {
    with_kernels! {
        up_to_10: 10;
        up_to_32: 32;
        up_to_100: 100;
        up_to_256: 256;
    }
}
