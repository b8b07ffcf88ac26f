//! The floor of what computes: the time to issue the instructions of a pair, on all multiprocessors.

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};

use super::target::{Measured, Outcome};
use crate::Failure;
use crate::measure::by_hand::Source;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::mix::Mix;
use crate::measure::times::Times;

pub(super) struct Issue<'a> {
    gpu: &'a Gpu,
    mix: Mix,
    /// What these instructions are for: a pair, or one feature of a pair.
    unit: &'static str,
    loops: Vec<Loop>,
    blocks: u32,
    never: CudaSlice<f32>,
}

/// A loop of some length. Its rounds are whole, so that it issues a little more or less than is asked.
struct Loop {
    function: CudaFunction,
    unrolled: u32,
    rounds: u32,
    /// The instructions that are asked for, over those issued.
    share: f64,
}

impl<'a> Issue<'a> {
    /// The instructions of so many units.
    pub(super) fn new(
        gpu: &'a Gpu,
        mix: Mix,
        unit: &'static str,
        count: usize,
    ) -> Result<Self, Failure> {
        // As many threads as there is room for: then every block starts and ends at the same time.
        let blocks = gpu.resident(256)?;
        let mut loops = Vec::new();
        for unrolled in mix.unrolled() {
            let function = gpu.load(&Source::issue(mix, unrolled))?;
            let (rounds, share) = rounds(count, blocks, unrolled);
            loops.push(Loop { function, unrolled, rounds, share });
        }
        Ok(Issue { gpu, mix, unit, loops, blocks, never: gpu.upload(&[0.0])? })
    }

    pub(super) fn ways(&self) -> Vec<Way<'_>> {
        let mut ways = Vec::with_capacity(self.loops.len());
        for each in &self.loops {
            let Issue { mix, unit, .. } = self;
            let name = format!("{mix} issued a {unit}, {} x in the loop", each.unrolled);
            ways.push(Way::new(name, move || self.launch(each)));
        }
        ways
    }

    fn launch(&self, each: &Loop) -> Result<(), Failure> {
        let factor = 1.0001_f32;
        // SAFETY: `issue` takes a number of rounds, a factor, and where one float is.
        unsafe {
            self.gpu.launch(&each.function, [self.blocks, 1], [256, 1], |launch| {
                launch.arg(&each.rounds).arg(&factor).arg(&self.never);
            })
        }
    }

    /// From the times of the loops, of the generated kernel, and of those written by hand: the floor is
    /// the fastest loop, brought to exactly as many instructions as are asked for.
    pub(super) fn outcome(&self, mut times: Vec<Times>) -> Result<Outcome, Failure> {
        let mut others = times.split_off(self.loops.len());
        for (times, each) in times.iter_mut().zip(&self.loops) {
            times.ms = times.ms.map(|ms| ms * each.share);
        }
        let reference = Times::take_fastest(&mut times).ok_or("no loop was timed")?;
        let ours = others.remove(0);
        others.extend(times);
        Ok(Outcome::Measured(Measured { ours, reference, others }))
    }
}

/// How many rounds of a loop come nearest to the instructions of so many units, and these over the instructions of so many
/// rounds.
fn rounds(count: usize, blocks: u32, unrolled: u32) -> (u32, f64) {
    let asked = count as f64;
    let each = f64::from(blocks) * 256.0 * f64::from(unrolled);
    let rounds = (asked / each).round().max(1.0);
    (rounds as u32, asked / (each * rounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::mix::{COLLISION, FORCES, PRODUCT, SQUARE};
    use crate::subject::pairs;

    #[test]
    fn the_floor_is_brought_to_the_instructions_of_all_pairs() {
        let all = pairs(30_720);
        for (mix, count) in [
            (COLLISION, all),
            (FORCES, all),
            (Mix::minimum(2), all),
            (SQUARE, 128 * all),
            (PRODUCT, 512 * all),
        ] {
            for unrolled in mix.unrolled() {
                let (rounds, share) = rounds(count, 132 * 8, unrolled);
                let issued = f64::from(rounds) * 132.0 * 2048.0 * f64::from(unrolled);
                assert!((issued * share / count as f64 - 1.0).abs() < 1e-12);
                assert!((0.95..1.05).contains(&share), "{share}");
            }
        }
    }

    #[test]
    fn a_floor_says_what_it_issues() {
        let names = [COLLISION, FORCES, Mix::minimum(3)].map(|mix| mix.to_string());
        assert_eq!(names, ["8 FP32", "17 FP32, 1 MUFU", "6 FP32, 1 minimum"]);
    }
}
