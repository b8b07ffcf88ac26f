//! Packed distances that no memory has all of, streamed to the host by one GPU, by two, by as many as there are: beside the
//! GPUs' own copies, with a checksum of each row, which is the same on any number of them.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use td_kernel::cudarc::driver::result;
use td_kernel::{Band, Bands, Device, Devices, Packed, PackedSlots, Pinned, ViewMut, td_kernel};

use crate::Failure;
use crate::devices::{counts, name};
use crate::measure::points::points;
use crate::measure::times::Spread;
use crate::results::{Bound, Outcome, Record, Results, Run};

#[td_kernel(map = "ltm")]
unsafe fn distances(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// How it is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// The numbers of points, with four features each.
    #[arg(long, value_delimiter = ',', default_values_t = [200_000, 300_000],
        value_parser = clap::value_parser!(u32).range(2..))]
    elements: Vec<u32>,
    /// The most devices; without it all GPUs, or one CPU.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    devices: Option<u32>,
    /// Where the kernel runs.
    #[arg(long, value_enum, default_value = "cuda")]
    device: Kind,
    /// The most bytes of each device's memory for bands in flight; the library's default without it.
    #[arg(long)]
    memory: Option<usize>,
    /// How often each is timed, after a pass for the checksums.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Nothing is begun after so many seconds.
    #[arg(long, default_value_t = 90)]
    seconds: u64,
    #[command(flatten)]
    run: Run,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Cuda,
    Cpu,
}

/// How much longer than the GPUs' own copies of as many bytes bands to the host may take.
const TARGET: Bound = Bound::AtMost(1.0 / 0.95);

/// The bytes of one copy by a GPU, and how many copies are timed.
const COPIED: usize = 1 << 30;
const COPIES: usize = 12;

/// Values that checksums look at together.
const LANES: usize = 16;

/// Measures each number of points on each number of devices.
pub(crate) fn run(options: &Options) -> Result<Results, Failure> {
    let cpu = |_| Device::cpu();
    let all: Vec<Device> = match (options.device, options.devices) {
        (Kind::Cuda, None) => Devices::all()?.iter().cloned().collect(),
        (Kind::Cuda, Some(count)) => {
            (0..count as usize).map(Device::cuda).collect::<td_kernel::Result<_>>()?
        }
        (Kind::Cpu, count) => (0..count.unwrap_or(1)).map(cpu).collect::<td_kernel::Result<_>>()?,
    };
    let first = all.first().ok_or("there is no device")?;
    let mut results = Results::begin(&options.run, "scale", first, String::new())?;
    let end = Instant::now() + Duration::from_secs(options.seconds);
    for n in options.elements.iter().map(|n| *n as usize) {
        let mut expected = Vec::new();
        for count in counts(all.len()) {
            if Instant::now() >= end {
                eprintln!("n = {n} on {count}: left out, as the time is over");
                continue;
            }
            let devices = Devices::new(all.iter().take(count).cloned())?;
            let (mut record, sums) = streamed(options, &devices, n)?;
            if expected.is_empty() {
                expected = sums;
            } else if sums != expected {
                let wrong = "some rows differ from those of one device".into();
                record.results[0].1 = Outcome::Wrong { wrong };
            }
            results.add(record)?;
        }
    }
    Ok(results)
}

/// The passes on these devices, and the checksum of each row.
fn streamed(options: &Options, devices: &Devices, n: usize) -> Result<(Record, Vec<u64>), Failure> {
    let kernel = distances::load(devices)?;
    let host = points::<[f32; 4]>(n);
    let p = devices.upload(&host)?;
    let bands = || -> Result<Bands<'_, f32>, Failure> {
        let bands = kernel.bands(&p)?;
        Ok(match options.memory {
            Some(bytes) => bands.memory(bytes),
            None => bands,
        })
    };
    let (mut sums, mut count) = (vec![0; n], 0);
    let mut started = bands()?.start()?;
    while let Some(band) = started.next()? {
        sum_rows(&band, &mut sums);
        count += 1;
    }
    drop(started);
    let mut seconds = Vec::new();
    for _ in 0..options.rounds {
        // Memory is taken once, and is not what is asked about.
        let mut started = bands()?.start()?;
        let mut seen = 0;
        let time = timed(|| {
            while let Some(band) = started.next()? {
                seen += band.values.len();
            }
            Ok(())
        })?;
        if seen != n * (n - 1) / 2 {
            return Err(format!("{seen} values came of {n} elements").into());
        }
        seconds.push(time);
    }
    let mut record =
        Record::new(format!("packed distances to the host, {}", name(devices.len())), n);
    record.note = format!("{count} bands; checksum {:016x}", together(&sums));
    record.results.push(("streamed".into(), Spread::extremes(seconds).into()));
    if devices.iter().all(|device| !device.is_cpu()) {
        record = record.with_target(TARGET);
        let copied = vec![copies(devices, n * (n - 1) / 2)?];
        record.results.push(("copies of as many bytes".into(), Spread::extremes(copied).into()));
    }
    Ok((record, sums))
}

