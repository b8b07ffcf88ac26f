//! The same work on one GPU, two, four, and all GPUs: nearest neighbours, a count over all pairs, both in near tiles, and distances
//! of which each GPU stores a chunk.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use td_kernel::{Device, Devices, HostNearest, Shape};

use crate::kernels::{count, nearest_rows, packed_4};
use crate::measure::points::{points, rows_of_two, spheres};
use crate::measure::times::{Spread, Times};
use crate::results::{Bound, Record, Results, Run};
use crate::targets::near;

/// The number of turns in which each number of GPUs is timed.
const ROUNDS: usize = 9;

/// The features of the rows in the search for nearest neighbours.
const FEATURES: usize = 128;

/// A repeatable job of devices. The result is a number that differs if any bit of the results does.
type Job = Box<dyn FnMut(Step) -> td_kernel::Result<u64>>;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Resets the job.
    Clear,
    /// Starts the job on the devices, which may finish after this returns.
    Start,
    Result,
}

/// Prepares a work for n elements on these devices.
type Prepare = fn(&Devices, usize) -> td_kernel::Result<Job>;

/// A work, its n for timing, and its n for comparing results: all distances would be tens of gigabytes to download.
const WORKS: [(&str, [usize; 2], Prepare); 5] = [
    (NEIGHBOURS, [204_800; 2], neighbours),
    ("collisions counted, 3 features", [409_600; 2], collisions),
    ("near pairs counted", [10_000_000, 400_000], near_count),
    ("10 nearest neighbours in near tiles", [1_000_000; 2], near_neighbours),
    ("packed distances, 4 features, a chunk on each", [102_400, 8192], distances),
];
const NEIGHBOURS: &str = "10 nearest neighbours, 128 features";

/// The target speedup of this many devices over one.
fn target(work: &str, devices: usize) -> Bound {
    match (work, devices) {
        (NEIGHBOURS, 2) => Bound::AtLeast(1.9),
        (NEIGHBOURS, 4) => Bound::AtLeast(3.6),
        _ => Bound::Gain,
    }
}

pub(crate) fn run(run: &Run) -> Result<Results> {
    let all: Vec<Device> = Devices::all()?.iter().cloned().collect();
    let first = all.first().context("there is no GPU")?;
    let mut results = Results::begin(run, "devices", first, String::new())?;
    for (work, sizes, prepare) in WORKS.into_iter().filter(|(work, ..)| run.asks_for(work)) {
        for record in measure(work, prepare, sizes, &all, ROUNDS)? {
            results.add(record)?;
        }
    }
    Ok(results)
}

/// One, then doubled each time, and all.
pub(crate) fn counts(all: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |count| Some(2 * count));
    doubled.take_while(|count| *count < all).chain((all > 0).then_some(all)).collect()
}

pub(crate) fn name(count: usize) -> String {
    format!("{count} GPU{}", if count == 1 { "" } else { "s" })
}

/// The times on each number of devices, in turns, each beside the time on one.
fn measure(
    work: &str,
    prepare: Prepare,
    [n, compared]: [usize; 2],
    all: &[Device],
    rounds: usize,
) -> Result<Vec<Record>> {
    let some = |count: usize| Devices::new(all.iter().take(count).cloned());
    let mut expected = None;
    for count in counts(all.len()) {
        let mut job = prepare(&some(count)?, compared)?;
        job(Step::Start)?;
        let result = job(Step::Result)?;
        let is_same = *expected.get_or_insert(result) == result;
        ensure!(is_same, "{work} on {}: the results differ from those on one GPU", name(count));
    }
    let mut jobs = Vec::new();
    for count in counts(all.len()) {
        let devices = some(count)?;
        // After this, everything is compiled and allocated.
        let mut job = prepare(&devices, n)?;
        job(Step::Start)?;
        jobs.push((devices, job, Vec::new()));
    }
    for _ in 0..rounds {
        for (devices, job, samples) in &mut jobs {
            samples.push(time(devices, job)?);
        }
    }
    let mut times = Vec::new();
    for (devices, _, samples) in jobs {
        times.push((devices.len(), Spread::quarters(samples)?));
    }
    let one = times[0].1;
    let record = |(count, ms): (usize, Spread)| {
        let on_one: Times = (name(1), one);
        if count == 1 {
            return Record::new(work, n).with(Ok(vec![on_one]));
        }
        let record = Record::new(format!("{work}, {}", name(count)), n);
        record.with_target(target(work, count)).with(Ok(vec![(name(count), ms), on_one]))
    };
    Ok(times.into_iter().map(record).collect())
}

