//! The floor of collisions: the time to issue eight multiply-adds a pair, on all multiprocessors.

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};

use super::target::{Measured, Outcome};
use crate::Failure;
use crate::measure::by_hand::{Source, UNROLLED};
use crate::measure::gpu::{Gpu, Way};
use crate::measure::times::Times;

pub(super) struct Issue<'a> {
    gpu: &'a Gpu,
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
    pub(super) fn new(gpu: &'a Gpu, pairs: usize) -> Result<Self, Failure> {
        // As many threads as there is room for: then every block starts and ends at the same time.
        let blocks = gpu.resident(256)?;
        let mut loops = Vec::new();
        for &unrolled in UNROLLED {
            let function = gpu.load(&Source::new("issue", &[("UNROLLED", unrolled)]))?;
            let (rounds, share) = rounds(pairs, blocks, unrolled);
            loops.push(Loop { function, unrolled, rounds, share });
        }
        Ok(Issue { gpu, loops, blocks, never: gpu.upload(&[0.0])? })
    }

    pub(super) fn ways(&self) -> Vec<Way<'_>> {
        let mut ways = Vec::with_capacity(self.loops.len());
        for each in &self.loops {
            let name = format!("8 FP32 issued a pair, {} x in the loop", each.unrolled);
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

/// How many rounds of a loop come nearest to 8 instructions a pair, and the instructions that are asked
/// for over those of so many rounds.
fn rounds(pairs: usize, blocks: u32, unrolled: u32) -> (u32, f64) {
    let asked = 8.0 * pairs as f64;
    let each = f64::from(blocks) * 256.0 * 8.0 * f64::from(unrolled);
    let rounds = (asked / each).round().max(1.0);
    (rounds as u32, asked / (each * rounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::pairs;

    #[test]
    fn the_floor_is_brought_to_eight_instructions_a_pair() {
        for &unrolled in UNROLLED {
            let (rounds, share) = rounds(pairs(30_720), 132 * 8, unrolled);
            let issued = f64::from(rounds) * 132.0 * 2048.0 * 8.0 * f64::from(unrolled);
            assert!((issued * share / (8.0 * pairs(30_720) as f64) - 1.0).abs() < 1e-12);
            assert!((0.95..1.05).contains(&share), "{share}");
        }
    }
}
