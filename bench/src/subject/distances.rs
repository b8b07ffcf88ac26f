//! Kernels that write a value for each pair: distances of one set or two, and values of any type.

use std::marker::PhantomData;

use anyhow::Result;
use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Matrix, Packed, Slice, Slots, Square};

use super::{Launch, Subject, check_folds, grid_of_threads, pairs, units};
use crate::measure::by_hand::{Fold, Source};
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, Value, points, two_sets};

/// The layout of the results: a slot for each pair, both halves of a square, or a matrix of two sets.
pub(crate) trait Layout: 'static {
    const IS_PACKED: bool = false;
    const IS_RECTANGLE: bool = false;

    /// The arguments of a generated kernel.
    type Arguments<'a, T: Value, U: Value>;

    fn count(rows: usize) -> usize {
        if Self::IS_PACKED { pairs(rows) } else { rows * rows }
    }

    fn arguments<'a, T: Value, U: Value>(
        sides: [&'a CudaSlice<T>; 2],
        slots: &'a mut CudaSlice<U>,
    ) -> Self::Arguments<'a, T, U>;
}

pub(crate) struct InPacked;
pub(crate) struct InSquare;
pub(crate) struct InMatrix;

macro_rules! one_set {
    ($layout:ident, $slots:ident, $is_packed:literal) => {
        impl Layout for $layout {
            const IS_PACKED: bool = $is_packed;
            type Arguments<'a, T: Value, U: Value> =
                (&'a dyn Slice<T>, &'a mut dyn Slots<$slots<U>>);

            fn arguments<'a, T: Value, U: Value>(
                [points, _]: [&'a CudaSlice<T>; 2],
                slots: &'a mut CudaSlice<U>,
            ) -> Self::Arguments<'a, T, U> {
                (points, slots)
            }
        }
    };
}

one_set!(InPacked, Packed, true);
one_set!(InSquare, Square, false);

impl Layout for InMatrix {
    const IS_RECTANGLE: bool = true;
    type Arguments<'a, T: Value, U: Value> =
        (&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut dyn Slots<Matrix<U>>);

    fn arguments<'a, T: Value, U: Value>(
        [rows, columns]: [&'a CudaSlice<T>; 2],
        slots: &'a mut CudaSlice<U>,
    ) -> Self::Arguments<'a, T, U> {
        (rows, columns, slots)
    }
}

/// Points, and a value for each pair of them. With two sets, there are as many columns as rows.
pub(crate) struct Written<T, U, L> {
    gpu: Gpu,
    points: CudaSlice<T>,
    /// The points of the second set, if there are two.
    columns: Option<CudaSlice<T>>,
    verify: fn(&Self, &str, &CudaSlice<U>) -> Result<()>,
    layout: PhantomData<L>,
}

/// Distances of points of any number of features.
pub(crate) type Distances<T, L> = Written<T, f32, L>;

/// Values of any type, computed from the distances on a line.
pub(crate) type Values<U, L> = Written<f32, U, L>;

impl<T: Point, U: Value, L: Layout> Written<T, U, L> {
    fn new(
        gpu: &Gpu,
        n: usize,
        verify: fn(&Self, &str, &CudaSlice<U>) -> Result<()>,
    ) -> Result<Self> {
        let (points, columns) = match L::IS_RECTANGLE {
            true => {
                let [rows, columns] = two_sets::<T>(n, n);
                (gpu.upload(&rows)?, Some(gpu.upload(&columns)?))
            }
            false => (gpu.upload(&points::<T>(n))?, None),
        };
        Ok(Written { gpu: gpu.clone(), points, columns, verify, layout: PhantomData })
    }

    /// The bytes written.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<U>() * L::count(self.points.len())
    }

    /// The rows and the columns, which are the same for one set.
    fn sides(&self) -> [&CudaSlice<T>; 2] {
        [&self.points, self.columns.as_ref().unwrap_or(&self.points)]
    }
}

impl<U: Value, L: Layout> Values<U, L> {
    pub(crate) fn values(gpu: &Gpu, n: usize) -> Result<Self> {
        Written::new(gpu, n, |subject, name, values| {
            let (gpu, points) = (&subject.gpu, &subject.points);
            let function = gpu.load(&Source::output_check(size_of::<U>(), !L::IS_PACKED))?;
            let (n, grid) = (points.len() as u32, grid_of_threads(points.len(), points.len()));
            let mut found = gpu.nothing_found()?;
            // SAFETY: these are the parameters of `output_check` in their order; it is compiled for values of this size and
            // layout, whose count is that of n points, and the result has its two numbers.
            unsafe {
                gpu.launch(&function, grid, [32, 8], |launch| {
                    launch.arg(&n).arg(points).arg(values).arg(&mut found)
                })
            }?;
            gpu.expect_nothing(name, &found)
        })
    }
}

impl<T: Point, L: Layout> Distances<T, L> {
    pub(crate) fn distances(gpu: &Gpu, n: usize) -> Result<Self> {
        Written::new(gpu, n, |subject, name, slots| {
            let kind = (Fold::Distance, L::IS_PACKED, T::FEATURES as usize);
            check_folds(&subject.gpu, name, kind, subject.sides(), slots)
        })
    }
}

/// The pairs per side of a block of `packed_tile`, and its threads.
const SIDE: u32 = 64;
const THREADS: [u32; 2] = [8, 16];

impl Distances<[f32; 4], InPacked> {
    /// The handwritten kernel.
    pub(crate) fn by_hand(&self) -> Result<(String, Launch<Self>)> {
        let function = self.gpu.load(&Source::new("packed_tile", &[]))?;
        let launch: Launch<Self> = Box::new(move |subject, slots| {
            let (gpu, points) = (&subject.gpu, &subject.points);
            let (n, grid) = (points.len() as u32, [units(points.len(), SIDE), 1]);
            // SAFETY: `packed_tile` takes n, n points of four features, and a slot for each pair.
            unsafe {
                gpu.launch(&function, grid, THREADS, |launch| launch.arg(&n).arg(points).arg(slots))
            }
        });
        Ok((format!("by hand, tiles of {SIDE}"), launch))
    }
}

impl<T: Point, U: Value, L: Layout> Subject for Written<T, U, L> {
    type Output = CudaSlice<U>;
    type Arguments<'a> = L::Arguments<'a, T, U>;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<U>) -> Self::Arguments<'a> {
        L::arguments(self.sides(), slots)
    }

    fn output(&self) -> Result<CudaSlice<U>> {
        self.gpu.poisoned(L::count(self.points.len()))
    }

    fn clear(&self, slots: &mut CudaSlice<U>) -> Result<()> {
        self.gpu.poison(slots)
    }

    fn verify(&self, name: &str, slots: &CudaSlice<U>) -> Result<()> {
        (self.verify)(self, name, slots)
    }
}
