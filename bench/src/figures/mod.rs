//! The papers' experiments: every map with every root and in every space, over n, as a factor against the
//! bounding box.

mod choices;
mod file;
mod kernels;
mod plots;
mod tables;
mod works;

use clap::Args;
use clap::builder::PossibleValuesParser;

pub(crate) use self::file::{Blocks, Figures, Measured, Outcome, Point};
pub(crate) use self::kernels::{collision_3, edm_1, edm_2, edm_3, edm_4, list};
pub(crate) use self::works::maps_that_look;
use self::works::{WORKS, Work};
use crate::Failure;
use crate::experiment::{self, Experiment, File, Run, Section};
use crate::measure::gpu::Gpu;

/// What is said of a file that would be replaced.
pub(crate) const THERE: &str =
    "is there already\n to do: write --resume to go on with it, or give another --output";

/// How the figures are measured.
#[derive(Args)]
pub(crate) struct Options {
    /// Fewer n and fewer rounds.
    #[arg(long)]
    quick: bool,
    /// Goes on from the file in the output folder.
    #[arg(long)]
    resume: bool,
    /// Only these works: dummy, edm-1 to edm-4, collision-1d, collision-3d.
    #[arg(long, value_name = "WORK", value_parser = PossibleValuesParser::new(WORKS.iter().map(|work| work.name())))]
    only: Vec<String>,
    #[command(flatten)]
    run: Run,
}

impl Experiment for Figures {
    fn sections(&self) -> Vec<Section> {
        tables::sections(self)
    }

    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        plots::plots(self)
    }

    fn wrong(&self) -> Vec<String> {
        self.points.iter().flat_map(Point::wrong).collect()
    }
}

/// One work at one n.
struct Step {
    work: &'static dyn Work,
    n: usize,
    rounds: usize,
}

/// Past the papers' end: one element more than 32-bit products, row numbers and slots go.
const BEYOND: [usize; 3] = [46_342, 65_537, 131_072];

/// A few of the papers' n.
const FEW: [usize; 8] = [1024, 2048, 4096, 8192, 12_288, 16_384, 24_576, 30_720];

/// The steps of a run over these works, or all where none is named: the small n of every work first, so that a run that
/// is cut short has told something of each.
fn steps(quick: bool, only: &[String]) -> impl Iterator<Item = Step> {
    let sizes: Vec<usize> = match quick {
        true => FEW.into_iter().chain([BEYOND[1]]).collect(),
        false => (1..=30).map(|step| 1024 * step).chain(BEYOND).collect(),
    };
    let rounds = if quick { 7 } else { 15 };
    let is_asked =
        |work: &&&dyn Work| only.is_empty() || only.iter().any(|name| name == work.name());
    let works: Vec<&'static dyn Work> = WORKS.iter().filter(is_asked).copied().collect();
    sizes
        .into_iter()
        .flat_map(move |n| works.clone().into_iter().map(move |work| Step { work, n, rounds }))
}

/// Measures, and writes the file after each point.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if let Some(from) = &options.run.from {
        return File::<Figures>::judge(from, "figures");
    }
    let path = experiment::path(&options.run.output, "figures");
    let earlier = File::<Figures>::read(&path, "figures")?;
    if earlier.is_some() && !options.resume {
        return Err(format!("{} {THERE}", path.display()).into());
    }
    let gpu = Gpu::open()?;
    let mut file = File::new(&options.run, "figures", Some(&gpu.device), Figures::default())?;
    if let Some(earlier) = earlier {
        let named = |commit: &Option<String>| commit.clone().unwrap_or("no named commit".into());
        let (then, now) = (&earlier.machine, &file.machine);
        for [then, now] in
            [[&then.device, &now.device], [&named(&then.commit), &named(&now.commit)]]
        {
            if then != now {
                let text = "so its figures cannot be gone on with\n to do: give another --output";
                return Err(format!("the file is from {then} and this is {now}, {text}").into());
            }
        }
        file = earlier;
    }
    let steps: Vec<Step> = steps(options.quick, &options.only)
        .filter(|step| !file.figures.point(step.work.name(), step.n).is_some_and(Point::is_done))
        .collect();
    measure(&gpu, &steps, &mut file)?;
    file.finish()
}

fn measure(gpu: &Gpu, steps: &[Step], file: &mut File<Figures>) -> Result<(), Failure> {
    for (place, step) in steps.iter().enumerate() {
        let name = format!("{}, n = {}", step.work.name(), step.n);
        eprintln!("[{:>3}/{}] {name}", place + 1, steps.len());
        let point = step.work.point(gpu, step.n, step.rounds);
        // What a person should know at once.
        point.skipped.iter().for_each(|reason| eprintln!("{name}: skipped: {reason}"));
        point.wrong().for_each(|text| eprintln!("{text}"));
        let Figures { blocks, points } = &mut file.figures;
        if blocks.iter().all(|blocks| blocks.n != step.n) {
            blocks.push(count_blocks(step.n));
        }
        points.retain(|old| old.work != point.work || old.n != point.n);
        points.push(point);
        // After each point, whole: a run that is stopped has lost the point that it was at, and `--resume` goes on.
        file.keep()?;
        // After some errors nothing runs any more on this GPU in this process.
        gpu.device.synchronize().map_err(|error| format!("the GPU failed at {name}: {error}"))?;
    }
    Ok(())
}

/// The blocks of each choice with one thread a pair.
fn count_blocks(n: usize) -> Blocks {
    let keys = WORKS[0].keys().into_iter();
    let counted = keys.filter_map(|keys| Some((keys.name.to_owned(), keys.blocks(n)?)));
    Blocks { n, launched_and_needed: counted.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_through_every_work() {
        let all: Vec<Step> = steps(false, &[]).collect();
        assert_eq!(all.len(), 33 * WORKS.len());
        assert_eq!((all[0].n, all[all.len() - 1].n), (1024, 131_072));
        assert_eq!(steps(true, &["dummy".into()]).count(), 9);
    }
}
