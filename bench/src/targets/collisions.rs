//! Colliding spheres, counted and listed, against the time to issue eight instructions a pair.

use td_kernel::cudarc::driver::{CudaFunction, CudaSlice, PushKernelArg};
use td_kernel::td_kernel;

use super::Setting;
use super::edm::{pairs, units};
use super::target::{Bound, Measured, Outcome, Target};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::hand_written::{self, Source, UNROLLED, WINDOWS};
use crate::measure::points::spheres;
use crate::measure::times::Times;

pub(crate) const COUNT: &[Target] =
    &[Target { work: "collision count", features: None, n: 30_720, bound: Bound::AtMost(1.33) }];
pub(crate) const LIST: &[Target] =
    &[Target { work: "collision list", features: None, n: 30_720, bound: Bound::AtMost(1.42) }];

/// Room for the pairs of all launches that are timed, some hundreds each: a list that is full would be
/// spared its writes.
const CAPACITY: usize = 1 << 20;

#[td_kernel(map = "auto")]
pub(crate) unsafe fn count(#[each] s: &[[f32; 4]], touching: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching += 1;
    "#
}

#[td_kernel(map = "auto")]
pub(crate) unsafe fn list(#[each] s: &[[f32; 4]], touching: &mut Pairs) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching.push();
    "#
}

pub(crate) fn counted(setting: &Setting, target: &Target) -> Result<Outcome, Failure> {
    let gpu = &setting.gpu;
    let spheres = gpu.upload(&spheres(target.n))?;
    let expected = plain_list(gpu, &spheres)?.len() as u64;
    let issue = Issue::new(gpu, pairs(target.n))?;
    let kernel = count::load(&gpu.device)?;
    let by_hand = CountByHand { gpu, function: gpu.load(&hand_written::collision_count())? };

    let mut sum = gpu.device.sum::<u64>()?;
    kernel.launch(&spheres, &mut sum)?;
    let ours = sum.download()?;
    let mut total = gpu.upload(&[0_u64])?;
    by_hand.launch(&spheres, &mut total)?;
    let theirs = gpu.stream.clone_dtoh(&total)?;
    if ours != expected || theirs != [expected] {
        let text = format!(
            "{ours} collisions by the generated kernel, {theirs:?} by the one written by hand, and \
             {expected} by the reference"
        );
        return Err(text.into());
    }

    let mut ways = issue.ways();
    ways.push(Way::new("generated", || Ok(kernel.launch(&spheres, &mut sum)?)));
    ways.push(Way::new("by hand, 4 rows a lane", || by_hand.launch(&spheres, &mut total)));
    issue.outcome(gpu.time(4, ways)?)
}

pub(crate) fn listed(setting: &Setting, target: &Target) -> Result<Outcome, Failure> {
    let gpu = &setting.gpu;
    let spheres = gpu.upload(&spheres(target.n))?;
    let expected = plain_list(gpu, &spheres)?;
    let issue = Issue::new(gpu, pairs(target.n))?;
    let kernel = list::load(&gpu.device)?;

    let mut pairs = gpu.device.pairs(CAPACITY)?;
    kernel.launch(&spheres, &mut pairs)?;
    let mut ours = pairs.download()?;
    ours.sort_unstable();
    same(&ours, &expected, "the generated kernel")?;
    let grid = [units(spheres.len(), TILE), 1];
    let mut by_hand = Vec::new();
    for &window in WINDOWS {
        let mut list = ListByHand::new(gpu, &hand_written::collision_list(window))?;
        list.launch(&spheres, grid, [32, 1])?;
        let name = format!("by hand, windows of {window}");
        same(&list.sorted()?, &expected, &name)?;
        by_hand.push((name, list));
    }

    let mut ways = issue.ways();
    ways.push(Way::new("generated", || Ok(kernel.launch(&spheres, &mut pairs)?)));
    for (name, list) in &mut by_hand {
        ways.push(Way::new(name.clone(), || list.launch(&spheres, grid, [32, 1])));
    }
    issue.outcome(gpu.time(4, ways)?)
}

/// The rows of a tile of both kernels written by hand.
const TILE: u32 = 128;

