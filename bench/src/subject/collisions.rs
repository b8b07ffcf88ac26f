//! Balls that touch: counted, and listed.

use std::cell::OnceCell;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Pairs, Slice, Sum};

use super::{Launch, Subject, grid_of_pairs, units};
use crate::Failure;
use crate::measure::by_hand::{Source, WINDOWS};
use crate::measure::gpu::Gpu;
use crate::measure::points::Value;

/// Balls that touch, counted.
pub(crate) struct Counts<T> {
    gpu: Gpu,
    balls: CudaSlice<T>,
    /// Where nothing else told it, what the first kernel counts that is checked.
    expected: OnceCell<u64>,
}

/// What generated kernels count, and what one written by hand does.
pub(crate) struct Counted {
    sum: Sum<u64>,
    by_hand: CudaSlice<u64>,
}

impl<T: Value> Counts<T> {
    pub(crate) fn new(gpu: &Gpu, balls: &[T]) -> Result<Counts<T>, Failure> {
        Ok(Counts { gpu: gpu.clone(), balls: gpu.upload(balls)?, expected: OnceCell::new() })
    }
}

/// The rows of a tile of the kernels written by hand that count and list.
const TILE: u32 = 128;

impl Counts<[f32; 4]> {
    /// With the count of the plainest kernel.
    pub(crate) fn of_spheres(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let lists = Lists::new(gpu, n)?;
        let expected = OnceCell::from(lists.expected.len() as u64);
        Ok(Counts { gpu: lists.gpu, balls: lists.spheres, expected })
    }

    pub(crate) fn by_hand(&self) -> Result<(String, Launch<Self>), Failure> {
        let function = self.gpu.load(&Source::new("collision_count", &[]))?;
        let launch: Launch<Self> = Box::new(move |subject, counted| {
            let n = subject.balls.len() as u32;
            // SAFETY: `collision_count` takes n, n spheres, and where one number is.
            unsafe {
                subject.gpu.launch(&function, [units(n as usize, TILE), 1], [32, 1], |launch| {
                    launch.arg(&n).arg(&subject.balls).arg(&mut counted.by_hand);
                })
            }
        });
        Ok(("by hand, 4 rows a lane".into(), launch))
    }
}

impl<T: Value> Subject for Counts<T> {
    type Output = Counted;
    type Arguments<'a> = (&'a dyn Slice<T>, &'a mut Sum<u64>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, counted: &'a mut Counted) -> Self::Arguments<'a> {
        (&self.balls, &mut counted.sum)
    }

    fn output(&self) -> Result<Counted, Failure> {
        Ok(Counted { sum: self.gpu.device.sum()?, by_hand: self.gpu.upload(&[0])? })
    }

    fn clear(&self, counted: &mut Counted) -> Result<(), Failure> {
        counted.sum.clear()?;
        Ok(self.gpu.stream.memset_zeros(&mut counted.by_hand)?)
    }

    fn verify(&self, name: &str, counted: &Counted) -> Result<(), Failure> {
        let by_hand = self.gpu.stream.clone_dtoh(&counted.by_hand)?;
        let count = counted.sum.download()? + by_hand.iter().sum::<u64>();
        match *self.expected.get_or_init(|| count) {
            expected if expected != count => {
                Err(format!("{name}: {count} collisions instead of {expected}").into())
            }
            _ => Ok(()),
        }
    }
}

/// Spheres that touch, listed.
pub(crate) struct Lists {
    gpu: Gpu,
    spheres: CudaSlice<[f32; 4]>,
    expected: Vec<[u32; 2]>,
}

/// The list of a generated kernel, and that of one written by hand.
pub(crate) struct Listed {
    pairs: Pairs,
    list: CudaSlice<[u32; 2]>,
    count: CudaSlice<u64>,
}

/// Room for the pairs of all launches that are timed, some hundreds each: a list that is full would be
/// spared its writes.
const CAPACITY: usize = 1 << 20;

impl Lists {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Lists, Failure> {
        let spheres = gpu.upload(&crate::measure::points::spheres(n))?;
        let mut lists = Lists { gpu: gpu.clone(), spheres, expected: Vec::new() };
        // One thread a pair.
        let source = Source::new("collision_reference", &[]);
        let mut listed = lists.output()?;
        lists.kernel(&source, grid_of_pairs(n), [32, 8])?(&lists, &mut listed)?;
        lists.expected = lists.sorted(&listed)?;
        Ok(lists)
    }

    pub(crate) fn all_by_hand(&self) -> Result<Vec<(String, Launch<Self>)>, Failure> {
        let grid = [units(self.spheres.len(), TILE), 1];
        let by_hand = |window: &u32| {
            let source = Source::new("collision_list", &[("WINDOW", *window)]);
            Ok((format!("by hand, windows of {window}"), self.kernel(&source, grid, [32, 1])?))
        };
        WINDOWS.iter().map(by_hand).collect()
    }

    fn kernel(
        &self,
        source: &Source,
        grid: [u32; 2],
        block: [u32; 2],
    ) -> Result<Launch<Self>, Failure> {
        let function = self.gpu.load(source)?;
        Ok(Box::new(move |Lists { gpu, spheres, .. }, Listed { list, count, .. }| {
            let (n, capacity) = (spheres.len() as u32, list.len() as u64);
            // SAFETY: these kernels take n, n spheres, a list, where its length is, and its capacity; they
            // write no further than that, whatever the grid.
            unsafe {
                gpu.launch(&function, grid, block, |launch| {
                    launch.arg(&n).arg(spheres).arg(list).arg(count).arg(&capacity);
                })
            }
        }))
    }

    fn sorted(&self, listed: &Listed) -> Result<Vec<[u32; 2]>, Failure> {
        let count = self.gpu.stream.clone_dtoh(&listed.count)?;
        let mut pairs = self.gpu.stream.clone_dtoh(&listed.list)?;
        pairs.truncate(count.first().copied().unwrap_or_default() as usize);
        pairs.extend(listed.pairs.download()?);
        pairs.sort_unstable();
        Ok(pairs)
    }
}

impl Subject for Lists {
    type Output = Listed;
    type Arguments<'a> = (&'a dyn Slice<[f32; 4]>, &'a mut Pairs);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, listed: &'a mut Listed) -> Self::Arguments<'a> {
        (&self.spheres, &mut listed.pairs)
    }

    fn output(&self) -> Result<Listed, Failure> {
        let pairs = self.gpu.device.pairs(CAPACITY)?;
        // Pairs that no kernel lists, so that an entry which nobody writes shows.
        let list = self.gpu.upload(&vec![[u32::MAX; 2]; CAPACITY])?;
        Ok(Listed { pairs, list, count: self.gpu.upload(&[0])? })
    }

    fn clear(&self, listed: &mut Listed) -> Result<(), Failure> {
        listed.pairs.clear()?;
        Ok(self.gpu.stream.memset_zeros(&mut listed.count)?)
    }

    fn verify(&self, name: &str, listed: &Listed) -> Result<(), Failure> {
        let (actual, expected) = (self.sorted(listed)?, &self.expected);
        if actual == *expected {
            return Ok(());
        }
        let place = actual.iter().zip(expected).take_while(|(a, b)| a == b).count();
        let text = format!(
            "{name} lists {} pairs and the reference {}; in order, the first to differ is number {place}: \
             {:?} and {:?}",
            actual.len(),
            expected.len(),
            actual.get(place),
            expected.get(place)
        );
        Err(text.into())
    }
}
