//! One work at one n, with every choice: each is checked, and those that are right are timed in rounds
//! that go through all of them.

use td_kernel::ErrorKind;

use super::file::{Measured, Outcome, Point, Spread};
use super::subject::{Subject, Work};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};

/// Launches that are timed together take about as long, so that the events' clock is fine enough.
const ENOUGH_MS: f64 = 0.4;

/// Their launches have to stand in the queue before the first of them runs.
const MAX_REPEATS: f64 = 10.0;

/// Above this, where one launch takes long, fewer rounds tell as much.
const LARGE: usize = 30_720;

/// The point of a work at n.
pub(super) fn point(gpu: &Gpu, work: &Work, n: usize, rounds: usize) -> Point {
    let rounds = if n > LARGE { rounds.min(5) } else { rounds };
    let mut point =
        Point { work: work.name.into(), n, rounds, repeats: 0, skipped: None, choices: Vec::new() };
    let measured =
        work.open(gpu, n).and_then(|mut subject| choices(gpu, work, &mut *subject, rounds));
    match measured {
        Ok((repeats, choices)) => {
            point.repeats = repeats;
            point.choices = choices;
        }
        Err(reason) => point.skipped = Some(reason.to_string()),
    }
    point
}

fn choices(
    gpu: &Gpu,
    work: &Work,
    subject: &mut dyn Subject,
    rounds: usize,
) -> Result<(u32, Vec<Measured>), Failure> {
    let mut failures: Vec<Option<Outcome>> = Vec::with_capacity(work.choices.len());
    for choice in 0..work.choices.len() {
        match subject.check(choice) {
            // A card that is too small says nothing about a kernel.
            Err(error) if is_short_of_memory(&error) => return Err(error),
            checked => failures.push(checked.err().map(|error| failure(&error))),
        }
    }
    match &failures[0] {
        Some(Outcome::Refused { refused: text }) => {
            return Err(format!("bb, which all are compared with: {text}").into());
        }
        // Nothing can be compared with it; that it is wrong is told.
        Some(Outcome::Wrong { .. }) => {
            let failed = work.choices.iter().zip(failures).filter_map(|(choice, failure)| {
                Some(Measured { name: choice.name.into(), outcome: failure? })
            });
            return Ok((0, failed.collect()));
        }
        _ => {}
    }
    let subject = &*subject;
    let way = |choice: usize| {
        let name = work.choices[choice].name;
        Way::new(name, move || Ok(subject.run(choice)?))
    };
    let once = gpu.samples(1, 1, vec![way(0)])?.concat();
    let repeats = (ENOUGH_MS / once.first().copied().unwrap_or(ENOUGH_MS)).clamp(1.0, MAX_REPEATS);
    let right: Vec<usize> =
        (0..failures.len()).filter(|choice| failures[*choice].is_none()).collect();
    let ways = right.iter().map(|&choice| way(choice)).collect();
    let mut samples = gpu.samples(rounds, repeats as u32, ways)?.into_iter();
    let bb = samples.next().unwrap_or_default();
    let mut timed = std::iter::once(bb.clone()).chain(samples);
    let mut measured = Vec::with_capacity(failures.len());
    for (choice, failure) in work.choices.iter().zip(failures) {
        let outcome = match failure {
            Some(failure) => failure,
            None => outcome(&bb, timed.next().unwrap_or_default()).ok_or("nothing was timed")?,
        };
        measured.push(Measured { name: choice.name.into(), outcome });
    }
    Ok((repeats as u32, measured))
}

/// The times of a choice in each round, beside the bounding box's in the same round.
fn outcome(bb: &[f64], samples: Vec<f64>) -> Option<Outcome> {
    let factors = bb.iter().zip(&samples).map(|(bb, sample)| bb / sample).collect();
    let mut factor = Spread::of(factors)?;
    let (bb, ms) = (Spread::of(bb.to_vec())?, Spread::of(samples)?);
    // The factor is the ratio of the medians; the rounds' own ratios tell how far it can be trusted.
    factor.median = crate::record::rounded(bb.median / ms.median);
    Some(Outcome::Timed { ms, factor })
}

fn is_short_of_memory(error: &Failure) -> bool {
    let error = error.downcast_ref::<td_kernel::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::OutOfDeviceMemory)
}

/// What a failed check says: the library's own refusal is no mistake.
fn failure(error: &Failure) -> Outcome {
    let text = error.to_string();
    match error.downcast_ref::<td_kernel::Error>() {
        Some(error) if error.max_elements().is_some() => Outcome::Refused { refused: text },
        _ => Outcome::Wrong { wrong: text },
    }
}

#[cfg(test)]
mod tests {
    use td_kernel::{Device, td_kernel};

    use super::*;

    #[test]
    fn the_factor_is_that_of_the_medians() {
        let Some(Outcome::Timed { ms, factor }) = outcome(&[2.0, 4.0, 3.0], vec![1.0, 1.0, 2.0])
        else {
            panic!()
        };
        assert_eq!((ms.median, factor.median), (1.0, 3.0));
        assert_eq!((factor.low, factor.high), (1.5, 4.0));
    }

    #[test]
    fn a_small_card_is_no_mistake() {
        let small = Device::cpu().unwrap().zeroed::<u8>(1 << 47).unwrap_err();
        assert!(is_short_of_memory(&small.into()));
        assert!(!is_short_of_memory(&"out of memory".into()));
    }

    #[test]
    fn a_refusal_is_no_mistake() {
        #[td_kernel]
        unsafe fn count(count: &mut Sum<u64>) {
            r#" count += 1; "#
        }
        let device = Device::cpu().unwrap();
        let kernel = count::load(&device).unwrap();
        let refusal = kernel.launch(1 << 32, &mut device.sum().unwrap()).unwrap_err();
        assert!(matches!(failure(&refusal.into()), Outcome::Refused { .. }));
        assert!(matches!(failure(&"wrong".into()), Outcome::Wrong { .. }));
    }
}
