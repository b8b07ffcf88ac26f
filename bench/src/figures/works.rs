//! The papers' works: one that does nothing, distances with 1 to 4 features, and collisions in one and in
//! three dimensions. Each has a kernel for every choice, and is measured in the same way.

use td_kernel::{Device, ErrorKind};

use super::choices::{Choice, Keys, one_thread_a_pair, with_tiles};
use super::{Measured, Outcome, Point};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::{segments, spheres};
use crate::measure::times::Spread;
use crate::subject::{Contest, Counts, Distances, InPacked, Launch, Looks, Subject};

/// The maps alone.
pub(crate) mod dummy {
    super::one_thread_a_pair! {{ crate::subject::Looks,
        (wanted: u32, found: &mut [u32])
        r#"
    if (i + j == wanted)
        atomicAdd(&found[0], 1u);
    "#
    }}
}

/// Distances of points: a kernel for each choice, and as other experiments have it, `packed` and `square`.
macro_rules! edm {
    ($($name:ident $($square:ident)?: $point:ty, $body:literal;)+) => {$(
        pub(crate) mod $name {
            use crate::subject::{Distances, InPacked};

            #[td_kernel::td_kernel(map = "auto")]
            pub(crate) unsafe fn packed(#[each] p: &[$point], distance: &mut Packed<f32>) {
                $body
            }

            $(#[td_kernel::td_kernel]
            pub(crate) unsafe fn $square(#[each] p: &[$point], distance: &mut Square<f32>) {
                $body
            })?

            super::with_tiles! {{ Distances<$point, InPacked>,
                (#[each] p: &[$point], distance: &mut Packed<f32>)
                $body
            }}
        }
    )+};
}

edm! {
    edm_1: f32, r#"
    float dx = p.i - p.j;
    distance = sqrtf(dx * dx);
    "#;
    edm_2 square: [f32; 2], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    edm_3: [f32; 3], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    edm_4 square: [f32; 4], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

/// Balls that touch: a kernel that counts them for each choice, and as other experiments have it.
macro_rules! collision {
    ($($name:ident $($auto:ident)?: $ball:ty, $body:tt;)+) => {$(
        pub(crate) mod $name {
            $(#[td_kernel::td_kernel(map = "auto")]
            pub(crate) unsafe fn $auto(#[each] s: &[$ball], touching: &mut Sum<u64>) {
                $body
            })?

            super::with_tiles! {{ crate::subject::Counts<$ball>,
                (#[each] s: &[$ball], touching: &mut Sum<u64>)
                $body
            }}
        }
    )+};
}

collision! {
    collision_1: [f32; 2], r#"
    float dx = s.i.x - s.j.x, r = s.i.y + s.j.y;
    if (dx * dx <= r * r)
        touching += 1;
    "#;
    collision_3 count: [f32; 4], r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching += 1;
    "#;
}

/// The same spheres, listed.
#[td_kernel::td_kernel(map = "auto")]
pub(crate) unsafe fn list(#[each] s: &[[f32; 4]], touching: &mut Pairs) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching.push();
    "#
}

/// Every work.
pub(crate) const WORKS: &[&dyn Work] = &[
    &Choices { name: "dummy", choices: dummy::CHOICES, open: Looks::new },
    &Choices {
        name: "edm-1",
        choices: edm_1::CHOICES,
        open: Distances::<f32, InPacked>::with_reference,
    },
    &Choices {
        name: "edm-2",
        choices: edm_2::CHOICES,
        open: Distances::<[f32; 2], InPacked>::with_reference,
    },
    &Choices {
        name: "edm-3",
        choices: edm_3::CHOICES,
        open: Distances::<[f32; 3], InPacked>::with_reference,
    },
    &Choices {
        name: "edm-4",
        choices: edm_4::CHOICES,
        open: Distances::<[f32; 4], InPacked>::with_reference,
    },
    &Choices {
        name: "collision-1d",
        choices: collision_1::CHOICES,
        open: |gpu, n| Counts::new(gpu, &segments(n)),
    },
    &Choices {
        name: "collision-3d",
        choices: collision_3::CHOICES,
        open: |gpu, n| Counts::new(gpu, &spheres(n)),
    },
];

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
        let (mut kernels, mut failures) = (Vec::new(), Vec::with_capacity(self.choices.len()));
        for Choice { keys, load, .. } in self.choices {
            let name = keys.name.to_owned();
            let launch = load(&gpu.device);
            failures.push(launch.as_ref().err().map(outcome_of));
            let nothing: Launch<S> = Box::new(|_, _| Ok(()));
            kernels.push((name, launch.unwrap_or(nothing)));
        }
        let contest = Contest::in_one_place(&subject, kernels)?;
        for (choice, failed) in
            failures.iter_mut().enumerate().filter(|(_, failed)| failed.is_none())
        {
            match contest.check(choice) {
                // A card that is too small says nothing about a kernel.
                Err(error) if is_short_of_memory(&error) => return Err(error),
                checked => *failed = checked.err().map(|error| failure(&error)),
            }
        }
        let name = |choice: usize| self.choices[choice].keys.name.to_owned();
        match &failures[0] {
            Some(Outcome::Refused { refused: text }) => {
                return Err(format!("bb, which all are compared with: {text}").into());
            }
            // Nothing can be compared with it; that it is wrong is told.
            Some(_) => {
                let failed = failures.into_iter().enumerate();
                let failed = failed.filter_map(|(choice, failure)| {
                    Some(Measured { name: name(choice), outcome: failure? })
                });
                return Ok((0, failed.collect()));
            }
            None => {}
        }
        let once = gpu.samples(1, 1, vec![contest.way(0)])?.concat();
        let once = once.first().copied().unwrap_or(ENOUGH_MS);
        let repeats = (ENOUGH_MS / once).clamp(1.0, MAX_REPEATS) as u32;
        let right = (0..failures.len()).filter(|choice| failures[*choice].is_none());
        let samples =
            gpu.samples(rounds, repeats, right.map(|choice| contest.way(choice)).collect())?;
        let bb = samples.first().cloned().unwrap_or_default();
        let mut timed = samples.into_iter();
        let mut measured = Vec::with_capacity(failures.len());
        for (choice, failure) in failures.into_iter().enumerate() {
            let outcome = match failure {
                Some(failure) => failure,
                None => timed_beside(&bb, timed.next().unwrap_or_default())
                    .ok_or("nothing was timed")?,
            };
            measured.push(Measured { name: name(choice), outcome });
        }
        Ok((repeats, measured))
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
    use td_kernel::{nvrtc, td_kernel};

    use super::*;

    #[test]
    fn a_kernel_of_every_choice_compiles() {
        for work in WORKS {
            for (choice, source) in work.keys().iter().zip(work.sources()) {
                let compiled = nvrtc::compile(choice.name, source, 90).unwrap();
                assert_eq!(compiled.warnings, "", "{choice:?}");
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
