//! The same work on one GPU, on two, on four, as many as there are: nearest neighbours, a count over all pairs, and distances
//! of which each GPU stores a band.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use td_kernel::{Buffer, Device, Devices, Features, Nearest, Packed, Sum};

use crate::Failure;
use crate::kernels::{count, nearest_rows, packed_4};
use crate::measure::points::{points, rows_of_two, spheres};
use crate::measure::times::{Spread, Times};
use crate::results::{Bound, Record, Results, Run};

/// How often each number of GPUs is timed, in turns.
const ROUNDS: usize = 9;

/// The features of rows whose nearest are looked for.
const FEATURES: usize = 128;

/// What devices do together, again and again.
trait Job {
    /// Makes it as if it had never been done.
    fn clear(&mut self) -> td_kernel::Result<()>;

    /// Gives it to the devices, which may do it after this returns.
    fn start(&mut self) -> td_kernel::Result<()>;

    /// A number that differs where any bit of the results does.
    fn result(&self) -> td_kernel::Result<u64>;
}

/// A work for n elements on these devices, ready to start.
type Prepare = fn(&Devices, usize) -> td_kernel::Result<Box<dyn Job>>;

/// A work, the n that is timed, and the n whose results are compared: all distances would be tens of gigabytes on the way to
/// the host.
const WORKS: [(&str, [usize; 2], Prepare); 3] = [
    (NEIGHBOURS, [204_800; 2], neighbours),
    ("collisions counted, 3 features", [409_600; 2], collisions),
    ("packed distances, 4 features, a band on each", [102_400, 8192], distances),
];
const NEIGHBOURS: &str = "10 nearest neighbours, 128 features";

/// How many times as fast as one device so many are to be.
fn target(work: &str, devices: usize) -> Bound {
    match (work, devices) {
        (NEIGHBOURS, 2) => Bound::AtLeast(1.9),
        (NEIGHBOURS, 4) => Bound::AtLeast(3.6),
        _ => Bound::Gain,
    }
}

/// Measures each work.
pub(crate) fn run(run: &Run) -> Result<Results, Failure> {
    let all: Vec<Device> = Devices::all()?.iter().cloned().collect();
    let first = all.first().ok_or("there is no GPU")?;
    let mut results = Results::begin(run, "devices", first, String::new())?;
    for (work, sizes, prepare) in WORKS.into_iter().filter(|(work, ..)| run.asks_for(work)) {
        for record in measure(work, prepare, sizes, &all, ROUNDS)? {
            results.add(record)?;
        }
    }
    Ok(results)
}

/// One, and twice as many each time, and all.
pub(crate) fn counts(all: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |count| Some(2 * count));
    doubled.take_while(|count| *count < all).chain((all > 0).then_some(all)).collect()
}

pub(crate) fn name(count: usize) -> String {
    format!("{count} GPU{}", if count == 1 { "" } else { "s" })
}

