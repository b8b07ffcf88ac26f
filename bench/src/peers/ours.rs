//! The generated kernels, and the one written by hand, measured as the peers are.

use super::{Answer, PAST, Work};
use crate::Failure;
use crate::figures::{collision_3, edm_4};
use crate::measure::gpu::Gpu;
use crate::measure::times::Spread;
use crate::subject::{Contest, Counts, Distances, GENERATED, InPacked, Launch, Subject};

/// The name, as tables and plots have it.
const BY_HAND: &str = "CUDA by hand, tiles of 64";

/// Launches in each round.
const REPEATS: u32 = 4;

/// A kernel at some n.
pub(super) struct Row {
    name: &'static str,
    work: Work,
    n: usize,
    /// The times of all rounds, none where it is only checked; or why there are none.
    samples: Result<Vec<f64>, String>,
}

/// Times everything at each n, and checks it past 32 bits.
pub(super) fn measure(gpu: &Gpu, sizes: &[usize], rounds: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (n, rounds) in sizes.iter().map(|n| (*n, rounds)).chain(PAST.map(|n| (n, 0))) {
        let names = if rounds > 0 { &[GENERATED, BY_HAND][..] } else { &[GENERATED] };
        for (work, names, samples) in [
            (Work::Edm, names, distances(gpu, n, rounds)),
            (Work::Collision, &[GENERATED], count(gpu, n, rounds)),
        ] {
            let samples = samples.map_err(|error| error.to_string());
            rows.extend(names.iter().enumerate().map(|(place, name)| {
                let samples =
                    samples.clone().map(|mut samples| std::mem::take(&mut samples[place]));
                Row { name, work, n, samples }
            }));
        }
    }
    rows
}

/// The answers, of all measurements together.
pub(super) fn answers(measurements: &[Vec<Row>]) -> Vec<Answer> {
    let Some(first) = measurements.first() else { return Vec::new() };
    let answer = |(place, Row { name, work, n, .. }): (usize, &Row)| {
        let samples = measurements.iter().map(|rows| rows[place].samples.clone());
        let samples = samples.collect::<Result<Vec<_>, _>>();
        Answer::of(name, *work, *n, samples.map(|samples| Spread::quarters(samples.concat())))
    };
    first.iter().enumerate().map(answer).collect()
}

fn distances(gpu: &Gpu, n: usize, rounds: usize) -> Result<Vec<Vec<f64>>, Failure> {
    let subject = Distances::<[f32; 4], InPacked>::distances(gpu, n)?;
    let mut kernels = vec![subject.generated::<edm_4::packed>()?];
    if rounds > 0 {
        kernels.push(subject.best_by_hand()?);
    }
    samples(&subject, kernels, rounds)
}

fn count(gpu: &Gpu, n: usize, rounds: usize) -> Result<Vec<Vec<f64>>, Failure> {
    let subject = Counts::of_spheres(gpu, n)?;
    samples(&subject, vec![subject.generated::<collision_3::count>()?], rounds)
}

/// The times of each kernel, checked before.
fn samples<S: Subject>(
    subject: &S,
    kernels: Vec<(String, Launch<S>)>,
    rounds: usize,
) -> Result<Vec<Vec<f64>>, Failure> {
    let contest = Contest::new(subject, kernels)?;
    contest.check_each().collect::<Result<(), _>>()?;
    let ways: Vec<_> = contest.ways().collect();
    if rounds == 0 {
        Ok(vec![Vec::new(); ways.len()])
    } else {
        subject.gpu().samples(rounds, REPEATS, ways)
    }
}
