//! Kernels that add up many features of each pair: distances and products of the rows of one matrix or of two.

use std::marker::PhantomData;

use anyhow::{Result, ensure};
use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Buffer, Features, Matrix, Packed, Slice, Slots};

use super::{Launch, Subject, check_folds, pairs};
use crate::measure::by_hand::{FEATURES, Fold, SIDE, Source, THREADS};
use crate::measure::gpu::Gpu;
use crate::measure::points::{rows_of_two, square_norms};

/// Whether the pairs are those of one set or of two.
pub(crate) trait Sets: 'static {
    /// Whether results are pairs i > j in packed slots, or else a matrix.
    const PACKED: bool;

    /// The arguments of a generated kernel.
    type Arguments<'a>;

    fn arguments<'a>(of: &'a Sides, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a>;
}

/// The rows of one set or of two for generated kernels, and the squares of their norms, or for cosines the norms.
pub(crate) struct Sides(Vec<(Features<f32>, Buffer<f32>)>);

/// The pairs of one set, packed.
pub(crate) struct OneSet;

/// The same, with the squared norm of each row; for cosines with the norm.
pub(crate) struct OneSetWithNorms;

/// The pairs of two sets, as a matrix.
pub(crate) struct TwoSets;

/// The same, with the squared norm of each row.
pub(crate) struct TwoSetsWithNorms;

impl Sets for OneSet {
    const PACKED: bool = true;
    type Arguments<'a> = (&'a Features<f32>, &'a mut dyn Slots<Packed<f32>>);

    fn arguments<'a>(Sides(of): &'a Sides, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        (&of[0].0, slots)
    }
}

impl Sets for OneSetWithNorms {
    const PACKED: bool = true;
    type Arguments<'a> = (&'a Features<f32>, &'a dyn Slice<f32>, &'a mut dyn Slots<Packed<f32>>);

    fn arguments<'a>(Sides(of): &'a Sides, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        (&of[0].0, &of[0].1, slots)
    }
}

impl Sets for TwoSets {
    const PACKED: bool = false;
    type Arguments<'a> = (&'a Features<f32>, &'a Features<f32>, &'a mut dyn Slots<Matrix<f32>>);

    fn arguments<'a>(Sides(of): &'a Sides, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        (&of[0].0, &of[1].0, slots)
    }
}

impl Sets for TwoSetsWithNorms {
    const PACKED: bool = false;
    type Arguments<'a> = (
        &'a Features<f32>,
        &'a Features<f32>,
        &'a dyn Slice<f32>,
        &'a dyn Slice<f32>,
        &'a mut dyn Slots<Matrix<f32>>,
    );

    fn arguments<'a>(Sides(of): &'a Sides, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        (&of[0].0, &of[1].0, &of[0].1, &of[1].1, slots)
    }
}

/// Rows of many features, and a result for each pair of them. With two sets, there are as many columns as rows.
pub(crate) struct Folds<S> {
    gpu: Gpu,
    fold: Fold,
    n: usize,
    features: usize,
    /// The rows of one set, or of both.
    rows: Vec<CudaSlice<f32>>,
    sides: Sides,
    sets: PhantomData<S>,
}

/// The steps of the paper: a kernel and its padding, and the pairs per side of its blocks, one for each thread.
const RUNGS: [(&str, u32); 3] = [("ladder_naive", 0), ("ladder_tiled", 0), ("ladder_tiled", 1)];
const RUNG_SIDE: usize = 16;

impl Folds<TwoSets> {
    /// The paper's kernels: with global memory only, with shared memory, and without bank conflicts; and register tiles.
    pub(crate) fn ladder_by_hand(&self) -> Result<Vec<(String, Launch<Self>)>> {
        let [grid, block] = [(self.n / RUNG_SIDE) as u32, RUNG_SIDE as u32].map(|side| [side; 2]);
        let rung = |(entry, padding): (&'static str, u32)| {
            let settings = [("SIDE", RUNG_SIDE as u32), ("PADDING", padding)];
            let source = Source::new(entry, &settings);
            self.by_hand(entry.into(), &source, grid, block)
        };
        let tiles = self.by_hand(
            "ladder_registers".into(),
            &self.fold.tile(),
            [self.n.div_ceil(SIDE) as u32; 2],
            [THREADS, 1],
        );
        RUNGS.into_iter().map(rung).chain([tiles]).collect()
    }
}

