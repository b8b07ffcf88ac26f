//! Where the times of two variants of a kernel cross, for each threshold by which a launch chooses between them.
//!
//! A kernel runs with the variant that has the threshold and with those that a launch would take instead, of which the fastest
//! counts. They run side by side for several numbers of elements around the threshold, and bisection finds the crossing between
//! two of these. Before the timing, the variants must agree about the results, if these do not depend on the tiles. Copies of
//! features for tensor cores and lists by element are made before the timing, too, since launches keep them.

mod subjects;

use std::cell::RefCell;
use std::iter::successors;

use anyhow::{Context, Result, anyhow, ensure};
use td_kernel::__private::thresholds::{Threshold, Unit, of, time_of_fold, turns_of_fold};
use td_kernel::__private::{NearTiles, Variant};
use td_kernel::{Device, Kernel, Sweep};

use self::subjects::{FOLDS, Fold, SUBJECTS, Step, Subject, Work};
use crate::measure::gpu::{Gpu, Way};
use crate::measure::times::{Spread, Times, fastest};
use crate::results::{Bound, Crossing, Record, Results, Run};

/// The number of rounds of each variant.
const ROUNDS: usize = 7;

/// The milliseconds of a round, if the launches of one variant take less.
const ROUND: f64 = 1.0;

/// The most launches in a round.
const REPEATS: f64 = 16.0;

/// Sizes within this factor of the threshold are always timed; those within the second one only if the times do not cross before.
const AROUND: f64 = 4.0;
const FAR: f64 = 16.0;

/// The factor between the two numbers of elements at which bisection ends.
const CLOSE: f64 = 1.03;

pub(crate) fn run(run: &Run) -> Result<Results> {
    let gpu = Gpu::open().map_err(|error| {
        anyhow!("{error}\n to do: run `td-bench thresholds` on a machine with a GPU")
    })?;
    let beside = format!("{} multiprocessors", gpu.multiprocessors);
    let mut results = Results::begin(run, "thresholds", &gpu.device, beside)?;
    for subject in SUBJECTS {
        let sides = Sides::load(&gpu.device, subject)?;
        let name = sides.name(subject);
        if run.asks_for(&name) {
            eprintln!("{name} …");
            results.add(measure(&gpu, subject, &sides)?)?;
        }
    }
    for fold in FOLDS {
        let name = format!("time of a tile, {}", fold.0);
        if run.asks_for(&name) {
            eprintln!("{name} …");
            for record in times_of_tiles(&gpu, &name, fold)? {
                results.add(record)?;
            }
        }
    }
    Ok(results)
}

/// A variant with a threshold, and the others.
struct Sides {
    threshold: &'static Threshold,
    variant: &'static Variant,
    /// The kernels with the variant and with each other one, by name.
    kernels: Vec<(String, Kernel)>,
}

impl Sides {
    fn load(device: &Device, subject: &Subject) -> Result<Sides> {
        let kernel = (subject.load)(device)?;
        let all = first_of_each_tile(&kernel);
        let (sweep, side) = subject.variant;
        let own =
            all.iter().find(|(_, each)| (each.tiling.sweep, each.tiling.side) == (sweep, side));
        let missing = |what| anyhow!("{}: there is no {what} for {sweep}, {side}", subject.work);
        let &(at, variant) = own.ok_or_else(|| missing("variant"))?;
        let threshold = of(variant).iter().find(|each| subject.has(each.unit));
        let threshold = threshold.ok_or_else(|| missing("threshold"))?;
        // A launch tests some pairs before it visits near tiles.
        let own = match sweep {
            Sweep::Near => kernel.near_tiles(NearTiles::Tested),
            _ => kernel.pin(at),
        };
        let is_other = |(_, other): &&(usize, &Variant)| match sweep {
            Sweep::Filter | Sweep::Near => ![sweep, Sweep::Partners].contains(&other.tiling.sweep),
            _ => other.tiling.sweep == sweep && other.tiling.side < side,
        };
        let mut kernels = vec![(name(variant), own)];
        kernels
            .extend(all.iter().filter(is_other).map(|(at, other)| (name(other), kernel.pin(*at))));
        ensure!(kernels.len() > 1, missing("other variant"));
        Ok(Sides { threshold, variant, kernels })
    }

