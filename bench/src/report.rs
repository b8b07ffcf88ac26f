//! Results as tables and plots.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;

use crate::measure::times::Spread;
use crate::plot::{BLUE, Bar, GREY, Group, groups};
use crate::results::{Bound, Outcome, Record, Results};
use crate::subject::GENERATED;
use crate::{ladder, thresholds};

#[derive(Args)]
pub(crate) struct Options {
    /// The folder with the results; tables (README.md) and plots are written to it
    pub(crate) folder: PathBuf,
    /// Writes nothing, and fails if the files differ from the results
    #[arg(long)]
    pub(crate) check: bool,
}

/// The experiments, in the order of a report.
const EXPERIMENTS: &str = "limits targets thresholds figures ladder nearest-ladder peers devices scale cpu-loops cpu-tasks";

/// Writes the report of a folder, or checks it.
pub(crate) fn run(Options { folder, check }: &Options) -> Result<()> {
    let mut all = Vec::new();
    for name in EXPERIMENTS.split(' ') {
        let path = folder.join(format!("{name}.json"));
        if path.exists() {
            all.push(Results::read(&path)?);
        }
    }
    let to_do = "pass the --output folder of an experiment";
    ensure!(!all.is_empty(), "{} has no results\n to do: {to_do}", folder.display());
    let plots = plots(&all)?;
    let mut readme = "# Results\n\nMade by `td-bench report` from the JSON beside it.\n".to_owned();
    for results in &all {
        readme += &format!("\n{}", text(results));
    }
    if !plots.is_empty() {
        readme += "\n## Plots\n";
    }
    for (name, _) in &plots {
        readme += &format!("\n![{name}]({name}.svg)\n");
    }
    let mut made = vec![(folder.join("README.md"), readme)];
    let svg = |(name, plot): (&str, String)| (folder.join(format!("{name}.svg")), plot);
    made.extend(plots.into_iter().map(svg));
    for (path, text) in made {
        let name = path.display();
        if !check {
            std::fs::write(&path, text).map_err(|error| anyhow!("cannot write {name}: {error}"))?;
            println!("{name}");
        } else if !std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            bail!("{name} differs from the results\n to do: run `td-bench report` without --check");
        }
    }
    Ok(())
}

/// One experiment's tables, with a heading and the machine.
pub(crate) fn text(results: &Results) -> String {
    let Results { experiment, machine, records, .. } = results;
    let commit = machine.commit.as_deref().unwrap_or("not noted");
    let mut text = format!(
        "## {experiment}\n\n{}, driver {}, NVRTC {}, {}, td-kernel {}, commit {commit}: `{}`",
        machine.device,
        machine.driver,
        machine.nvrtc,
        machine.system,
        machine.version,
        machine.command
    );
    text += &match &*machine.beside {
        "" => ".\n".to_owned(),
        beside => format!(", with {beside}.\n"),
    };
    text += &match &**experiment {
        "figures" => factors(records),
        "thresholds" => {
            let (headings, rows) = thresholds::rows(records);
            format!("\n{}", table(&headings, &rows))
        }
        "ladder" => series(records) + &over_sequential(records),
        "nearest-ladder" | "peers" => series(records),
        _ => compared(records),
    };
    text + &remarks(records)
}

/// One line for each record: our time and the one it is compared with.
fn compared(records: &[Record]) -> String {
    let headings =
        ["work", "features", "n", "value or ms", "compared with", "its ms", "ratio", "target", ""];
    let rows = records.iter().map(|record| {
        let cell = |place| record.spread(place).map(spread).unwrap_or_default();
        let target = match record.target {
            Some(Bound::AtMost(limit)) => format!("at most {limit:.2}"),
            Some(Bound::AtLeast(limit)) => format!("at least {limit:.2}"),
            Some(Bound::Cost | Bound::Gain) | None => String::new(),
        };
        let is_limited = !target.is_empty();
        vec![
            record.work.clone(),
            record.features.map(|features| features.to_string()).unwrap_or_default(),
            record.n.to_string(),
            cell(0),
            record.results.get(1).map(|(name, _)| name.clone()).unwrap_or_default(),
            cell(1),
            record.ratio().map(|ratio| format!("{ratio:.3}")).unwrap_or_default(),
            target,
            record.missed().unwrap_or(if is_limited { "met".into() } else { String::new() }),
        ]
    });
    format!("\n{}", table(&headings, &rows.collect::<Vec<_>>()))
}

