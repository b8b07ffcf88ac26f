//! The steps by hand, and the memory that they share.

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};

use crate::Failure;
use crate::measure::by_hand::Source;
use crate::measure::fold::{FEATURES, Fold, SIDE as TILE, THREADS as TILE_THREADS};
use crate::measure::gpu::Gpu;

/// The threads of a block of each step but that of products, and the rows of a block of the summation.
pub(super) const THREADS: u32 = 128;
pub(super) const ROWS: u32 = 32;

/// The most values that the kernels select and merge.
const MOST: usize = 256;

/// The features of a chunk of the products.
const CHUNK: u32 = 16;

/// The steps over one set of rows.
pub(super) struct Steps {
    gpu: Gpu,
    n: usize,
    features: usize,
    k: usize,
    side: usize,
    rows: CudaSlice<f32>,
    norms: CudaSlice<f32>,
    /// The products of a partition, and then the squared distances.
    values: CudaSlice<f32>,
    /// Two keys for each value.
    scratch: CudaSlice<u64>,
    /// The least K of each line of a partition.
    more: CudaSlice<u64>,
    /// The least K of each row so far.
    best: CudaSlice<u64>,
    functions: Functions,
}

struct Functions {
    norms: CudaFunction,
    products: CudaFunction,
    summation: CudaFunction,
    select: CudaFunction,
    merge: CudaFunction,
}

/// The rows and columns of a partition: where they begin, and how many they are.
#[derive(Clone, Copy)]
pub(super) struct Partition {
    first: [usize; 2],
    count: [usize; 2],
}

/// The kernels with their settings.
pub(super) fn sources() -> [Source; 5] {
    let threads = ("THREADS", THREADS);
    [
        Source::new("nearest_norms", &[threads]),
        Fold::Products.tile(false, CHUNK),
        Source::new("nearest_summation", &[threads, ("ROWS", ROWS)]),
        Source::new("nearest_select", &[threads]),
        Source::new("nearest_merge", &[threads]),
    ]
}

impl Steps {
    pub(super) fn new(
        gpu: &Gpu,
        rows: &[f32],
        features: usize,
        k: usize,
        side: usize,
    ) -> Result<Steps, Failure> {
        if features == 0 || rows.is_empty() || !features.is_multiple_of(FEATURES) {
            let text = format!("the products are of rows of multiples of {FEATURES} features");
            return Err(text.into());
        }
        if !(1..=MOST).contains(&k) {
            return Err(format!("1 to {MOST} values are selected, and not {k}").into());
        }
        let n = rows.len() / features;
        let side = side.min(n);
        let [norms, products, summation, select, merge] = sources().map(|source| gpu.load(&source));
        let functions = Functions {
            norms: norms?,
            products: products?,
            summation: summation?,
            select: select?,
            merge: merge?,
        };
        Ok(Steps {
            gpu: gpu.clone(),
            n,
            features,
            k,
            side,
            rows: gpu.upload(rows)?,
            norms: gpu.upload(&vec![0.0; n])?,
            values: gpu.poisoned(side * side)?,
            scratch: gpu.poisoned(2 * side * side)?,
            more: gpu.poisoned(side * k)?,
            best: gpu.poisoned(n * k)?,
            functions,
        })
    }

    /// All of them.
    pub(super) fn search(&mut self) -> Result<(), Failure> {
        // All bits are set where there is no neighbour.
        self.gpu.poison(&mut self.best)?;
        self.norms()?;
        self.each_partition(|steps, partition| {
            steps.products(partition)?;
            steps.summation(partition)?;
            for side in steps.sides(partition) {
                steps.select(partition, side)?;
                steps.merge_lines(partition, side)?;
            }
            Ok(())
        })
    }

    /// The neighbours of all rows, K for each.
    pub(super) fn found(&self) -> Result<Vec<Option<(f32, u32)>>, Failure> {
        let keys = self.gpu.stream.clone_dtoh(&self.best)?;
        let value = |key: u64| {
            let rank = (key >> 32) as u32;
            let bits = if rank >> 31 == 1 { rank ^ 1 << 31 } else { !rank };
            (key != u64::MAX).then(|| (f32::from_bits(bits), key as u32))
        };
        Ok(keys.into_iter().map(value).collect())
    }

    /// Does this with each partition on and below the diagonal: a distance is that of both its rows.
    pub(super) fn each_partition(
        &mut self,
        step: impl Fn(&mut Steps, Partition) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let starts: Vec<usize> = (0..self.n).step_by(self.side).collect();
        for (at, &row) in starts.iter().enumerate() {
            for &column in &starts[..=at] {
                let count = [row, column].map(|first| self.side.min(self.n - first));
                step(self, Partition { first: [row, column], count })?;
            }
        }
        Ok(())
    }

