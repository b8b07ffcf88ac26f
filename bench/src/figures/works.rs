//! The papers' works, measured in the same way.

use std::cell::Cell;

use td_kernel::{Device, ErrorKind};

use super::choices::{Choice, Keys};
use super::kernels::{collision_1, collision_3, dummy, edm_1, edm_2, edm_3, edm_4};
use super::{Measured, Outcome, Point};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::{segments, spheres};
use crate::measure::times::Spread;
use crate::subject::{Contest, Counts, Distances, InPacked, Launch, Looks, Subject};

/// Every work.
pub(crate) const WORKS: &[&dyn Work] = &[
    &work("dummy", dummy::CHOICES, Looks::new),
    &work("edm-1", edm_1::CHOICES, Distances::<f32, InPacked>::with_reference),
    &work("edm-2", edm_2::CHOICES, Distances::<[f32; 2], InPacked>::with_reference),
    &work("edm-3", edm_3::CHOICES, Distances::<[f32; 3], InPacked>::with_reference),
    &work("edm-4", edm_4::CHOICES, Distances::<[f32; 4], InPacked>::with_reference),
    &work("collision-1d", collision_1::CHOICES, |gpu, n| Counts::new(gpu, &segments(n))),
    &work("collision-3d", collision_3::CHOICES, |gpu, n| Counts::new(gpu, &spheres(n))),
];

const fn work<S: Subject>(
    name: &'static str,
    choices: &'static [Choice<S>],
    open: fn(&Gpu, usize) -> Result<S, Failure>,
) -> Choices<S> {
    Choices { name, choices, open }
}

/// A work of the papers.
pub(crate) trait Work: Sync {
    /// The name in files and on the command line.
    fn name(&self) -> &'static str;

    /// The keys of each choice.
    fn keys(&self) -> Vec<Keys>;

    /// The texts of the kernels, in the same order.
    #[cfg(test)]
    fn sources(&self) -> Vec<&'static str>;

    /// Checks and times every choice at n.
    fn point(&self, gpu: &Gpu, n: usize, rounds: usize) -> Point;
}

struct Choices<S: Subject + 'static> {
    name: &'static str,
    choices: &'static [Choice<S>],
    open: fn(&Gpu, usize) -> Result<S, Failure>,
}

/// Launches that are timed together take about as long, so that the events' clock is fine enough.
const ENOUGH_MS: f64 = 0.4;

/// Their launches have to stand in the queue before the first of them runs.
const MAX_REPEATS: f64 = 10.0;

/// Above this, where one launch takes long, fewer rounds tell as much.
const LARGE: usize = 30_720;

impl<S: Subject> Work for Choices<S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn keys(&self) -> Vec<Keys> {
        self.choices.iter().map(|choice| choice.keys).collect()
    }

    #[cfg(test)]
    fn sources(&self) -> Vec<&'static str> {
        self.choices.iter().map(|choice| choice.source).collect()
    }

    fn point(&self, gpu: &Gpu, n: usize, rounds: usize) -> Point {
        let rounds = if n > LARGE { rounds.min(5) } else { rounds };
        let (work, skipped) = (self.name.into(), None);
        let point = Point { work, n, rounds, repeats: 0, skipped, choices: Vec::new() };
        match self.measure(gpu, n, rounds) {
            Ok((repeats, choices)) => Point { repeats, choices, ..point },
            Err(reason) => Point { skipped: Some(reason.to_string()), ..point },
        }
    }
}

impl<S: Subject> Choices<S> {
    /// The kernels are checked; those that are right are timed in rounds that go through all of them.
    fn measure(&self, gpu: &Gpu, n: usize, rounds: usize) -> Result<(u32, Vec<Measured>), Failure> {
        let subject = (self.open)(gpu, n)?;
        let kernels = self.choices.iter().map(|Choice { keys, load, .. }| {
            // What cannot be loaded fails where it is launched, and so is told with all other failures.
            let failing = |error: td_kernel::Error| -> Launch<S> {
                let error = Cell::new(Some(error));
                Box::new(move |_, _| Err(error.take().map_or("not loaded".into(), Failure::from)))
            };
            (keys.name.to_owned(), load(&gpu.device).unwrap_or_else(failing))
        });
        let contest = Contest::in_one_place(&subject, kernels.collect())?;
        let mut failures = Vec::with_capacity(self.choices.len());
        for checked in contest.check_each() {
            match checked {
                // A card that is too small says nothing about a kernel.
                Err(error) if is_short_of_memory(&error) => return Err(error),
                checked => failures.push(checked.err().map(|error| failure(&error))),
            }
        }
        if let Some(Outcome::Refused { refused: text }) = &failures[0] {
            return Err(format!("bb, which all are compared with: {text}").into());
        }
        // With a wrong one nothing can be compared; that it is wrong is told.
        let (mut repeats, mut samples) = (0, Vec::new());
        if failures[0].is_none() {
            let once = gpu.samples(1, 1, vec![contest.way(0)])?.concat();
            let once = once.first().copied().unwrap_or(ENOUGH_MS);
            repeats = (ENOUGH_MS / once).clamp(1.0, MAX_REPEATS) as u32;
            let right = (0..failures.len()).filter(|choice| failures[*choice].is_none());
            let ways = right.map(|choice| contest.way(choice)).collect();
            samples = gpu.samples(rounds, repeats, ways)?;
        }
        let bb = samples.first().cloned().unwrap_or_default();
        let mut timed = samples.into_iter();
        let measured = self.choices.iter().zip(failures).filter_map(|(choice, failure)| {
            let outcome = failure.or_else(|| timed_beside(&bb, timed.next()?))?;
            Some(Measured { name: choice.keys.name.into(), outcome })
        });
        Ok((repeats, measured.collect()))
    }
}

