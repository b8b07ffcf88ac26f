//! Euclidean distances of all pairs of points, by several machines into one file.
//!
//! Rank 0 reads the points and sends them to the others. Then each rank computes some rows of the triangle on its device, and
//! writes them to their places in the file. Without `mpirun` there is one rank, which does all of it.

mod arguments;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../../../examples/edm/kernels.rs"]
mod kernels;
mod report;

use std::process::ExitCode;
use std::time::Instant;

use td_kernel::{Bands, ErrorKind, PairKernel};
use td_kernel_cluster::{Cluster, Error, Job, Shape, Written};
use td_kernel_examples::progress::Share;
use td_kernel_examples::{Frame, Points, Table, data, rows};

use crate::arguments::Arguments;
use crate::common::Result;
use crate::kernels::{edm_1, edm_2, edm_3, edm_4};
use crate::report::Report;

fn main() -> ExitCode {
    common::run(run)
}

fn run(cluster: &Cluster, arguments: &Arguments) -> Result<Option<Report>> {
    let points = points(cluster, arguments)?;
    let device = common::device(cluster, arguments.device)?;
    let devices = common::devices(cluster, &device)?;
    let work = Work { cluster, arguments };
    let start = Instant::now();
    let frame = Frame::of(&[&points.values], points.features)?;
    let (singles, unit) = (frame.singles(&points.values)?, frame.unit());
    let values = singles.as_slice();
    let written = match points.features {
        1 => {
            let (kernel, p) = (edm_1::load(&device)?, device.upload(values)?);
            work.write::<edm_1>(&points, || kernel.bands(&p, unit))
        }
        2 => {
            let values = values.as_chunks::<2>().0;
            let (kernel, p) = (edm_2::load(&device)?, device.upload(values)?);
            work.write::<edm_2>(&points, || kernel.bands(&p, unit))
        }
        3 => {
            let values = values.as_chunks::<3>().0;
            let (kernel, p) = (edm_3::load(&device)?, device.upload(values)?);
            work.write::<edm_3>(&points, || kernel.bands(&p, unit))
        }
        _ => {
            let values = values.as_chunks::<4>().0;
            let (kernel, p) = (edm_4::load(&device)?, device.upload(values)?);
            work.write::<edm_4>(&points, || kernel.bands(&p, unit))
        }
    }?;
    let time = start.elapsed();
    Ok(cluster.is_first().then_some(Report { devices, points, written, time }))
}

/// What the kernels of all numbers of features do alike.
struct Work<'a> {
    cluster: &'a Cluster,
    arguments: &'a Arguments,
}

impl Work<'_> {
    fn write<'b, K: PairKernel>(
        &self,
        points: &Points,
        mut bands: impl FnMut() -> td_kernel::Result<Bands<'b, f32>>,
    ) -> Result<Written> {
        let Work { cluster, arguments } = *self;
        let job = Job::new::<K>(Shape::triangle(points.len())).with(&points.values);
        let mut share = Share::new("writing distances");
        let file = cluster
            .npy(&arguments.output, job)
            .resume(arguments.resume)
            .replace(arguments.force)
            .progress(|done, of| share.reached(done as u64, of as u64));
        let limited = || match arguments.memory {
            Some(bytes) => Ok(bands()?.memory(bytes).host_memory(bytes)),
            None => Ok(bands()?),
        };
        file.write(limited).map_err(|error| with_options(error, arguments))
    }
}

/// The error, with the options that do what it tells to do.
fn with_options(error: Error, arguments: &Arguments) -> Box<dyn std::error::Error> {
    let has_limit = arguments.memory.is_some();
    let options = match &error {
        Error::Exists { .. } | Error::NoJournal { .. } => "--force replaces it",
        Error::Unfinished { .. } => "--resume goes on, and --force begins anew",
        Error::Damaged { .. } | Error::OtherJob { .. } => "--force without --resume begins anew",
        Error::Memory { .. } => "--memory is both of these",
        Error::Kernel(error) if has_limit && error.kind() == ErrorKind::Arguments => {
            "--memory is both of `memory` and `host_memory`"
        }
        _ => return error.into(),
    };
    format!("{error} ({options})").into()
}

/// The points that the arguments ask for, which rank 0 reads.
fn points(cluster: &Cluster, arguments: &Arguments) -> Result<Points> {
    let read = match cluster.is_first() {
        true => read(arguments)?,
        false => Points {
            values: Vec::new(),
            features: 0,
            origin: String::new(),
            left_out: Vec::new(),
            taken: None,
        },
    };
    let features = cluster.broadcast(vec![read.features as u64])?;
    let features = features.first().map_or(1, |features| *features as usize).max(1);
    Ok(Points { values: cluster.broadcast(read.values)?, features, ..read })
}

fn read(arguments: &Arguments) -> Result<Points> {
    Ok(match (arguments.random, &arguments.input) {
        (Some(count), _) => {
            Points::random(count as usize, arguments.features.into(), arguments.seed)?
        }
        (None, Some(path))
            if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy")) =>
        {
            let rows = rows(path)?;
            if rows.width > 4 {
                return Err(format!(
                    "{}: points have 1 to 4 features, and these have {}",
                    path.display(),
                    rows.width
                )
                .into());
            }
            Points {
                values: rows.values,
                features: rows.width,
                origin: format!("columns of {}", path.display()),
                left_out: Vec::new(),
                taken: None,
            }
        }
        (None, Some(path)) => Points::read(path, &arguments.table, Some(arguments.missing))?,
        (None, None) => {
            let table = Table::parse(data::IRIS.name, data::IRIS.text.as_bytes())?;
            Points::from_table(table, arguments.table.columns.as_deref(), Some(arguments.missing))?
        }
    })
}