    /// The sides of a partition that have neighbours on the other: on the diagonal both are the same rows.
    fn sides(&self, Partition { first: [row, column], .. }: Partition) -> std::ops::Range<usize> {
        if row == column { 0..1 } else { 0..2 }
    }

    pub(super) fn norms(&mut self) -> Result<(), Failure> {
        self.gpu.stream.memset_zeros(&mut self.norms)?;
        let Steps { gpu, functions, rows, norms, .. } = self;
        let features = self.features as u32;
        // SAFETY: the kernel takes the number of features, the rows and a sum for each; a block has a row.
        unsafe {
            gpu.launch(&functions.norms, [self.n as u32, 1], [THREADS, 1], |launch| {
                launch.arg(&features).arg(&*rows).arg(norms);
            })
        }
    }

    pub(super) fn products(&mut self, partition: Partition) -> Result<(), Failure> {
        let Steps { gpu, functions, rows, values, .. } = self;
        let Partition { first, count } = partition;
        let of =
            |side: usize| first[side] * self.features..(first[side] + count[side]) * self.features;
        let [a, b] = [0, 1].map(|side| rows.slice(of(side)));
        let sizes = [count[0], count[1], self.features].map(|size| size as u32);
        let grid = [count[1], count[0]].map(|count| count.div_ceil(TILE) as u32);
        // SAFETY: the kernel takes the sizes, both sides, of as many features as it is compiled for multiples of, and a slot
        // for each pair. A part begins at a row, which has whole vectors.
        unsafe {
            gpu.launch(&functions.products, grid, [TILE_THREADS, 1], |launch| {
                launch.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]).arg(&a).arg(&b).arg(values);
            })
        }
    }

    pub(super) fn summation(&mut self, partition: Partition) -> Result<(), Failure> {
        let Steps { gpu, functions, norms, values, .. } = self;
        let Partition { first, count } = partition;
        let [of_rows, of_columns] =
            [0, 1].map(|side| norms.slice(first[side]..first[side] + count[side]));
        let [rows, columns] = count.map(|count| count as u32);
        let grid = [columns.div_ceil(THREADS), rows.div_ceil(ROWS)];
        // SAFETY: the kernel takes the sizes, a norm for each row and each column, and the products of all pairs.
        unsafe {
            gpu.launch(&functions.summation, grid, [THREADS, 1], |launch| {
                launch.arg(&rows).arg(&columns).arg(&of_rows).arg(&of_columns).arg(values);
            })
        }
    }

    /// Of both sides of a partition.
    pub(super) fn selection(&mut self, partition: Partition) -> Result<(), Failure> {
        self.sides(partition).try_for_each(|side| self.select(partition, side))
    }

    /// Of both sides of a partition.
    pub(super) fn merge(&mut self, partition: Partition) -> Result<(), Failure> {
        self.sides(partition).try_for_each(|side| self.merge_lines(partition, side))
    }

    /// The least K of each row of the partition, or of each column.
    fn select(&mut self, partition: Partition, side: usize) -> Result<(), Failure> {
        let Steps { gpu, functions, values, scratch, more, .. } = self;
        let Partition { first, count } = partition;
        let (lines, length) = (count[side], count[1 - side]);
        let steps = if side == 0 { [count[1], 1] } else { [1, count[1]] };
        let numbers = [length, self.k, steps[0], steps[1], first[side], first[1 - side]];
        let numbers = numbers.map(|number| number as u32);
        // SAFETY: the kernel takes these numbers, the values of the partition, two keys for each, and K for each line; a
        // block has a line.
        unsafe {
            gpu.launch(&functions.select, [lines as u32, 1], [THREADS, 1], |launch| {
                for number in &numbers {
                    launch.arg(number);
                }
                launch.arg(&*values).arg(scratch).arg(more);
            })
        }
    }

    /// Merges what was selected of the rows of the partition, or of the columns.
    fn merge_lines(&mut self, partition: Partition, side: usize) -> Result<(), Failure> {
        let Steps { gpu, functions, more, best, k, .. } = self;
        let Partition { first, count } = partition;
        let mut best = best.slice_mut(first[side] * *k..(first[side] + count[side]) * *k);
        let number = *k as u32;
        // SAFETY: the kernel takes K, and two lists of K for each line; a block has a line.
        unsafe {
            gpu.launch(&functions.merge, [count[side] as u32, 1], [THREADS, 1], |launch| {
                launch.arg(&number).arg(&*more).arg(&mut best);
            })
        }
    }
}
