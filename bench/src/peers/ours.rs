//! The generated kernels, and the one written by hand, measured as the peers are.

use super::PAST;
use super::file::{Answer, Outcome, Work};
use crate::Failure;
use crate::figures::Spread;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::hand_written::BEST_TILE;
use crate::measure::points::spheres;
use crate::targets::collisions;
use crate::targets::edm::{Edm, Problem};

/// The names, as tables and plots have them.
const GENERATED: &str = "generated";
const BY_HAND: &str = "CUDA by hand, tiles of 64";

/// Launches in each round.
const REPEATS: u32 = 4;

/// The times of all rounds, and how it ended.
pub(super) struct Ours {
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    work: Work,
    n: usize,
    samples: Result<Vec<f64>, String>,
}

/// Times everything at each n.
pub(super) fn measure(gpu: &Gpu, sizes: &[usize], rounds: usize) -> Ours {
    let mut rows = Vec::new();
    for &n in sizes {
        let (edm, hand) = match edm(gpu, n, rounds) {
            Ok([edm, hand]) => (Ok(edm), Ok(hand)),
            Err(error) => (Err(error.to_string()), Err(error.to_string())),
        };
        rows.push(Row { name: GENERATED, work: Work::Edm, n, samples: edm });
        rows.push(Row { name: BY_HAND, work: Work::Edm, n, samples: hand });
        let samples = count(gpu, n, rounds).map_err(|error| error.to_string());
        rows.push(Row { name: GENERATED, work: Work::Collision, n, samples });
    }
    Ours { rows }
}

impl Ours {
    /// Times everything once more.
    pub(super) fn again(&mut self, gpu: &Gpu, sizes: &[usize], rounds: usize) {
        for (row, more) in self.rows.iter_mut().zip(measure(gpu, sizes, rounds).rows) {
            match (&mut row.samples, more.samples) {
                (Ok(samples), Ok(more)) => samples.extend(more),
                (Ok(_), Err(error)) => row.samples = Err(error),
                (Err(_), _) => {}
            }
        }
    }

    /// The answers, with what happens past 32 bits.
    pub(super) fn answers(&self, gpu: &Gpu) -> Vec<Answer> {
        let timed = self.rows.iter().map(|Row { name, work, n, samples }| {
            let (work, n) = (*work, *n);
            let (outcome, detail, ms) = match samples.clone() {
                Ok(samples) => (Outcome::Right, String::new(), Spread::of(samples)),
                Err(error) => (Outcome::Error, error, None),
            };
            Answer { peer: (*name).to_string(), variant: None, work, n, outcome, detail, ms }
        });
        let mut answers: Vec<Answer> = timed.collect();
        for n in PAST {
            for (work, result) in
                [(Work::Edm, check_edm(gpu, n)), (Work::Collision, check_count(gpu, n))]
            {
                let (outcome, detail) = match result {
                    Ok(()) => (Outcome::Right, String::new()),
                    Err(error) => (Outcome::Error, error.to_string()),
                };
                let peer = GENERATED.into();
                answers.push(Answer { peer, variant: None, work, n, outcome, detail, ms: None });
            }
        }
        answers
    }
}

fn edm(gpu: &Gpu, n: usize, rounds: usize) -> Result<[Vec<f64>; 2], Failure> {
    let problem = Problem::<[f32; 4]>::new(gpu, n)?;
    let generated = <[f32; 4]>::generated(&gpu.device)?;
    let by_hand = problem.tiles(BEST_TILE)?;
    let (mut ours, mut hand) = (problem.poisoned()?, problem.poisoned()?);
    let ways = vec![
        Way::new(GENERATED, || Ok(generated(&problem.points, &mut ours)?)),
        Way::new(BY_HAND, || by_hand.launch(&problem, &mut hand)),
    ];
    let samples = gpu.samples(rounds, REPEATS, ways)?;
    let expected = problem.reference()?;
    gpu.check(GENERATED, &ours, &expected)?;
    gpu.check(BY_HAND, &hand, &expected)?;
    samples.try_into().map_err(|_| "two ways were timed, and there are not two times".into())
}

fn check_edm(gpu: &Gpu, n: usize) -> Result<(), Failure> {
    let problem = Problem::<[f32; 4]>::new(gpu, n)?;
    let mut slots = problem.poisoned()?;
    <[f32; 4]>::generated(&gpu.device)?(&problem.points, &mut slots)?;
    gpu.check(GENERATED, &slots, &problem.reference()?)
}

fn count(gpu: &Gpu, n: usize, rounds: usize) -> Result<Vec<f64>, Failure> {
    check_count(gpu, n)?;
    let spheres = gpu.upload(&spheres(n))?;
    let kernel = collisions::count::load(&gpu.device)?;
    let mut sum = gpu.device.sum::<u64>()?;
    let way = Way::new(GENERATED, || Ok(kernel.launch(&spheres, &mut sum)?));
    Ok(gpu.samples(rounds, REPEATS, vec![way])?.concat())
}

fn check_count(gpu: &Gpu, n: usize) -> Result<(), Failure> {
    let spheres = gpu.upload(&spheres(n))?;
    let mut sum = gpu.device.sum::<u64>()?;
    collisions::count::load(&gpu.device)?.launch(&spheres, &mut sum)?;
    let (count, expected) = (sum.download()?, collisions::plain_list(gpu, &spheres)?.len() as u64);
    if count == expected {
        return Ok(());
    }
    Err(format!("{count} collisions instead of {expected}").into())
}
