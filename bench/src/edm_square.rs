//! The whole square of distances of points in the plane, both halves written: a ladder of kernels as one
//! makes them faster by hand, in the steps that a blog on the Euclidean distance matrix goes through, and
//! the generated kernels beside them.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::experiment::{self, Experiment, File, Run, Section};
use crate::figures::edm_2;
use crate::measure::by_hand::Source;
use crate::measure::gpu::Way;
use crate::measure::times::{Spread, rounded};
use crate::plot::{BLUE, Bar, GREY, Group, groups};
use crate::subject::{Contest, Distances, InPacked, InSquare, Launch, Subject, fill};
use crate::words::{first_line, spread, table, thousands, three_digits};

/// The blog's number of points.
const N: usize = 30_336;

/// How often each kernel is timed, and launches in each time.
const ROUNDS: usize = 11;
const REPEATS: u32 = 2;

/// The kernels of the ladder, of this project's own writing: each is the one before it, with one thing more.
const RUNGS: [(&str, &str); 5] = [
    ("1 naive", "square_naive"),
    ("2 coalesced", "square_coalesced"),
    ("3 shared memory", "square_shared"),
    ("4 strength-reduced index", "square_counted"),
    ("5 asynchronous pipeline", "square_pipeline"),
];

/// The threads of a block of these, and the rows that it has.
const THREADS: u32 = 256;

/// The ladder.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct EdmSquare {
    pub(crate) n: usize,
    pub(crate) features: u32,
    pub(crate) rounds: usize,
    /// The fill first, then the kernels.
    pub(crate) rungs: Vec<Rung>,
}

/// One kernel.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rung {
    pub(crate) name: String,
    pub(crate) ms: Spread,
    /// The bytes of the result over the time.
    pub(crate) gb_per_s: f64,
    /// The time of a fill of the same bytes, in the same rounds, over this one's.
    pub(crate) share_of_fill: f64,
    /// What is wrong with the results, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wrong: Option<String>,
}

/// Measures, and writes the file.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    experiment::run(options, "edm-square", |gpu, file: &mut File<EdmSquare>| {
        let square = Distances::<[f32; 2], InSquare>::distances(gpu, N)?;
        let mut kernels = Vec::new();
        for (name, entry) in RUNGS {
            let grid = [(N as u32).div_ceil(THREADS), 1];
            let rung = (name.to_owned(), Source::new(entry, &[]), grid, [THREADS, 1]);
            kernels.push(square.by_hand(rung)?);
        }
        kernels.push(square.best_by_hand()?);
        kernels.push(("generated, Square".into(), square.generated::<edm_2::square>()?.1));
        let rungs = timed(&square, square.bytes(), kernels)?;
        drop(square);
        file.figures = EdmSquare { n: N, features: 2, rounds: ROUNDS, rungs };
        // Without Packed, the squares still stand.
        file.keep()?;
        let packed = Distances::<[f32; 2], InPacked>::distances(gpu, N)?;
        let ours = ("generated, Packed".into(), packed.generated::<edm_2::packed>()?.1);
        // It is half of the bytes, and so has a fill of its own.
        file.figures.rungs.extend(timed(&packed, packed.bytes(), vec![ours])?.pop());
        Ok(())
    })
}

/// A fill of the bytes, and kernels that write as many.
fn timed<S: Subject>(
    subject: &S,
    bytes: usize,
    kernels: Vec<(String, Launch<S>)>,
) -> Result<Vec<Rung>, Failure> {
    // All write to the same slots: each is checked alone before all are timed.
    let contest = Contest::in_one_place(subject, kernels)?;
    let checked = contest.check_each().map(|checked| checked.err().map(|error| error.to_string()));
    let wrong = std::iter::once(None).chain(checked).collect();
    let ways: Vec<Way<'_>> =
        [fill(subject.gpu(), "fill", bytes)?].into_iter().chain(contest.ways()).collect();
    let names = ways.iter().map(|way| way.name.clone()).collect();
    let samples = subject.gpu().samples(ROUNDS, REPEATS, ways)?;
    named(bytes, names, samples, wrong).ok_or_else(|| "nothing was timed".into())
}

/// Of the samples, the fill's are the first.
fn named(
    bytes: usize,
    names: Vec<String>,
    samples: Vec<Vec<f64>>,
    wrong: Vec<Option<String>>,
) -> Option<Vec<Rung>> {
    let spreads: Vec<Spread> = samples.into_iter().map(Spread::quarters).collect::<Option<_>>()?;
    let fill = spreads.first()?.median;
    let rungs = names.into_iter().zip(spreads).zip(wrong).map(|((name, ms), wrong)| Rung {
        name,
        ms,
        gb_per_s: rounded(bytes as f64 / ms.median / 1e6),
        share_of_fill: rounded(fill / ms.median),
        wrong,
    });
    Some(rungs.collect())
}

impl Experiment for EdmSquare {
    fn sections(&self) -> Vec<Section> {
        let rows = self.rungs.iter().map(|rung| {
            let mut row = vec![rung.name.clone()];
            match &rung.wrong {
                Some(wrong) => row.push(format!("wrong: {}", first_line(wrong))),
                None => {
                    row.extend([spread(rung.ms), three_digits(rung.gb_per_s)]);
                    row.push(format!("{:.1}", 100.0 * rung.share_of_fill));
                }
            }
            row.resize(4, String::new());
            row
        });
        let table = table(&["kernel", "ms", "GB/s", "% of the fill"], &rows.collect::<Vec<_>>());
        let n = thousands(self.n as u64);
        let heading = format!("Square distances, n = {n}, {} features", self.features);
        vec![Section::new("edm-square", heading, table)]
    }

    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let rungs = self.rungs.iter().filter(|rung| rung.wrong.is_none() && rung.name != "fill");
        let bars = rungs.map(|rung| {
            let share = 100.0 * rung.share_of_fill;
            Bar {
                name: rung.name.clone(),
                value: share,
                text: format!("{share:.1} %, {} GB/s", three_digits(rung.gb_per_s)),
                colour: if rung.name.starts_with("generated") { BLUE } else { GREY },
            }
        });
        let n = thousands(self.n as u64);
        let plot = groups(&[Group {
            title: format!("Square distances of {n} points with {} features", self.features),
            unit: "% of the speed of a fill of the same bytes",
            bars: bars.collect(),
            mark: Some((100.0, "the fill")),
            multiplies: false,
        }])?;
        Ok(vec![("edm-square", plot)])
    }

    fn wrong(&self) -> Vec<String> {
        let wrong = |rung: &Rung| Some(format!("{}: {}", rung.name, rung.wrong.as_ref()?));
        self.rungs.iter().filter_map(wrong).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_the_fill_of_the_same_bytes() {
        let names = vec!["fill".to_owned(), "kernel".to_owned()];
        let samples = vec![vec![1.0, 1.0, 1.0], vec![2.0, 2.0, 4.0]];
        let rungs = named(4_000_000, names, samples, vec![None, Some("wrong".into())]).unwrap();
        assert_eq!((rungs[0].gb_per_s, rungs[0].share_of_fill), (4.0, 1.0));
        assert_eq!((rungs[1].gb_per_s, rungs[1].share_of_fill), (2.0, 0.5));
        assert_eq!(rungs[1].wrong.as_deref(), Some("wrong"));
    }
}
