//! The floors of kernels: a fill of the same bytes for kernels that write, and the time to issue the instructions of all pairs
//! for kernels that compute.

use anyhow::Result;
use td_kernel::LaunchWith;
use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};

use super::Measured;
use crate::measure::by_hand::{Mix, Source};
use crate::measure::gpu::{Gpu, ROUNDS, Way};
use crate::measure::times::{Times, fastest};
use crate::subject::{Contest, Launch, Subject, fill};

/// A generated kernel compared with a fill of the same bytes.
pub(super) fn beside_fill<S: Subject, K>(subject: &S, bytes: usize) -> Measured
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let contest = Contest::new(subject, vec![subject.generated::<K>()?])?;
    let mut times = contest.time(vec![fill(subject.gpu(), "float4 fill", bytes)?], 4)?;
    times.reverse();
    Ok(times)
}

/// A generated kernel compared with the issue of the instructions of this many pairs, or features of pairs.
pub(super) fn beside_issue<S: Subject>(
    subject: &S,
    kernel: (String, Launch<S>),
    mix: Mix,
    count: usize,
    repeats: u32,
) -> Measured {
    let issue = Issue::new(subject.gpu(), mix, count)?;
    let contest = Contest::new(subject, vec![kernel])?;
    issue.compared(contest.time(issue.ways(), repeats)?)
}

/// The same for a kernel whose results are already checked.
pub(super) fn way_beside_issue(
    gpu: &Gpu,
    mix: Mix,
    count: usize,
    repeats: u32,
    own: Way<'_>,
) -> Measured {
    let issue = Issue::new(gpu, mix, count)?;
    let mut ways = issue.ways();
    ways.push(own);
    issue.compared(gpu.time(ROUNDS, repeats, ways)?)
}

/// Ours, which is the first, and the fastest of the others.
pub(super) fn beside_fastest<S: Subject>(
    subject: &S,
    kernels: Vec<(String, Launch<S>)>,
    repeats: u32,
) -> Measured {
    let mut times = Contest::new(subject, kernels)?.time(vec![], repeats)?;
    let others = times.split_off(1);
    times.push(fastest(others)?);
    Ok(times)
}

struct Issue<'a> {
    gpu: &'a Gpu,
    mix: Mix,
    loops: Vec<Loop>,
    blocks: u32,
    never: CudaSlice<f32>,
}

/// A loop of some length. Its rounds are whole, so it issues slightly more or fewer instructions than requested.
struct Loop {
    function: CudaFunction,
    unrolled: u32,
    rounds: u32,
    /// The requested instructions over the issued ones.
    share: f64,
}

impl<'a> Issue<'a> {
    /// The instructions of this many pairs, or features of pairs.
    fn new(gpu: &'a Gpu, mix: Mix, count: usize) -> Result<Self> {
        // As many threads as fit: then every block starts and ends at the same time.
        let blocks = gpu.resident(256)?;
        let mut loops = Vec::new();
        for unrolled in mix.unrolled() {
            let function = gpu.load(&Source::issue(mix, unrolled))?;
            let (rounds, share) = rounds(count, blocks, unrolled);
            loops.push(Loop { function, unrolled, rounds, share });
        }
        Ok(Issue { gpu, mix, loops, blocks, never: gpu.upload(&[0.0])? })
    }

    fn ways(&self) -> Vec<Way<'_>> {
        let Mix { fmas, roots, minima } = self.mix;
        let more = [(roots, ", 1 MUFU"), (minima, ", 1 minimum")];
        let more: String =
            more.iter().filter(|(count, _)| *count > 0).map(|(_, text)| *text).collect();
        let ways = self.loops.iter().map(|each| {
            let name = format!("issue of {fmas} FP32{more}, {} x in the loop", each.unrolled);
            Way::new(name, move || self.launch(each))
        });
        ways.collect()
    }

    fn launch(&self, each: &Loop) -> Result<()> {
        let factor = 1.0001_f32;
        // SAFETY: `issue` takes a number of rounds, a factor, and the address of a float.
        unsafe {
            self.gpu.launch(&each.function, [self.blocks, 1], [256, 1], |launch| {
                launch.arg(&each.rounds).arg(&factor).arg(&self.never)
            })
        }
    }

    /// From the times of the loops and of ours: ours, and the fastest loop, scaled to exactly the requested instructions.
    fn compared(&self, mut times: Vec<Times>) -> Measured {
        let mut ours = times.split_off(self.loops.len());
        for ((_, ms), each) in times.iter_mut().zip(&self.loops) {
            *ms = ms.map(|ms| ms * each.share);
        }
        ours.push(fastest(times)?);
        Ok(ours)
    }
}

/// The number of rounds of a loop that comes nearest to the instructions of `count` units, and the ratio of these to the
/// instructions of the rounds.
fn rounds(count: usize, blocks: u32, unrolled: u32) -> (u32, f64) {
    let asked = count as f64;
    let each = f64::from(blocks) * 256.0 * f64::from(unrolled);
    let rounds = (asked / each).round().max(1.0);
    (rounds as u32, asked / (each * rounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::pairs;

    #[test]
    fn floors_scale_to_all_pairs() {
        for (mix, count) in [(Mix::FORCES, pairs(30_720)), (Mix::PRODUCT, 512 * pairs(30_720))] {
            for unrolled in mix.unrolled() {
                let (rounds, share) = rounds(count, 132 * 8, unrolled);
                let issued = f64::from(rounds) * 132.0 * 2048.0 * f64::from(unrolled);
                assert!((issued * share / count as f64 - 1.0).abs() < 1e-12);
                assert!((0.95..1.05).contains(&share), "{share}");
            }
        }
    }
}
