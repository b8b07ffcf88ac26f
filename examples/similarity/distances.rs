//! Runs the kernel of a metric.

use std::time::Duration;

use td_kernel::{Device, Features, Packed, PackedMatrix};
use td_kernel_examples::directions::{bits, unit_rows};
use td_kernel_examples::memory::collected;
use td_kernel_examples::progress::{Elements, watch};
use td_kernel_examples::{Frame, Result, Vectors};

use crate::kernels::{cosine, euclidean, hamming, manhattan, rbf, squared};
use crate::metric::Metric;

/// The values of all pairs.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) values: PackedMatrix<f32>,
    /// The value of each row with itself; NaN where it has none.
    pub(crate) own: Vec<f32>,
    /// How long the kernel took.
    pub(crate) time: Duration,
}

/// Compares all pairs of rows.
pub(crate) fn of_all_pairs(
    device: &Device,
    rows: &Vectors,
    metric: Metric,
    gamma: Option<f32>,
) -> Result<Compared> {
    let n = rows.count;
    let upload = || -> Result<(Features<f32>, f32)> {
        let frame = Frame::of(&[&rows.values], rows.features)?;
        Ok((device.features(&frame.singles(&rows.values)?, rows.features)?, frame.unit()))
    };
    let mut own = collected(n, std::iter::repeat(metric.own()))?;
    // Each kernel has several texts. `report` compiles the one for this number of rows now, so that the time measured
    // below does not include it.
    let (values, time) = match metric {
        Metric::Euclidean => {
            let kernel = euclidean::load(device)?;
            kernel.report(n)?;
            let (rows, unit) = upload()?;
            measure(device, n, |values| kernel.launch(&rows, unit, values))
        }
        Metric::Squared => {
            let kernel = squared::load(device)?;
            kernel.report(n)?;
            let (rows, unit) = upload()?;
            measure(device, n, |values| kernel.launch(&rows, unit, values))
        }
        Metric::Manhattan => {
            let kernel = manhattan::load(device)?;
            kernel.report(n)?;
            let (rows, unit) = upload()?;
            measure(device, n, |values| kernel.launch(&rows, unit, values))
        }
        Metric::Cosine | Metric::Correlation => {
            let kernel = cosine::load(device)?;
            kernel.report(n)?;
            let directions = unit_rows(rows, metric == Metric::Correlation)?;
            let frame = Frame::of(&[&directions], rows.features)?;
            let mut values = frame.singles(&directions)?;
            let each = directions.chunks(rows.features).zip(values.chunks_mut(rows.features));
            for (own, (direction, values)) in own.iter_mut().zip(each) {
                if direction.iter().all(|part| *part == 0.0) {
                    *own = f32::NAN;
                    values.fill(f32::NAN);
                }
            }
            let (rows, unit) = (device.features(&values, rows.features)?, frame.unit());
            measure(device, n, |values| kernel.launch(&rows, unit, values))
        }
        Metric::Hamming => {
            let kernel = hamming::load(device)?;
            kernel.report(n)?;
            let rows = device.features(&bits(rows)?, rows.features)?;
            measure(device, n, |values| kernel.launch(&rows, values))
        }
        Metric::Rbf => {
            let kernel = rbf::load(device)?;
            kernel.report(n)?;
            let gamma = f64::from(gamma.unwrap_or(1.0 / rows.features as f32));
            let (rows, unit) = upload()?;
            // For the squares of distances that are not multiplied by the unit.
            let gamma = (gamma * f64::from(unit).powi(2)).min(f32::MAX.into()) as f32;
            measure(device, n, |values| kernel.launch(&rows, gamma, values))
        }
    }?;
    Ok(Compared { values, own, time })
}

/// Times `launch`.
fn measure(
    device: &Device,
    n: usize,
    launch: impl Fn(&mut Packed<f32>) -> td_kernel::Result<()>,
) -> td_kernel::Result<(PackedMatrix<f32>, Duration)> {
    let mut values = device.packed(n)?;
    if !device.is_cpu() {
        // The first launch on a GPU also moves the kernel's code there.
        launch(&mut values)?;
    }
    let ((), time) =
        watch(device, "comparing rows", Elements::One(n), || device.timed(|| launch(&mut values)))?;
    Ok((values.download()?, time))
}
