//! What the GPU can do at most: how fast it fills and copies memory, starts blocks, takes launches and
//! issues instructions; and how near the generated kernels come to the one that bounds them.

use serde::{Deserialize, Serialize};
use td_kernel::cudarc::driver::{CudaFunction, PushKernelArg};
use td_kernel::maps::{Ltm, Map, Shape};

use crate::experiment::{self, Experiment, File, Run, Section};
use crate::measure::by_hand::Source;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::times::Spread;
use crate::plot::{BLUE, Bar, Group, groups};
use crate::subject::{Contest, Looks, fill, pairs};
use crate::targets::target::{Measured, Outcome};
use crate::targets::{Setting, TARGETS};
use crate::words::{first_line, spread, table, three_digits};
use crate::{Failure, figures};

/// How often each is timed.
const ROUNDS: usize = 15;

/// The floats that are filled and copied: much more than any cache holds.
const FLOATS: usize = 1 << 30;

/// The blocks of one launch, enough that its own start does not count.
const BLOCKS: u32 = 1 << 22;

/// Launches that follow each other.
const LAUNCHES: u32 = 1000;

/// The dummy's number of elements.
const N: usize = 30_720;

/// The limits, and what comes near them.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) rates: Vec<Rate>,
    pub(crate) floors: Vec<Floor>,
}

/// How fast the GPU is at one thing.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rate {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) value: Spread,
}

/// A generated kernel beside the floor that bounds it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Floor {
    pub(crate) name: String,
    pub(crate) n: usize,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

/// Measures, and writes the file.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    experiment::run(options, "limits", |gpu, file: &mut File<Limits>| {
        let Limits { rates, floors } = &mut file.figures;
        memory(gpu, rates)?;
        blocks(gpu, rates)?;
        let name = format!("dummy, one thread a pair, n = {N}");
        floors.push(Floor { name, n: N, outcome: dummy(gpu)? });
        // No floor needs Python.
        let setting = Setting::new(gpu, Default::default());
        for target in TARGETS.iter().filter(|target| target.is_floor) {
            eprintln!("{}", target.name());
            let mut outcome = target.outcome(&setting);
            if let Outcome::Measured(measured) = &mut outcome {
                for times in [&mut measured.ours, &mut measured.reference] {
                    times.ms = times.ms.rounded();
                }
                measured.others.clear();
                // The rate of FP32 instructions, from the floor of the collisions: eight a pair.
                if target.work == "collision count" {
                    let (name, unit) = ("FP32 multiply-adds".into(), "10^12 / s".into());
                    let value = measured.reference.ms.rate(8.0 * pairs(target.n) as f64 / 1e9);
                    rates.push(Rate { name, unit, value });
                }
            }
            floors.push(Floor { name: target.name(), n: target.n, outcome });
        }
        Ok(())
    })
}

/// So much work in each of these times, in milliseconds.
fn rate(name: &str, unit: &str, work: f64, samples: Vec<f64>) -> Result<Rate, Failure> {
    let value = Spread::quarters(samples).ok_or("nothing was timed")?.rate(work);
    Ok(Rate { name: name.into(), unit: unit.into(), value })
}

fn memory(gpu: &Gpu, rates: &mut Vec<Rate>) -> Result<(), Failure> {
    let allocate = |floats| {
        let fill = fill(gpu, "fill", 4 * floats)?;
        Ok::<_, Failure>((fill, gpu.poisoned::<f32>(floats)?, gpu.poisoned::<f32>(floats)?))
    };
    let (mut memory, mut floats) = (allocate(FLOATS), FLOATS);
    // A small card fills less.
    while memory.is_err() && floats > 1 << 20 {
        floats /= 2;
        memory = allocate(floats);
    }
    let (fill, from, mut to) = memory?;
    let function = gpu.load(&Source::new("copy", &[]))?;
    let vectors = floats as u64 / 4;
    let copy = || {
        // SAFETY: `copy` takes the number of vectors, and two allocations of at least as many.
        unsafe {
            gpu.launch(&function, [vectors.div_ceil(1024) as u32, 1], [256, 1], |launch| {
                launch.arg(&vectors).arg(&from).arg(&mut to);
            })
        }
    };
    let bytes = 4.0 * floats as f64;
    let ways = vec![fill, Way::new("copy", copy)];
    let names = ["fill, bytes written", "copy, bytes read and written"];
    let samples = gpu.samples(ROUNDS, 2, ways)?;
    for ((name, bytes), samples) in names.into_iter().zip([bytes, 2.0 * bytes]).zip(samples) {
        rates.push(rate(name, "GB/s", bytes / 1e6, samples)?);
    }
    Ok(())
}

