//! Kernels that add up many features of each pair: distances and products of the rows of one matrix or of two.

use anyhow::{Result, ensure};
use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Buffer, Features, PairKernel};

use super::{GENERATED, Launch, Subject, check_folds, pairs};
use crate::measure::by_hand::{FEATURES, Fold, SIDE, Source, THREADS};
use crate::measure::gpu::Gpu;
use crate::measure::points::{rows_of_two, square_norms};

/// The rows of a set for generated kernels, and the squares of their norms, or for cosines the norms.
pub(crate) type Side = (Features<f32>, Buffer<f32>);

/// A generated kernel of sums over features.
pub(crate) trait Folded: PairKernel {
    /// Whether results are pairs i > j of one set in packed slots, or else a matrix of two sets.
    const IS_PACKED: bool;
    /// What the kernel adds up.
    const FOLD: Fold;

    fn launch_over(&self, sides: &[Side], slots: &mut CudaSlice<f32>) -> td_kernel::Result<()>;
}

/// Rows of many features, and a result for each pair of them. With two sets, there are as many columns as rows.
pub(crate) struct Folds {
    gpu: Gpu,
    fold: Fold,
    is_packed: bool,
    n: usize,
    features: usize,
    /// The rows of one set, or of both.
    rows: Vec<CudaSlice<f32>>,
    sides: Vec<Side>,
}

/// The steps of the paper: a kernel and its padding, and the pairs per side of its blocks, one for each thread.
const RUNGS: [(&str, u32); 3] = [("ladder_naive", 0), ("ladder_tiled", 0), ("ladder_tiled", 1)];
const RUNG_SIDE: usize = 16;

impl Folds {
    /// The paper's kernels for two sets: with global memory only, with shared memory, and without bank conflicts; and register
    /// tiles.
    pub(crate) fn ladder_by_hand(&self) -> Result<Vec<(String, Launch<Folds>)>> {
        let [grid, block] = [(self.n / RUNG_SIDE) as u32, RUNG_SIDE as u32].map(|side| [side; 2]);
        let rung = |(entry, padding): (&'static str, u32)| {
            let settings = [("SIDE", RUNG_SIDE as u32), ("PADDING", padding)];
            self.by_hand(&Source::new(entry, &settings), grid, block)
        };
        let grid = [self.n.div_ceil(SIDE) as u32; 2];
        let tiles = self.by_hand(&self.fold.tile(), grid, [THREADS, 1]);
        RUNGS.into_iter().map(rung).chain([tiles]).collect()
    }

    /// For kernels like `K`. The sizes are multiples of those of the handwritten kernels.
    pub(crate) fn new<K: Folded>(gpu: &Gpu, n: usize, features: usize) -> Result<Folds> {
        ensure!(
            [n, features].iter().all(|size| size.is_multiple_of(FEATURES) && *size > 0),
            "n = {n} and {features} features are not multiples of {FEATURES}"
        );
        Folds::of::<K>(gpu, features, rows_of_two(n, n, features))
    }

    /// Rows of which every `kinds`-th is nearly the same, up to 1/10,000 of its norm.
    pub(crate) fn near_duplicates<K: Folded>(
        gpu: &Gpu,
        [n, features]: [usize; 2],
        kinds: usize,
    ) -> Result<Folds> {
        let [mut rows, differences] = rows_of_two(n, n, features);
        for (at, difference) in differences.iter().enumerate() {
            let (row, column) = (at / features, at % features);
            rows[at] = rows[row % kinds * features + column] + 1e-4 * (difference - 0.5);
        }
        Folds::of::<K>(gpu, features, [rows, differences])
    }

    /// Rows of integers from -8 to 7.
    pub(crate) fn integers<K: Folded>(gpu: &Gpu, [n, features]: [usize; 2]) -> Result<Folds> {
        let integer = |value: f32| (16.0 * value).floor().min(15.0) - 8.0;
        let sets = rows_of_two(n, n, features);
        Folds::of::<K>(gpu, features, sets.map(|set| set.into_iter().map(integer).collect()))
    }

