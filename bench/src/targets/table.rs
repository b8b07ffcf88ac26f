//! The table for people.

use super::report::Report;
use super::target::{Outcome, Row};
use crate::measure::times::Times;

const HEADINGS: [&str; 10] = [
    "work",
    "features",
    "n",
    "ours, ms",
    "low..high",
    "compared with",
    "its ms",
    "low..high",
    "ratio",
    "target",
];

/// The whole report: where it was measured, and a line for each row, with one for each of what ran in the
/// same rounds below it.
pub(crate) fn text(report: &Report) -> String {
    let lines: Vec<Line> = report.rows.iter().flat_map(Line::of).collect();
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line.cells[column].chars().count());
        cells.chain([HEADINGS[column].len()]).max().unwrap_or_default()
    };
    let widths: [usize; HEADINGS.len()] = std::array::from_fn(width);
    let line = |cells: &[String], end: &str| {
        let mut line = String::new();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            // Words to the left, numbers to the right.
            line += &match column {
                0 | 5 => format!("{cell:<width$}  "),
                _ => format!("{cell:>width$}  "),
            };
        }
        format!("{}\n", (line + end).trim_end())
    };
    let mut text = format!("{}\n", report.place());
    text += &line(&HEADINGS.map(str::to_owned), "");
    for each in &lines {
        text += &line(&each.cells, &each.verdict);
    }
    text
}

/// A line as it is printed.
struct Line {
    cells: [String; HEADINGS.len()],
    verdict: String,
}

impl Line {
    fn of(row: &Row) -> Vec<Line> {
        let mut cells: [String; HEADINGS.len()] = Default::default();
        let target = row.target;
        cells[0] = target.work.to_owned();
        cells[1] = target.features.map(|features| features.to_string()).unwrap_or_default();
        cells[2] = target.n.to_string();
        let mut others = Vec::new();
        if let Outcome::Measured(measured) = &row.outcome {
            [cells[3], cells[4]] = figures(&measured.ours);
            cells[5].clone_from(&measured.reference.name);
            [cells[6], cells[7]] = figures(&measured.reference);
            others.extend(measured.others.iter().map(Line::beside));
        }
        cells[8] = row.ratio().map(|ratio| format!("{ratio:.3}")).unwrap_or_default();
        cells[9] = format!("{} {:.2}", target.bound.word(), target.bound.limit());
        let first = Line { cells, verdict: row.verdict() };
        [first].into_iter().chain(others).collect()
    }

    fn beside(times: &Times) -> Line {
        let mut cells: [String; HEADINGS.len()] = Default::default();
        cells[5] = format!("  {}", times.name);
        [cells[6], cells[7]] = figures(times);
        Line { cells, verdict: String::new() }
    }
}

/// The median, and from where to where the times go.
fn figures(times: &Times) -> [String; 2] {
    [format!("{:.5}", times.median), format!("{:.5}..{:.5}", times.low, times.high)]
}