    fn name(&self, subject: &Subject) -> String {
        format!("{}: {}", self.threshold.name, subject.work)
    }
}

/// The first variant of each sweep and tile, which a launch takes.
fn first_of_each_tile(kernel: &Kernel) -> Vec<(usize, &'static Variant)> {
    let mut all: Vec<(usize, &Variant)> = Vec::new();
    for (at, variant) in kernel.variants().enumerate() {
        let is_same = |(_, other): &(usize, &Variant)| {
            (other.tiling.sweep, other.tiling.side) == (variant.tiling.sweep, variant.tiling.side)
        };
        if !all.iter().any(is_same) {
            all.push((at, variant));
        }
    }
    all
}

fn name(variant: &Variant) -> String {
    format!("{}, tiles of {}", variant.tiling.sweep, variant.tiling.side)
}

/// An error if kernels do not agree about the results of a work. It launches each twice: the second launch over a list stores
/// the list by element.
fn check(kernels: &[(String, Kernel)], work: &mut Work) -> Result<()> {
    let mut expected = None;
    for (name, kernel) in kernels {
        work(Step::Launch(kernel))?;
        work(Step::Launch(kernel))?;
        let found = work(Step::Digest)?;
        let is_same = *expected.get_or_insert(found) == found;
        ensure!(is_same, "{name}: the results differ from those of {}", kernels[0].0);
    }
    Ok(())
}

/// The times of each kernel on a work.
fn time(gpu: &Gpu, kernels: &[(String, Kernel)], work: Work) -> Result<Vec<Times>> {
    let work = RefCell::new(work);
    let ways = || -> Vec<Way<'_>> {
        let way = |(name, kernel): &(String, Kernel)| {
            let (work, kernel) = (&work, kernel.clone());
            Way::new(name, move || Ok((work.borrow_mut())(Step::Launch(&kernel)).map(drop)?))
        };
        kernels.iter().map(way).collect()
    };
    let once = gpu.time(1, 1, ways())?;
    let least = once.iter().map(|(_, ms)| ms.median).fold(f64::INFINITY, f64::min);
    let repeats = (ROUND / least).clamp(1.0, REPEATS) as u32;
    let samples = gpu.samples(ROUNDS, repeats, ways())?;
    let times = kernels.iter().zip(samples);
    times.map(|((name, _), samples)| Ok((name.clone(), Spread::quarters(samples)?))).collect()
}

/// Numbers of elements from `low` to `high`, each sqrt(2) times the one before it.
fn ladder(low: f64, high: f64) -> Vec<usize> {
    let steps = successors(Some(low), |n| Some(n * std::f64::consts::SQRT_2));
    steps.take_while(|n| *n < 1.01 * high).map(|n| n as usize).collect()
}

fn is_of_rows(unit: Unit) -> bool {
    matches!(unit, Unit::Rows | Unit::RowsOfTwo)
}

/// A multiple of 32 elements, so that rows of a square start at memory sectors; any number of rows.
fn rounded(n: usize, unit: Unit) -> usize {
    let step = if is_of_rows(unit) { 1 } else { 32 };
    n.next_multiple_of(step).max(2)
}

/// Finds where the ratio falls to 1 for the last time, and inserts each ratio that it measures into `ratios`, sorted by n.
/// `None` if the variant is always faster, or is slower at the largest n.
fn bisect(
    ratios: &mut Vec<(usize, f64)>,
    unit: Unit,
    ratio: &mut dyn FnMut(usize) -> Result<f64>,
) -> Result<Option<usize>> {
    loop {
        let Some(last) = ratios.iter().rposition(|(_, ratio)| *ratio > 1.0) else {
            return Ok(None);
        };
        let Some(&(high, _)) = ratios.get(last + 1) else { return Ok(None) };
        let low = ratios[last].0;
        let middle = rounded((low as f64 * high as f64).sqrt() as usize, unit);
        if (high as f64) < CLOSE * low as f64 || middle <= low || middle >= high {
            return Ok(Some(high));
        }
        ratios.insert(last + 1, (middle, ratio(middle)?));
    }
}

