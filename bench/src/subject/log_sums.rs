//! Logarithms of sums of exponentials, for each row of two sets.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{DeviceType, LaunchWith, Reduce, Slice, Sums};

use super::{Launch, Subject};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, points};

/// A sum of exponentials, divided by exp(max).
#[repr(C)]
#[derive(Clone, Copy, Debug, DeviceType)]
pub(crate) struct LogSum {
    max: f32,
    sum: f32,
}

const START: LogSum = LogSum { max: f32::NEG_INFINITY, sum: 0.0 };

/// The tolerance of a logarithm.
const ROUNDING: f64 = 1e-4;

/// The number of rows that are compared.
const CHECKED: usize = 64;

/// Points in the unit cube. A row adds up exp(-square of a distance) over all points.
pub(crate) struct LogSums {
    gpu: Gpu,
    on_host: Vec<[f32; 3]>,
    points: CudaSlice<[f32; 3]>,
}

/// The results of both kinds of kernels.
pub(crate) struct Found {
    states: Reduce<LogSum>,
    sums: Sums<f32>,
}

impl LogSums {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let on_host = points::<[f32; 3]>(n);
        let points = gpu.upload(&on_host)?;
        Ok(LogSums { gpu: gpu.clone(), on_host, points })
    }

    /// A kernel that adds up the exponentials, which here are not too large.
    pub(crate) fn summing<K>(&self) -> Result<(String, Launch<Self>), Failure>
    where
        K: for<'a> LaunchWith<(
            &'a dyn Slice<[f32; 3]>,
            &'a dyn Slice<[f32; 3]>,
            &'a mut Sums<f32>,
        )>,
    {
        let kernel = K::load(&self.gpu.device)?;
        let launch: Launch<Self> = Box::new(move |subject, found| {
            Ok(kernel.launch_with((&subject.points, &subject.points, &mut found.sums))?)
        });
        Ok(("sums".into(), launch))
    }
}

impl Subject for LogSums {
    type Output = Found;
    type Arguments<'a> = (&'a dyn Slice<[f32; 3]>, &'a dyn Slice<[f32; 3]>, &'a mut Reduce<LogSum>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, found: &'a mut Found) -> Self::Arguments<'a> {
        (&self.points, &self.points, &mut found.states)
    }

    fn output(&self) -> Result<Found, Failure> {
        let (device, n) = (&self.gpu.device, self.on_host.len());
        Ok(Found { states: device.reduce(n, START)?, sums: device.sums(n)? })
    }

    fn clear(&self, found: &mut Found) -> Result<(), Failure> {
        found.states.clear()?;
        Ok(found.sums.clear()?)
    }

    fn verify(&self, name: &str, found: &Found) -> Result<(), Failure> {
        let (states, sums) = (found.states.download()?, found.sums.download()?);
        let n = self.on_host.len();
        for i in (0..n).step_by(n.div_ceil(CHECKED).max(1)) {
            let terms = self.on_host.iter().map(|point| (-self.on_host[i].square_to(point)).exp());
            let expected = terms.sum::<f64>().ln();
            // A kernel writes to one of them.
            let LogSum { max, sum } = states[i];
            let found = match sums[i] > 0.0 {
                true => f64::from(sums[i]).ln(),
                false => f64::from(max) + f64::from(sum).ln(),
            };
            // False for a NaN.
            let is_right = (found - expected).abs() <= ROUNDING;
            if !is_right {
                return Err(format!("{name}: row {i} has {found} instead of {expected}").into());
            }
        }
        Ok(())
    }
}
