//! What adds up over many features of each pair: distances and products of the rows of one matrix or of two.

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Features, MatrixSlots, PackedSlots};

use super::{Launch, Subject, grid_of_threads, pairs, units};
use crate::Failure;
use crate::measure::by_hand::{FEATURES, Fold, SIDE, Source, THREADS, rounding};
use crate::measure::gpu::Gpu;
use crate::measure::points::rows_of_two;

/// Whether the pairs are those of one set or of two.
pub(crate) trait Sets: Sized + 'static {
    /// Pairs i > j in packed slots, or else a matrix.
    const PACKED: bool;

    /// What a generated kernel takes.
    type Arguments<'a>;

    /// The rows of one matrix, or of two.
    fn upload(gpu: &Gpu, sides: [&[f32]; 2], features: usize) -> Result<Self, Failure>;

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a>;
}

/// The pairs of one set, packed.
pub(crate) struct OneSet(Features<f32>);

/// The pairs of two sets, as a matrix.
pub(crate) struct TwoSets([Features<f32>; 2]);

impl Sets for OneSet {
    const PACKED: bool = true;
    type Arguments<'a> = (&'a Features<f32>, &'a mut dyn PackedSlots<f32>);

    fn upload(gpu: &Gpu, [rows, _]: [&[f32]; 2], features: usize) -> Result<Self, Failure> {
        Ok(OneSet(gpu.device.features(rows, features)?))
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        (&self.0, slots)
    }
}

impl Sets for TwoSets {
    const PACKED: bool = false;
    type Arguments<'a> = (&'a Features<f32>, &'a Features<f32>, &'a mut dyn MatrixSlots<f32>);

    fn upload(gpu: &Gpu, [rows, columns]: [&[f32]; 2], features: usize) -> Result<Self, Failure> {
        let upload = |values| gpu.device.features(values, features);
        Ok(TwoSets([upload(rows)?, upload(columns)?]))
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<f32>) -> Self::Arguments<'a> {
        let TwoSets([rows, columns]) = self;
        (rows, columns, slots)
    }
}

/// Rows of many features, and what is made of each pair of them.
pub(crate) struct Folds<S> {
    gpu: Gpu,
    fold: Fold,
    rows: usize,
    columns: usize,
    features: usize,
    of_rows: CudaSlice<f32>,
    /// Those of the second set, where there are two.
    of_columns: Option<CudaSlice<f32>>,
    /// The same for generated kernels.
    sets: S,
}

impl Folds<OneSet> {
    pub(crate) fn of_one(
        gpu: &Gpu,
        fold: Fold,
        n: usize,
        features: usize,
    ) -> Result<Self, Failure> {
        Folds::new(gpu, fold, n, 0, features)
    }
}

/// A rung of the paper's ladder: a kernel, and the pairs per side of its blocks, one for each thread.
const RUNGS: [&str; 3] = ["ladder_naive", "ladder_tiled", "ladder_padded"];
const RUNG_SIDE: usize = 16;

impl Folds<TwoSets> {
    pub(crate) fn of_two(
        gpu: &Gpu,
        fold: Fold,
        [rows, columns]: [usize; 2],
        features: usize,
    ) -> Result<Self, Failure> {
        Folds::new(gpu, fold, rows, columns, features)
    }

    /// The paper's kernels: with the memory of the GPU alone, with shared memory, and with it free of conflicts.
    pub(crate) fn ladder_by_hand(&self) -> Result<Vec<(String, Launch<Self>)>, Failure> {
        let sizes = [self.rows, self.columns, self.features];
        if self.fold != Fold::Squares || sizes.iter().any(|size| size % RUNG_SIDE != 0) {
            let text = format!("the ladder's kernels have no {:?} of {sizes:?}", self.fold);
            return Err(text.into());
        }
        let grid = [self.columns / RUNG_SIDE, self.rows / RUNG_SIDE].map(|blocks| blocks as u32);
        let block = [RUNG_SIDE as u32; 2];
        let rung = |entry| {
            let source = Source::new(entry, &[("SIDE", RUNG_SIDE as u32)]);
            self.by_hand(entry.into(), &source, grid, block)
        };
        RUNGS.into_iter().map(rung).collect()
    }
}