fn measure(gpu: &Gpu, subject: &Subject, sides: &Sides) -> Result<Record> {
    let Sides { threshold, variant, kernels } = sides;
    let (unit, multiprocessors) = (threshold.unit, gpu.multiprocessors);
    let first = rounded(threshold.first(variant, multiprocessors), unit);
    let make = |n: usize| (subject.prepare)(&gpu.device, n);
    check(kernels, &mut make((first / 2).max(2))?)?;
    // The time of the variant, and the least one of the others.
    let at = |n: usize| -> Result<[Times; 2]> {
        let mut work = make(n)?;
        for (_, kernel) in kernels {
            work(Step::Launch(kernel))?;
        }
        let mut times = time(gpu, kernels, work)?;
        Ok([times.remove(0), fastest(times)?])
    };
    let times = at(first)?;
    let share = |[(_, own), (_, other)]: &[Times; 2]| own.median / other.median / subject.slack;
    let mut ratio = |n: usize| Ok(share(&at(n)?));
    let mut ratios = vec![(first, share(&times))];
    extend_around(first, unit, &mut ratios, &mut ratio)?;
    let n = bisect(&mut ratios, unit, &mut ratio)?;
    let [own, other] = times;
    let mut kernel = format!("{}: {} or {}", subject.work, own.0, other.0);
    if subject.slack > 1.0 {
        kernel += &format!(", up to {:.2} times as long", subject.slack);
    }
    let note = note(n, &ratios);
    let crossing = Crossing {
        kernel,
        unit: described(unit).into(),
        multiprocessors,
        least: threshold.least,
        measured: n.map(|n| threshold.number(variant, n, multiprocessors)),
        n,
        ratios: ratios.into_iter().map(|(n, ratio)| (n, short(ratio))).collect(),
    };
    let record = Record::new(sides.name(subject), first).with_target(Bound::Cost);
    Ok(Record { note, crossing: Some(crossing), ..record }.with(Ok(vec![own, other])))
}

/// Adds the ratios at sizes around `first`; farther from it, if the times do not cross there.
fn extend_around(
    first: usize,
    unit: Unit,
    ratios: &mut Vec<(usize, f64)>,
    ratio: &mut dyn FnMut(usize) -> Result<f64>,
) -> Result<()> {
    let center = first as f64;
    let mut extend = |ratios: &mut Vec<(usize, f64)>, low, high| {
        for n in ladder(low, high).into_iter().map(|n| rounded(n, unit)) {
            if !ratios.iter().any(|(known, _)| *known == n) {
                ratios.push((n, ratio(n)?));
            }
        }
        ratios.sort_by_key(|(n, _)| *n);
        Ok::<(), anyhow::Error>(())
    };
    extend(ratios, center / AROUND, center * AROUND)?;
    if ratios.iter().all(|(_, ratio)| *ratio <= 1.0) {
        extend(ratios, center / FAR, center / AROUND)?;
    }
    if ratios.last().is_some_and(|(_, ratio)| *ratio > 1.0) {
        extend(ratios, center * AROUND, center * FAR)?;
    }
    Ok(())
}

/// What a crossing alone does not say.
fn note(n: Option<usize>, ratios: &[(usize, f64)]) -> String {
    let changes = ratios.windows(2).filter(|two| (two[0].1 > 1.0) != (two[1].1 > 1.0)).count();
    let (low, high) = (ratios[0].0, ratios[ratios.len() - 1].0);
    match (n, changes) {
        (None, _) if ratios[0].1 <= 1.0 => {
            format!("the variant is faster from {low} on, the least that was timed")
        }
        (None, _) => format!("the variant is slower up to {high}, the most that was timed"),
        (Some(_), 0 | 1) => String::new(),
        (Some(_), changes) => format!("the times cross {changes} times; this is the last one"),
    }
}

