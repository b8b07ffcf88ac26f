//! The two points of a set that are farthest apart.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{LaunchWith, Max, Slice, Sum};

use super::{Launch, Subject};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::points;

/// Finds the farthest pair of points in the unit cube, by squared distance; beside it, distances are counted.
pub(crate) struct Farthest {
    gpu: Gpu,
    on_gpu: CudaSlice<[f32; 4]>,
    expected: Option<(f32, u32, u32)>,
}

/// The results of both kinds of kernels.
pub(crate) struct Found {
    far: Max<f32>,
    count: Sum<u64>,
}

impl Farthest {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let points = points::<[f32; 4]>(n);
        let mut expected: Option<(f32, u32, u32)> = None;
        for (i, a) in points.iter().enumerate() {
            for (j, b) in points[..i].iter().enumerate() {
                let [x, y, z] = [0, 1, 2].map(|axis| a[axis] - b[axis]);
                let square = z.mul_add(z, y.mul_add(y, x * x));
                if expected.is_none_or(|(best, ..)| square > best) {
                    expected = Some((square, i as u32, j as u32));
                }
            }
        }
        Ok(Farthest { gpu: gpu.clone(), on_gpu: gpu.upload(&points)?, expected })
    }

    /// A kernel that counts.
    pub(crate) fn counting<K>(&self) -> Result<(String, Launch<Self>), Failure>
    where
        K: for<'a> LaunchWith<(&'a dyn Slice<[f32; 4]>, &'a mut Sum<u64>)>,
    {
        let kernel = K::load(&self.gpu.device)?;
        let launch: Launch<Self> = Box::new(move |subject, found| {
            Ok(kernel.launch_with((&subject.on_gpu, &mut found.count))?)
        });
        Ok(("count".into(), launch))
    }
}

impl Subject for Farthest {
    type Output = Found;
    type Arguments<'a> = (&'a dyn Slice<[f32; 4]>, &'a mut Max<f32>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, found: &'a mut Found) -> Self::Arguments<'a> {
        (&self.on_gpu, &mut found.far)
    }

    fn output(&self) -> Result<Found, Failure> {
        Ok(Found { far: self.gpu.device.max()?, count: self.gpu.device.sum()? })
    }

    fn clear(&self, found: &mut Found) -> Result<(), Failure> {
        found.far.clear()?;
        Ok(found.count.clear()?)
    }

    fn verify(&self, name: &str, found: &Found) -> Result<(), Failure> {
        // A kernel writes to one of them.
        let (far, count) = (found.far.download()?, found.count.download()?);
        if count > 0 || far == self.expected {
            return Ok(());
        }
        Err(format!("{name} found {far:?} instead of {:?}", self.expected).into())
    }
}
