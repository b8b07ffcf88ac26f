//! Tables and plots from the figures of a run, without a GPU: written, or compared with those that are
//! there.

mod model;
mod page;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::Failure;
use crate::bands::Streamed;
use crate::cpu_loops::{self, CpuLoops};
use crate::devices::Together;
use crate::edm_square::EdmSquare;
use crate::experiment::{self, Experiment, File, Section, Table};
use crate::figures::Figures;
use crate::ladder::Ladder;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::peers::{CpuPeers, Peers};
use crate::scale::Scaled;
use crate::targets::target::Targets;
use crate::words::{choice, table, thousands, three_digits, work};

/// What is made of which figures.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder with the figures, to which tables and plots go too.
    #[arg(long)]
    from: PathBuf,
    /// Writes nothing, and fails where what is there differs from what the figures give.
    #[arg(long)]
    check: bool,
    /// A page with sections that are taken from the tables, between `<!-- report: FOLDER SECTION -->` and
    /// `<!-- end -->`, with the folder as it is reached from the page. Only those that name this folder are
    /// written. May be missing.
    #[arg(long, default_value = "docs/results.md")]
    page: PathBuf,
}

/// What the figures of a folder give.
#[derive(Default)]
struct Report {
    machines: Vec<Machine>,
    sections: Vec<Section>,
    plots: Vec<(&'static str, String)>,
}

impl Report {
    /// Adds an experiment, and returns its figures; `None`, and a word, where they are not there.
    fn add<E: Experiment>(&mut self, folder: &Path, name: &str) -> Result<Option<E>, Failure> {
        let path = experiment::path(folder, name);
        let Some(file) = File::<E>::read(&path, name)? else {
            eprintln!("{} is not there: nothing is said of `td-bench {name}`", path.display());
            return Ok(None);
        };
        self.machines.push(file.machine);
        self.sections.extend(file.figures.sections());
        self.plots.extend(file.figures.plots()?);
        Ok(Some(file.figures))
    }
}

/// Makes the report, or checks it.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let folder = &options.from;
    let mut report = Report::default();
    let figures: Option<Figures> = report.add(folder, "figures")?;
    let limits: Option<Limits> = report.add(folder, "limits")?;
    let starting = figures.zip(limits).and_then(|(figures, limits)| starting(&figures, &limits));
    report.sections.extend(starting);
    report.add::<EdmSquare>(folder, "edm-square")?;
    let is_of_cpu = experiment::path(folder, cpu_loops::NAME).exists();
    if report.add::<Ladder>(folder, "ladder")?.is_none() && !is_of_cpu {
        // What the paper has stands without ours too, but not among a CPU's figures alone.
        report.sections.extend(Ladder::default().sections());
    }
    report.add::<Peers>(folder, "peers")?;
    report.add::<Targets>(folder, "targets")?;
    let ladder: Option<Table> = report.add(folder, "nearest-ladder")?;
    if let (Some(_), Some(section)) = (ladder, report.sections.last_mut()) {
        // A page asks for tables by their names, and all of these have the same.
        section.name = "nearest-ladder";
    }
    report.add::<Together>(folder, "devices")?;
    if experiment::path(folder, "bands").exists() {
        report.add::<Streamed>(folder, "bands")?;
    }
    if experiment::path(folder, "scale").exists() {
        report.add::<Scaled>(folder, "scale")?;
    }
    if experiment::path(folder, "peers --cpu").exists() {
        report.add::<CpuPeers>(folder, "peers --cpu")?;
    }
    if is_of_cpu {
        report.add::<CpuLoops>(folder, cpu_loops::NAME)?;
    }
    report.sections.extend(model::sections(folder)?);
    let Report { machines, mut sections, plots } = report;
    if machines.is_empty() {
        let text = "has no figures\n to do: give the --output folder of `td-bench all`";
        return Err(format!("{} {text}", folder.display()).into());
    }
    sections.insert(0, Section::new("machine", "Where", places(&machines)));
    let mut made = vec![(folder.join("tables.md"), tables(&sections, &plots))];
    let svg = |(name, plot)| (folder.join(format!("{name}.svg")), plot);
    made.extend(plots.into_iter().map(svg));
    if let Some(text) = page::filled(&options.page, folder, &sections)? {
        made.push((options.page.clone(), text));
    }
    if options.check { check(&made) } else { write(&made) }
}

fn places(machines: &[Machine]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for machine in machines {
        if !lines.contains(&machine.line()) {
            lines.push(machine.line());
        }
    }
    let commands = machines.iter().map(|machine| format!("`{}`", machine.command));
    format!("{}.\n\nBy {}.\n", lines.join("; "), commands.collect::<Vec<_>>().join(", "))
}

/// All sections under each other, and the plots.
fn tables(sections: &[Section], plots: &[(&'static str, String)]) -> String {
    let mut text = "# Figures\n\nMade by `td-bench report` from the JSON beside it.\n".to_owned();
    for Section { heading, text: section, .. } in sections {
        text += &format!("\n## {heading}\n\n{}\n", section.trim_end());
    }
    text += "\n## Plots\n";
    for (name, _) in plots {
        text += &format!("\n![{name}]({name}.svg)\n");
    }
    text
}

/// The time that the starting of blocks takes by itself, beside the times of the tests.
fn starting(figures: &Figures, limits: &Limits) -> Option<Section> {
    let rate = limits.rate("empty blocks of 256 threads")?.value.median;
    let papers = figures.blocks.iter().filter(|blocks| blocks.n <= 30_720);
    let blocks = papers.max_by_key(|blocks| blocks.n)?;
    let works = ["dummy", "edm-1", "edm-4", "collision-3d"];
    let mut headings: Vec<String> =
        ["choice", "blocks", "starting as many empty ones, ms"].map(str::to_owned).into();
    headings.extend(works.map(|name| format!("{}, ms", work(name))));
    let rows = ["bb", "ltm", "rb", "h", "ltm_thread", "rb_thread"].into_iter().filter_map(|name| {
        let [launched, _] = blocks.launched_and_needed.get(name)?;
        let start = *launched as f64 / rate / 1e3;
        let mut row = vec![choice(name), thousands(*launched), three_digits(start)];
        row.extend(works.map(|work| {
            let timed = figures.point(work, blocks.n).and_then(|point| point.timed(name));
            timed.map(|[ms, _]| three_digits(ms.median)).unwrap_or_default()
        }));
        Some(row)
    });
    let heading = format!("What starting blocks costs, n = {}", thousands(blocks.n as u64));
    Some(Section::new("starting", heading, table(&headings, &rows.collect::<Vec<_>>())))
}

fn write(made: &[(PathBuf, String)]) -> Result<(), Failure> {
    for (path, text) in made {
        std::fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

fn check(made: &[(PathBuf, String)]) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for (path, text) in made {
        match std::fs::read(path) {
            Ok(there) if there == text.as_bytes() => {}
            Ok(_) => wrong.push(format!("{} differs from what the figures give", path.display())),
            Err(error) => wrong.push(format!("cannot read {}: {error}", path.display())),
        }
    }
    if wrong.is_empty() {
        println!("{} files are as the figures give them", made.len());
        return Ok(());
    }
    Err(format!("{}\n to do: run the same without --check", wrong.join("\n")).into())
}