fn described(unit: Unit) -> &'static str {
    match unit {
        Unit::Tiles => "tiles per multiprocessor",
        Unit::Blocks => "blocks per multiprocessor",
        Unit::Elements => "elements",
        Unit::Rows | Unit::RowsOfTwo => "rows",
    }
}

fn short(number: f64) -> f64 {
    (1000.0 * number).round() / 1000.0
}

/// The least and the most elements of tiles of features.
const FOLDED: [f64; 2] = [512.0, 16_384.0];

/// The tiles that a multiprocessor visits one after another, at least, for an average of their times.
const TURNS: u64 = 16;

/// The times of the tiles of features, in proportion to that of tiles of 64, whose number is the one in the code; and how much
/// longer than the fastest tiles the chosen ones take, with the numbers of the code and with the measured ones.
fn times_of_tiles(
    gpu: &Gpu,
    work: &str,
    (_, features, load, prepare): Fold,
) -> Result<Vec<Record>> {
    let (kernel, multiprocessors) = (load(&gpu.device)?, gpu.multiprocessors);
    let variants = folds(&kernel);
    let kernels: Vec<_> = variants.iter().map(|(at, each)| (name(each), kernel.pin(*at))).collect();
    let make = |n: usize| prepare(&gpu.device, n);
    check(&kernels, &mut make(FOLDED[0] as usize)?)?;
    let mut all = Vec::new();
    for n in ladder(FOLDED[0], FOLDED[1]).into_iter().map(|n| rounded(n, Unit::Elements)) {
        all.push((n, time(gpu, &kernels, make(n)?)?));
    }
    // Microseconds of a tile.
    let of_tile = |side: usize| -> Result<f64> {
        let turns = |n: usize| turns_of_fold(variants[side].1, n, multiprocessors);
        let many = all.iter().filter(|(n, _)| turns(*n) >= TURNS);
        let times = many.map(|(n, times)| 1e3 * times[side].1.median / turns(*n) as f64);
        Ok(Spread::quarters(times.collect())?.median)
    };
    let tiles = (0..variants.len()).map(of_tile).collect::<Result<Vec<f64>, _>>()?;
    let of_64 = variants.iter().position(|(_, each)| each.tiling.side == 64);
    let of_64 = of_64.context("there are no tiles of 64")?;
    let unit = time_of_fold(variants[of_64].1) as f64 / tiles[of_64];
    let worst = |number: &dyn Fn(usize) -> f64| {
        let loss = |(n, times): &(usize, Vec<Times>)| {
            let chosen = (0..variants.len()).rev().min_by(|a, b| {
                let time = |side: usize| {
                    number(side) * turns_of_fold(variants[side].1, *n, multiprocessors) as f64
                };
                time(*a).total_cmp(&time(*b))
            });
            let least = times.iter().map(|(_, ms)| ms.median).fold(f64::INFINITY, f64::min);
            (times[chosen.unwrap_or(0)].1.median / least, *n)
        };
        all.iter().map(loss).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((1.0, 0))
    };
    let (code, code_n) = worst(&|side| time_of_fold(variants[side].1) as f64);
    let (measured, measured_n) = worst(&|side| tiles[side] * unit);
    let note = format!(
        "at worst the chosen tiles take {code:.3} times as long as the fastest with the numbers of the code (n = {code_n}), and {measured:.3} with the measured ones (n = {measured_n})"
    );
    let (n, times) = all.pop().context("nothing was timed")?;
    let record = |side: usize| {
        let (_, variant) = variants[side];
        let crossing = Crossing {
            kernel: format!("{}: {:.2} us", name(variant), tiles[side]),
            unit: format!("time, {} for tiles of 64", time_of_fold(variants[of_64].1)),
            multiprocessors,
            least: time_of_fold(variant),
            measured: Some(tiles[side] * unit),
            n: None,
            ratios: Vec::new(),
        };
        let record = Record::new(work, n).with_features(features);
        let note = if side == 0 { note.clone() } else { String::new() };
        let record = Record { note, crossing: Some(crossing), ..record.with_target(Bound::Cost) };
        record.with(Ok(vec![times[side].clone(), times[of_64].clone()]))
    };
    Ok((0..variants.len()).map(record).collect())
}