impl<S: Sets> Folds<S> {
    /// The sizes are multiples of those of the handwritten kernels.
    pub(crate) fn new(gpu: &Gpu, fold: Fold, n: usize, features: usize) -> Result<Self> {
        ensure!(
            [n, features].iter().all(|size| size.is_multiple_of(FEATURES) && *size > 0),
            "n = {n} and {features} features are not multiples of {FEATURES}"
        );
        Folds::of(gpu, fold, features, rows_of_two(n, n, features))
    }

    /// Rows of which every `kinds`-th is nearly the same, up to 1/10,000 of its norm.
    pub(crate) fn near_duplicates(
        gpu: &Gpu,
        fold: Fold,
        [n, features]: [usize; 2],
        kinds: usize,
    ) -> Result<Self> {
        let [mut rows, differences] = rows_of_two(n, n, features);
        for (at, difference) in differences.iter().enumerate() {
            let (row, column) = (at / features, at % features);
            rows[at] = rows[row % kinds * features + column] + 1e-4 * (difference - 0.5);
        }
        Folds::of(gpu, fold, features, [rows, differences])
    }

    /// Rows of integers from -8 to 7.
    pub(crate) fn integers(gpu: &Gpu, fold: Fold, [n, features]: [usize; 2]) -> Result<Self> {
        let integer = |value: f32| (16.0 * value).floor().min(15.0) - 8.0;
        let sets = rows_of_two(n, n, features);
        Folds::of(gpu, fold, features, sets.map(|set| set.into_iter().map(integer).collect()))
    }

    /// The rows of the first set.
    pub(crate) fn host_rows(&self) -> Result<Vec<f32>> {
        Ok(self.gpu.stream.clone_dtoh(&self.rows[0])?)
    }

    fn of(gpu: &Gpu, fold: Fold, features: usize, sets: [Vec<f32>; 2]) -> Result<Self> {
        let (mut rows, mut sides) = (Vec::new(), Vec::new());
        for values in sets.iter().take(if S::PACKED { 1 } else { 2 }) {
            rows.push(gpu.upload(values)?);
            let mut of_rows = square_norms(values, features);
            if fold == Fold::Cosine {
                of_rows.iter_mut().for_each(|norm| *norm = norm.sqrt());
            }
            sides.push((gpu.device.features(values, features)?, gpu.device.upload(&of_rows)?));
        }
        let (gpu, n) = (gpu.clone(), sets[0].len() / features);
        Ok(Folds { gpu, fold, n, features, rows, sides: Sides(sides), sets: PhantomData })
    }

    fn slots(&self) -> usize {
        if S::PACKED { pairs(self.n) } else { self.n * self.n }
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

    /// A kernel that takes the sizes, both sides, and the slots.
    fn by_hand(
        &self,
        name: String,
        source: &Source,
        grid: [u32; 2],
        block: [u32; 2],
    ) -> Result<(String, Launch<Self>)> {
        let function = self.gpu.load(source)?;
        let launch: Launch<Self> = Box::new(move |subject, slots| {
            let (gpu, (sizes, [a, b])) = (&subject.gpu, subject.numbers());
            // SAFETY: all of these kernels take the sizes, both sides, and a slot for each pair; they are compiled for pairs of
            // this number of sets. Numbers of features are multiples of the kernels', and CUDA's allocations are aligned for
            // vectors. The grid is that of these sizes.
            unsafe {
                gpu.launch(&function, grid, block, |launch| {
                    launch.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]).arg(a).arg(b).arg(slots)
                })
            }
        });
        Ok((name, launch))
    }
}

impl<S: Sets> Subject for Folds<S> {
    type Output = CudaSlice<f32>;
    type Arguments<'a> = S::Arguments<'a>;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<f32>) -> S::Arguments<'a> {
        S::arguments(&self.sides, slots)
    }

    fn output(&self) -> Result<CudaSlice<f32>> {
        self.gpu.poisoned(self.slots())
    }

    fn clear(&self, slots: &mut CudaSlice<f32>) -> Result<()> {
        self.gpu.poison(slots)
    }

    fn verify(&self, name: &str, slots: &CudaSlice<f32>) -> Result<()> {
        let kind = (self.fold, S::PACKED, self.features);
        check_folds(&self.gpu, name, kind, self.numbers().1, slots)
    }
}
