//! Nearest neighbours by a paper's algorithm: for one partition of all pairs at a time, the squared distances from norms and
//! products; the K smallest of each row and of each column by quick select; and their merge. It is compared with a generated
//! kernel, which stores no distance, and with the same kernel with a lower bound from tensor cores, which finds the same
//! neighbours.

use std::cell::RefCell;

use anyhow::{Result, ensure};
use td_kernel::HostNearest;
use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};

use crate::kernels::{nearest_rows, nearest_rows_with_lower};
use crate::measure::by_hand::{Fold, SIDE as TILE, Source, THREADS as TILE_THREADS, rounding};
use crate::measure::expect;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::{rows_of_two, with_norms};
use crate::measure::times::Spread;
use crate::results::{Record, Results, Run};
use crate::targets::neighbours::search;

/// The neighbours of each row.
const K: usize = 10;

/// Rows and features.
const SIZES: &[[usize; 2]] =
    &[[10_240, 128], [20_480, 64], [30_720, 512], [51_200, 128], [102_400, 128], [204_800, 128]];

/// The rows and columns of a partition.
const SIDE: usize = 4096;

/// The number of rounds of each way.
const ROUNDS: usize = 5;

pub(crate) fn run(run: &Run) -> Result<Results> {
    let gpu = Gpu::open()?;
    let mut results = Results::begin(run, "nearest-ladder", &gpu.device, String::new())?;
    for &[n, features] in SIZES {
        let record = Record::new(format!("{K} nearest"), n).with_features(features);
        if run.asks_for(&record.name()) {
            results.add(measure(&gpu, record, [n, features])?)?;
        }
    }
    Ok(results)
}

fn measure(gpu: &Gpu, mut record: Record, [n, features]: [usize; 2]) -> Result<Record> {
    let [values, _] = rows_of_two(n, 0, features);
    let (p, norms) = with_norms(&gpu.device, &values, features)?;
    let kernel = nearest_rows::load(&gpu.device)?;
    let mut near = gpu.device.nearest::<f32, K>(n)?;
    kernel.launch(&p, &mut near)?;
    let found = near.download()?;
    let with_lower = nearest_rows_with_lower::load(&gpu.device)?;
    let mut near_with_lower = gpu.device.nearest::<f32, K>(n)?;
    with_lower.launch(&p, &norms, &mut near_with_lower)?;
    let with_bound = near_with_lower.download()?;
    // No distance is NaN or -0.
    ensure!(
        with_bound.indices() == found.indices() && with_bound.values() == found.values(),
        "the neighbours found with a lower bound differ from those found without it"
    );
    let mut steps = Steps::new(gpu, &values, features)?;
    steps.search()?;
    let same = same(&found, &steps.found()?, features)?;

    let steps = RefCell::new(steps);
    let by_hand = |name: &str, run: fn(&mut Steps) -> Result<()>| {
        let steps = &steps;
        Way::new(name, move || run(&mut steps.borrow_mut()))
    };
    let ways = vec![
        search("generated", &mut near, |near| kernel.launch(&p, near)),
        search("with lower", &mut near_with_lower, |near| with_lower.launch(&p, &norms, near)),
        by_hand("by hand", Steps::search),
        by_hand("norms", Steps::norms),
        by_hand("products", |steps| steps.each_partition(Steps::products)),
        by_hand("summation", |steps| steps.each_partition(Steps::summation)),
        by_hand("selection", |steps| steps.each_partition_and_side(Steps::select)),
        by_hand("merge", |steps| steps.each_partition_and_side(Steps::merge)),
    ];
    let names: Vec<String> = ways.iter().map(|way| way.name.clone()).collect();
    let samples = gpu.samples(ROUNDS, 1, ways)?.into_iter();
    record.results =
        names.into_iter().zip(samples.map(|each| Spread::quarters(each).into())).collect();
    record.note = format!("{:.2} % of the neighbours by hand are the same", 100.0 * same);
    Ok(record)
}