/// The milliseconds until the devices have finished, by the host's clock.
fn time(devices: &Devices, job: &mut Job) -> Result<f64> {
    job(Step::Clear)?;
    devices.synchronize()?;
    let start = Instant::now();
    job(Step::Start)?;
    devices.synchronize()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// The job of a launch into an output, and the number that differs if the output does.
macro_rules! job {
    ($output:expr, |$out:ident| $launch:expr, $digest:expr) => {{
        let mut output = $output;
        Ok(Box::new(move |step| match step {
            Step::Clear => output.clear().map(|()| 0),
            Step::Start => {
                let $out = &mut output;
                $launch.map(|()| 0)
            }
            Step::Result => {
                let $out = &output;
                Ok($digest)
            }
        }))
    }};
}

fn neighbours(devices: &Devices, n: usize) -> td_kernel::Result<Job> {
    let [rows, _] = rows_of_two(n, 0, FEATURES);
    let (kernel, rows) = (nearest_rows::load(devices)?, devices.features(&rows, FEATURES)?);
    let near = devices.nearest::<f32, 10>(n)?;
    job!(near, |near| kernel.launch(&rows, near), digest_of_neighbours(&near.download()?))
}

fn near_neighbours(devices: &Devices, n: usize) -> td_kernel::Result<Job> {
    let (kernel, points) = (near::nearest::load(devices)?, devices.upload(&points::<[f32; 3]>(n))?);
    let near = devices.nearest::<f32, 10>(n)?;
    job!(near, |near| kernel.launch(&points, near), digest_of_neighbours(&near.download()?))
}

/// A number that differs if the neighbours do.
pub(crate) fn digest_of_neighbours(near: &HostNearest<f32>) -> u64 {
    let values: Vec<u32> = near.values().iter().map(|value| value.to_bits()).collect();
    digest(&(near.indices(), values))
}

fn collisions(devices: &Devices, n: usize) -> td_kernel::Result<Job> {
    let (kernel, spheres) = (count::load(devices)?, devices.upload(&spheres(n))?);
    job!(devices.sum::<u64>()?, |sum| kernel.launch(&spheres, sum), sum.download()?)
}

fn near_count(devices: &Devices, n: usize) -> td_kernel::Result<Job> {
    let (kernel, balls) = (near::touching::load(devices)?, devices.upload(&near::balls(n))?);
    job!(devices.sum::<u64>()?, |sum| kernel.launch(&balls, sum), sum.download()?)
}

/// Each device has a chunk of rows, in order, with about the same number of pairs.
fn distances(devices: &Devices, n: usize) -> td_kernel::Result<Job> {
    let host = points::<[f32; 4]>(n);
    let end = |at: usize| (n as f64 * (at as f64 / devices.len() as f64).sqrt()).round() as usize;
    let mut chunks = Vec::new();
    for (at, device) in devices.iter().enumerate() {
        let rows = end(at)..end(at + 1);
        let kernel = packed_4::load(device)?.rows(rows.clone());
        chunks.push((
            kernel,
            device.upload(&host)?,
            device.packed::<f32>(Shape::triangle(n).of_rows(rows))?,
        ));
    }
    Ok(Box::new(move |step| match step {
        Step::Clear => Ok(0),
        Step::Start => {
            let mut chunks = chunks.iter_mut();
            chunks.try_for_each(|(kernel, points, slots)| kernel.launch(points, slots)).map(|()| 0)
        }
        Step::Result => {
            let mut bits: Vec<u32> = Vec::new();
            for (_, _, slots) in &chunks {
                let distances = slots.download()?;
                bits.extend(distances.as_slice().iter().map(|distance| distance.to_bits()));
            }
            Ok(digest(&bits))
        }
    }))
}

pub(crate) fn digest(of: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_devices_agree() {
        let cpu = Device::cpu().unwrap();
        let all = [cpu.clone(), cpu.clone(), cpu];
        for (work, _, prepare) in WORKS {
            let records = measure(work, prepare, [300, 200], &all, 2).unwrap();
            let names: Vec<&str> = records.iter().map(|each| &*each.results[0].0).collect();
            assert_eq!(names, ["1 GPU", "2 GPUs", "3 GPUs"], "{work}");
        }
    }
}
