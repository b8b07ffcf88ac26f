//! Touching balls: counted, and listed.

use std::cell::OnceCell;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Pairs, Slice, Sum};

use super::{Subject, grid_of_threads};
use crate::Failure;
use crate::measure::by_hand::Source;
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
    pub(crate) fn new(gpu: &Gpu, balls: &[T]) -> Result<Counts<T>, Failure> {
        Ok(Counts { gpu: gpu.clone(), balls: gpu.upload(balls)?, expected: OnceCell::new() })
    }
}

impl Counts<[f32; 4]> {
    /// With the count of the simplest kernel.
    pub(crate) fn of_spheres(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let Lists { gpu, spheres, expected } = Lists::new(gpu, n)?;
        Ok(Counts { gpu, balls: spheres, expected: OnceCell::from(expected.len() as u64) })
    }
}

impl<T: Value> Subject for Counts<T> {
    type Output = Sum<u64>;
    type Arguments<'a> = (&'a dyn Slice<T>, &'a mut Sum<u64>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, sum: &'a mut Sum<u64>) -> Self::Arguments<'a> {
        (&self.balls, sum)
    }

    fn output(&self) -> Result<Sum<u64>, Failure> {
        Ok(self.gpu.device.sum()?)
    }

    fn clear(&self, sum: &mut Sum<u64>) -> Result<(), Failure> {
        Ok(sum.clear()?)
    }

    fn verify(&self, name: &str, sum: &Sum<u64>) -> Result<(), Failure> {
        let count = sum.download()?;
        match *self.expected.get_or_init(|| count) {
            expected if expected != count => {
                Err(format!("{name}: {count} collisions instead of {expected}").into())
            }
            _ => Ok(()),
        }
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
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Lists, Failure> {
        let spheres = gpu.upload(&spheres(n))?;
        let function = gpu.load(&Source::new("collision_reference", &[]))?;
        let mut list = gpu.upload(&vec![[u32::MAX; 2]; CAPACITY])?;
        let mut count = gpu.upload(&[0_u64])?;
        let (elements, capacity) = (n as u32, list.len() as u64);
        // SAFETY: `collision_reference` takes n, n spheres, a list, the address of its length, and its capacity; it does not
        // write past the capacity.
        unsafe {
            gpu.launch(&function, grid_of_threads(n, n), [32, 8], |launch| {
                launch.arg(&elements).arg(&spheres).arg(&mut list).arg(&mut count).arg(&capacity);
            })
        }?;
        let mut expected = gpu.stream.clone_dtoh(&list)?;
        let count = gpu.stream.clone_dtoh(&count)?;
        expected.truncate(count.first().copied().unwrap_or_default() as usize);
        expected.sort_unstable();
        Ok(Lists { gpu: gpu.clone(), spheres, expected })
    }
}

impl Subject for Lists {
    type Output = Pairs;
    type Arguments<'a> = (&'a dyn Slice<[f32; 4]>, &'a mut Pairs);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, pairs: &'a mut Pairs) -> Self::Arguments<'a> {
        (&self.spheres, pairs)
    }

    fn output(&self) -> Result<Pairs, Failure> {
        Ok(self.gpu.device.pairs(CAPACITY)?)
    }

    fn clear(&self, pairs: &mut Pairs) -> Result<(), Failure> {
        Ok(pairs.clear()?)
    }

    fn verify(&self, name: &str, pairs: &Pairs) -> Result<(), Failure> {
        let (actual, expected) = (pairs.download()?.sorted()?.into_vecs().0, &self.expected);
        if actual == *expected {
            return Ok(());
        }
        let place = actual.iter().zip(expected).take_while(|(a, b)| a == b).count();
        let text = format!(
            "{name} lists {} pairs instead of {}; the sorted lists first differ at position {place}: {:?} instead of {:?}",
            actual.len(),
            expected.len(),
            actual.get(place),
            expected.get(place)
        );
        Err(text.into())
    }
}