/// The variants of a kernel that fold features, largest first.
fn folds(kernel: &Kernel) -> Vec<(usize, &'static Variant)> {
    let all = first_of_each_tile(kernel).into_iter();
    all.filter(|(_, each)| each.tiling.sweep == Sweep::Fold).collect()
}

/// One line for each threshold.
pub(crate) fn rows(records: &[Record]) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let headings = "threshold,features,kernel and variants,counts,in the code,measured,n in the code,measured n,ratio at the code's n,multiprocessors";
    let row = |record: &Record| {
        let crossing = record.crossing.as_ref()?;
        let number = |number: f64| format!("{number:.1}");
        let is_time = crossing.ratios.is_empty();
        Some(vec![
            record.work.split(": ").next().unwrap_or_default().to_owned(),
            record.features.map(|features| features.to_string()).unwrap_or_default(),
            crossing.kernel.clone(),
            crossing.unit.clone(),
            crossing.least.to_string(),
            crossing.measured.map_or("none".into(), number),
            if is_time { String::new() } else { record.n.to_string() },
            crossing.n.map(|n| n.to_string()).unwrap_or_default(),
            record
                .ratio()
                .filter(|_| !is_time)
                .map(|ratio| format!("{ratio:.3}"))
                .unwrap_or_default(),
            crossing.multiprocessors.to_string(),
        ])
    };
    (headings.split(',').collect(), records.iter().filter_map(row).collect())
}

#[cfg(test)]
mod tests {
    use td_kernel::__private::thresholds::ALL;

    use super::*;

    #[test]
    fn every_threshold_has_a_subject() {
        let device = Device::emulator().unwrap();
        let mut measured = Vec::new();
        for subject in SUBJECTS {
            let sides = Sides::load(&device, subject).unwrap();
            // The names by which `--only` finds them, and the rule that the table shows.
            let first = sides.threshold.first(sides.variant, 132);
            let number = |n| sides.threshold.number(sides.variant, n, 132);
            let least = sides.threshold.least as f64;
            assert!(number(first) >= least && number(first - 1) < least, "{}", sides.name(subject));
            measured.push(sides.threshold.name);
        }
        for threshold in ALL {
            assert!(measured.contains(&threshold.name), "{} is not measured", threshold.name);
        }
    }

    #[test]
    fn tiles_of_features_have_times() {
        let device = Device::emulator().unwrap();
        for (work, _, load, _) in FOLDS {
            let sides = folds(&load(&device).unwrap());
            let sides: Vec<u32> = sides.iter().map(|(_, each)| each.tiling.side).collect();
            assert_eq!(sides, [128, 64, 32], "{work}");
        }
    }

    #[test]
    fn variants_agree() {
        let device = Device::emulator().unwrap();
        for subject in SUBJECTS {
            let sides = Sides::load(&device, subject).unwrap();
            let mut work = (subject.prepare)(&device, 160).unwrap();
            check(&sides.kernels, &mut work).unwrap();
        }
    }

    #[test]
    fn crossing_is_bisected() {
        let crossing = |at: f64| {
            let mut ratio = |n: usize| Ok(at / n as f64);
            let mut ratios: Vec<_> =
                ladder(1000.0, 16_000.0).into_iter().map(|n| (n, at / n as f64)).collect();
            bisect(&mut ratios, Unit::Elements, &mut ratio).unwrap()
        };
        let found = crossing(5000.0).unwrap();
        assert!((5000..5150).contains(&found), "{found}");
        assert_eq!([crossing(10.0), crossing(1e6)], [None, None]);
        // The last of several crossings.
        let mut ratios = vec![(100, 2.0), (110, 0.5), (120, 2.0), (121, 0.5)];
        assert_eq!(bisect(&mut ratios, Unit::Rows, &mut |_| Ok(1.0)).unwrap(), Some(121));
    }
}
