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

/// A kernel at some n, and the times of all rounds.
pub(super) struct Row {
    name: &'static str,
    work: Work,
    n: usize,
    samples: Result<Vec<f64>, String>,
}

/// Times everything at each n.
pub(super) fn measure(gpu: &Gpu, sizes: &[usize], rounds: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for &n in sizes {
        let mut add = |work, names: &[&'static str], samples: Result<Vec<Vec<f64>>, Failure>| {
            for (place, &name) in names.iter().enumerate() {
                let samples = match &samples {
                    Ok(samples) => samples.get(place).cloned().ok_or("nothing was timed".into()),
                    Err(error) => Err(error.to_string()),
                };
                rows.push(Row { name, work, n, samples });
            }
        };
        add(Work::Edm, &[GENERATED, BY_HAND], edm(gpu, n, rounds));
        add(Work::Collision, &[GENERATED], count(gpu, n, rounds));
    }
    rows
}

/// Adds the times of another measurement.
pub(super) fn add(rows: &mut [Row], others: Vec<Row>) {
    for (row, more) in rows.iter_mut().zip(others) {
        match (&mut row.samples, more.samples) {
            (Ok(samples), Ok(more)) => samples.extend(more),
            (Ok(_), Err(error)) => row.samples = Err(error),
            (Err(_), _) => {}
        }
    }
}

/// The answers, with what happens past 32 bits.
pub(super) fn answers(rows: &[Row], gpu: &Gpu) -> Vec<Answer> {
    let timed = |Row { name, work, n, samples }: &Row| {
        Answer::of(name, *work, *n, samples.clone().map(Spread::quarters))
    };
    let mut answers: Vec<Answer> = rows.iter().map(timed).collect();
    for n in PAST {
        for (work, samples) in [(Work::Edm, edm(gpu, n, 0)), (Work::Collision, count(gpu, n, 0))] {
            let checked = samples.map(|_| None).map_err(|error| error.to_string());
            answers.push(Answer::of(GENERATED, work, n, checked));
        }
    }
    answers
}

/// The times of all rounds; of none, the generated kernel is only checked.
fn edm(gpu: &Gpu, n: usize, rounds: usize) -> Result<Vec<Vec<f64>>, Failure> {
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

fn samples<S: Subject>(
    subject: &S,
    kernels: Vec<(String, Launch<S>)>,
    rounds: usize,
) -> Result<Vec<Vec<f64>>, Failure> {
    let contest = Contest::new(subject, kernels)?;
    contest.check_each().collect::<Result<(), _>>()?;
    match rounds {
        0 => Ok(Vec::new()),
        _ => subject.gpu().samples(rounds, REPEATS, contest.ways().collect()),
    }
}
