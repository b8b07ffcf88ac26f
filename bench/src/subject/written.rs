//! What writes a value for each pair: distances, and values of any type.

use std::any::TypeId;
use std::cell::OnceCell;
use std::marker::PhantomData;

use td_kernel::Slice;
use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};

use super::layout::{InPacked, Layout, tile};
use super::{Launch, Subject, grid_of_threads, units};
use crate::Failure;
use crate::measure::by_hand::{Source, TILES};
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, Value, points};

/// Points, and a value for each pair of them.
pub(crate) struct Written<T, U, L> {
    gpu: Gpu,
    points: CudaSlice<T>,
    verify: fn(&Self, &str, &CudaSlice<U>) -> Result<(), Failure>,
    expected: OnceCell<CudaSlice<U>>,
    layout: PhantomData<L>,
}

/// Distances of points of any number of features.
pub(crate) type Distances<T, L> = Written<T, f32, L>;

/// Values of any type, made of the distances on a line.
pub(crate) type Values<U, L> = Written<f32, U, L>;

impl<T: Point, U: Value, L: Layout> Written<T, U, L> {
    fn new(
        gpu: &Gpu,
        n: usize,
        verify: fn(&Self, &str, &CudaSlice<U>) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let (gpu, points) = (gpu.clone(), gpu.upload(&points::<T>(n))?);
        Ok(Written { gpu, points, verify, expected: OnceCell::new(), layout: PhantomData })
    }

    /// The bytes that are written.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<U>() * L::count(self.points.len())
    }
}

impl<U: Value, L: Layout> Values<U, L> {
    pub(crate) fn values(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        Written::new(gpu, n, |subject, name, values| {
            let Written { gpu, points, .. } = subject;
            let doubles = TypeId::of::<U>() == TypeId::of::<f64>();
            let source = Source::output_check(size_of::<U>(), doubles, L::IS_SQUARE);
            let (function, n) = (gpu.load(&source)?, points.len() as u32);
            let mut found = gpu.nothing_found()?;
            // SAFETY: these are the parameters of `output_check` in their order; it is compiled for values of this size
            // and layout, of which there are as many as n points have, and the result has its two numbers.
            unsafe {
                gpu.launch(
                    &function,
                    grid_of_threads(points.len(), points.len()),
                    [32, 8],
                    |launch| {
                        launch.arg(&n).arg(points).arg(values).arg(&mut found);
                    },
                )
            }?;
            gpu.expect_nothing(name, &found)
        })
    }
}

impl<T: Point, L: Layout> Distances<T, L> {
    pub(crate) fn distances(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        Written::new(gpu, n, |subject, name, slots| {
            subject.gpu.check(name, slots, subject.reference()?)
        })
    }

    /// With what the distances are compared with, so that a device that has no room for it says so now.
    pub(crate) fn with_reference(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let subject = Distances::distances(gpu, n)?;
        subject.reference()?;
        Ok(subject)
    }

    /// A kernel written by hand, which takes n, the points and the slots.
    pub(crate) fn by_hand(
        &self,
        (name, source, grid, block): (String, Source, [u32; 2], [u32; 2]),
    ) -> Result<(String, Launch<Self>), Failure> {
        let function = self.gpu.load(&source)?;
        let launch: Launch<Self> = Box::new(move |Written { gpu, points, .. }, slots| {
            let n = points.len();
            if slots.len() < L::count(n) {
                return Err(format!("{} slots for {n} points", slots.len()).into());
            }
            let n = n as u32;
            // SAFETY: all of these kernels take n, the points and the slots; this one is compiled for points of as many
            // features, there are n of them, and as many slots as its layout has.
            unsafe {
                gpu.launch(&function, grid, block, |launch| {
                    launch.arg(&n).arg(points).arg(slots);
                })
            }
        });
        Ok((name, launch))
    }

    /// The best one.
    pub(crate) fn best_by_hand(&self) -> Result<(String, Launch<Self>), Failure> {
        self.by_hand(L::by_hand(T::FEATURES, self.points.len()))
    }

    /// What the distances are compared with. The first time, it is computed.
    fn reference(&self) -> Result<&CudaSlice<f32>, Failure> {
        if let Some(expected) = self.expected.get() {
            return Ok(expected);
        }
        let mut slots = self.output()?;
        let source = Source::new(L::REFERENCE, &[("FEATURES", T::FEATURES)]);
        let grid = grid_of_threads(self.points.len(), self.points.len());
        self.by_hand((String::new(), source, grid, [32, 8]))?.1(self, &mut slots)?;
        Ok(self.expected.get_or_init(|| slots))
    }
}

impl<T: Point> Distances<T, InPacked> {
    /// One thread a pair, as in the papers; and tiles of each size.
    pub(crate) fn all_by_hand(&self) -> Result<Vec<(String, Launch<Self>)>, Failure> {
        let n = self.points.len();
        let source = Source::new("packed_pair", &[("FEATURES", T::FEATURES)]);
        let plain = ("one thread a pair".into(), source, [units(n, 16), 1], [16, 16]);
        let tiles = TILES.iter().map(|&each| tile(T::FEATURES, n, each));
        [plain].into_iter().chain(tiles).map(|each| self.by_hand(each)).collect()
    }
}

impl<T: Point, U: Value, L: Layout> Subject for Written<T, U, L> {
    type Output = CudaSlice<U>;
    type Arguments<'a> = (&'a dyn Slice<T>, L::Slots<'a, U>);

    const ADDS_UP: bool = false;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<U>) -> Self::Arguments<'a> {
        (&self.points, L::slots(slots))
    }

    fn output(&self) -> Result<CudaSlice<U>, Failure> {
        self.gpu.poisoned(L::count(self.points.len()))
    }

    fn clear(&self, slots: &mut CudaSlice<U>) -> Result<(), Failure> {
        self.gpu.poison(slots)
    }

    fn verify(&self, name: &str, slots: &CudaSlice<U>) -> Result<(), Failure> {
        (self.verify)(self, name, slots)
    }
}