/// The milliseconds of some work.
fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// The milliseconds that all GPUs take together to copy so many values to pinned memory, at the same time.
fn copies(devices: &Devices, values: usize) -> Result<f64, Failure> {
    let mut memory: Vec<(&Device, Packed<f32>, Pinned<f32>)> = Vec::new();
    for device in devices.iter() {
        let from = device.packed((2 * COPIED / size_of::<f32>()).isqrt())?;
        let to = device.pinned(from.len())?;
        memory.push((device, from, to));
    }
    let copied = COPIES * memory.iter().map(|(_, from, _)| from.len()).sum::<usize>();
    let ms = timed(|| {
        let copy = |(device, from, to): &mut (&Device, Packed<f32>, Pinned<f32>)| {
            let copies = (0..COPIES).try_for_each(|_| copy_by_gpu(device, from, to));
            copies.map_err(|error| error.to_string())
        };
        let done: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> =
                memory.iter_mut().map(|one| scope.spawn(move || copy(one))).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        for copied in done {
            copied.map_err(|_| "a thread that copied has ended early")??;
        }
        Ok(())
    })?;
    Ok(ms * values as f64 / copied as f64)
}

/// One copy by the GPU into pinned memory, without the library.
fn copy_by_gpu(
    device: &Device,
    from: &mut Packed<f32>,
    to: &mut Pinned<f32>,
) -> Result<(), Failure> {
    let (Some(stream), ViewMut::Cuda(memory)) = (device.stream(), from.slots()) else {
        return Err("a copy by the GPU needs a GPU".into());
    };
    stream.context().bind_to_thread()?;
    if memory.len() != to.len() {
        return Err("the copy's two sides have two lengths".into());
    }
    let (address, guard) = memory.view_ptr_mut(stream);
    // SAFETY: at the address are as many elements, and the stream, behind whose work it comes, is waited for
    // while both sides are borrowed.
    unsafe { result::memcpy_dtoh_async(&mut to[..], address, stream.cu_stream()) }?;
    drop(guard);
    Ok(stream.synchronize()?)
}

/// Does `work` on each of `items`, on as many threads as there are cores.
fn each<I>(items: I, work: impl Fn(I::Item) + Sync)
where
    I: Iterator + Send,
{
    let items = Mutex::new(items);
    let run = || {
        loop {
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            match item {
                Some(item) => work(item),
                None => return,
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(run);
        }
    });
}

/// Notes the checksum of each row of a band.
fn sum_rows(band: &Band<'_, f32>, sums: &mut [u64]) {
    let rows = band.each_row().zip(&mut sums[band.rows.clone()]);
    each(rows, |((_, row), sum)| *sum = checksum(row));
}

/// Depends on every bit of every value, and on the order of different ones.
fn checksum(values: &[f32]) -> u64 {
    let mix = |sum: u32, value: &f32| sum.wrapping_mul(0x0100_0193) ^ value.to_bits();
    let mut lanes = [0x811c_9dc5_u32; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for values in whole {
        for (lane, value) in lanes.iter_mut().zip(values) {
            *lane = mix(*lane, value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = mix(*lane, value);
    }
    together(&lanes.map(u64::from))
}

/// One checksum of several.
fn together(sums: &[u64]) -> u64 {
    let mix = |all: u64, sum: &u64| (all.rotate_left(5) ^ sum).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sums.iter().fold(sums.len() as u64, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_all_devices_are_those_of_one() {
        let folder = tempfile::tempdir().unwrap();
        let options = |seconds| Options {
            elements: vec![300, 401],
            devices: Some(3),
            device: Kind::Cpu,
            memory: Some(20_000),
            rounds: 2,
            seconds,
            run: Run { output: folder.path().into(), commit: None, only: Vec::new() },
        };
        let results = run(&options(600)).unwrap();
        assert!(results.wrong().is_empty(), "{results:?}");
        let notes: Vec<&str> = results.records.iter().map(|record| &*record.note).collect();
        assert_eq!(notes.len(), 6);
        let checksum = |note: &str| note.split_once("checksum").unwrap().1.to_owned();
        assert_eq!(checksum(notes[0]), checksum(notes[2]));
        assert_ne!(checksum(notes[0]), checksum(notes[3]));
        // Without time there is nothing.
        assert!(run(&options(0)).unwrap().records.is_empty());
    }

    #[test]
    fn checksums_depend_on_values_and_their_order() {
        let values: Vec<f32> = (0..100).map(|k| k as f32).collect();
        let sum = checksum(&values);
        for at in 0..100 {
            let mut other = values.clone();
            other[at] += 0.5;
            assert_ne!(checksum(&other), sum, "{at}");
            let mut other = values.clone();
            other.swap(at, (at + 37) % 100);
            assert_ne!(checksum(&other), sum, "{at}");
        }
        assert_ne!(checksum(&values[..99]), sum);
        assert_ne!(checksum(&[]), checksum(&[0.0]));
    }
}
