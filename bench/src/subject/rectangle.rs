//! The distances of two sets.

use std::cell::OnceCell;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{MatrixSlots, Slice};

use super::{Subject, grid_of_threads};
use crate::Failure;
use crate::measure::by_hand::Source;
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, two_sets};

/// Points of two sets, and the distance of each of the first to each of the second.
pub(crate) struct Rectangle<T> {
    gpu: Gpu,
    rows: CudaSlice<T>,
    columns: CudaSlice<T>,
    expected: OnceCell<CudaSlice<f32>>,
}

impl<T: Point> Rectangle<T> {
    pub(crate) fn new(gpu: &Gpu, rows: usize, columns: usize) -> Result<Rectangle<T>, Failure> {
        let [rows, columns] = two_sets::<T>(rows, columns);
        let [rows, columns] = [gpu.upload(&rows)?, gpu.upload(&columns)?];
        Ok(Rectangle { gpu: gpu.clone(), rows, columns, expected: OnceCell::new() })
    }

    fn slots(&self) -> usize {
        self.rows.len() * self.columns.len()
    }

    /// The bytes that are written.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<f32>() * self.slots()
    }

    /// What the distances are compared with. The first time, it is computed.
    fn reference(&self) -> Result<&CudaSlice<f32>, Failure> {
        if let Some(expected) = self.expected.get() {
            return Ok(expected);
        }
        let Rectangle { gpu, rows, columns, .. } = self;
        let mut slots = self.output()?;
        let source = Source::new("rectangle_reference", &[("FEATURES", T::FEATURES)]);
        let function = gpu.load(&source)?;
        let [height, width] = [rows.len(), columns.len()];
        let counts = [height as u32, width as u32];
        // SAFETY: `rectangle_reference` takes the numbers of rows and columns, the points of both, and a slot for each
        // pair; it is compiled for points of as many features.
        unsafe {
            gpu.launch(&function, grid_of_threads(height, width), [32, 8], |launch| {
                launch.arg(&counts[0]).arg(&counts[1]).arg(rows).arg(columns).arg(&mut slots);
            })
        }?;
        Ok(self.expected.get_or_init(|| slots))
    }
}

impl<T: Point> Subject for Rectangle<T> {
    type Output = CudaSlice<f32>;
    type Arguments<'a> = (&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut dyn MatrixSlots<f32>);

    const ADDS_UP: bool = false;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        (&self.rows, &self.columns, slots)
    }

    fn output(&self) -> Result<CudaSlice<f32>, Failure> {
        self.gpu.poisoned(self.slots())
    }

    fn clear(&self, slots: &mut CudaSlice<f32>) -> Result<(), Failure> {
        self.gpu.poison(slots)
    }

    fn verify(&self, name: &str, slots: &CudaSlice<f32>) -> Result<(), Failure> {
        self.gpu.check(name, slots, self.reference()?)
    }
}