impl<S: Sets> Folds<S> {
    fn new(
        gpu: &Gpu,
        fold: Fold,
        rows: usize,
        columns: usize,
        features: usize,
    ) -> Result<Folds<S>, Failure> {
        if features == 0 || !features.is_multiple_of(FEATURES) {
            let text =
                format!("kernels by hand take multiples of {FEATURES} features, not {features}");
            return Err(text.into());
        }
        let [of_rows, of_columns] = rows_of_two(rows, columns, features);
        let sets = S::upload(gpu, [&of_rows, &of_columns], features)?;
        let of_columns = if S::PACKED { None } else { Some(gpu.upload(&of_columns)?) };
        let (gpu, of_rows) = (gpu.clone(), gpu.upload(&of_rows)?);
        let columns = if S::PACKED { rows } else { columns };
        Ok(Folds { gpu, fold, rows, columns, features, of_rows, of_columns, sets })
    }

    fn slots(&self) -> usize {
        if S::PACKED { pairs(self.rows) } else { self.rows * self.columns }
    }

    /// The features of all pairs.
    pub(crate) fn terms(&self) -> usize {
        self.slots() * self.features
    }

    /// The register tiles.
    pub(crate) fn tiles_by_hand(&self) -> Result<(String, Launch<Self>), Failure> {
        let grid = match S::PACKED {
            true => [units(self.rows, SIDE as u32), 1],
            false => [self.columns, self.rows].map(|count| count.div_ceil(SIDE) as u32),
        };
        let source = self.fold.tile(S::PACKED);
        let name = format!("by hand, tiles of {SIDE}");
        self.by_hand(name, &source, grid, [THREADS, 1])
    }

    fn sides(&self) -> [&CudaSlice<f32>; 2] {
        [&self.of_rows, self.of_columns.as_ref().unwrap_or(&self.of_rows)]
    }

    /// A kernel that takes the sizes, both sides, and the slots.
    fn by_hand(
        &self,
        name: String,
        source: &Source,
        grid: [u32; 2],
        block: [u32; 2],
    ) -> Result<(String, Launch<Self>), Failure> {
        let function = self.gpu.load(source)?;
        let launch: Launch<Self> = Box::new(move |subject, slots| {
            let Folds { gpu, rows, columns, features, .. } = subject;
            let sizes = [*rows, *columns, *features].map(|size| size as u32);
            let [a, b] = subject.sides();
            // SAFETY: all of these kernels take the sizes, both sides, and a slot for each pair; they are compiled for
            // pairs of as many sets. Numbers of features are multiples of what kernels take, and allocations of CUDA's
            // are aligned for vectors. The grid is that of these sizes.
            unsafe {
                gpu.launch(&function, grid, block, |launch| {
                    launch.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]);
                    launch.arg(a).arg(b).arg(slots);
                })
            }
        });
        Ok((name, launch))
    }
}

impl<S: Sets> Subject for Folds<S> {
    type Output = CudaSlice<f32>;
    type Arguments<'a> = S::Arguments<'a>;

    const ADDS_UP: bool = false;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, slots: &'a mut CudaSlice<f32>) -> S::Arguments<'a> {
        self.sets.arguments(slots)
    }

    fn output(&self) -> Result<CudaSlice<f32>, Failure> {
        self.gpu.poisoned(self.slots())
    }

    fn clear(&self, slots: &mut CudaSlice<f32>) -> Result<(), Failure> {
        self.gpu.poison(slots)
    }

    /// Every slot, against a sum in double precision.
    fn verify(&self, name: &str, slots: &CudaSlice<f32>) -> Result<(), Failure> {
        let Folds { gpu, fold, rows, columns, features, .. } = self;
        if slots.len() != self.slots() {
            return Err(format!("{name}: {} slots instead of {}", slots.len(), self.slots()).into());
        }
        let function = gpu.load(&fold.check(S::PACKED))?;
        let sizes = [*rows, *columns, *features].map(|size| size as u32);
        let ([a, b], share) = (self.sides(), rounding(*features));
        let mut found = gpu.nothing_found()?;
        // SAFETY: these are the parameters of `fold_check` in their order; it is compiled for the pairs of as many sets,
        // there are as many slots, rows are aligned for vectors and have whole ones, and the result has its two numbers.
        unsafe {
            gpu.launch(&function, grid_of_threads(*rows, *columns), [32, 8], |launch| {
                launch.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]);
                launch.arg(a).arg(b).arg(&share).arg(slots).arg(&mut found);
            })
        }?;
        gpu.expect_nothing(name, &found)
    }
}
