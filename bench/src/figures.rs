//! The papers' experiments: every map, space and root, over n, compared with the bounding box. The works are one that does
//! nothing (`dummy`), distances with 1 to 4 features, and collisions in one and in three dimensions. One thread has one pair,
//! in blocks of 16 x 16, unless a name contains "tiles".

use anyhow::{Error, Result};
use clap::Args;
use td_kernel::{Device, ErrorKind};
use td_kernel_examples::count_in;

use crate::measure::gpu::Gpu;
use crate::measure::points::{segments, spheres};
use crate::measure::times::Spread;
use crate::results::{Outcome, Record, Results, Run};
use crate::subject::{Contest, Counts, Distances, Launch, PairProbe, Subject};

/// Some of the papers' n, and larger ones: one element past the limits of 32-bit products, row numbers and slots.
const SIZES: [usize; 11] =
    [1024, 2048, 4096, 8192, 12_288, 16_384, 24_576, 30_720, 46_342, 65_537, 131_072];

#[derive(Args)]
pub(crate) struct Options {
    /// The measured n.
    #[arg(long, value_delimiter = ',', default_values_t = SIZES, value_parser = count_in(2..))]
    sizes: Vec<usize>,
    #[arg(long, default_value_t = 15, value_parser = count_in(1..))]
    rounds: usize,
    #[command(flatten)]
    run: Run,
}

/// The attribute's keys for a work.
struct Choice<S: Subject> {
    name: &'static str,
    load: fn(&Device) -> td_kernel::Result<Launch<S>>,
    #[cfg_attr(not(test), allow(dead_code, reason = "a test compiles it"))]
    source: &'static str,
}

/// The kernels of all choices of a work. The item is the subject, the parameters and the body.
macro_rules! kernels {
    ({$subject:ty, $parameters:tt $body:tt} $($choice:ident: $($key:ident = $value:literal),+;)+) => {
        $(
            #[td_kernel::td_kernel($($key = $value),+)]
            unsafe fn $choice $parameters {
                $body
            }
        )+

        /// The first one is the bounding box, the baseline.
        pub(super) const CHOICES: &[super::Choice<$subject>] = &[
            $(super::Choice {
                name: stringify!($choice),
                load: crate::subject::generated::<$subject, $choice>,
                source: $choice::SOURCE,
            }),+
        ];
    };
}

/// Every map in every space and on every grid that it has, and every root of `ltm`, with one thread per pair; more may follow.
macro_rules! one_thread_a_pair {
    ($item:tt $($more:tt)*) => {
        kernels! { $item
            bb: map = "bb", tile = 0;
            ltm: map = "ltm", tile = 0;
            ltm_sqrt: map = "ltm", sqrt = "sqrt", tile = 0;
            ltm_newton: map = "ltm", sqrt = "newton", tile = 0;
            ltm_rsqrt: map = "ltm", sqrt = "rsqrt", tile = 0;
            ltm_linear: map = "ltm", grid = "linear", tile = 0;
            ltm_thread: map = "ltm", space = "thread", tile = 0;
            ltm_thread_sqrt: map = "ltm", space = "thread", sqrt = "sqrt", tile = 0;
            ltm_thread_newton: map = "ltm", space = "thread", sqrt = "newton", tile = 0;
            ltm_thread_rsqrt: map = "ltm", space = "thread", sqrt = "rsqrt", tile = 0;
            utm: map = "utm", tile = 0;
            utm_thread: map = "utm", space = "thread", tile = 0;
            rb: map = "rb", tile = 0;
            rb_thread: map = "rb", space = "thread", tile = 0;
            rec: map = "rec", tile = 0;
            h: map = "h", tile = 0;
            walk: map = "walk", tile = 0;
            table: map = "table", tile = 0;
            strips: map = "strips", tile = 0;
            $($more)*
        }
    };
}