/// Records of each work side by side, with a line for each way.
fn series(records: &[Record]) -> String {
    let mut text = String::new();
    for work in unique(records.iter().map(|record| &*record.work)) {
        let records: Vec<&Record> = records.iter().filter(|record| record.work == work).collect();
        let heading = |record: &&Record| match record.features {
            Some(features) => format!("n = {}, {features}", record.n),
            None => format!("n = {}", record.n),
        };
        let headings =
            [vec![format!("{work}, ms")], records.iter().map(heading).collect()].concat();
        text += &format!("\n{}", pivot(&headings, &records, |record, way| cell(record.get(way))));
    }
    text
}

/// The papers' works side by side at the papers' largest n, with a line for each choice: I, the speedup over the bounding box.
fn factors(records: &[Record]) -> String {
    let is_papers = |record: &&Record| record.n <= PAPERS_LARGEST;
    let n = records.iter().filter(is_papers).map(|record| record.n).max();
    let records: Vec<&Record> = records.iter().filter(|record| Some(record.n) == n).collect();
    let mut headings = vec![format!("I at n = {}", n.unwrap_or_default())];
    headings.extend(records.iter().map(|record| record.work.clone()));
    let factor = |record: &Record, way: &str| match factor(record, way) {
        Some(factor) => three_digits(factor),
        None => cell(record.get(way)),
    };
    format!("\n{}", pivot(&headings, &records, factor))
}

const PAPERS_LARGEST: usize = 30_720;

/// The speedup over the bounding box.
fn factor(record: &Record, way: &str) -> Option<f64> {
    Some(record.ms("bb")? / record.ms(way)?)
}

/// The speedup over sequential C on the same machine: in the paper, and here.
fn over_sequential(records: &[Record]) -> String {
    let mut headings = vec!["times as fast as sequential C".to_owned()];
    headings.extend(records.iter().map(|record| format!("n = {}", record.n)));
    type Ms = fn(&Record, &str) -> Option<f64>;
    let sources: [(&str, Ms); 2] =
        [("the paper", |record, rung| ladder::paper(rung, record.n)), ("here", Record::ms)];
    let mut rows = Vec::new();
    for rung in ways(&records.iter().collect::<Vec<_>>()) {
        for (whose, ms) in sources {
            let over = |record| Some(ms(record, ladder::SEQUENTIAL)? / ms(record, rung)?);
            let cells = records.iter().map(|record| over(record).map(three_digits));
            let cells: Vec<_> = cells.collect();
            if rung != ladder::SEQUENTIAL && cells.iter().any(Option::is_some) {
                let mut row = vec![format!("{rung}, {whose}")];
                row.extend(cells.into_iter().map(Option::unwrap_or_default));
                rows.push(row);
            }
        }
    }
    format!("\n{}", table(&headings, &rows))
}

/// Notes, and reasons for missing times: once for all records that share one.
fn remarks(records: &[Record]) -> String {
    let mut all: Vec<(String, String)> = Vec::new();
    for record in records {
        let note = Some(record.note.clone()).filter(|note| !note.is_empty());
        let reasons = record.results.iter().filter_map(|(way, outcome)| {
            let reason = outcome.reason().filter(|reason| !reason.ends_with("right"))?;
            // An n that a map rejects implies that it rejects every larger n.
            let reason = reason.split_once(": n = ").map_or(reason, |(refused, _)| refused);
            Some(format!("{}: {reason}", way.replace('_', " ")))
        });
        all.extend(note.into_iter().chain(reasons).map(|remark| (remark, record.name())));
    }
    let mut text = String::new();
    for remark in unique(all.iter().map(|(remark, _)| &**remark)) {
        let mut names = all.iter().filter(|(same, _)| same == remark).map(|(_, name)| name);
        let first = names.next().map_or("", |name| name);
        let more = match names.count() {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        text += &format!("- {first}{more}: {remark}.\n");
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn cell(outcome: Option<&Outcome>) -> String {
    match outcome {
        Some(Outcome::Measured(ms)) => spread(*ms),
        Some(Outcome::Untimed { untimed }) => {
            let words = ["right", "inexact", "wrong results", "error", "refused"];
            let found = words.into_iter().find(|word| untimed.contains(word));
            found.unwrap_or("not timed").to_owned()
        }
        Some(Outcome::Wrong { .. }) => "wrong".into(),
        None => String::new(),
    }
}

/// The ways of records, without repetition.
fn ways<'a>(records: &[&'a Record]) -> Vec<&'a str> {
    unique(records.iter().flat_map(|record| record.results.iter().map(|(way, _)| &**way)))
}

