//! Touching balls: counted, and listed.

use std::cell::OnceCell;

use anyhow::{Result, bail, ensure};
use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{Pairs, Slice, Sum};

use super::Subject;
use crate::measure::gpu::Gpu;
use crate::measure::points::{Value, spheres};

/// Counts touching balls.
pub(crate) struct Counts<T> {
    gpu: Gpu,
    balls: CudaSlice<T>,
    /// Without another reference, the count of the first checked kernel.
    expected: OnceCell<u64>,
}

impl<T: Value> Counts<T> {
    pub(crate) fn new(gpu: &Gpu, balls: &[T]) -> Result<Counts<T>> {
        Ok(Counts { gpu: gpu.clone(), balls: gpu.upload(balls)?, expected: OnceCell::new() })
    }
}

impl Counts<[f32; 4]> {
    /// With the count of the host.
    pub(crate) fn of_spheres(gpu: &Gpu, n: usize) -> Result<Self> {
        let Lists { gpu, spheres, expected } = Lists::new(gpu, n)?;
        Ok(Counts { gpu, balls: spheres, expected: OnceCell::from(expected.len() as u64) })
    }
}

impl<T: Value> Subject for Counts<T> {
    type Output = Sum<u64>;
    type Arguments<'a> = (&'a dyn Slice<T>, &'a mut Sum<u64>);

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, sum: &'a mut Sum<u64>) -> Self::Arguments<'a> {
        (&self.balls, sum)
    }

    fn output(&self) -> Result<Sum<u64>> {
        Ok(self.gpu.device.sum()?)
    }

    fn clear(&self, sum: &mut Sum<u64>) -> Result<()> {
        Ok(sum.clear()?)
    }

    fn verify(&self, name: &str, sum: &Sum<u64>) -> Result<()> {
        let count = sum.download()?;
        let expected = *self.expected.get_or_init(|| count);
        ensure!(count == expected, "{name}: {count} collisions instead of {expected}");
        Ok(())
    }
}

/// Lists touching spheres.
pub(crate) struct Lists {
    gpu: Gpu,
    spheres: CudaSlice<[f32; 4]>,
    expected: Vec<[u32; 2]>,
}

/// Room for the pairs of all timed launches, some hundreds each: a full list would skip its writes.
const CAPACITY: usize = 1 << 20;

impl Lists {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Lists> {
        let spheres = spheres(n);
        let expected = touching(&spheres);
        Ok(Lists { gpu: gpu.clone(), spheres: gpu.upload(&spheres)?, expected })
    }
}

/// The pairs of touching spheres, sorted. The host compares only spheres that are near along the first axis.
fn touching(spheres: &[[f32; 4]]) -> Vec<[u32; 2]> {
    let farthest = 2.0 * spheres.iter().map(|sphere| f64::from(sphere[3])).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..spheres.len()).collect();
    order.sort_unstable_by(|a, b| spheres[*a][0].total_cmp(&spheres[*b][0]));
    let mut pairs = Vec::new();
    for (place, &a) in order.iter().enumerate() {
        let [x, y, z, radius] = spheres[a].map(f64::from);
        for &b in order[..place].iter().rev() {
            let [bx, by, bz, other] = spheres[b].map(f64::from);
            if x - bx > farthest {
                break;
            }
            let square = (x - bx).powi(2) + (y - by).powi(2) + (z - bz).powi(2);
            if square <= (radius + other).powi(2) {
                pairs.push([a.max(b) as u32, a.min(b) as u32]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

impl Subject for Lists {
    type Output = Pairs;
    type Arguments<'a> = (&'a dyn Slice<[f32; 4]>, &'a mut Pairs);

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, pairs: &'a mut Pairs) -> Self::Arguments<'a> {
        (&self.spheres, pairs)
    }

    fn output(&self) -> Result<Pairs> {
        Ok(self.gpu.device.pairs(CAPACITY)?)
    }

    fn clear(&self, pairs: &mut Pairs) -> Result<()> {
        Ok(pairs.clear()?)
    }

    fn verify(&self, name: &str, pairs: &Pairs) -> Result<()> {
        let (actual, expected) = (pairs.download()?.sorted()?.into_vecs().0, &self.expected);
        if actual == *expected {
            return Ok(());
        }
        let place = actual.iter().zip(expected).take_while(|(a, b)| a == b).count();
        bail!(
            "{name} lists {} pairs instead of {}; the sorted lists first differ at position {place}: {:?} instead of {:?}",
            actual.len(),
            expected.len(),
            actual.get(place),
            expected.get(place)
        )
    }
}

#[cfg(test)]
mod tests {
    use td_kernel::Device;

    use super::*;
    use crate::kernels::list;

    #[test]
    fn host_finds_the_same_pairs() {
        let device = Device::cpu().unwrap();
        let spheres: Vec<_> =
            spheres(600).into_iter().map(|[x, y, z, r]| [x, y, z, 20.0 * r]).collect();
        let (p, mut pairs) = (device.upload(&spheres).unwrap(), device.pairs(CAPACITY).unwrap());
        list::load(&device).unwrap().launch(&p, &mut pairs).unwrap();
        let expected = pairs.download().unwrap().sorted().unwrap().into_vecs().0;
        assert!(!expected.is_empty());
        assert_eq!(touching(&spheres), expected);
    }
}
