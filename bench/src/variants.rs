//! Each variant of a kernel at each n, by the kernel's own tuning: where one becomes faster than the next.

mod close;
mod nearest;

use serde::{Deserialize, Serialize};
use td_kernel::{LaunchWith, Report};

use crate::experiment::{self, Experiment, File, Run, Section};
use crate::figures::{collision_3, edm_1, edm_2, edm_4};
use crate::measure::fold::Fold;
use crate::measure::gpu::Gpu;
use crate::measure::points::spheres;
use crate::measure::times::Spread;
use crate::subject::{
    Counts, Distances, Folds, InPacked, InSquare, Lists, OneSet, Subject, TwoSets,
};
use crate::targets::folds::{packed_distance, square_of_distance};
use crate::words::{table, thousands};
use crate::{Failure, figures};

/// From where everything costs as much as a launch, to beyond the papers' largest.
const SIZES: &[usize] = &[
    512, 1024, 1536, 2048, 3072, 4096, 5120, 6144, 8192, 12_288, 16_384, 24_576, 30_720, 46_344,
    65_536,
];

/// Rows with features: where a few tiles more or less fill the GPU once, twice, or not.
const FOLD_SIZES: &[usize] =
    &[512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 2816, 3072, 3584, 4096, 6144];
const FEATURES: [usize; 2] = [128, 1024];

/// All kernels at all n.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Variants {
    rows: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    work: String,
    n: usize,
    /// The variant that a launch takes without tuning, its time over the fastest one's, and all times.
    rule: String,
    rule_over_fastest: Option<f64>,
    times: Vec<Variant>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Variant {
    variant: String,
    us: f64,
}

/// Measures, prints, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    if std::env::var_os("TD_KERNEL_CACHE").is_some() {
        let text = "what tuning finds is kept in TD_KERNEL_CACHE, and would be taken for the choice without it\n to do: unset TD_KERNEL_CACHE";
        return Err(text.into());
    }
    experiment::run(options, "variants", |gpu, file: &mut File<Variants>| {
        let rows = &mut file.figures.rows;
        for &n in SIZES {
            eprintln!("n = {n}");
            let (work, line) = ("packed distances, 1 feature", Distances::distances(gpu, n)?);
            rows.push(row::<Distances<f32, InPacked>, edm_1::packed>(work, n, &line)?);
            let (work, points) = ("packed distances, 4 features", Distances::distances(gpu, n)?);
            rows.push(row::<Distances<[f32; 4], InPacked>, edm_4::packed>(work, n, &points)?);
            let (work, plane) = ("square of distances, 2 features", Distances::distances(gpu, n)?);
            rows.push(row::<Distances<[f32; 2], InSquare>, edm_2::square>(work, n, &plane)?);
            let counts = Counts::new(gpu, &spheres(n))?;
            rows.push(row::<Counts<[f32; 4]>, collision_3::count>(
                "collisions counted",
                n,
                &counts,
            )?);
            let lists = Lists::new(gpu, n)?;
            rows.push(row::<Lists, figures::list>("collisions listed", n, &lists)?);
        }
        for (&n, features) in FOLD_SIZES.iter().flat_map(|n| FEATURES.map(|features| (n, features)))
        {
            eprintln!("n = {n}, {features} features");
            rows.extend(folds(gpu, n, features)?);
        }
        close::measure(gpu, rows)?;
        nearest::measure(gpu, rows)
    })
}

/// Distances of one set, and squares of those of two sets of as many rows.
fn folds(gpu: &Gpu, n: usize, features: usize) -> Result<[Row; 2], Failure> {
    let one = Folds::of_one(gpu, Fold::Distance, n, features)?;
    let two = Folds::of_two(gpu, Fold::Squares, [n, n], features)?;
    let [of_one, of_two] = ["packed distances", "squares of distances of two sets"]
        .map(|work| format!("{work}, {features} features"));
    Ok([
        row::<Folds<OneSet>, packed_distance>(&of_one, n, &one)?,
        row::<Folds<TwoSets>, square_of_distance>(&of_two, n, &two)?,
    ])
}

fn row<S: Subject, K>(work: &str, n: usize, subject: &S) -> Result<Row, Failure>
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let kernel = K::load(&subject.gpu().device)?;
    let rule = named(kernel.report(n)?);
    let mut output = subject.output()?;
    let times = kernel.tune_with(subject.arguments(&mut output))?.times.into_iter();
    let times = times.map(|(variant, time)| Variant { variant, us: time.as_secs_f64() * 1e6 });
    Ok(Row::new((work.into(), n, rule), times.collect()))
}

impl Row {
    /// Of samples in milliseconds, some for each variant.
    fn timed(
        what: (String, usize, String),
        names: Vec<String>,
        samples: Vec<Vec<f64>>,
    ) -> Result<Row, Failure> {
        let median = |samples| Some(1e3 * Spread::quarters(samples)?.median);
        let medians = samples.into_iter().map(median).collect::<Option<Vec<f64>>>();
        let times = names.into_iter().zip(medians.ok_or("nothing was timed")?);
        let times = times.map(|(variant, us)| Variant { variant, us });
        Ok(Row::new(what, times.collect()))
    }

    /// With the fastest first.
    fn new((work, n, rule): (String, usize, String), mut times: Vec<Variant>) -> Row {
        times.sort_by(|a, b| a.us.total_cmp(&b.us));
        let ours = times.iter().find(|each| each.variant == rule);
        let rule_over_fastest = ours.zip(times.first()).map(|(ours, fastest)| ours.us / fastest.us);
        Row { work, n, rule, rule_over_fastest, times }
    }
}

/// As tuning names a variant.
fn named(Report { map, sweep, tile, block: [x, y], .. }: Report) -> String {
    format!("map {map}, sweep {}, tile {tile}, {x} x {y} threads", sweep.name())
}

impl Experiment for Variants {
    fn sections(&self) -> Vec<Section> {
        let lines = self.rows.iter().flat_map(|row| {
            let first = [row.work.clone(), thousands(row.n as u64)];
            row.times.iter().enumerate().map(move |(place, Variant { variant, us })| {
                let [work, n] = if place == 0 { first.clone() } else { Default::default() };
                let rule = if *variant == row.rule { "by the rule" } else { "" };
                vec![work, n, format!("{us:.1}"), variant.clone(), rule.into()]
            })
        });
        let headings = ["work", "n", "us", "variant", "without tuning"];
        vec![Section::new("variants", "Variants", table(&headings, &lines.collect::<Vec<_>>()))]
    }
}