/// The fraction of equal neighbours. An error if a value differs from the generated kernel's by more than rounding: a squared
/// distance is the sum of two norms, each at most the number of features, minus a product.
fn same(
    generated: &HostNearest<f32>,
    by_hand: &[Option<(f32, u32)>],
    features: usize,
) -> Result<f64> {
    let bound = 4.0 * rounding(features) * features as f64;
    let mut same = 0_usize;
    for ((row, indices, values), by_hand) in generated.rows().zip(by_hand.chunks(K)) {
        for (place, (value, found)) in values.iter().zip(by_hand).enumerate() {
            let found = found.map_or(f64::NAN, |(found, _)| found.into());
            let what = format_args!("by hand: row {row}, place {place}");
            expect(what, found, (*value).into(), bound)?;
        }
        let others = by_hand.iter().flatten();
        same += others.filter(|(_, index)| indices.contains(index)).count();
    }
    Ok(same as f64 / generated.indices().len() as f64)
}

/// The threads of a block of each step except products, and the rows of a block of the summation.
const THREADS: u32 = 128;
const ROWS: u32 = 32;

/// The steps over one set of rows.
struct Steps {
    gpu: Gpu,
    n: usize,
    features: usize,
    side: usize,
    rows: CudaSlice<f32>,
    norms: CudaSlice<f32>,
    /// The products of a partition, and then the squared distances.
    values: CudaSlice<f32>,
    /// Two keys for each value.
    scratch: CudaSlice<u64>,
    /// The K smallest of each line of a partition.
    more: CudaSlice<u64>,
    /// The K smallest of each row so far.
    best: CudaSlice<u64>,
    /// Norms, products, summation, selection and merge.
    functions: Vec<CudaFunction>,
}

/// The rows and columns of a partition: their starts and their counts.
#[derive(Clone, Copy)]
struct Partition {
    first: [usize; 2],
    count: [usize; 2],
}

/// The kernels with their settings.
pub(crate) fn sources() -> [Source; 5] {
    let threads = ("THREADS", THREADS);
    [
        Source::new("nearest_norms", &[threads]),
        Fold::Products.tile(),
        Source::new("nearest_summation", &[threads, ("ROWS", ROWS)]),
        Source::new("nearest_select", &[threads]),
        Source::new("nearest_merge", &[threads]),
    ]
}

impl Steps {
    fn new(gpu: &Gpu, rows: &[f32], features: usize) -> Result<Steps> {
        let n = rows.len() / features;
        let side = SIDE.min(n);
        let functions = sources().iter().map(|source| gpu.load(source)).collect::<Result<_>>()?;
        Ok(Steps {
            gpu: gpu.clone(),
            n,
            features,
            side,
            rows: gpu.upload(rows)?,
            norms: gpu.upload(&vec![0.0; n])?,
            values: gpu.poisoned(side * side)?,
            scratch: gpu.poisoned(2 * side * side)?,
            more: gpu.poisoned(side * K)?,
            best: gpu.poisoned(n * K)?,
            functions,
        })
    }

    /// Runs all steps.
    fn search(&mut self) -> Result<()> {
        // All bits are set if there is no neighbour.
        self.gpu.poison(&mut self.best)?;
        self.norms()?;
        self.each_partition(|steps, partition| {
            steps.products(partition)?;
            steps.summation(partition)?;
            for side in steps.sides(partition) {
                steps.select(partition, side)?;
                steps.merge(partition, side)?;
            }
            Ok(())
        })
    }

    /// The neighbours of all rows, K for each.
    fn found(&self) -> Result<Vec<Option<(f32, u32)>>> {
        let keys = self.gpu.stream.clone_dtoh(&self.best)?;
        let value = |key: u64| {
            let rank = (key >> 32) as u32;
            let bits = if rank >> 31 == 1 { rank ^ 1 << 31 } else { !rank };
            (key != u64::MAX).then(|| (f32::from_bits(bits), key as u32))
        };
        Ok(keys.into_iter().map(value).collect())
    }

    /// Runs `step` on each partition on and below the diagonal: a distance belongs to both rows.
    fn each_partition(&mut self, step: impl Fn(&mut Steps, Partition) -> Result<()>) -> Result<()> {
        let starts: Vec<usize> = (0..self.n).step_by(self.side).collect();
        for (at, &row) in starts.iter().enumerate() {
            for &column in &starts[..=at] {
                let count = [row, column].map(|first| self.side.min(self.n - first));
                step(self, Partition { first: [row, column], count })?;
            }
        }
        Ok(())
    }