/// Like `one_thread_a_pair`, and each map with its default tiles.
macro_rules! with_tiles {
    ($item:tt) => {
        one_thread_a_pair! { $item
            bb_tiles: map = "bb";
            ltm_tiles: map = "ltm";
            utm_tiles: map = "utm";
            rb_tiles: map = "rb";
            rec_tiles: map = "rec";
            h_tiles: map = "h";
            walk_tiles: map = "walk";
            table_tiles: map = "table";
            strips_tiles: map = "strips";
        }
    };
}

/// The maps alone.
mod dummy {
    one_thread_a_pair! {{ crate::subject::PairProbe,
        (wanted: u32, found: &mut [u32])
        r#"
    if (i + j == wanted)
        atomicAdd(&found[0], 1u);
    "#
    }}
}

macro_rules! distances {
    ($($name:ident: $point:ty, $body:literal;)+) => {$(
        mod $name {
            with_tiles! {{ crate::subject::Distances<$point, crate::subject::InPacked>,
                (#[each] p: &[$point], distance: &mut Packed<f32>)
                $body
            }}
        }
    )+};
}

distances! {
    edm_1: f32, r#"
    float dx = p.i - p.j;
    distance = sqrtf(dx * dx);
    "#;
    edm_2: [f32; 2], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    edm_3: [f32; 3], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    edm_4: [f32; 4], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

mod collision_1 {
    with_tiles! {{ crate::subject::Counts<[f32; 2]>,
        (#[each] s: &[[f32; 2]], touching: &mut Sum<u64>)
        r#"
    float dx = s.i.x - s.j.x, r = s.i.y + s.j.y;
    if (dx * dx <= r * r)
        touching += 1;
    "#
    }}
}

mod collision_3 {
    with_tiles! {{ crate::subject::Counts<[f32; 4]>,
        (#[each] s: &[[f32; 4]], touching: &mut Sum<u64>)
        r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (fmaf(dz, dz, fmaf(dy, dy, dx * dx)) <= r * r)
        touching += 1;
    "#
    }}
}

/// Checks every choice of a work at n, and times the correct ones in this many rounds.
type Measure = fn(&Gpu, usize, usize) -> Result<Vec<(String, Outcome)>>;

const WORKS: [(&str, Measure); 7] = [
    ("dummy", |gpu, n, rounds| measure(dummy::CHOICES, &PairProbe::new(gpu, n)?, rounds)),
    ("edm-1", |gpu, n, rounds| measure(edm_1::CHOICES, &Distances::distances(gpu, n)?, rounds)),
    ("edm-2", |gpu, n, rounds| measure(edm_2::CHOICES, &Distances::distances(gpu, n)?, rounds)),
    ("edm-3", |gpu, n, rounds| measure(edm_3::CHOICES, &Distances::distances(gpu, n)?, rounds)),
    ("edm-4", |gpu, n, rounds| measure(edm_4::CHOICES, &Distances::distances(gpu, n)?, rounds)),
    ("collision-1d", |gpu, n, rounds| {
        measure(collision_1::CHOICES, &Counts::new(gpu, &segments(n))?, rounds)
    }),
    ("collision-3d", |gpu, n, rounds| {
        measure(collision_3::CHOICES, &Counts::new(gpu, &spheres(n))?, rounds)
    }),
];

/// Launches that are timed together take about this long, so that the events' resolution suffices.
const ENOUGH_MS: f64 = 0.4;

/// All of them must be queued before the first one runs.
const MAX_REPEATS: f64 = 10.0;

/// Above this n, where a launch takes long, fewer rounds are enough.
const LARGE: usize = 30_720;
const LARGE_ROUNDS: usize = 5;

fn measure<S: Subject>(
    choices: &[Choice<S>],
    subject: &S,
    rounds: usize,
) -> Result<Vec<(String, Outcome)>> {
    let gpu = subject.gpu();
    let kernels = choices.iter().map(|each| Ok((each.name.to_owned(), (each.load)(&gpu.device)?)));
    let kernels = match kernels.collect::<Result<Vec<_>>>() {
        Ok(kernels) => kernels,
        // A kernel that does not load is wrong; the work is not left out.
        Err(error) => return Ok(vec![("all".into(), error.into())]),
    };
    let contest = Contest::new(subject, kernels)?;
    let mut failures = Vec::with_capacity(choices.len());
    for checked in contest.check_each() {
        match checked {
            // With too little memory on the card, the measurement ends, and no kernel is at fault.
            Err(error) if is_short_of_memory(&error) => return Err(error),
            checked => failures.push(checked.err().map(outcome)),
        }
    }
    // Without the bounding box there is no comparison.
    if let Some(failure) = failures[0].take() {
        return Ok(vec![(choices[0].name.to_owned(), failure)]);
    }
    let once = gpu.samples(1, 1, vec![contest.way(0)])?.concat();
    let once = once.first().copied().unwrap_or(ENOUGH_MS);
    let repeats = (ENOUGH_MS / once).clamp(1.0, MAX_REPEATS) as u32;
    let right = (0..failures.len()).filter(|choice| failures[*choice].is_none());
    let samples = gpu.samples(rounds, repeats, right.map(|at| contest.way(at)).collect())?;
    let mut samples = samples.into_iter();
    let mut results = Vec::new();
    for (choice, failure) in choices.iter().zip(failures) {
        let outcome = match failure {
            Some(failure) => failure,
            None => Outcome::from(Spread::quarters(samples.next().unwrap_or_default())),
        };
        results.push((choice.name.to_owned(), outcome));
    }
    Ok(results)
}

/// Measures, and writes the file after each work at each n: first the small n of every work.
pub(crate) fn run(options: &Options) -> Result<Results> {
    let gpu = Gpu::open()?;
    let mut results = Results::begin(&options.run, "figures", &gpu.device, String::new())?;
    for &n in &options.sizes {
        for (work, measure) in WORKS.iter().filter(|(work, _)| options.run.asks_for(work)) {
            let rounds = options.rounds;
            let rounds = if n > LARGE { rounds.min(LARGE_ROUNDS) } else { rounds };
            let mut record = Record::new(*work, n);
            match measure(&gpu, n, rounds) {
                Ok(measured) => record.results = measured,
                Err(reason) => record.note = format!("not measured: {reason}"),
            }
            results.add(record)?;
            // After some errors this GPU cannot be used in this process any more.
            gpu.device.synchronize()?;
        }
    }
    Ok(results)
}

fn is_short_of_memory(error: &Error) -> bool {
    let error = error.downcast_ref::<td_kernel::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::OutOfDeviceMemory)
}

/// The outcome of a failed check. An n past a map's range is an error of the library, but not a wrong result.
fn outcome(error: Error) -> Outcome {
    match error.downcast_ref().map(td_kernel::Error::kind) {
        Some(ErrorKind::MapLimitExceeded) => {
            Outcome::Untimed { untimed: format!("refused: {error}") }
        }
        _ => Outcome::Wrong { wrong: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use td_kernel::td_kernel;

    use super::*;
    use crate::measure::by_hand::tests::compiles;

    /// The kernels of a work have one body, and the library's own tests compile each map.
    #[test]
    fn kernels_compile() {
        let step = if cfg!(feature = "every") { 1 } else { 9 };
        for choice in edm_4::CHOICES.iter().step_by(step) {
            compiles("_kernel", choice.source);
        }
        for choice in collision_3::CHOICES.iter().step_by(step) {
            compiles("_kernel", choice.source);
        }
    }

    #[test]
    fn refusals_are_not_wrong_results() {
        #[td_kernel]
        unsafe fn count(count: &mut Sum<u64>) {
            r#" count += 1; "#
        }
        let device = Device::cpu().unwrap();
        let small = device.zeroed::<u8>(1 << 47).unwrap_err();
        assert!(is_short_of_memory(&small.into()));
        let kernel = count::load(&device).unwrap();
        let refusal = kernel.launch(1 << 32, &mut device.sum().unwrap()).unwrap_err();
        assert!(matches!(outcome(refusal.into()), Outcome::Untimed { .. }));
        assert!(matches!(outcome(Error::msg("wrong")), Outcome::Wrong { .. }));
    }
}
