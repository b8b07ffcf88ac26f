//! Runs the kernel of a metric.

use std::time::Duration;

use td_kernel::{Device, Nearest, Neighbours};
use td_kernel_examples::Result;
use td_kernel_examples::progress::{Elements, watch};

use crate::found::Found;
use crate::kernels;
use crate::metric::Metric;
use crate::rows::{Prepared, Sets, norms};

/// How long the kernel took, and the share of that in which it merged what its rounds had queued, where it has rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) kernel: Duration,
    pub(crate) merging: Option<f64>,
}

/// The neighbours of all rows, and how long the kernel took.
pub(crate) fn search(
    device: &Device,
    sets: &Sets,
    prepared: &Prepared,
    metric: Metric,
    k: usize,
) -> Result<(Found, Time)> {
    let work = Work { device, elements: sets.elements(), width: sets.data.features, metric };
    let (near, time) = match k {
        ..=10 => work.up_to_10(prepared),
        11..=32 => work.up_to_32(prepared),
        33..=100 => work.up_to_100(prepared),
        _ => work.up_to_256(prepared),
    }?;
    let unit = prepared.unit();
    Ok((Found::new(near, k, |found| metric.value(found, unit))?, time))
}

/// A launch.
struct Work<'a> {
    device: &'a Device,
    elements: Elements,
    /// How many features each row has.
    width: usize,
    metric: Metric,
}

/// Methods that search with the kernels of a module.
macro_rules! with_kernels {
    ($($module:ident: $k:literal;)*) => {$(
        fn $module(&self, rows: &Prepared) -> Result<(Neighbours<f32>, Time)> {
            use kernels::$module::*;

            let Work { device, width, metric, .. } = *self;
            // Each kernel has several texts. `report` compiles the one for this number of rows now, so that the time
            // measured below does not include it.
            match rows {
                Prepared::Singles(p, None, _) => {
                    let (values, p) = (p, device.features(p, width)?);
                    if metric == Metric::Manhattan {
                        let kernel = manhattan::load(device)?;
                        kernel.report(p.len())?;
                        return self.measure::<$k>(p.len(), |near| kernel.launch(&p, near));
                    }
                    let norms = device.upload(&norms(values, width)?)?;
                    if metric == Metric::Euclidean {
                        let kernel = distances::load(device)?;
                        kernel.report(p.len())?;
                        return self.measure::<$k>(p.len(), |near| kernel.launch(&p, &norms, near));
                    }
                    let kernel = squares::load(device)?;
                    kernel.report(p.len())?;
                    self.measure::<$k>(p.len(), |near| kernel.launch(&p, &norms, near))
                }
                Prepared::Singles(p, Some(q), _) => {
                    let values = [q, p];
                    let (p, q) = (device.features(p, width)?, device.features(q, width)?);
                    if metric == Metric::Manhattan {
                        let kernel = manhattan_of_two::load(device)?;
                        kernel.report(q.len(), p.len())?;
                        return self.measure::<$k>(q.len(), |near| kernel.launch(&q, &p, near));
                    }
                    let [of_q, of_p] = values.map(|values| norms(values, width));
                    let (of_q, of_p) = (device.upload(&of_q?)?, device.upload(&of_p?)?);
                    if metric == Metric::Euclidean {
                        let kernel = distances_of_two::load(device)?;
                        kernel.report(q.len(), p.len())?;
                        return self.measure::<$k>(q.len(), |near| {
                            kernel.launch(&q, &p, &of_q, &of_p, near)
                        });
                    }
                    let kernel = squares_of_two::load(device)?;
                    kernel.report(q.len(), p.len())?;
                    self.measure::<$k>(q.len(), |near| kernel.launch(&q, &p, &of_q, &of_p, near))
                }
                Prepared::Directions(p, None, _) => {
                    let kernel = cosine::load(device)?;
                    let (p, norms) = (device.features(&p.singles, width)?, device.upload(&p.norms)?);
                    kernel.report(p.len())?;
                    self.measure::<$k>(p.len(), |near| kernel.launch(&p, &norms, near))
                }
                Prepared::Directions(p, Some(q), _) => {
                    let kernel = cosine_of_two::load(device)?;
                    let norms = [device.upload(&q.norms)?, device.upload(&p.norms)?];
                    let p = device.features(&p.singles, width)?;
                    let q = device.features(&q.singles, width)?;
                    kernel.report(q.len(), p.len())?;
                    self.measure::<$k>(q.len(), |near| {
                        kernel.launch(&q, &p, &norms[0], &norms[1], near)
                    })
                }
                Prepared::Bits(p, None) => {
                    let kernel = hamming::load(device)?;
                    let p = device.features(p, width)?;
                    kernel.report(p.len())?;
                    self.measure::<$k>(p.len(), |near| kernel.launch(&p, near))
                }
                Prepared::Bits(p, Some(q)) => {
                    let kernel = hamming_of_two::load(device)?;
                    let (p, q) = (device.features(p, width)?, device.features(q, width)?);
                    kernel.report(q.len(), p.len())?;
                    self.measure::<$k>(q.len(), |near| kernel.launch(&q, &p, near))
                }
            }
        }
    )*};
}

impl Work<'_> {
    with_kernels! {
        up_to_10: 10;
        up_to_32: 32;
        up_to_100: 100;
        up_to_256: 256;
    }

    /// Times `launch`, which finds the neighbours of so many rows.
    fn measure<const K: usize>(
        &self,
        rows: usize,
        launch: impl Fn(&mut Nearest<f32, K>) -> td_kernel::Result<()>,
    ) -> Result<(Neighbours<f32>, Time)> {
        let device = self.device;
        let mut near = device.nearest(rows)?;
        if !device.is_cpu() {
            // The first launch on a GPU also moves the kernel's code there.
            launch(&mut near)?;
            near.clear()?;
        }
        near.measure_merging();
        let ((), kernel) = watch(device, "finding neighbours", self.elements, || {
            device.timed(|| launch(&mut near))
        })?;
        Ok((near.download()?, Time { kernel, merging: near.merging() }))
    }
}