/// The maps with one thread a pair and the exact root on whole blocks, bb first: kernels that do nothing.
pub(crate) fn maps_that_look(device: &Device) -> Result<Vec<(String, Launch<Looks>)>, Failure> {
    let is_map = |choice: &&Choice<Looks>| td_kernel::maps::map(choice.keys.name).is_some();
    let maps = dummy::CHOICES.iter().filter(is_map);
    maps.map(|choice| Ok((choice.keys.name.to_owned(), (choice.load)(device)?))).collect()
}

/// The times of a choice in each round, beside the bounding box's in the same round.
fn timed_beside(bb: &[f64], samples: Vec<f64>) -> Option<Outcome> {
    let factors = bb.iter().zip(&samples).map(|(bb, sample)| bb / sample).collect();
    let mut factor = Spread::quarters(factors)?;
    let (bb, ms) = (Spread::quarters(bb.to_vec())?, Spread::quarters(samples)?);
    // The factor is the ratio of the medians; the rounds' own ratios tell how far it can be trusted.
    factor.median = crate::measure::times::rounded(bb.median / ms.median);
    Some(Outcome::Timed { ms, factor })
}

fn is_short_of_memory(error: &Failure) -> bool {
    let error = error.downcast_ref::<td_kernel::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::OutOfDeviceMemory)
}

/// What a failed check says.
fn failure(error: &Failure) -> Outcome {
    match error.downcast_ref::<td_kernel::Error>() {
        Some(refusal) => outcome_of(refusal),
        None => Outcome::Wrong { wrong: error.to_string() },
    }
}

/// The library's own refusal is no mistake.
fn outcome_of(error: &td_kernel::Error) -> Outcome {
    match error.max_elements() {
        Some(_) => Outcome::Refused { refused: error.to_string() },
        None => Outcome::Wrong { wrong: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use td_kernel::td_kernel;

    use super::*;
    use crate::measure::by_hand::tests::{compiles, is_understood};

    #[test]
    fn a_kernel_of_every_choice_compiles() {
        for work in WORKS {
            let sources = work.sources();
            // The texts of a work have one body, and the library's own tests make machine code of each sweep: with default
            // features the first ones become machine code, and some others are read.
            let step = if cfg!(feature = "every") { 1 } else { 4 };
            for (place, source) in sources.into_iter().enumerate().step_by(step) {
                let check = if place == 0 { compiles } else { is_understood };
                check("_kernel", source);
            }
        }
    }

    #[test]
    fn the_factor_is_that_of_the_medians() {
        let outcome = timed_beside(&[2.0, 4.0, 3.0], vec![1.0, 1.0, 2.0]);
        let Some(Outcome::Timed { ms, factor }) = outcome else { panic!() };
        assert_eq!((ms.median, factor.median), (1.0, 3.0));
        assert_eq!((factor.low, factor.high), (1.5, 4.0));
    }

    #[test]
    fn a_small_card_and_a_refusal_are_no_mistakes() {
        #[td_kernel]
        unsafe fn count(count: &mut Sum<u64>) {
            r#" count += 1; "#
        }
        let device = Device::cpu().unwrap();
        let small = device.zeroed::<u8>(1 << 47).unwrap_err();
        assert!(is_short_of_memory(&small.into()));
        assert!(!is_short_of_memory(&"out of memory".into()));
        let kernel = count::load(&device).unwrap();
        let refusal = kernel.launch(1 << 32, &mut device.sum().unwrap()).unwrap_err();
        assert!(matches!(failure(&refusal.into()), Outcome::Refused { .. }));
        assert!(matches!(failure(&"wrong".into()), Outcome::Wrong { .. }));
    }
}
