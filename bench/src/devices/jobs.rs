//! What devices are given to do.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};
use td_kernel::{Buffer, Devices, Features, Nearest, Packed, Result, Sum};

use crate::figures::{collision_3, edm_4};
use crate::measure::points::{points, rows_of_two, spheres};
use crate::nearest_ladder::nearest_rows;

/// The work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Work {
    Neighbours,
    Count,
    Distances,
}

/// What devices do together, again and again.
pub(super) trait Job {
    /// Makes it as if it had never been done.
    fn forget(&mut self) -> Result<()>;

    /// Gives it to the devices, which may do it after this returns.
    fn start(&mut self) -> Result<()>;

    /// A number that is another one where any bit of the results is.
    fn result(&self) -> Result<u64>;
}

/// The features of rows whose nearest are looked for.
const FEATURES: usize = 128;

impl Work {
    pub(super) const ALL: [Work; 3] = [Work::Neighbours, Work::Count, Work::Distances];

    /// What figures call it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Work::Neighbours => "neighbours",
            Work::Count => "count",
            Work::Distances => "distances",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Work::Neighbours => "10 nearest neighbours, 128 features",
            Work::Count => "collisions counted, 3 features",
            Work::Distances => "packed distances, 4 features, a band on each",
        }
    }

    /// The n that is timed, and the one whose results are compared: all distances would be tens of gigabytes on the way to the
    /// host.
    pub(super) fn sizes(self) -> [usize; 2] {
        match self {
            Work::Neighbours => [204_800; 2],
            Work::Count => [409_600; 2],
            Work::Distances => [102_400, 8192],
        }
    }

    /// How many times as fast as one device so many are to be.
    pub(super) fn target(self, devices: usize) -> Option<f64> {
        match (self, devices) {
            (Work::Neighbours, 2) => Some(1.9),
            (Work::Neighbours, 4) => Some(3.6),
            _ => None,
        }
    }

    /// The work for n elements on these devices, ready to start.
    pub(super) fn job(self, devices: &Devices, n: usize) -> Result<Box<dyn Job>> {
        Ok(match self {
            Work::Neighbours => {
                let [rows, _] = rows_of_two(n, 0, FEATURES);
                Box::new(Neighbours {
                    kernel: nearest_rows::load(devices)?,
                    rows: devices.features(&rows, FEATURES)?,
                    near: devices.nearest(n)?,
                })
            }
            Work::Count => Box::new(Count {
                kernel: collision_3::count::load(devices)?,
                spheres: devices.upload(&spheres(n))?,
                touching: devices.sum()?,
            }),
            Work::Distances => Box::new(Distances(bands(devices, n)?)),
        })
    }
}

struct Neighbours {
    kernel: nearest_rows,
    rows: Features<f32>,
    near: Nearest<f32, 10>,
}

impl Job for Neighbours {
    fn forget(&mut self) -> Result<()> {
        self.near.clear()
    }

    fn start(&mut self) -> Result<()> {
        self.kernel.launch(&self.rows, &mut self.near)
    }

    fn result(&self) -> Result<u64> {
        let near = self.near.download()?;
        let values: Vec<u32> = near.values().iter().map(|value| value.to_bits()).collect();
        Ok(digest(&(near.indices(), values)))
    }
}

struct Count {
    kernel: collision_3::count,
    spheres: Buffer<[f32; 4]>,
    touching: Sum<u64>,
}

impl Job for Count {
    fn forget(&mut self) -> Result<()> {
        self.touching.clear()
    }

    fn start(&mut self) -> Result<()> {
        self.kernel.launch(&self.spheres, &mut self.touching)
    }

    fn result(&self) -> Result<u64> {
        self.touching.download()
    }
}

/// Each device's band of rows.
struct Distances(Vec<Band>);

struct Band {
    /// For these rows.
    kernel: edm_4::packed,
    points: Buffer<[f32; 4]>,
    distances: Packed<f32>,
}

/// Bands with about as many pairs each, in order.
fn bands(devices: &Devices, n: usize) -> Result<Vec<Band>> {
    let points = points::<[f32; 4]>(n);
    let end = |at: usize| (n as f64 * (at as f64 / devices.len() as f64).sqrt()).round() as usize;
    let band = |(at, device): (usize, &td_kernel::Device)| {
        let rows = end(at)..end(at + 1);
        Ok(Band {
            kernel: edm_4::packed::load(device)?.rows(rows.clone()),
            points: device.upload(&points)?,
            distances: device.packed_rows(n, rows)?,
        })
    };
    devices.iter().enumerate().map(band).collect()
}

impl Job for Distances {
    fn forget(&mut self) -> Result<()> {
        Ok(())
    }

    fn start(&mut self) -> Result<()> {
        let start = |band: &mut Band| band.kernel.launch(&band.points, &mut band.distances);
        self.0.iter_mut().try_for_each(start)
    }

    fn result(&self) -> Result<u64> {
        let mut bits: Vec<u32> = Vec::new();
        for band in &self.0 {
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
