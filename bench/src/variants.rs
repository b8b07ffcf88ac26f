//! Each variant of a kernel at each n, by the kernel's own tuning: where one becomes faster than the next.

use serde::{Deserialize, Serialize};
use td_kernel::{Device, DeviceType, LaunchWith, Report, Result};

use crate::experiment::{self, Experiment, File, Run, Section};
use crate::words::{table, thousands};
use crate::{Failure, kernels};

/// From where everything costs as much as a launch, to beyond the papers' largest.
const SIZES: &[usize] = &[
    512, 1024, 1536, 2048, 3072, 4096, 5120, 6144, 8192, 12_288, 16_384, 24_576, 30_720, 46_344,
    65_536,
];

/// All kernels at all n.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Variants {
    rows: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    work: String,
    n: usize,
    /// The variant that a launch takes without tuning, its time over the fastest one's, and all times.
    rule: String,
    rule_over_fastest: Option<f64>,
    times: Vec<Variant>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Variant {
    variant: String,
    us: f64,
}

/// Measures, prints, and writes the figures.
pub(crate) fn run(options: &Run) -> std::result::Result<(), Failure> {
    experiment::run(options, "variants", |gpu, file: &mut File<Variants>| {
        let device = &gpu.device;
        let rows = &mut file.figures.rows;
        for &n in SIZES {
            eprintln!("n = {n}");
            let points = device.upload(&elements(n, |x| x))?;
            let spheres =
                device.upload(&elements(n, |[x, y, z, w]| [x, y, z, 0.003 + 0.001 * w]))?;
            let line = device.upload(&elements(n, |[x, ..]| x))?;
            let plane = device.upload(&elements(n, |[x, y, ..]| [x, y]))?;
            let mut packed = device.packed(n)?;
            let work = "packed distances, 1 feature";
            rows.push(row::<kernels::edm_1, _>(device, work, n, (&line, &mut packed))?);
            let work = "packed distances, 4 features";
            rows.push(row::<kernels::edm_4, _>(device, work, n, (&points, &mut packed))?);
            drop(packed);
            let (work, mut square) = ("square of distances, 2 features", device.square(n)?);
            rows.push(row::<kernels::square_2, _>(device, work, n, (&plane, &mut square))?);
            drop(square);
            let (work, mut sum) = ("collisions counted", device.sum()?);
            rows.push(row::<kernels::count, _>(device, work, n, (&spheres, &mut sum))?);
            let (work, mut list) = ("collisions listed", device.pairs(1 << 20)?);
            rows.push(row::<kernels::list, _>(device, work, n, (&spheres, &mut list))?);
        }
        Ok(())
    })
}

fn row<K: LaunchWith<A>, A>(device: &Device, work: &str, n: usize, arguments: A) -> Result<Row> {
    let kernel = K::load(device)?;
    let Report { map, sweep, tile, block: [x, y], .. } = kernel.report(n)?;
    // As tuning names it.
    let rule = format!("map {map}, sweep {}, tile {tile}, {x} x {y} threads", sweep.name());
    let times = kernel.tune_with(arguments)?.times.into_iter();
    let times: Vec<Variant> =
        times.map(|(variant, time)| Variant { variant, us: time.as_secs_f64() * 1e6 }).collect();
    let ours = times.iter().find(|each| each.variant == rule);
    let rule_over_fastest = ours.zip(times.first()).map(|(ours, fastest)| ours.us / fastest.us);
    Ok(Row { work: work.into(), n, rule, rule_over_fastest, times })
}

/// Points in the unit cube, well mixed and the same each time.
fn elements<T: DeviceType>(n: usize, of: impl Fn([f32; 4]) -> T) -> Vec<T> {
    let fraction = |k: usize, step: f64| ((k as f64 * step).fract()) as f32;
    (0..n)
        .map(|k| of([0.754_877, 0.569_840, 0.430_159, 0.324_717].map(|step| fraction(k, step))))
        .collect()
}

impl Experiment for Variants {
    fn sections(&self) -> Vec<Section> {
        let lines = self.rows.iter().flat_map(|row| {
            let first = [row.work.clone(), thousands(row.n as u64)];
            row.times.iter().enumerate().map(move |(place, Variant { variant, us })| {
                let [work, n] = if place == 0 { first.clone() } else { Default::default() };
                let rule = if *variant == row.rule { "by the rule" } else { "" };
                vec![work, n, format!("{us:.1}"), variant.clone(), rule.into()]
            })
        });
        let headings = ["work", "n", "us", "variant", "without tuning"];
        vec![Section::new("variants", "Variants", table(&headings, &lines.collect::<Vec<_>>()))]
    }
}
