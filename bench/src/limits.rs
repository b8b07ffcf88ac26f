//! The GPU's limits: the rates at which it fills and copies memory, starts blocks and takes launches.

use anyhow::Result;
use td_kernel::cudarc::driver::{CudaFunction, PushKernelArg};

use crate::measure::by_hand::Source;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::times::Spread;
use crate::results::{Record, Results, Run};
use crate::subject::fill;

const ROUNDS: usize = 15;

/// The floats that are filled and copied: far more than any cache holds.
const FLOATS: usize = 1 << 29;

/// The blocks of one launch, enough to make its own start negligible.
const BLOCKS: u32 = 1 << 22;

/// The number of consecutive launches.
const LAUNCHES: u32 = 1000;

pub(crate) fn run(run: &Run) -> Result<Results> {
    let gpu = &Gpu::open()?;
    let mut results = Results::begin(run, "limits", &gpu.device, String::new())?;
    memory(gpu, &mut results)?;
    blocks(gpu, &mut results)?;
    Ok(results)
}

/// A rate: this much work in each of these times, in milliseconds.
fn rate(name: &str, n: usize, work: f64, samples: Vec<f64>) -> Result<Record> {
    let rate = ("rate".to_owned(), Spread::quarters(samples)?.rate(work));
    Ok(Record::new(name, n).with(Ok(vec![rate])))
}

fn memory(gpu: &Gpu, results: &mut Results) -> Result<()> {
    let fill = fill(gpu, "fill", 4 * FLOATS)?;
    let (from, mut to) = (gpu.poisoned::<f32>(FLOATS)?, gpu.poisoned::<f32>(FLOATS)?);
    let function = gpu.load(&Source::new("copy", &[]))?;
    let vectors = FLOATS as u64 / 4;
    let copy = || {
        // SAFETY: `copy` takes the number of vectors, and two allocations of at least that size.
        unsafe {
            gpu.launch(&function, [vectors.div_ceil(1024) as u32, 1], [256, 1], |launch| {
                launch.arg(&vectors).arg(&from).arg(&mut to)
            })
        }
    };
    let bytes = 4.0 * FLOATS as f64;
    let samples = gpu.samples(ROUNDS, 2, vec![fill, Way::new("copy", copy)])?;
    let names = [("fill, GB written/s", bytes), ("copy, GB read and written/s", 2.0 * bytes)];
    for ((name, bytes), samples) in names.into_iter().zip(samples) {
        results.add(rate(name, FLOATS, bytes / 1e6, samples)?)?;
    }
    Ok(())
}

/// Blocks that do nothing.
fn empty<'a>(gpu: &'a Gpu, function: &'a CudaFunction, blocks: u32, threads: [u32; 2]) -> Way<'a> {
    let name = format!("empty blocks of {} threads, 10^6/s", threads[0] * threads[1]);
    // SAFETY: `empty` takes no parameters, and touches no memory.
    Way::new(name, move || unsafe { gpu.launch(function, [blocks, 1], threads, |launch| launch) })
}

fn blocks(gpu: &Gpu, results: &mut Results) -> Result<()> {
    let function = gpu.load(&Source::new("empty", &[]))?;
    let ways = [[32, 1], [16, 8], [16, 16]].map(|threads| empty(gpu, &function, BLOCKS, threads));
    let names = ways.each_ref().map(|way| way.name.clone());
    for (name, samples) in names.iter().zip(gpu.samples(ROUNDS, 1, Vec::from(ways))?) {
        results.add(rate(name, BLOCKS as usize, f64::from(BLOCKS) / 1e3, samples)?)?;
    }
    let one = vec![empty(gpu, &function, 1, [32, 1])];
    let samples = gpu.samples(ROUNDS, LAUNCHES, one)?.concat();
    results.add(rate("launches of one empty block, 10^6/s", LAUNCHES as usize, 1e-3, samples)?)
}
