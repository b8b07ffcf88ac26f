//! The papers' experiments: every map with every root and in every space, over n, as a factor against the
//! bounding box.

mod choices;
mod file;
mod measure;
mod plan;
mod subject;
mod works;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use self::file::{Blocks, Figures, Outcome, Point, Spread};
use self::plan::Step;
use self::subject::WORKS;
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::record::{File, Machine};

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
    #[arg(long, value_name = "WORK", value_parser = clap::builder::PossibleValuesParser::new(WORKS.iter().map(|work| work.name)))]
    only: Vec<String>,
    #[command(flatten)]
    run: crate::Run,
}

/// Measures, and writes the file after each point.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let folder = &options.run.output;
    let earlier = File::<Figures>::read(folder)?;
    if earlier.is_some() && !options.resume {
        let path = File::<Figures>::path(folder);
        let text =
            "is there already\n to do: write --resume to go on with it, or give another --output";
        return Err(format!("{} {text}", path.display()).into());
    }
    let gpu = Gpu::open()?;
    let machine = Machine::of(&gpu, options.run.commit.clone())?;
    let mut file = match earlier {
        Some(file) if file.machine.device != machine.device => {
            let text = "so its figures cannot be gone on with\n to do: give another --output";
            let (then, now) = (file.machine.device, machine.device);
            return Err(format!("the file is from {then} and this is {now}, {text}").into());
        }
        Some(file) if file.machine.commit != machine.commit => {
            let text = "so its figures would be of two programs\n to do: give another --output, or the same --commit";
            let name = |commit: &Option<String>| commit.clone().unwrap_or("no named commit".into());
            let (then, now) = (name(&file.machine.commit), name(&machine.commit));
            return Err(format!("the file is from {then} and this is {now}, {text}").into());
        }
        Some(file) => file,
        None => File::new(machine, Figures::default()),
    };
    let steps: Vec<Step> = plan::steps(options.quick, &options.only)
        .filter(|step| !file.figures.point(step.work.name, step.n).is_some_and(Point::is_done))
        .collect();
    measure(&gpu, &steps, &mut file, folder)
}

fn measure(
    gpu: &Gpu,
    steps: &[Step],
    file: &mut File<Figures>,
    folder: &Path,
) -> Result<(), Failure> {
    let stop = stop_at_interrupt()?;
    let bar = bar(steps)?;
    println!("{}", file.machine.line());
    for step in steps {
        if stop.load(Ordering::Relaxed) {
            bar.abandon();
            let path = File::<Figures>::path(folder);
            let text =
                format!("stopped; what was measured is in {}: --resume goes on", path.display());
            return Err(text.into());
        }
        let name = format!("{}, n = {}", step.work.name, step.n);
        bar.set_message(name.clone());
        if bar.is_hidden() {
            eprintln!("{name}");
        }
        let point = measure::point(gpu, step.work, step.n, step.rounds);
        bar.suspend(|| tell(&point));
        if file.figures.blocks.iter().all(|blocks| blocks.n != step.n) {
            file.figures.blocks.push(blocks(step.n));
        }
        file.figures.points.retain(|old| old.work != point.work || old.n != point.n);
        file.figures.points.push(point);
        // After each point, so that a run that is cut short has told something.
        file.write(folder)?;
        // After some errors nothing runs any more on this GPU in this process.
        gpu.device.synchronize().map_err(|error| format!("the GPU failed at {name}: {error}"))?;
        bar.inc(step.weight());
    }
    bar.finish();
    let wrong = wrong(&file.figures);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Set by the first Ctrl-C; the point that is being measured is finished and kept. A second one ends the
/// program at once.
fn stop_at_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // No way out through the destructors of a driver that is at work.
            std::process::abort();
        }
    })
    .map_err(|error| format!("cannot listen to Ctrl-C: {error}"))?;
    Ok(stop)
}

fn bar(steps: &[Step]) -> Result<ProgressBar, Failure> {
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %, {eta} left, {msg}")?;
    Ok(ProgressBar::new(steps.iter().map(Step::weight).sum()).with_style(style))
}

/// What a person should know of a point at once: what was skipped, and what is wrong.
fn tell(point: &Point) {
    if let Some(reason) = &point.skipped {
        eprintln!("{}, n = {}: skipped: {reason}", point.work, point.n);
    }
    for choice in &point.choices {
        if let Outcome::Wrong { wrong } = &choice.outcome {
            eprintln!("{}, n = {}, {}: {wrong}", point.work, point.n, choice.name);
        }
    }
}

/// The blocks of each choice with one thread a pair.
fn blocks(n: usize) -> Blocks {
    let choices = WORKS[0].choices.iter();
    let counted: BTreeMap<String, [u64; 2]> =
        choices.filter_map(|choice| Some((choice.name.to_owned(), choice.blocks(n)?))).collect();
    Blocks { n, launched_and_needed: counted }
}

/// Every result that was wrong, in words.
fn wrong(figures: &Figures) -> Vec<String> {
    let mut all = Vec::new();
    for point in &figures.points {
        for choice in &point.choices {
            if let Outcome::Wrong { wrong } = &choice.outcome {
                all.push(format!("{}, n = {}, {}: {wrong}", point.work, point.n, choice.name));
            }
        }
    }
    all
}
