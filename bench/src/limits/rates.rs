//! The rates: memory, blocks and launches.

use std::cell::RefCell;

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};
use td_kernel::maps::{Ltm, Map, Shape};
use td_kernel::td_kernel;

use super::file::{self, Floor, Rate};
use crate::Failure;
use crate::figures::Spread;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::hand_written::{copy, empty};
use crate::measure::times::Times;
use crate::record::rounded;
use crate::targets::packed::Fill;
use crate::targets::target::Measured;

/// How often each is timed.
const ROUNDS: usize = 15;

/// The floats that are filled and copied: much more than any cache holds.
const FLOATS: usize = 1 << 30;

/// The blocks of one launch, enough that its own start does not count.
const BLOCKS: u32 = 1 << 22;

/// Launches that follow each other.
const LAUNCHES: u32 = 1000;

/// Every rate but that of instructions, which the floor of the collisions gives.
pub(super) fn measure(gpu: &Gpu) -> Result<Vec<Rate>, Failure> {
    let mut rates = memory(gpu)?;
    rates.extend(blocks(gpu)?);
    Ok(rates)
}

fn memory(gpu: &Gpu) -> Result<Vec<Rate>, Failure> {
    let (mut from, mut to, mut floats) = (gpu.poisoned(FLOATS), gpu.poisoned(FLOATS), FLOATS);
    // A small card fills less.
    while (from.is_err() || to.is_err()) && floats > 1 << 20 {
        floats /= 2;
        (from, to) = (gpu.poisoned(floats), gpu.poisoned(floats));
    }
    let (from, to) = (from?, RefCell::new(to?));
    let fill = Fill::new(gpu)?;
    let function = gpu.load(&copy())?;
    let ways = vec![
        Way::new("fill", || fill.launch(&mut to.borrow_mut())),
        Way::new("copy", || launch_copy(gpu, &function, &from, &mut to.borrow_mut())),
    ];
    let bytes = 4.0 * floats as f64;
    let names = ["fill, bytes written", "copy, bytes read and written"];
    let samples = gpu.samples(ROUNDS, 2, ways)?;
    let each = names.into_iter().zip([bytes, 2.0 * bytes]).zip(samples);
    each.map(|((name, bytes), samples)| rate(name, "GB/s", bytes / 1e6, samples)).collect()
}

fn launch_copy(
    gpu: &Gpu,
    function: &CudaFunction,
    from: &CudaSlice<f32>,
    to: &mut CudaSlice<f32>,
) -> Result<(), Failure> {
    let vectors = from.len().min(to.len()) as u64 / 4;
    let blocks = vectors.div_ceil(1024) as u32;
    // SAFETY: `copy` takes the number of vectors, and two allocations of at least as many.
    unsafe {
        gpu.launch(function, [blocks, 1], [256, 1], |launch| {
            launch.arg(&vectors).arg(from).arg(to);
        })
    }
}

fn blocks(gpu: &Gpu) -> Result<Vec<Rate>, Failure> {
    let function = gpu.load(&empty())?;
    let function = &function;
    let sizes = [[32, 1], [16, 8], [16, 16]];
    let started = sizes.map(|threads: [u32; 2]| {
        let name = format!("empty blocks of {} threads", threads[0] * threads[1]);
        Way::new(name, move || launch_empty(gpu, function, BLOCKS, threads))
    });
    let names: Vec<String> = started.iter().map(|way| way.name.clone()).collect();
    let samples = gpu.samples(ROUNDS, 1, Vec::from(started))?;
    let each = names.iter().zip(samples);
    let mut rates = each
        .map(|(name, samples)| rate(name, "10^6 / s", f64::from(BLOCKS) / 1e3, samples))
        .collect::<Result<Vec<_>, _>>()?;
    let one = Way::new("launches", || launch_empty(gpu, function, 1, [32, 1]));
    let samples = gpu.samples(ROUNDS, LAUNCHES, vec![one])?.concat();
    rates.push(rate("launches of one empty block", "10^6 / s", 1e-3, samples)?);
    Ok(rates)
}

fn launch_empty(
    gpu: &Gpu,
    function: &CudaFunction,
    blocks: u32,
    threads: [u32; 2],
) -> Result<(), Failure> {
    // SAFETY: `empty` takes nothing, and touches no memory.
    unsafe { gpu.launch(function, [blocks, 1], threads, |_| {}) }
}

/// So much work in each of these times, in milliseconds.
fn rate(name: &str, unit: &str, work: f64, samples: Vec<f64>) -> Result<Rate, Failure> {
    let times = Spread::of(samples).ok_or("nothing was timed")?;
    let per = |ms: f64| rounded(work / ms);
    let value = Spread { median: per(times.median), low: per(times.high), high: per(times.low) };
    Ok(Rate { name: name.into(), unit: unit.into(), value })
}

/// The dummy's number of elements.
const N: usize = 30_720;

#[td_kernel(tile = 0)]
unsafe fn look(wanted: u32, found: &mut [u32]) {
    r#"
    if (i + j == wanted)
        atomicAdd(&found[0], 1u);
    "#
}

/// Finding a place with one thread a pair, beside the start of as many blocks that do nothing.
pub(super) fn dummy(gpu: &Gpu) -> Result<Floor, Failure> {
    let kernel = look::load(&gpu.device)?;
    let function = gpu.load(&empty())?;
    let mut found = gpu.upload(&[0_u32])?;
    let launches = Ltm.launches(&Shape::blocks((N as u32).div_ceil(16)));
    let blocks: u64 = launches.iter().map(|launch| launch.grid.units()).sum();
    let ways = vec![
        Way::new("generated", || Ok(kernel.launch(N, u32::MAX, &mut found)?)),
        Way::new("empty blocks", || launch_empty(gpu, &function, blocks as u32, [16, 16])),
    ];
    let mut times = gpu.time(4, ways)?;
    let (reference, ours): (Option<Times>, Option<Times>) = (times.pop(), times.pop());
    let (Some(reference), Some(ours)) = (reference, ours) else {
        return Err("the dummy was not timed".into());
    };
    let measured = Measured { ours, reference, others: Vec::new() };
    Ok(file::floor(format!("dummy, one thread a pair, n = {N}"), N, Ok(measured)))
}