    /// The rows of the first set.
    pub(crate) fn host_rows(&self) -> Result<Vec<f32>> {
        Ok(self.gpu.stream.clone_dtoh(&self.rows[0])?)
    }

    fn of<K: Folded>(gpu: &Gpu, features: usize, sets: [Vec<f32>; 2]) -> Result<Folds> {
        let (fold, is_packed) = (K::FOLD, K::IS_PACKED);
        let (mut rows, mut sides) = (Vec::new(), Vec::new());
        for values in sets.iter().take(if is_packed { 1 } else { 2 }) {
            rows.push(gpu.upload(values)?);
            let mut of_rows = square_norms(values, features);
            if fold == Fold::Cosine {
                of_rows.iter_mut().for_each(|norm| *norm = norm.sqrt());
            }
            sides.push((gpu.device.features(values, features)?, gpu.device.upload(&of_rows)?));
        }
        let (gpu, n) = (gpu.clone(), sets[0].len() / features);
        Ok(Folds { gpu, fold, is_packed, n, features, rows, sides })
    }

    fn slots(&self) -> usize {
        if self.is_packed { pairs(self.n) } else { self.n * self.n }
    }

    /// The features of all pairs.
    pub(crate) fn terms(&self) -> usize {
        self.slots() * self.features
    }

    /// The sizes of both sides and of the features, and both sides.
    fn numbers(&self) -> ([u32; 3], [&CudaSlice<f32>; 2]) {
        let sizes = [self.n, self.n, self.features].map(|size| size as u32);
        (sizes, [&self.rows[0], &self.rows[self.rows.len() - 1]])
    }

    /// A generated kernel, loaded, and its name in tables.
    pub(crate) fn folded<K: Folded>(&self) -> Result<(String, Launch<Folds>)> {
        let kernel = K::load(&self.gpu.device)?;
        let launch: Launch<Folds> = Box::new(move |subject, slots| {
            let (sides, slots) = subject.arguments(slots);
            Ok(kernel.launch_over(sides, slots)?)
        });
        Ok((GENERATED.into(), launch))
    }

    /// A kernel that takes the sizes, both sides, and the slots of a matrix.
    fn by_hand(
        &self,
        source: &Source,
        grid: [u32; 2],
        block: [u32; 2],
    ) -> Result<(String, Launch<Folds>)> {
        let function = self.gpu.load(source)?;
        let launch: Launch<Folds> = Box::new(move |subject, slots| {
            ensure!(!subject.is_packed, "this kernel needs a slot for each pair of two sets");
            let (gpu, (sizes, [a, b])) = (&subject.gpu, subject.numbers());
            // SAFETY: all of these kernels take the sizes, both sides, and a slot for each pair of two sets, as here. Numbers of features are multiples of the kernels', and CUDA's allocations are aligned for
            // vectors. The grid is that of these sizes.
            unsafe {
                gpu.launch(&function, grid, block, |launch| {
                    launch.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]).arg(a).arg(b).arg(slots)
                })
            }
        });
        Ok((source.entry.to_owned(), launch))
    }
}

impl Subject for Folds {
    type Output = CudaSlice<f32>;
    type Arguments<'a> = (&'a [Side], &'a mut CudaSlice<f32>);

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        (&self.sides, slots)
    }

    fn output(&self) -> Result<CudaSlice<f32>> {
        self.gpu.poisoned(self.slots())
    }

    fn clear(&self, slots: &mut CudaSlice<f32>) -> Result<()> {
        self.gpu.poison(slots)
    }

    fn verify(&self, name: &str, slots: &CudaSlice<f32>) -> Result<()> {
        let kind = (self.fold, self.is_packed, self.features);
        check_folds(&self.gpu, name, kind, self.numbers().1, slots)
    }
}