    /// The sides of a partition that have neighbours on the other side: on the diagonal both are the same rows.
    fn sides(&self, Partition { first: [row, column], .. }: Partition) -> std::ops::Range<usize> {
        if row == column { 0..1 } else { 0..2 }
    }

    /// Runs `step` on both sides of each partition.
    fn each_partition_and_side(
        &mut self,
        step: fn(&mut Steps, Partition, usize) -> Result<()>,
    ) -> Result<()> {
        self.each_partition(|steps, partition| {
            steps.sides(partition).try_for_each(|side| step(steps, partition, side))
        })
    }

    fn norms(&mut self) -> Result<()> {
        self.gpu.stream.memset_zeros(&mut self.norms)?;
        let Steps { gpu, functions, rows, norms, .. } = self;
        let features = self.features as u32;
        // SAFETY: the kernel takes the number of features, the rows and a sum for each; a block has a row.
        unsafe {
            gpu.launch(&functions[0], [self.n as u32, 1], [THREADS, 1], |launch| {
                launch.arg(&features).arg(&*rows).arg(norms)
            })
        }
    }

    fn products(&mut self, Partition { first, count }: Partition) -> Result<()> {
        let Steps { gpu, functions, rows, values, .. } = self;
        let of =
            |side: usize| first[side] * self.features..(first[side] + count[side]) * self.features;
        let [a, b] = [0, 1].map(|side| rows.slice(of(side)));
        let sizes = [count[0], count[1], self.features].map(|size| size as u32);
        let grid = [count[1], count[0]].map(|count| count.div_ceil(TILE) as u32);
        // SAFETY: the kernel takes the sizes, both sides, whose number of features is a multiple of the kernel's, and a slot
        // for each pair. A part begins at a row, which has whole vectors.
        unsafe {
            gpu.launch(&functions[1], grid, [TILE_THREADS, 1], |launch| {
                launch.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]).arg(&a).arg(&b).arg(values)
            })
        }
    }

    fn summation(&mut self, Partition { first, count }: Partition) -> Result<()> {
        let Steps { gpu, functions, norms, values, .. } = self;
        let [of_rows, of_columns] =
            [0, 1].map(|side| norms.slice(first[side]..first[side] + count[side]));
        let [rows, columns] = count.map(|count| count as u32);
        let grid = [columns.div_ceil(THREADS), rows.div_ceil(ROWS)];
        // SAFETY: the kernel takes the sizes, a norm for each row and each column, and the products of all pairs.
        unsafe {
            gpu.launch(&functions[2], grid, [THREADS, 1], |launch| {
                launch.arg(&rows).arg(&columns).arg(&of_rows).arg(&of_columns).arg(values)
            })
        }
    }

    /// Selects the K smallest of each row of the partition, or of each column.
    fn select(&mut self, Partition { first, count }: Partition, side: usize) -> Result<()> {
        let Steps { gpu, functions, values, scratch, more, .. } = self;
        let (lines, length) = (count[side], count[1 - side]);
        let steps = if side == 0 { [count[1], 1] } else { [1, count[1]] };
        let numbers = [length, K, steps[0], steps[1], first[side], first[1 - side]];
        let numbers = numbers.map(|number| number as u32);
        // SAFETY: the kernel takes these numbers, the values of the partition, two keys for each, and K for each line; a
        // block has a line.
        unsafe {
            gpu.launch(&functions[3], [lines as u32, 1], [THREADS, 1], |launch| {
                let launch = numbers.iter().fold(launch, |launch, number| launch.arg(number));
                launch.arg(&*values).arg(scratch).arg(more)
            })
        }
    }

    /// Merges the selected neighbours of the partition's rows or columns.
    fn merge(&mut self, Partition { first, count }: Partition, side: usize) -> Result<()> {
        let Steps { gpu, functions, more, best, .. } = self;
        let mut best = best.slice_mut(first[side] * K..(first[side] + count[side]) * K);
        let number = K as u32;
        // SAFETY: the kernel takes K, and two lists of K for each line; a block has a line.
        unsafe {
            gpu.launch(&functions[4], [count[side] as u32, 1], [THREADS, 1], |launch| {
                launch.arg(&number).arg(&*more).arg(&mut best)
            })
        }
    }
}
