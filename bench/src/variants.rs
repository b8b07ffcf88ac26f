//! Each variant of a kernel at each n, by the kernel's own tuning: where one becomes faster than the next.

use std::path::Path;

use serde_json::{Value, json};
use td_kernel::{Device, DeviceType, Tuned, td_kernel};

use crate::Failure;
use crate::targets::collisions::{count, list};
use crate::targets::edm::{edm_1, edm_4};

/// From where everything costs as much as a launch, to beyond the papers' largest.
const SIZES: &[usize] = &[
    512, 1024, 1536, 2048, 3072, 4096, 5120, 6144, 8192, 12_288, 16_384, 24_576, 30_720, 46_344,
    65_536,
];

#[td_kernel]
unsafe fn square_2(#[each] p: &[[f32; 2]], distance: &mut Square<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

/// Measures, prints, and writes the figures.
pub(crate) fn run(output: Option<&Path>) -> Result<(), Failure> {
    let device = Device::cuda(0)?;
    println!("{}", device.name());
    let mut rows = Vec::new();
    for &n in SIZES {
        let points = device.upload(&elements(n, |x| x))?;
        let spheres =
            device.upload(&elements(n, |[x, y, z, w]: [f32; 4]| [x, y, z, 0.003 + 0.001 * w]))?;
        let line = device.upload(&elements(n, |[x, ..]: [f32; 4]| x))?;
        let plane = device.upload(&elements(n, |[x, y, ..]: [f32; 4]| [x, y]))?;
        let mut add = |name: &str, chosen: String, tuned: Tuned| {
            println!("{name}, by the rule: {chosen}\n{tuned}");
            rows.push(row(name, &chosen, &tuned));
        };
        let mut packed = device.packed(n)?;
        let kernel = edm_1::load(&device)?;
        add(
            "packed distances, 1 feature",
            chosen(&kernel.report(n)?),
            kernel.tune(&line, &mut packed)?,
        );
        let kernel = edm_4::load(&device)?;
        add(
            "packed distances, 4 features",
            chosen(&kernel.report(n)?),
            kernel.tune(&points, &mut packed)?,
        );
        drop(packed);
        let mut square = device.square(n)?;
        let kernel = square_2::load(&device)?;
        add(
            "square of distances, 2 features",
            chosen(&kernel.report(n)?),
            kernel.tune(&plane, &mut square)?,
        );
        drop(square);
        let kernel = count::load(&device)?;
        add(
            "collisions counted",
            chosen(&kernel.report(n)?),
            kernel.tune(&spheres, &mut device.sum()?)?,
        );
        let kernel = list::load(&device)?;
        let mut pairs = device.pairs(1 << 20)?;
        add("collisions listed", chosen(&kernel.report(n)?), kernel.tune(&spheres, &mut pairs)?);
    }
    if let Some(path) = output {
        let report =
            json!({ "device": device.name(), "command": "td-bench variants", "rows": rows });
        std::fs::write(path, format!("{report:#}\n"))?;
    }
    Ok(())
}

/// The variant that a launch takes without tuning, as tuning names it.
fn chosen(report: &td_kernel::Report) -> String {
    let [x, y] = report.block;
    format!(
        "map {}, sweep {}, tile {}, {x} x {y} threads",
        report.map,
        report.sweep.name(),
        report.tile
    )
}

fn row(name: &str, chosen: &str, tuned: &Tuned) -> Value {
    let times: Vec<_> = tuned
        .times
        .iter()
        .map(|(variant, time)| json!({ "variant": variant, "us": time.as_secs_f64() * 1e6 }))
        .collect();
    let time_of = |(variant, time): &(String, _)| (variant == chosen).then_some(*time);
    let fastest = tuned.times.first().map(|(_, time)| time.as_secs_f64());
    let ours: Option<std::time::Duration> = tuned.times.iter().find_map(time_of);
    let ratio = ours.zip(fastest).map(|(ours, fastest)| ours.as_secs_f64() / fastest);
    json!({ "work": name, "n": tuned.elements, "rule": chosen, "rule_over_fastest": ratio, "times": times })
}

/// Points in the unit cube, well mixed and the same each time.
fn elements<T: DeviceType>(n: usize, of: impl Fn([f32; 4]) -> T) -> Vec<T> {
    let fraction = |k: usize, step: f64| ((k as f64 * step).fract()) as f32;
    (0..n)
        .map(|k| of([0.754_877, 0.569_840, 0.430_159, 0.324_717].map(|step| fraction(k, step))))
        .collect()
}
