//! The mean and the variance of the distances of all pairs.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{DeviceType, LaunchWith, Reduce, Slice, Sum};

use super::{Launch, Subject};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, points};

/// The number of some values, their mean, and the sum of the squares of their differences from it.
#[repr(C)]
#[derive(Clone, Copy, Debug, DeviceType)]
pub(crate) struct Moments {
    count: f32,
    mean: f32,
    squares: f32,
}

const START: Moments = Moments { count: 0.0, mean: 0.0, squares: 0.0 };

/// The tolerance of the mean and of the variance.
const ROUNDING: f64 = 1e-4;

/// Points in the unit cube.
pub(crate) struct PairMoments {
    gpu: Gpu,
    on_gpu: CudaSlice<[f32; 3]>,
    /// The number of pairs, and the mean and the variance of their distances.
    count: f64,
    expected: [f64; 2],
}

/// The results of both kinds of kernels.
pub(crate) struct Found {
    moments: Reduce<Moments>,
    sum: Sum<f32>,
    squares: Sum<f32>,
}

impl PairMoments {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let points = points::<[f32; 3]>(n);
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (i, a) in points.iter().enumerate() {
            for b in &points[..i] {
                let square = a.square_to(b);
                (count, sum, squares) = (count + 1.0, sum + square.sqrt(), squares + square);
            }
        }
        let mean = sum / count;
        let expected = [mean, squares / count - mean * mean];
        Ok(PairMoments { gpu: gpu.clone(), on_gpu: gpu.upload(&points)?, count, expected })
    }

    /// A kernel that adds up the distances and their squares.
    pub(crate) fn summing<K>(&self) -> Result<(String, Launch<Self>), Failure>
    where
        K: for<'a> LaunchWith<(&'a dyn Slice<[f32; 3]>, &'a mut Sum<f32>, &'a mut Sum<f32>)>,
    {
        let kernel = K::load(&self.gpu.device)?;
        let launch: Launch<Self> = Box::new(move |subject, found| {
            Ok(kernel.launch_with((&subject.on_gpu, &mut found.sum, &mut found.squares))?)
        });
        Ok(("sums".into(), launch))
    }
}

impl Subject for PairMoments {
    type Output = Found;
    type Arguments<'a> = (&'a dyn Slice<[f32; 3]>, &'a mut Reduce<Moments>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, found: &'a mut Found) -> Self::Arguments<'a> {
        (&self.on_gpu, &mut found.moments)
    }

    fn output(&self) -> Result<Found, Failure> {
        let device = &self.gpu.device;
        let moments = device.reduce(1, START)?;
        Ok(Found { moments, sum: device.sum()?, squares: device.sum()? })
    }

    fn clear(&self, found: &mut Found) -> Result<(), Failure> {
        found.moments.clear()?;
        found.sum.clear()?;
        Ok(found.squares.clear()?)
    }

    fn verify(&self, name: &str, found: &Found) -> Result<(), Failure> {
        let moments = found.moments.download()?[0];
        let [sum, squares] = [found.sum.download()?, found.squares.download()?].map(f64::from);
        // A kernel writes to one of them.
        let mean = sum / self.count;
        let found = match sum > 0.0 {
            true => [mean, squares / self.count - mean * mean],
            false => [f64::from(moments.mean), f64::from(moments.squares / moments.count)],
        };
        // False for a NaN.
        let is_near = |(found, expected): (f64, f64)| (found - expected).abs() <= ROUNDING;
        match found.into_iter().zip(self.expected).all(is_near) {
            true => Ok(()),
            false => Err(format!("{name} found {found:?} instead of {:?}", self.expected).into()),
        }
    }
}
