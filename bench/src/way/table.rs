//! The tables for people.

use super::file::{Step, Way};
use super::judge;
use crate::record::File;

/// Everything: the way with each step's share, the rest, the floors and the targets.
pub(super) fn text(file: &File<Way>) -> String {
    let way = &file.figures;
    let whole: f64 = way.steps.iter().filter_map(Step::median).sum();
    let mut text = format!("{}\n{}\n", file.machine.line(), file.machine.command);
    text += &format!("n = {}, {} cores\n\n", way.elements, way.cores);
    let mut rows = vec![["the way, once", "ms", "share", "GB/s"].map(str::to_owned)];
    rows.extend(way.steps.iter().map(|step| {
        let share = step.median().map(|median| format!("{:.1} %", 100.0 * median / whole));
        [step.name.clone(), milliseconds(step), share.unwrap_or_default(), rate(step)]
    }));
    let sum = format!("{:.3}", 1e3 * whole);
    rows.push(["all of it".to_owned(), sum, "100.0 %".to_owned(), String::new()]);
    text += &columns(&rows);
    for (title, steps) in [("the rest, medians", &way.others), ("floors, medians", &way.floors)] {
        let mut rows = vec![[title, "ms", "low..high", "GB/s"].map(str::to_owned)];
        rows.extend(
            steps
                .iter()
                .map(|step| [step.name.clone(), milliseconds(step), range(step), rate(step)]),
        );
        text += &format!("\n{}", columns(&rows));
    }
    let mut rows = vec![["target", "value", "limit", "verdict"].map(str::to_owned)];
    rows.extend(
        judge::rows(way)
            .into_iter()
            .map(|row| [row.name.to_owned(), row.value, row.limit, row.verdict]),
    );
    text + &format!("\n{}", columns(&rows))
}

fn milliseconds(step: &Step) -> String {
    step.median().map(|median| format!("{:.3}", 1e3 * median)).unwrap_or_default()
}

fn range(step: &Step) -> String {
    let low = step.seconds.iter().copied().min_by(f64::total_cmp);
    let high = step.seconds.iter().copied().max_by(f64::total_cmp);
    let text = low.zip(high).map(|(low, high)| format!("{:.3}..{:.3}", 1e3 * low, 1e3 * high));
    text.unwrap_or_default()
}

fn rate(step: &Step) -> String {
    step.rate().map(|rate| format!("{rate:.2}")).unwrap_or_default()
}

/// Rows with their cells below each other: the first and the last to the left, numbers to the right.
fn columns(rows: &[[String; 4]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; 4] = std::array::from_fn(|column| width(column).unwrap_or_default());
    let mut text = String::new();
    for [name, second, third, last] in rows {
        let [a, b, c, _] = widths;
        let line = format!("{name:<a$}  {second:>b$}  {third:>c$}  {last}");
        text += &format!("{}\n", line.trim_end());
    }
    text
}
