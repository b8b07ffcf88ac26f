//! The kernels of the ladder, of this project's own writing.

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};

use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::hand_written::{Source, square_rung};

/// A kernel of the ladder.
#[derive(Debug)]
pub(super) struct Rung {
    pub(super) name: &'static str,
    source: fn() -> Source,
}

/// Each rung is the one before it, with one thing more.
pub(super) const RUNGS: &[Rung] = &[
    Rung { name: "1 naive", source: square_rung::naive },
    Rung { name: "2 coalesced", source: square_rung::coalesced },
    Rung { name: "3 shared memory", source: square_rung::shared },
    Rung { name: "4 strength-reduced index", source: square_rung::counted },
    Rung { name: "5 asynchronous pipeline", source: square_rung::pipeline },
];

/// The threads of a block, and the rows that it has.
const THREADS: u32 = 256;

/// A rung, loaded.
pub(super) struct Step<'a> {
    gpu: &'a Gpu,
    pub(super) rung: &'static Rung,
    function: CudaFunction,
}

impl<'a> Step<'a> {
    pub(super) fn load(gpu: &'a Gpu, rung: &'static Rung) -> Result<Step<'a>, Failure> {
        Ok(Step { gpu, rung, function: gpu.load(&(rung.source)())? })
    }

    pub(super) fn launch(
        &self,
        points: &CudaSlice<[f32; 2]>,
        slots: &mut CudaSlice<f32>,
    ) -> Result<(), Failure> {
        if slots.len() < points.len() * points.len() {
            return Err(format!("{}: too few slots for the square", self.rung.name).into());
        }
        let n = points.len() as u32;
        let blocks = n.div_ceil(THREADS);
        // SAFETY: all rungs take n, n points of two features, and n² slots.
        unsafe {
            self.gpu.launch(&self.function, [blocks, 1], [THREADS, 1], |launch| {
                launch.arg(&n).arg(points).arg(slots);
            })
        }
    }
}
