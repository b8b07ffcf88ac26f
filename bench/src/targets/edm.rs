//! Packed Euclidean distances: the generated kernels, and those written by hand.

use std::marker::PhantomData;

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};
use td_kernel::{Device, Result, td_kernel};

use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::hand_written::{self, Tile};
use crate::measure::points::{Point, points};

#[td_kernel(map = "auto")]
pub(crate) unsafe fn edm_1(#[each] p: &[f32], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i - p.j;
    distance = sqrtf(dx * dx);
    "#
}

#[td_kernel(map = "auto")]
unsafe fn edm_2(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

#[td_kernel(map = "auto")]
unsafe fn edm_3(#[each] p: &[[f32; 3]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

#[td_kernel(map = "auto")]
pub(crate) unsafe fn edm_4(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// A generated kernel, loaded.
pub(crate) type Generated<T> = Box<dyn Fn(&CudaSlice<T>, &mut CudaSlice<f32>) -> Result<()>>;

/// Points whose distances are generated.
pub(crate) trait Edm: Point {
    fn generated(device: &Device) -> Result<Generated<Self>>;
}

macro_rules! generated {
    ($($kernel:ident: $point:ty;)+) => {$(
        impl Edm for $point {
            fn generated(device: &Device) -> Result<Generated<Self>> {
                let kernel = $kernel::load(device)?;
                Ok(Box::new(move |points, slots| kernel.launch(points, slots)))
            }
        }
    )+};
}

generated! {
    edm_1: f32;
    edm_2: [f32; 2];
    edm_3: [f32; 3];
    edm_4: [f32; 4];
}

/// The points of a measurement.
pub(crate) struct Problem<'a, T> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) points: CudaSlice<T>,
}

impl<'a, T: Edm> Problem<'a, T> {
    pub(crate) fn new(gpu: &'a Gpu, n: usize) -> std::result::Result<Self, Failure> {
        Ok(Problem { gpu, points: gpu.upload(&points::<T>(n))? })
    }

    /// Slots for the pairs, with every bit set.
    pub(crate) fn poisoned(&self) -> std::result::Result<CudaSlice<f32>, Failure> {
        self.gpu.poisoned(pairs(self.points.len()))
    }

    /// What the distances are compared with.
    pub(crate) fn reference(&self) -> std::result::Result<CudaSlice<f32>, Failure> {
        let mut slots = self.poisoned()?;
        let source = hand_written::packed_reference(T::FEATURES);
        let n = self.points.len();
        let grid = [n.div_ceil(32) as u32, n.div_ceil(8) as u32];
        let function = self.gpu.load(&source)?;
        ByHand { function, grid, block: [32, 8], points: PhantomData }.launch(self, &mut slots)?;
        Ok(slots)
    }

    /// One thread a pair, as in the papers.
    pub(crate) fn one_thread_a_pair(&self) -> std::result::Result<ByHand<T>, Failure> {
        let function = self.gpu.load(&hand_written::packed_pair(T::FEATURES))?;
        let grid = [units(self.points.len(), 16), 1];
        Ok(ByHand { function, grid, block: [16, 16], points: PhantomData })
    }

    /// Tiles of this size.
    pub(crate) fn tiles(&self, tile: Tile) -> std::result::Result<ByHand<T>, Failure> {
        let function = self.gpu.load(&hand_written::packed_tile(T::FEATURES, tile))?;
        let grid = [units(self.points.len(), tile.side), 1];
        Ok(ByHand { function, grid, block: tile.threads, points: PhantomData })
    }
}

/// A kernel written by hand for points of type T, and its grid for as many as a problem has.
pub(crate) struct ByHand<T> {
    function: CudaFunction,
    grid: [u32; 2],
    block: [u32; 2],
    points: PhantomData<T>,
}

impl<T: Edm> ByHand<T> {
    pub(crate) fn launch(
        &self,
        problem: &Problem<'_, T>,
        slots: &mut CudaSlice<f32>,
    ) -> std::result::Result<(), Failure> {
        let n = problem.points.len();
        if slots.len() < pairs(n) {
            return Err(format!("{} slots for the pairs of {n} points", slots.len()).into());
        }
        let n = n as u32;
        // SAFETY: all of these kernels take n, the points and the slots; this one is compiled for points
        // of T::FEATURES features, there are n of them, and a slot for each pair.
        unsafe {
            problem.gpu.launch(&self.function, self.grid, self.block, |launch| {
                launch.arg(&n).arg(&problem.points).arg(slots);
            })
        }
    }
}

/// The pairs i > j of n elements.
pub(crate) fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

/// The blocks of a triangle whose blocks have `side` elements per side.
pub(crate) fn units(n: usize, side: u32) -> u32 {
    let rows = n.div_ceil(side as usize);
    (rows * (rows + 1) / 2) as u32
}