/// The times on each number of devices, in turns, each beside those on one.
fn measure(
    work: &str,
    prepare: Prepare,
    [n, compared]: [usize; 2],
    all: &[Device],
    rounds: usize,
) -> Result<Vec<Record>, Failure> {
    let some = |count: usize| Devices::new(all.iter().take(count).cloned());
    let mut expected = None;
    for count in counts(all.len()) {
        let mut job = prepare(&some(count)?, compared)?;
        job.start()?;
        let result = job.result()?;
        if *expected.get_or_insert(result) != result {
            return Err(format!("{work} on {}: other results than on one", name(count)).into());
        }
    }
    let mut jobs = Vec::new();
    for count in counts(all.len()) {
        let devices = some(count)?;
        // Everything is compiled, and all memory there, after this.
        let mut job = prepare(&devices, n)?;
        job.start()?;
        jobs.push((devices, job, Vec::new()));
    }
    for _ in 0..rounds {
        for (devices, job, samples) in &mut jobs {
            samples.push(time(devices, &mut **job)?);
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

/// The milliseconds until the devices have done it, by the host's clock.
fn time(devices: &Devices, job: &mut dyn Job) -> Result<f64, Failure> {
    job.clear()?;
    devices.synchronize()?;
    let start = Instant::now();
    job.start()?;
    devices.synchronize()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

struct Neighbours {
    kernel: nearest_rows,
    rows: Features<f32>,
    near: Nearest<f32, 10>,
}

fn neighbours(devices: &Devices, n: usize) -> td_kernel::Result<Box<dyn Job>> {
    let [rows, _] = rows_of_two(n, 0, FEATURES);
    Ok(Box::new(Neighbours {
        kernel: nearest_rows::load(devices)?,
        rows: devices.features(&rows, FEATURES)?,
        near: devices.nearest(n)?,
    }))
}

impl Job for Neighbours {
    fn clear(&mut self) -> td_kernel::Result<()> {
        self.near.clear()
    }

    fn start(&mut self) -> td_kernel::Result<()> {
        self.kernel.launch(&self.rows, &mut self.near)
    }

    fn result(&self) -> td_kernel::Result<u64> {
        let near = self.near.download()?;
        let values: Vec<u32> = near.values().iter().map(|value| value.to_bits()).collect();
        Ok(digest(&(near.indices(), values)))
    }
}

struct Collisions {
    kernel: count,
    spheres: Buffer<[f32; 4]>,
    touching: Sum<u64>,
}

fn collisions(devices: &Devices, n: usize) -> td_kernel::Result<Box<dyn Job>> {
    Ok(Box::new(Collisions {
        kernel: count::load(devices)?,
        spheres: devices.upload(&spheres(n))?,
        touching: devices.sum()?,
    }))
}

impl Job for Collisions {
    fn clear(&mut self) -> td_kernel::Result<()> {
        self.touching.clear()
    }

    fn start(&mut self) -> td_kernel::Result<()> {
        self.kernel.launch(&self.spheres, &mut self.touching)
    }

    fn result(&self) -> td_kernel::Result<u64> {
        self.touching.download()
    }
}

/// One device's rows.
struct Band {
    kernel: packed_4,
    points: Buffer<[f32; 4]>,
    distances: Packed<f32>,
}

/// Bands with about as many pairs each, in order.
fn distances(devices: &Devices, n: usize) -> td_kernel::Result<Box<dyn Job>> {
    let points = points::<[f32; 4]>(n);
    let end = |at: usize| (n as f64 * (at as f64 / devices.len() as f64).sqrt()).round() as usize;
    let band = |(at, device): (usize, &Device)| {
        let rows = end(at)..end(at + 1);
        Ok(Band {
            kernel: packed_4::load(device)?.rows(rows.clone()),
            points: device.upload(&points)?,
            distances: device.packed_rows(n, rows)?,
        })
    };
    let bands = devices.iter().enumerate().map(band);
    Ok(Box::new(bands.collect::<td_kernel::Result<Vec<Band>>>()?))
}

impl Job for Vec<Band> {
    fn clear(&mut self) -> td_kernel::Result<()> {
        Ok(())
    }

    fn start(&mut self) -> td_kernel::Result<()> {
        let start = |band: &mut Band| band.kernel.launch(&band.points, &mut band.distances);
        self.iter_mut().try_for_each(start)
    }

    fn result(&self) -> td_kernel::Result<u64> {
        let mut bits: Vec<u32> = Vec::new();
        for band in self {
            let distances = band.distances.download()?;
            bits.extend(distances.as_slice().iter().map(|distance| distance.to_bits()));
        }
        Ok(digest(&bits))
    }
}

fn digest(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_do_the_same_together() {
        let cpu = Device::cpu().unwrap();
        let all = [cpu.clone(), cpu.clone(), cpu];
        for (work, _, prepare) in WORKS {
            let records = measure(work, prepare, [300, 200], &all, 2).unwrap();
            let names: Vec<&str> = records.iter().map(|each| &*each.results[0].0).collect();
            assert_eq!(names, ["1 GPU", "2 GPUs", "3 GPUs"], "{work}");
        }
    }
}