/// The colliding pairs in order, found one thread a pair.
pub(crate) fn plain_list(
    gpu: &Gpu,
    spheres: &CudaSlice<[f32; 4]>,
) -> Result<Vec<[u32; 2]>, Failure> {
    let mut list = ListByHand::new(gpu, &hand_written::collision_reference())?;
    let n = spheres.len();
    list.launch(spheres, [n.div_ceil(32) as u32, n.div_ceil(8) as u32], [32, 8])?;
    list.sorted()
}

/// An error where two sorted lists differ, with the first difference.
fn same(actual: &[[u32; 2]], expected: &[[u32; 2]], name: &str) -> Result<(), Failure> {
    if actual == expected {
        return Ok(());
    }
    let place = actual.iter().zip(expected).take_while(|(a, b)| a == b).count();
    let text = format!(
        "{name} lists {} pairs and the reference {}; in order, the first to differ is number {place}: \
         {:?} and {:?}",
        actual.len(),
        expected.len(),
        actual.get(place),
        expected.get(place)
    );
    Err(text.into())
}

/// The floor: the time to issue eight multiply-adds a pair, on all multiprocessors.
struct Issue<'a> {
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
    fn new(gpu: &'a Gpu, pairs: usize) -> Result<Self, Failure> {
        // As many threads as there is room for: then every block starts and ends at the same time.
        let blocks = gpu.resident(256)?;
        let mut loops = Vec::new();
        for &unrolled in UNROLLED {
            let function = gpu.load(&hand_written::issue(unrolled))?;
            let (rounds, share) = rounds(pairs, blocks, unrolled);
            loops.push(Loop { function, unrolled, rounds, share });
        }
        Ok(Issue { gpu, loops, blocks, never: gpu.upload(&[0.0])? })
    }

    fn ways(&self) -> Vec<Way<'_>> {
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
    fn outcome(&self, mut times: Vec<Times>) -> Result<Outcome, Failure> {
        let mut others = times.split_off(self.loops.len());
        for (times, each) in times.iter_mut().zip(&self.loops) {
            times.median *= each.share;
            times.low *= each.share;
            times.high *= each.share;
        }
        let (reference, slower) = Times::split_fastest(times).ok_or("no loop was timed")?;
        let ours = others.remove(0);
        others.extend(slower);
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

struct CountByHand<'a> {
    gpu: &'a Gpu,
    function: CudaFunction,
}

impl CountByHand<'_> {
    fn launch(
        &self,
        spheres: &CudaSlice<[f32; 4]>,
        total: &mut CudaSlice<u64>,
    ) -> Result<(), Failure> {
        let n = spheres.len() as u32;
        // SAFETY: `collision_count` takes n, n spheres, and where one number is.
        unsafe {
            self.gpu.launch(&self.function, [units(spheres.len(), TILE), 1], [32, 1], |launch| {
                launch.arg(&n).arg(spheres).arg(total);
            })
        }
    }
}

/// A kernel that lists, and its list.
struct ListByHand<'a> {
    gpu: &'a Gpu,
    function: CudaFunction,
    list: CudaSlice<[u32; 2]>,
    count: CudaSlice<u64>,
}

impl<'a> ListByHand<'a> {
    fn new(gpu: &'a Gpu, source: &Source) -> Result<Self, Failure> {
        let function = gpu.load(source)?;
        // Pairs that no kernel lists, so that an entry which nobody writes shows.
        let list = gpu.upload(&vec![[u32::MAX; 2]; CAPACITY])?;
        Ok(ListByHand { gpu, function, list, count: gpu.upload(&[0])? })
    }

    fn launch(
        &mut self,
        spheres: &CudaSlice<[f32; 4]>,
        grid: [u32; 2],
        block: [u32; 2],
    ) -> Result<(), Failure> {
        let (n, capacity) = (spheres.len() as u32, self.list.len() as u64);
        // SAFETY: these kernels take n, n spheres, a list, where its length is, and its capacity; they
        // write no further than that, whatever the grid.
        unsafe {
            self.gpu.launch(&self.function, grid, block, |launch| {
                launch.arg(&n).arg(spheres).arg(&mut self.list).arg(&mut self.count).arg(&capacity);
            })
        }
    }

    fn sorted(&self) -> Result<Vec<[u32; 2]>, Failure> {
        let count = self.gpu.stream.clone_dtoh(&self.count)?;
        let mut pairs = self.gpu.stream.clone_dtoh(&self.list)?;
        pairs.truncate(count.first().copied().unwrap_or_default() as usize);
        pairs.sort_unstable();
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