fn unique<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut unique: Vec<&str> = Vec::new();
    for one in all {
        if !unique.contains(&one) {
            unique.push(one);
        }
    }
    unique
}

/// A table with a column for each record, and a line for each way.
fn pivot(
    headings: &[String],
    records: &[&Record],
    cell: impl Fn(&Record, &str) -> String,
) -> String {
    let row = |way: &&str| {
        let cells = records.iter().map(|record| cell(record, way));
        std::iter::once(way.replace('_', " ")).chain(cells).collect()
    };
    table(headings, &ways(records).iter().map(row).collect::<Vec<_>>())
}

/// A Markdown table, aligned for terminals: text to the left, numbers to the right.
fn table<H: AsRef<str>>(headings: &[H], rows: &[Vec<String>]) -> String {
    // A bar in a cell would begin another column.
    let clean = |cell: &str| cell.replace('|', "/");
    let headings = headings.iter().map(|heading| clean(heading.as_ref())).collect();
    let rows = rows.iter().map(|row| row.iter().map(|cell| clean(cell)).collect());
    let rows: Vec<Vec<String>> = std::iter::once(headings).chain(rows).collect();
    let mut lines = vec![String::from("|"); rows.len() + 1];
    for column in 0..rows[0].len() {
        let cell = |row: &Vec<String>| row.get(column).cloned().unwrap_or_default();
        let width = rows.iter().map(|row| cell(row).chars().count()).fold(3, usize::max);
        let is_word = |row| cell(row).starts_with(char::is_alphabetic);
        let words = column == 0 || rows[1..].iter().any(is_word);
        let rule = "-".repeat(width - usize::from(!words)) + if words { "" } else { ":" };
        let cells = std::iter::once(cell(&rows[0])).chain([rule]).chain(rows[1..].iter().map(cell));
        for (line, cell) in lines.iter_mut().zip(cells) {
            *line += &match words {
                true => format!(" {cell:<width$} |"),
                false => format!(" {cell:>width$} |"),
            };
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A median and its bounds.
fn spread(Spread { median, low, high }: Spread) -> String {
    let [median, low, high] = [median, low, high].map(three_digits);
    if low == high { median } else { format!("{median} ({low}..{high})") }
}

/// Rounded to three significant digits.
fn three_digits(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 1.0 => format!("{number:.2}"),
        size if size >= 0.1 => format!("{number:.3}"),
        _ => format!("{number:.4}"),
    }
}

/// The plots of the available results.
fn plots(all: &[Results]) -> Result<Vec<(&'static str, String)>> {
    let records = |name: &str| {
        all.iter().find(|results| results.experiment == name).map(|results| &*results.records)
    };
    let mut plots = Vec::new();
    if let Some(records) = records("figures") {
        plots.push(("maps", groups(&maps(records))?));
    }
    if let Some(records) = records("peers") {
        plots.push(("peers", groups(&[others(records, "edm"), others(records, "collision")])?));
    }
    Ok(plots)
}

/// The speedup of maps over the bounding box, at the papers' largest n: with one thread per pair, and with tiles.
fn maps(records: &[Record]) -> Vec<Group> {
    let papers = records.iter().filter(|each| each.work == "edm-4" && each.n <= PAPERS_LARGEST);
    let Some(record) = papers.max_by_key(|record| record.n) else { return Vec::new() };
    let group = |title: &str, ending: &str| {
        let bar = |map: &&str| {
            let value = factor(record, &format!("{map}{ending}"))?;
            let text = format!("{} x", three_digits(value));
            Some(Bar { name: (*map).to_owned(), value, text, colour: BLUE })
        };
        Group {
            title: format!("Distances, 4 features, n = {}, {title}", record.n),
            unit: "times as fast as the bounding box with one thread a pair",
            bars: ["bb", "ltm", "rb", "h", "walk", "utm", "rec", "table"]
                .iter()
                .filter_map(bar)
                .collect(),
            mark: Some((1.0, "bb")),
            multiplies: false,
        }
    };
    vec![group("one thread a pair", ""), group("tiles", "_tiles")]
}

/// The times of all ways of a work, as multiples of ours, at the largest n with a time of ours.
fn others(records: &[Record], work: &str) -> Group {
    let timed =
        records.iter().filter(|record| record.work == work && record.ms(GENERATED).is_some());
    let record = timed.max_by_key(|record| record.n);
    let bar = |record: &Record, way: &str| {
        let (ms, ours) = (record.ms(way)?, record.ms(GENERATED)?);
        let text = format!("{} x, {} ms", three_digits(ms / ours), three_digits(ms));
        let colour = if way == GENERATED { BLUE } else { GREY };
        Some(Bar { name: way.to_owned(), value: ms / ours, text, colour })
    };
    let bars = record
        .iter()
        .flat_map(|record| ways(&[record]).into_iter().filter_map(|way| bar(record, way)));
    let title = if work == "edm" { "Distances, 4 features" } else { "Collisions in space" };
    let n = record.map(|record| format!(", n = {}", record.n));
    Group {
        title: format!("{title}{}", n.unwrap_or_default()),
        unit: "times as long as the generated kernel, on a scale that multiplies; torch.cdist and torch.compile write the whole square",
        bars: bars.collect(),
        mark: None,
        multiplies: true,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::results::tests::{record, results};

    #[test]
    fn check_finds_stale_report() {
        let folder = tempfile::tempdir().unwrap();
        let options = |check| Options { folder: folder.path().into(), check };
        assert!(run(&options(false)).unwrap_err().to_string().contains("has no results"));
        let records = vec![record("edm-4", Bound::Cost, &[("bb", 2.0), ("ltm", 1.0)])];
        results("figures", folder.path(), records).write().unwrap();
        assert!(run(&options(true)).unwrap_err().to_string().contains("README.md"));
        run(&options(false)).unwrap();
        run(&options(true)).unwrap();
        let path = folder.path().join("maps.svg");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("2.00 x"), "{text}");
        std::fs::write(&path, text.replace("2.00", "3.00")).unwrap();
        let error = run(&options(true)).unwrap_err().to_string();
        assert!(error.contains("maps.svg differs") && error.contains("without --check"), "{error}");
    }

    #[test]
    fn tables_have_ratios_and_reasons() {
        let folder = Path::new("");
        let mut one = record("work", Bound::AtMost(1.5), &[("generated", 2.0), ("fill", 1.0)]);
        one.results
            .push(("KeOps".into(), Outcome::Untimed { untimed: "no | pykeops\nmore".into() }));
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = words(text(&results("targets", folder, vec![one.clone()])));
        let line = "| work | | 1024 | 2.00 (1.80..2.40) | fill | 1.00 (0.900..1.20) | 2.000 | at most 1.50 | missed by 33.3 % |";
        assert!(text.contains(line), "{text}");
        assert!(text.ends_with("- work, n = 1024: KeOps: no | pykeops."), "{text}");
        let text = words(super::text(&results("peers", folder, vec![one.clone(), one])));
        assert!(text.contains("| KeOps | not timed | not timed |"), "{text}");
        assert!(text.ends_with("- work, n = 1024 and 1 more: KeOps: no | pykeops."), "{text}");
        let numbers = [1234.4, 12.34, 1.234, 0.1234, 0.0123].map(three_digits);
        assert_eq!(numbers, ["1234", "12.3", "1.23", "0.123", "0.0123"]);
    }

    /// Every folder of results can be read, and its report is up to date.
    #[test]
    fn committed_reports_are_current() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        let folders = std::fs::read_dir(results).unwrap().map(|each| each.unwrap().path());
        let folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
        assert!(folders.len() >= 2, "{folders:?}");
        for folder in folders {
            run(&Options { folder, check: true }).unwrap();
        }
    }
}
