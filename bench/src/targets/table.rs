//! The table for people.

use super::report::Report;
use super::target::{Measured, Outcome, Row, Times};

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

/// The whole report: where it was measured, and a line for each row.
pub(crate) fn text(report: &Report) -> String {
    let lines: Vec<Line> = report.rows.iter().map(Line::of).collect();
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

/// A row as it is printed.
struct Line {
    cells: [String; HEADINGS.len()],
    verdict: String,
}

impl Line {
    fn of(row: &Row) -> Line {
        let mut cells: [String; HEADINGS.len()] = Default::default();
        let target = row.target;
        cells[0] = target.work.to_owned();
        cells[1] = target.features.map(|features| features.to_string()).unwrap_or_default();
        cells[2] = target.n.to_string();
        if let Outcome::Measured(Measured { ours, reference, .. }) = &row.outcome {
            let of = |times: &Times| {
                let spread = format!("{:.4}..{:.4}", times.low, times.high);
                (format!("{:.4}", times.median), spread)
            };
            (cells[3], cells[4]) = of(ours);
            cells[5].clone_from(&reference.name);
            (cells[6], cells[7]) = of(reference);
        }
        cells[8] = row.ratio().map(|ratio| format!("{ratio:.3}")).unwrap_or_default();
        cells[9] = format!("{} {:.2}", target.bound.word(), target.bound.limit());
        Line { cells, verdict: row.verdict() }
    }
}
