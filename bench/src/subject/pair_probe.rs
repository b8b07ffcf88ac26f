//! The maps alone.

use anyhow::{Result, ensure};
use td_kernel::SliceMut;
use td_kernel::cudarc::driver::CudaSlice;

use super::{Launch, Subject};
use crate::measure::gpu::Gpu;

/// A body that reads its pair and writes only if i + j is the wanted sum. No pair has the sum that is timed, which the compiler
/// cannot know. Sums that some pairs have show whether each pair is visited once. (The papers' kernel writes i + j to one
/// address: the writes would dominate the time.)
pub(crate) struct PairProbe {
    gpu: Gpu,
    n: usize,
}

/// The wanted sum, and how often it was found.
pub(crate) struct Seen {
    wanted: u32,
    count: CudaSlice<u32>,
}

impl PairProbe {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<PairProbe> {
        Ok(PairProbe { gpu: gpu.clone(), n })
    }
}

impl Subject for PairProbe {
    type Output = Seen;
    type Arguments<'a> = (usize, u32, &'a mut dyn SliceMut<u32>);

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, seen: &'a mut Seen) -> Self::Arguments<'a> {
        (self.n, seen.wanted, &mut seen.count)
    }

    fn output(&self) -> Result<Seen> {
        Ok(Seen { wanted: u32::MAX, count: self.gpu.upload(&[0])? })
    }

    fn clear(&self, seen: &mut Seen) -> Result<()> {
        Ok(self.gpu.stream.memset_zeros(&mut seen.count)?)
    }

    fn verify(&self, name: &str, Seen { wanted, count }: &Seen) -> Result<()> {
        let visited = self.gpu.stream.clone_dtoh(count)?;
        // Half of the sums i + j = s with i > j, s < n, are pairs, in any rows.
        let expected = wanted.div_ceil(2);
        let is_right = visited == [expected];
        ensure!(is_right, "{name} visits {visited:?} of {expected} pairs with i + j = {wanted}");
        Ok(())
    }

    fn check(&self, name: &str, launch: &Launch<Self>, seen: &mut Seen) -> Result<()> {
        for wanted in [1, self.n / 2, self.n - 1] {
            self.clear(seen)?;
            seen.wanted = wanted as u32;
            launch(self, seen)?;
            self.verify(name, seen)?;
        }
        seen.wanted = u32::MAX;
        Ok(())
    }
}
