//! The subjects of measurements: elements on the GPU, memory for results, and their verification. All kernels are launched in
//! the same way: generated ones, which are a type parameter, and handwritten ones.

mod collisions;
mod contest;
mod distances;
mod folds;
mod pair_probe;

use anyhow::{Result, ensure};
use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Device, LaunchWith};

pub(crate) use self::collisions::{Counts, Lists};
pub(crate) use self::contest::Contest;
pub(crate) use self::distances::{Distances, InMatrix, InPacked, InSquare, Layout, Values};
pub(crate) use self::folds::{Folded, Folds, Side};
pub(crate) use self::pair_probe::PairProbe;
use crate::measure::by_hand::{Fold, Source, rounding};
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::Value;

/// Elements, and the results of kernels.
pub(crate) trait Subject: Sized + 'static {
    /// The memory for results.
    type Output;

    /// The arguments of a launch.
    type Arguments<'a>;

    fn gpu(&self) -> &Gpu;

    fn arguments<'a>(&'a self, output: &'a mut Self::Output) -> Self::Arguments<'a>;

    /// Memory for results, in the state after `clear`.
    fn output(&self) -> Result<Self::Output>;

    fn clear(&self, output: &mut Self::Output) -> Result<()>;

    /// An error if the output of a launch is wrong.
    fn verify(&self, name: &str, output: &Self::Output) -> Result<()>;

    /// A generated kernel, loaded, and its name in tables.
    fn generated<K>(&self) -> Result<(String, Launch<Self>)>
    where
        K: for<'a> LaunchWith<Self::Arguments<'a>>,
    {
        Ok((GENERATED.into(), generated::<Self, K>(&self.gpu().device)?))
    }

    /// Launches once, and verifies.
    fn check(&self, name: &str, launch: &Launch<Self>, output: &mut Self::Output) -> Result<()> {
        self.clear(output)?;
        launch(self, output)?;
        self.verify(name, output)
    }
}

/// The name of our kernels' times.
pub(crate) const GENERATED: &str = "generated";

pub(crate) type Launch<S> = Box<dyn Fn(&S, &mut <S as Subject>::Output) -> Result<()>>;

pub(crate) fn generated<S: Subject, K>(device: &Device) -> td_kernel::Result<Launch<S>>
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let kernel = K::load(device)?;
    Ok(Box::new(move |subject, output| Ok(kernel.launch_with(subject.arguments(output))?)))
}

/// The floor of kernels that write: a fill of this many bytes.
pub(crate) fn fill<'a>(gpu: &Gpu, name: &str, bytes: usize) -> Result<Way<'a>> {
    let function = gpu.load(&Source::new("fill", &[]))?;
    let mut slots = gpu.poisoned::<f32>(bytes.div_ceil(4))?;
    let gpu = gpu.clone();
    Ok(Way::new(name, move || {
        // All slots except the last up to three, if their number is not a multiple of 4.
        let vectors = slots.len() as u64 / 4;
        let blocks = vectors.div_ceil(1024) as u32;
        // SAFETY: `fill` takes the number of vectors and their address, in an allocation of CUDA's, which is aligned and has at
        // least this many floats.
        unsafe {
            gpu.launch(&function, [blocks, 1], [256, 1], |launch| {
                launch.arg(&vectors).arg(&mut slots)
            })
        }
    }))
}

/// The pairs i > j of n elements.
pub(crate) fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

/// The blocks of a triangle with `side` elements per side of a block.
pub(crate) fn units(n: usize, side: u32) -> u32 {
    let rows = n.div_ceil(side as usize);
    (rows * (rows + 1) / 2) as u32
}

/// An error if sums over features, in packed slots or in a matrix, differ from those in double precision.
fn check_folds<T: Value>(
    gpu: &Gpu,
    name: &str,
    (fold, is_packed, features): (Fold, bool, usize),
    sides: [&CudaSlice<T>; 2],
    slots: &CudaSlice<f32>,
) -> Result<()> {
    let [rows, columns] = sides.map(|side| side.num_bytes() / (features * size_of::<f32>()));
    let expected = if is_packed { pairs(rows) } else { rows * columns };
    ensure!(slots.len() == expected, "{name}: {} slots instead of {expected}", slots.len());
    let function = gpu.load(&fold.check(is_packed))?;
    let sizes = [rows, columns, features].map(|size| size as u32);
    let (share, mut found) = (rounding(features), gpu.nothing_found()?);
    // SAFETY: these are the parameters of `fold_check` in their order; it is compiled for this layout, whose number of slots has
    // been compared; both sides have these numbers of rows of features, and the result has its two numbers.
    unsafe {
        gpu.launch(&function, grid_of_threads(rows, columns), [32, 8], |launch| {
            let launch = launch.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]);
            launch.arg(sides[0]).arg(sides[1]).arg(&share).arg(slots).arg(&mut found)
        })
    }?;
    gpu.expect_nothing(name, &found)
}

/// One thread per pair of two sets, in blocks of 32 x 8.
fn grid_of_threads(rows: usize, columns: usize) -> [u32; 2] {
    [columns.div_ceil(32) as u32, rows.div_ceil(8) as u32]
}
