//! Histograms of the distances of all pairs.

use std::cell::OnceCell;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Histogram, Slice};

use super::{Launch, Subject};
use crate::Failure;
use crate::measure::by_hand::Source;
use crate::measure::gpu::Gpu;
use crate::measure::points::points;

/// The largest distance that has a bin: beyond the diagonal of the unit cube.
const MOST: f32 = 1.75;

/// Counts distances of points in the unit cube, by bin.
pub(crate) struct Histograms {
    gpu: Gpu,
    points: CudaSlice<[f32; 4]>,
    bins: usize,
    /// The counts of the first checked kernel.
    expected: OnceCell<Vec<u64>>,
}

/// The results of a kernel: a histogram; or of a handwritten one, in which the last count is for other pairs.
pub(crate) struct Counted {
    histogram: Histogram<u64>,
    plain: CudaSlice<u64>,
}

impl Histograms {
    pub(crate) fn new(gpu: &Gpu, n: usize, bins: usize) -> Result<Self, Failure> {
        let points = gpu.upload(&points::<[f32; 4]>(n))?;
        Ok(Histograms { gpu: gpu.clone(), points, bins, expected: OnceCell::new() })
    }

    /// The handwritten kernel, in shared memory if all bins fit a block's, or in global memory.
    pub(crate) fn by_hand(&self, global: bool) -> Result<(String, Launch<Self>), Failure> {
        let function = self.gpu.load(&Source::new("histogram", &[("GLOBAL", global.into())]))?;
        let blocks = self.gpu.resident(256)?;
        let launch: Launch<Self> = Box::new(move |subject, counted| {
            let (n, bins) = (subject.points.len() as u32, subject.bins as u32);
            let scale = subject.bins as f32 / MOST;
            // SAFETY: `histogram` takes n, n points, a factor, the number of bins, and one more count than bins.
            unsafe {
                subject.gpu.launch(&function, [blocks, 1], [256, 1], |launch| {
                    launch.arg(&n).arg(&subject.points).arg(&scale).arg(&bins);
                    launch.arg(&mut counted.plain);
                })
            }
        });
        let memory = if global { "global" } else { "shared" };
        Ok((format!("by hand, in {memory} memory"), launch))
    }
}

impl Subject for Histograms {
    type Output = Counted;
    type Arguments<'a> = (&'a dyn Slice<[f32; 4]>, f32, &'a mut Histogram<u64>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, counted: &'a mut Counted) -> Self::Arguments<'a> {
        (&self.points, MOST, &mut counted.histogram)
    }

    fn output(&self) -> Result<Counted, Failure> {
        let histogram = self.gpu.device.histogram(self.bins)?;
        Ok(Counted { histogram, plain: self.gpu.upload(&vec![0; self.bins + 1])? })
    }

    fn clear(&self, counted: &mut Counted) -> Result<(), Failure> {
        counted.histogram.clear()?;
        Ok(self.gpu.stream.memset_zeros(&mut counted.plain)?)
    }

    /// A pair near the edge of a bin may be in the next one if its bin is computed in another way. So bins are compared by the
    /// pairs up to each of them.
    fn verify(&self, name: &str, counted: &Counted) -> Result<(), Failure> {
        let histogram = counted.histogram.download()?;
        let all = histogram.as_slice().iter().copied().chain([histogram.outside()]);
        let plain = self.gpu.stream.clone_dtoh(&counted.plain)?;
        // A kernel counts in one of them, and leaves the other at zero.
        let counts: Vec<u64> = all.zip(plain).map(|(one, other)| one + other).collect();
        let expected = self.expected.get_or_init(|| counts.clone());
        let n = self.points.len() as u64;
        if counts.iter().sum::<u64>() != n * (n - 1) / 2 {
            return Err(format!("{name}: not all pairs are counted").into());
        }
        let (mut found, mut wanted) = (0, 0);
        for (bin, (count, right)) in counts.iter().zip(expected).enumerate() {
            (found, wanted) = (found + count, wanted + right);
            if found.abs_diff(wanted) > n {
                return Err(
                    format!("{name}: {found} pairs up to bin {bin} instead of {wanted}").into()
                );
            }
        }
        Ok(())
    }
}
