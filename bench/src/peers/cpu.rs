//! Where there is no GPU: SciPy on one core, beside the CPU device.

use std::path::Path;

use td_kernel::{Device, td_kernel};

use super::file::{Answer, CpuPeers, Outcome, Peers, Work};
use super::script::{self, SCIPY, Step};
use super::tell;
use crate::figures::Spread;
use crate::measure::points::points;
use crate::record::{File, Machine};
use crate::{Failure, Run};

/// Where times are taken.
const SIZES: [usize; 2] = [1024, 4096];
const ROUNDS: usize = 5;

#[td_kernel]
unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// Measures, and writes the file.
pub(super) fn run(python: &Path, options: &Run) -> Result<(), Failure> {
    let device = Device::cpu()?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let name = format!("CPU device, {cores} cores, f32");
    let mut figures = Peers::default();
    for n in SIZES {
        let (outcome, detail, ms) = match ours(&device, n) {
            Ok(ms) => (Outcome::Right, String::new(), Some(ms)),
            Err(error) => (Outcome::Error, error.to_string(), None),
        };
        let (peer, work) = (name.clone(), Work::Edm);
        figures.answers.push(Answer { peer, variant: None, work, n, outcome, detail, ms });
    }
    let steps = SIZES.map(|n| Step { work: Work::Edm, n, rounds: ROUNDS });
    figures.answers.extend(script::ask(python, &SCIPY, &steps, &mut figures.versions));
    figures.answers.iter().for_each(tell);
    println!(
        "The CPU device runs the GPU's kernel, thread by thread, so that it can be tried and tested \
         without a GPU. It is not there to be fast."
    );
    let machine = Machine::without_gpu(device.name().to_owned(), options.commit.clone());
    File::new(machine, CpuPeers(figures)).write(&options.output)
}

fn ours(device: &Device, n: usize) -> Result<Spread, Failure> {
    let kernel = edm::load(device)?;
    let host = points::<[f32; 4]>(n);
    let points = device.upload(&host)?;
    let mut distance = device.packed(n)?;
    let mut times = Vec::new();
    for round in 0..=ROUNDS {
        let ((), time) = device.timed(|| kernel.launch(&points, &mut distance))?;
        // The first round warms up.
        if round > 0 {
            times.push(time.as_secs_f64() * 1e3);
        }
    }
    let distance = distance.download()?;
    for (i, a) in host.iter().enumerate() {
        for (j, b) in host.iter().enumerate().take(i) {
            let squares: f64 =
                a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
            let expected = squares.sqrt();
            let off = distance.get(i, j).map(|actual| (f64::from(actual) - expected).abs());
            if off.is_none_or(|off| off > 1e-6 * expected + 1e-12) {
                return Err(format!("wrong distance of pair ({i}, {j})").into());
            }
        }
    }
    Spread::of(times).ok_or_else(|| "nothing was timed".into())
}
