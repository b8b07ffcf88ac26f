//! Packed distances against the time that their bytes take alone, and, where there is little to do,
//! against the best kernel written by hand.

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};

use super::Setting;
use super::edm::{ByHand, Edm, Problem};
use super::target::{Bound, Measured, Outcome, Target};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::hand_written::{self, BEST_TILE, TILES, Tile};
use crate::measure::times::Times;

const fn target(features: u32, n: usize, limit: f64) -> Target {
    Target { work: "packed EDM", features: Some(features), n, bound: Bound::AtMost(limit) }
}

pub(crate) const AGAINST_FILL: &[Target] = &[
    target(1, 30_720, 1.06),
    target(2, 30_720, 1.06),
    target(3, 30_720, 1.06),
    target(4, 30_720, 1.06),
    target(1, 65_536, 1.08),
    target(2, 65_536, 1.08),
    target(3, 65_536, 1.08),
    target(4, 65_536, 1.08),
];

pub(crate) const AGAINST_HAND: &[Target] = &[
    Target { work: SMALL, features: Some(4), n: 1024, bound: Bound::AtMost(1.05) },
    Target { work: SMALL, features: Some(4), n: 4096, bound: Bound::AtMost(1.05) },
];
const SMALL: &str = "packed EDM, small";

pub(crate) fn against_fill(setting: &Setting, target: &Target) -> Result<Outcome, Failure> {
    let (gpu, n) = (&setting.gpu, target.n);
    match target.features {
        Some(1) => fill_and_tiles::<f32>(gpu, n),
        Some(2) => fill_and_tiles::<[f32; 2]>(gpu, n),
        Some(3) => fill_and_tiles::<[f32; 3]>(gpu, n),
        _ => fill_and_tiles::<[f32; 4]>(gpu, n),
    }
}

fn fill_and_tiles<T: Edm>(gpu: &Gpu, n: usize) -> Result<Outcome, Failure> {
    let problem = Problem::<T>::new(gpu, n)?;
    let generated = T::generated(&gpu.device)?;
    let by_hand = problem.tiles(BEST_TILE)?;
    let fill = Fill::new(gpu)?;
    let (mut ours, mut tiles) = (problem.poisoned()?, problem.poisoned()?);
    let mut filled = problem.poisoned()?;
    let ways = vec![
        Way::new("float4 fill", || fill.launch(&mut filled)),
        Way::new("generated", || Ok(generated(&problem.points, &mut ours)?)),
        Way::new(tile_name(BEST_TILE), || by_hand.launch(&problem, &mut tiles)),
    ];
    let times = gpu.time(4, ways)?;
    // Before the reference takes as much again.
    drop(filled);
    let expected = problem.reference()?;
    // After the timing, so that what is checked is what was timed.
    gpu.check("the generated kernel", &ours, &expected)?;
    gpu.check("the kernel written by hand", &tiles, &expected)?;
    let [reference, ours, tiles] = three(times)?;
    Ok(Outcome::Measured(Measured { ours, reference, others: vec![tiles] }))
}

/// The times of three ways.
pub(crate) fn three(times: Vec<Times>) -> Result<[Times; 3], Failure> {
    times.try_into().map_err(|_| "three ways were timed, and there are not three times".into())
}

pub(crate) fn against_hand(setting: &Setting, target: &Target) -> Result<Outcome, Failure> {
    let gpu = &setting.gpu;
    let problem = Problem::<[f32; 4]>::new(gpu, target.n)?;
    let generated = <[f32; 4]>::generated(&gpu.device)?;
    let mut by_hand: Vec<(String, ByHand<_>, CudaSlice<f32>)> =
        vec![("one thread a pair".into(), problem.one_thread_a_pair()?, problem.poisoned()?)];
    for &tile in TILES {
        by_hand.push((tile_name(tile), problem.tiles(tile)?, problem.poisoned()?));
    }
    let mut ours = problem.poisoned()?;
    let mut ways = vec![Way::new("generated", || Ok(generated(&problem.points, &mut ours)?))];
    for (name, kernel, slots) in &mut by_hand {
        ways.push(Way::new(name.clone(), || kernel.launch(&problem, slots)));
    }
    // So short that many are needed to be seen in the clock of the events.
    let mut times = gpu.time(50, ways)?;
    let expected = problem.reference()?;
    gpu.check("the generated kernel", &ours, &expected)?;
    for (name, _, slots) in &by_hand {
        gpu.check(name, slots, &expected)?;
    }
    let ours = times.remove(0);
    let (reference, others) = Times::split_fastest(times).ok_or("no kernel was written by hand")?;
    Ok(Outcome::Measured(Measured { ours, reference, others }))
}

fn tile_name(tile: Tile) -> String {
    let [x, y] = tile.threads;
    format!("by hand, tiles of {}, {x} x {y} threads", tile.side)
}

/// The floor of what writes.
pub(crate) struct Fill<'a> {
    gpu: &'a Gpu,
    function: CudaFunction,
}

impl<'a> Fill<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> Result<Self, Failure> {
        Ok(Fill { gpu, function: gpu.load(&hand_written::fill())? })
    }

    /// Writes all slots but the last up to three, where their number is no multiple of 4.
    pub(crate) fn launch(&self, slots: &mut CudaSlice<f32>) -> Result<(), Failure> {
        let vectors = slots.len() as u64 / 4;
        let blocks = vectors.div_ceil(1024) as u32;
        // SAFETY: `fill` takes the number of vectors and where they are, an allocation of CUDA's and so
        // aligned, with at least as many floats.
        unsafe {
            self.gpu.launch(&self.function, [blocks, 1], [256, 1], |launch| {
                launch.arg(&vectors).arg(slots);
            })
        }
    }
}
