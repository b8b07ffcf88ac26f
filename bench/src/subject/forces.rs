//! Softened gravity.

use std::cell::OnceCell;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Slice, Sums};

use super::{Launch, Subject};
use crate::Failure;
use crate::measure::by_hand::Source;
use crate::measure::gpu::Gpu;
use crate::measure::points::bodies;

/// The term added to each squared distance.
const SOFTENING: f32 = 1e-4;

/// The tolerance of a sum, relative to the sum of its terms' magnitudes. A pair of 30,720 contributes three times this on
/// average.
const ROUNDING: f64 = 1e-5;

/// Bodies in space, and the change of each one's velocity by all others.
pub(crate) struct Forces {
    gpu: Gpu,
    bodies: CudaSlice<[f32; 4]>,
    expected: OnceCell<Expected>,
}

/// The sums of a generated kernel, and those of a handwritten one.
pub(crate) struct Added {
    sums: Sums<[f32; 3]>,
    by_hand: CudaSlice<[f32; 3]>,
}

/// The sums in double precision, and the sums of the magnitudes.
struct Expected {
    sums: Vec<[f64; 3]>,
    magnitudes: Vec<[f64; 3]>,
}

/// The threads, the rows and the columns of a block of `forces_square`.
const THREADS: u32 = 256;
const ROWS: usize = 1024;
const COLUMNS: usize = 512;

impl Forces {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Forces, Failure> {
        let bodies = gpu.upload(&bodies(n))?;
        Ok(Forces { gpu: gpu.clone(), bodies, expected: OnceCell::new() })
    }

    /// The full square of ordered pairs.
    pub(crate) fn by_hand(&self) -> Result<(String, Launch<Self>), Failure> {
        let function = self.gpu.load(&Source::new("forces_square", &[]))?;
        let grid = [ROWS, COLUMNS].map(|side| self.bodies.len().div_ceil(side) as u32);
        let launch: Launch<Self> = Box::new(move |Forces { gpu, bodies, .. }, added| {
            let n = bodies.len() as u32;
            // SAFETY: `forces_square` takes n, n bodies, the softening, and three sums for each body.
            unsafe {
                gpu.launch(&function, grid, [THREADS, 1], |launch| {
                    launch.arg(&n).arg(bodies).arg(&SOFTENING).arg(&mut added.by_hand);
                })
            }
        });
        Ok(("the square by hand".into(), launch))
    }

    /// The reference of the sums, computed on first use.
    fn reference(&self) -> Result<&Expected, Failure> {
        if let Some(expected) = self.expected.get() {
            return Ok(expected);
        }
        let Forces { gpu, bodies, .. } = self;
        let n = bodies.len();
        let function = gpu.load(&Source::new("forces_reference", &[]))?;
        let [mut sums, mut magnitudes] = [gpu.poisoned(n)?, gpu.poisoned(n)?];
        let (count, blocks) = (n as u32, n.div_ceil(128) as u32);
        // SAFETY: `forces_reference` takes n, n bodies, the softening, and two vectors of doubles for each body.
        unsafe {
            gpu.launch(&function, [blocks, 1], [128, 1], |launch| {
                launch.arg(&count).arg(bodies).arg(&SOFTENING);
                launch.arg(&mut sums).arg(&mut magnitudes);
            })
        }?;
        let download = |memory| gpu.stream.clone_dtoh(memory);
        let expected = Expected { sums: download(&sums)?, magnitudes: download(&magnitudes)? };
        Ok(self.expected.get_or_init(|| expected))
    }
}

impl Subject for Forces {
    type Output = Added;
    type Arguments<'a> = (&'a dyn Slice<[f32; 4]>, f32, &'a mut Sums<[f32; 3]>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, added: &'a mut Added) -> Self::Arguments<'a> {
        (&self.bodies, SOFTENING, &mut added.sums)
    }

    fn output(&self) -> Result<Added, Failure> {
        let n = self.bodies.len();
        Ok(Added { sums: self.gpu.device.sums(n)?, by_hand: self.gpu.upload(&vec![[0.0; 3]; n])? })
    }

    fn clear(&self, added: &mut Added) -> Result<(), Failure> {
        added.sums.clear()?;
        Ok(self.gpu.stream.memset_zeros(&mut added.by_hand)?)
    }

    fn verify(&self, name: &str, added: &Added) -> Result<(), Failure> {
        let by_hand = self.gpu.stream.clone_dtoh(&added.by_hand)?;
        // A kernel adds to one of them, and leaves the other at zero.
        let add = |(a, b): ([f32; 3], [f32; 3])| std::array::from_fn(|axis| a[axis] + b[axis]);
        let sums: Vec<_> = added.sums.download()?.into_iter().zip(by_hand).map(add).collect();
        self.reference()?.judge(name, &sums)
    }
}

impl Expected {
    /// An error if a sum differs by more than rounding.
    fn judge(&self, name: &str, sums: &[[f32; 3]]) -> Result<(), Failure> {
        let expected = self.sums.iter().zip(&self.magnitudes);
        for (body, (actual, (sum, magnitude))) in sums.iter().zip(expected).enumerate() {
            for axis in 0..3 {
                let off = (f64::from(actual[axis]) - sum[axis]).abs() / magnitude[axis];
                // False for a NaN.
                let is_right = off <= ROUNDING;
                if !is_right {
                    let text = format!("{name}: body {body} gets {actual:?} instead of {sum:?}");
                    return Err(format!("{text}, an error of {off:.1e} of the magnitudes").into());
                }
            }
        }
        let (is, should) = (sums.len(), self.sums.len());
        if is == should {
            return Ok(());
        }
        Err(format!("{name}: {is} sums, but the reference has {should}").into())
    }
}
