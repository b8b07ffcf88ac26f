//! Packed distances larger than any memory, streamed to the host by one GPU, two, and all, compared with the GPUs' own copies.

use std::thread;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use td_kernel::cudarc::driver::result;
use td_kernel::{Chunk, Chunks, Device, Devices, Packed, Pinned, Slots, ViewMut};
use td_kernel_examples::count_in;

use crate::devices::{counts, name};
use crate::kernels::packed_4;
use crate::measure::expect;
use crate::measure::points::{Point, points};
use crate::measure::times::{Spread, timed};
use crate::results::{Bound, Record, Results, Run};

#[derive(Args)]
pub(crate) struct Options {
    /// The numbers of points, with four features each
    #[arg(long, value_delimiter = ',', default_values_t = [200_000, 300_000],
        value_parser = count_in(2..))]
    elements: Vec<usize>,
    /// The maximum number of devices [default: all GPUs, or one CPU]
    #[arg(long, value_parser = count_in(1..))]
    devices: Option<usize>,
    /// Where the kernel runs
    #[arg(long, value_enum, default_value = "cuda")]
    device: Kind,
    /// The maximum bytes of each device's memory for chunks in flight [default: the library's]
    #[arg(long, value_parser = count_in(1..))]
    memory: Option<usize>,
    /// How often each is timed, after a checked pass
    #[arg(long, default_value_t = 3, value_parser = count_in(1..))]
    rounds: usize,
    #[command(flatten)]
    run: Run,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Cuda,
    Cpu,
}

/// The time limit of chunks to the host, relative to the GPUs' own copies of the same size.
const TARGET: Bound = Bound::AtMost(1.0 / 0.95);

/// The bytes of one copy by a GPU, and the number of timed copies.
const COPIED: usize = 1 << 30;
const COPIES: usize = 12;

/// Measures each number of points on each number of devices.
pub(crate) fn run(options: &Options) -> Result<Results> {
    let cpu = |_| Device::cpu();
    let all: Vec<Device> = match (options.device, options.devices) {
        (Kind::Cuda, None) => Devices::all()?.iter().cloned().collect(),
        (Kind::Cuda, Some(count)) => {
            (0..count).map(Device::cuda).collect::<td_kernel::Result<_>>()?
        }
        (Kind::Cpu, count) => (0..count.unwrap_or(1)).map(cpu).collect::<td_kernel::Result<_>>()?,
    };
    let first = all.first().context("there is no device")?;
    let mut results = Results::begin(&options.run, "scale", first, String::new())?;
    for &n in &options.elements {
        for count in counts(all.len()) {
            let devices = Devices::new(all.iter().take(count).cloned())?;
            results.add(streamed(options, &devices, n)?)?;
        }
    }
    Ok(results)
}

/// The passes on these devices. In the first one, the last row of each chunk is checked.
fn streamed(options: &Options, devices: &Devices, n: usize) -> Result<Record> {
    let kernel = packed_4::load(devices)?;
    let host = points::<[f32; 4]>(n);
    let p = devices.upload(&host)?;
    let chunks = || -> Result<Chunks<'_, f32>> {
        let chunks = kernel.chunks(&p)?;
        Ok(if let Some(bytes) = options.memory { chunks.memory(bytes) } else { chunks })
    };
    let mut count = 0;
    let mut started = chunks()?.start()?;
    while let Some(chunk) = started.next()? {
        check(&chunk, &host)?;
        count += 1;
    }
    drop(started);
    let mut times = Vec::new();
    for _ in 0..options.rounds {
        // Memory is allocated once, outside the timing.
        let mut started = chunks()?.start()?;
        let mut seen = 0;
        let ((), time) = timed(|| {
            while let Some(chunk) = started.next()? {
                seen += chunk.values.len();
            }
            Ok::<(), anyhow::Error>(())
        })?;
        let expected = n * (n - 1) / 2;
        ensure!(seen == expected, "got {seen} values of {n} elements instead of {expected}");
        times.push(time.as_secs_f64() * 1e3);
    }
    let mut record =
        Record::new(format!("packed distances to the host, {}", name(devices.len())), n);
    record.note = format!("{count} chunks");
    record.results.push(("streamed".into(), Spread::extremes(times).into()));
    if devices.iter().all(|device| !device.is_cpu()) {
        record = record.with_target(TARGET);
        let copied = vec![copies(devices, n * (n - 1) / 2)?];
        record.results.push(("copies of as many bytes".into(), Spread::extremes(copied).into()));
    }
    Ok(record)
}

/// The milliseconds in which all GPUs together copy this many values to pinned memory, at the same time.
fn copies(devices: &Devices, values: usize) -> Result<f64> {
    let mut memory: Vec<(&Device, Packed<f32>, Pinned<f32>)> = Vec::new();
    for device in devices.iter() {
        let from = device.packed((2 * COPIED / size_of::<f32>()).isqrt())?;
        let to = device.pinned(from.len())?;
        memory.push((device, from, to));
    }
    let copied = COPIES * memory.iter().map(|(_, from, _)| from.len()).sum::<usize>();
    let ((), time) = timed(|| {
        let copy = |(device, from, to): &mut (&Device, Packed<f32>, Pinned<f32>)| {
            (0..COPIES).try_for_each(|_| copy_by_gpu(device, from, to))
        };
        let done: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> =
                memory.iter_mut().map(|one| scope.spawn(move || copy(one))).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        for copied in done {
            copied.ok().context("a copying thread panicked")??;
        }
        Ok::<(), anyhow::Error>(())
    })?;
    Ok(1e3 * time.as_secs_f64() * values as f64 / copied as f64)
}

/// One copy by the GPU into pinned memory, without the library.
fn copy_by_gpu(device: &Device, from: &mut Packed<f32>, to: &mut Pinned<f32>) -> Result<()> {
    let (Some(stream), ViewMut::Cuda(memory)) = (device.stream(), from.slots()) else {
        bail!("this copy needs a GPU");
    };
    stream.context().bind_to_thread()?;
    ensure!(memory.len() == to.len(), "the two sides of the copy have different lengths");
    let (address, guard) = memory.view_ptr_mut(stream);
    // SAFETY: the address has this many elements, and the stream that runs the copy is waited for while both sides are
    // borrowed.
    unsafe { result::memcpy_dtoh_async(&mut to[..], address, stream.cu_stream()) }?;
    drop(guard);
    Ok(stream.synchronize()?)
}

/// An error if the last row of a chunk differs from double precision.
fn check(chunk: &Chunk<'_, f32>, points: &[[f32; 4]]) -> Result<()> {
    let Some((i, row)) = chunk.each_row().last() else { return Ok(()) };
    for (j, (distance, other)) in row.iter().zip(points).enumerate() {
        let expected = points[i].square_to(other).sqrt();
        expect(format_args!("pair ({i}, {j})"), (*distance).into(), expected, 1e-6 * expected)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_streamed_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            elements: vec![300, 401],
            devices: Some(3),
            device: Kind::Cpu,
            memory: Some(20_000),
            rounds: 2,
            run: Run { output: folder.path().into(), commit: None, only: Vec::new() },
        };
        let results = run(&options).unwrap();
        assert!(results.wrong().is_empty(), "{results:?}");
        let chunks: Vec<&str> = results.records.iter().map(|record| &*record.note).collect();
        assert_eq!((chunks.len(), chunks[0] != "1 chunks"), (6, true));
    }
}
