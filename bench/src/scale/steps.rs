//! The passes, measured.

use std::ops::Range;
use std::time::{Duration, Instant};

use td_kernel::{Band, Bands, Buffer, Device, Devices, ErrorKind, Packed, Pinned};

use super::{Options, Row, Scaled};
use crate::Failure;
use crate::experiment::File;
use crate::figures::edm_4;
use crate::measure::host;
use crate::measure::points::points;
use crate::measure::times::rounded;

/// The bytes of one copy by a GPU, and how many copies are timed.
const COPIED: usize = 1 << 30;
const COPIES: usize = 12;

/// Values that checksums look at together.
const LANES: usize = 16;

/// Measures all numbers of points on all numbers of devices, as far as the time goes, and keeps what there is after each.
pub(super) fn measure(
    options: &Options,
    all: &[Device],
    file: &mut File<Scaled>,
) -> Result<(), Failure> {
    let end = Instant::now() + Duration::from_secs(options.seconds);
    for n in options.elements.iter().map(|n| *n as usize) {
        let mut sums_of_one = Vec::new();
        for count in crate::devices::counts(all.len()) {
            if Instant::now() >= end {
                eprintln!("n = {n} on {count}: left out, as the time is over");
                continue;
            }
            eprintln!("n = {n} on {count}");
            let devices = Devices::new(all.iter().take(count).cloned())?;
            let (mut row, sums) = streamed(options, &devices, n)?;
            match sums_of_one.is_empty() {
                true => {
                    row.of_launch = of_launch(&all[0], &sums)?;
                    sums_of_one = sums;
                }
                false => row.differing = differing(&sums, &sums_of_one),
            }
            file.figures.rows.push(row);
            file.keep()?;
        }
    }
    Ok(())
}