/// Blocks that do nothing.
fn empty<'a>(gpu: &'a Gpu, function: &'a CudaFunction, blocks: u32, threads: [u32; 2]) -> Way<'a> {
    let name = format!("empty blocks of {} threads", threads[0] * threads[1]);
    // SAFETY: `empty` takes nothing, and touches no memory.
    Way::new(name, move || unsafe { gpu.launch(function, [blocks, 1], threads, |_| {}) })
}

fn blocks(gpu: &Gpu, rates: &mut Vec<Rate>) -> Result<(), Failure> {
    let function = gpu.load(&Source::new("empty", &[]))?;
    let ways = [[32, 1], [16, 8], [16, 16]].map(|threads| empty(gpu, &function, BLOCKS, threads));
    let names = ways.each_ref().map(|way| way.name.clone());
    for (name, samples) in names.iter().zip(gpu.samples(ROUNDS, 1, Vec::from(ways))?) {
        rates.push(rate(name, "10^6 / s", f64::from(BLOCKS) / 1e3, samples)?);
    }
    let one = vec![empty(gpu, &function, 1, [32, 1])];
    let samples = gpu.samples(ROUNDS, LAUNCHES, one)?.concat();
    rates.push(rate("launches of one empty block", "10^6 / s", 1e-3, samples)?);
    Ok(())
}

/// Finding a place with one thread a pair, beside the start of as many blocks that do nothing.
fn dummy(gpu: &Gpu) -> Result<Outcome, Failure> {
    let subject = Looks::new(gpu, N)?;
    let maps = figures::maps_that_look(&gpu.device)?.into_iter();
    let ltm =
        maps.filter(|(name, _)| name == "ltm").map(|(_, launch)| ("generated".into(), launch));
    let contest = Contest::new(&subject, ltm.collect())?;
    let function = gpu.load(&Source::new("empty", &[]))?;
    let launches = Ltm.launches(&Shape::blocks((N as u32).div_ceil(16)));
    let blocks: u64 = launches.iter().map(|launch| launch.grid.units()).sum();
    let floor = empty(gpu, &function, blocks as u32, [16, 16]);
    let mut times = contest.time(vec![floor], 4)?.into_iter();
    let (reference, ours) = (times.next(), times.next());
    let (mut reference, mut ours) = reference.zip(ours).ok_or("the dummy was not timed")?;
    reference.name = "empty blocks".into();
    (reference.ms, ours.ms) = (reference.ms.rounded(), ours.ms.rounded());
    Ok(Outcome::Measured(Measured { ours, reference, others: Vec::new() }))
}

impl Limits {
    /// A rate by its name.
    pub(crate) fn rate(&self, name: &str) -> Option<&Rate> {
        self.rates.iter().find(|rate| rate.name == name)
    }
}

impl Experiment for Limits {
    fn sections(&self) -> Vec<Section> {
        let rates = self.rates.iter();
        let rates =
            rates.map(|rate| vec![rate.name.clone(), rate.unit.clone(), spread(rate.value)]);
        let rates = table(&["limit", "unit", "median (spread)"], &rates.collect::<Vec<_>>());
        let floors = self.floors.iter().map(|floor| {
            let mut row = vec![floor.name.clone()];
            match &floor.outcome {
                Outcome::Measured(Measured { ours, reference, .. }) => {
                    let ratio = ours.ms.median / reference.ms.median;
                    row.extend([spread(ours.ms), reference.name.clone(), spread(reference.ms)]);
                    row.push(format!("{ratio:.3}"));
                }
                Outcome::NotMeasured { not_measured: reason }
                | Outcome::Wrong { wrong: reason } => {
                    row.push(format!("not measured: {}", first_line(reason)));
                    row.resize(5, String::new());
                }
            }
            row
        });
        let headings = ["kernel", "ms", "its floor", "floor, ms", "times its floor"];
        let floors = table(&headings, &floors.collect::<Vec<_>>());
        vec![
            Section::new("limits", "What the GPU can do at most", rates),
            Section::new("floors", "The generated kernels beside their floors", floors),
        ]
    }

    /// The share of its floor's speed that each generated kernel reaches.
    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let bar = |floor: &Floor| {
            let Outcome::Measured(Measured { ours, reference, .. }) = &floor.outcome else {
                return None;
            };
            let value = 100.0 * (reference.ms.median / ours.ms.median);
            let text = format!("{value:.1} %, {} ms", three_digits(ours.ms.median));
            Some(Bar { name: floor.name.clone(), value, text, colour: BLUE })
        };
        let plot = groups(&[Group {
            title: "How near the generated kernels come to what bounds them".into(),
            unit: "% of the speed of the floor: a fill of the same bytes; the issue of a pair's instructions; empty blocks",
            bars: self.floors.iter().filter_map(bar).collect(),
            mark: Some((100.0, "the floor")),
            multiplies: false,
        }])?;
        Ok(vec![("roofline", plot)])
    }

    fn wrong(&self) -> Vec<String> {
        self.floors.iter().filter_map(|floor| floor.outcome.wrong(&floor.name)).collect()
    }
}
