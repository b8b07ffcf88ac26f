//! Where there is no GPU: SciPy on one core, beside the CPU device.

use std::path::Path;

use td_kernel::Device;

use super::script::SCIPY;
use super::{Answer, CpuPeers, Peers, Work};
use crate::Failure;
use crate::experiment::{File, Run};
use crate::figures::edm_4;
use crate::measure::points::points;
use crate::measure::times::Spread;

/// Where times are taken.
const SIZES: [usize; 2] = [1024, 4096];
const ROUNDS: usize = 5;

/// Measures, and writes the file.
pub(super) fn run(python: &Path, options: &Run) -> Result<(), Failure> {
    if let Some(from) = &options.from {
        return File::<CpuPeers>::judge(from, "peers --cpu");
    }
    let device = Device::emulator()?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let name = format!("CPU device, {cores} cores, f32");
    let mut figures = Peers::default();
    for n in SIZES {
        let times = ours(&device, n).map_err(|error| error.to_string());
        figures.answers.push(Answer::of(&name, Work::Edm, n, times));
    }
    let Peers { versions, answers } = &mut figures;
    answers.extend(SIZES.map(|n| SCIPY.ask(python, Work::Edm, n, ROUNDS, versions)));
    File::new(options, "peers --cpu", Some(&device), CpuPeers(figures))?.finish()
}

fn ours(device: &Device, n: usize) -> Result<Option<Spread>, Failure> {
    let kernel = edm_4::ltm_tiles::load(device)?;
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
            let off = distance.get(i, j).map(|actual| (f64::from(*actual) - expected).abs());
            if off.is_none_or(|off| off > 1e-6 * expected + 1e-12) {
                return Err(format!("wrong distance of pair ({i}, {j})").into());
            }
        }
    }
    Ok(Spread::quarters(times))
}