/// The passes on these devices, and the checksum of each row.
fn streamed(options: &Options, devices: &Devices, n: usize) -> Result<(Row, Vec<u64>), Failure> {
    let kernel = edm_4::ltm_tiles::load(devices)?;
    let host = points::<[f32; 4]>(n);
    let p = devices.upload(&host)?;
    let bands = || -> Result<Bands<'_, f32>, Failure> {
        let bands = kernel.bands(&p)?;
        Ok(match options.memory {
            Some(bytes) => bands.memory(bytes),
            None => bands,
        })
    };
    let (mut sums, mut ranges, mut largest) = (vec![0; n], Vec::new(), 0);
    let mut started = bands()?.start()?;
    let (checked, ()) = timed(|| {
        while let Some(band) = started.next()? {
            largest = largest.max(size_of_val(band.values));
            sum_rows(&band, &mut sums);
            ranges.push(band.rows.clone());
        }
        Ok(())
    })?;
    drop(started);
    let mut seconds = Vec::new();
    for _ in 0..options.rounds {
        // Memory is taken once, and is not what is asked about.
        let mut started = bands()?.start()?;
        let mut seen = 0;
        let (time, ()) = timed(|| {
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
    let parts = devices.iter().map(|device| Part::new(device, &host, largest));
    let mut parts = parts.collect::<td_kernel::Result<Vec<_>>>()?;
    let mut computed = Vec::new();
    for _ in 0..=options.rounds {
        computed.push(timed(|| compute(devices, &mut parts, &ranges))?.0);
    }
    // The first pass also loads the code.
    computed.remove(0);
    drop(parts);
    let copied = copies(devices)?;
    let row = Row {
        elements: n,
        devices: devices.len(),
        bands: ranges.len(),
        largest,
        seconds,
        computed,
        copied,
        checked,
        checksum: format!("{:016x}", together(&sums)),
        differing: 0,
        of_launch: None,
    };
    Ok((row, sums))
}

/// The seconds of some work.
fn timed<R>(work: impl FnOnce() -> Result<R, Failure>) -> Result<(f64, R), Failure> {
    let start = Instant::now();
    let done = work()?;
    Ok((rounded(start.elapsed().as_secs_f64()), done))
}

/// One device, which computes bands into the same memory again and again.
struct Part {
    kernel: edm_4::ltm_tiles,
    points: Buffer<[f32; 4]>,
    slots: Buffer<f32>,
}

impl Part {
    fn new(device: &Device, host: &[[f32; 4]], largest: usize) -> td_kernel::Result<Part> {
        Ok(Part {
            kernel: edm_4::ltm_tiles::load(device)?,
            points: device.upload(host)?,
            slots: device.zeroed(largest / size_of::<f32>())?,
        })
    }
}

/// Computes all bands, of which each device has every so many.
fn compute(devices: &Devices, parts: &mut [Part], ranges: &[Range<usize>]) -> Result<(), Failure> {
    let count = parts.len();
    for (at, rows) in ranges.iter().enumerate() {
        let Part { kernel, points, slots } = &mut parts[at % count];
        let start = |row: usize| row * row.saturating_sub(1) / 2;
        let length = start(rows.end) - start(rows.start);
        kernel.rows(rows.clone()).launch(points, &mut slots.slice_mut(..length)?)?;
    }
    Ok(devices.synchronize()?)
}

/// The bytes a second that all GPUs copy at the same time; `None` where one is none.
fn copies(devices: &Devices) -> Result<Option<f64>, Failure> {
    if devices.iter().any(Device::is_cpu) {
        return Ok(None);
    }
    let mut memory: Vec<(&Device, Packed<f32>, Pinned<f32>)> = Vec::new();
    for device in devices.iter() {
        let from = device.packed((2 * COPIED / size_of::<f32>()).isqrt())?;
        let to = device.pinned(from.len())?;
        memory.push((device, from, to));
    }
    let bytes = COPIES * memory.iter().map(|(_, from, _)| from.len()).sum::<usize>();
    let (seconds, ()) = timed(|| {
        let copy = |(device, from, to): &mut (&Device, Packed<f32>, Pinned<f32>)| {
            let copies = (0..COPIES).try_for_each(|_| host::copy_by_gpu(device, from, to));
            copies.map_err(|error| error.to_string())
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                memory.iter_mut().map(|one| scope.spawn(move || copy(one))).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        for copied in done {
            copied.map_err(|_| "a thread that copied has ended early")??;
        }
        Ok(())
    })?;
    Ok(Some(rounded((bytes * size_of::<f32>()) as f64 / seconds)))
}

/// Notes the checksum of each row of a band.
fn sum_rows(band: &Band<'_, f32>, sums: &mut [u64]) {
    let rows = band.each_row().zip(&mut sums[band.rows.clone()]);
    host::each(rows, |((_, row), sum)| *sum = checksum(row));
}

/// Depends on every bit of every value, and on the order of different ones.
pub(super) fn checksum(values: &[f32]) -> u64 {
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
    let lanes: Vec<u64> = lanes.iter().map(|lane| u64::from(*lane)).collect();
    together(&lanes)
}

/// One checksum of several.
fn together(sums: &[u64]) -> u64 {
    let mix = |all: u64, sum: &u64| (all.rotate_left(5) ^ sum).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sums.iter().fold(sums.len() as u64, mix)
}

fn differing(sums: &[u64], others: &[u64]) -> usize {
    sums.iter().zip(others).filter(|(sum, other)| sum != other).count()
}

/// How many rows of one launch have other checksums than these; `None` where the device has no memory for all of them.
fn of_launch(device: &Device, sums: &[u64]) -> Result<Option<usize>, Failure> {
    let n = sums.len();
    let start = |row: usize| row * row.saturating_sub(1) / 2;
    let mut slots = match device.zeroed::<f32>(start(n)) {
        Ok(slots) => slots,
        Err(error) if error.kind() == ErrorKind::OutOfDeviceMemory => return Ok(None),
        Err(error) if error.kind() == ErrorKind::OutOfHostMemory => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let p = device.upload(&points::<[f32; 4]>(n))?;
    edm_4::ltm_tiles::load(device)?.launch(&p, &mut slots)?;
    // As many rows at a time as fill a piece of the host's memory.
    let most = (COPIED / size_of::<f32>()).max(n);
    let mut host = device.pinned(most.min(start(n)).max(1))?;
    let (mut row, mut other) = (0, 0);
    while row < n {
        let mut end = row + 1;
        while end < n && start(end + 1) - start(row) <= host.len() {
            end += 1;
        }
        let values = &mut host[..start(end) - start(row)];
        slots.slice(start(row)..start(end))?.download_into(values)?;
        let mut found = vec![0_u64; end - row];
        let values = &*values;
        let rows = found.iter_mut().enumerate().map(|(at, sum)| {
            let places = start(row + at) - start(row)..start(row + at + 1) - start(row);
            (sum, &values[places])
        });
        host::each(rows, |(sum, values)| *sum = checksum(values));
        other += differing(&found, &sums[row..end]);
        row = end;
    }
    Ok(Some(other))
}
