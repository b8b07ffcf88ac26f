//! The targets of a way.

use super::file::Way;
use super::steps::{
    DOWNLOAD, DOWNLOAD_PINNED, LOAD, OPEN, PLAIN_WRITE, TO_SQUARE, UPLOAD, UPLOAD_PINNED,
};

/// The cores that the targets are for. With fewer they are not judged: threads are what reaches them.
const CORES: usize = 16;

/// The n that the limit of `to_square` is for; it goes with n².
const N: f64 = 30_720.0;

/// What is to be reached.
struct Target {
    name: &'static str,
    unit: &'static str,
    limit: Limit,
    needs_gpu: bool,
    value: fn(&Way) -> Option<f64>,
}

enum Limit {
    AtLeast(f64),
    AtMost(fn(&Way) -> f64),
}

const TARGETS: &[Target] = &[
    rate(DOWNLOAD, 25.0, |way| way.find(DOWNLOAD)?.rate()),
    rate(DOWNLOAD_PINNED, 50.0, |way| way.find(DOWNLOAD_PINNED)?.rate()),
    rate(UPLOAD, 25.0, |way| way.find(UPLOAD)?.rate()),
    rate(UPLOAD_PINNED, 50.0, |way| way.find(UPLOAD_PINNED)?.rate()),
    Target {
        name: TO_SQUARE,
        unit: "s",
        limit: Limit::AtMost(|way| 0.45 * (way.elements as f64 / N).powi(2)),
        needs_gpu: false,
        value: |way| way.find(TO_SQUARE)?.median(),
    },
    over_the_file("the whole way, over a plain write of the file", |way| over_write(way, &[])),
    over_the_file("the same without opening and loading", |way| over_write(way, &[OPEN, LOAD])),
];

const fn rate(name: &'static str, least: f64, value: fn(&Way) -> Option<f64>) -> Target {
    Target { name, unit: "GB/s", limit: Limit::AtLeast(least), needs_gpu: true, value }
}

const fn over_the_file(name: &'static str, value: fn(&Way) -> Option<f64>) -> Target {
    Target { name, unit: "", limit: Limit::AtMost(|_| 1.3), needs_gpu: true, value }
}

/// The steps but these, over a plain write of the same bytes to the same file.
fn over_write(way: &Way, without: &[&str]) -> Option<f64> {
    let steps = way.steps.iter().filter(|step| !without.contains(&step.name.as_str()));
    let whole: f64 = steps.filter_map(|step| step.median()).sum();
    Some(whole / way.find(PLAIN_WRITE)?.median()?)
}

/// A target beside what was measured.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) limit: String,
    pub(super) verdict: String,
    is_missed: bool,
}

/// Every target.
pub(super) fn rows(way: &Way) -> Vec<Row> {
    TARGETS.iter().map(|target| target.row(way)).collect()
}

/// Which targets are missed; `None` where none is.
pub(super) fn missed(way: &Way) -> Option<String> {
    let rows = rows(way);
    let missed = rows.iter().filter(|row| row.is_missed);
    let lines: Vec<String> =
        missed.map(|row| format!("\n  {}: {}, {}", row.name, row.value, row.verdict)).collect();
    let (missed, all) = (lines.len(), rows.len());
    (missed > 0).then(|| format!("{missed} of {all} targets are missed{}", lines.concat()))
}

impl Target {
    fn row(&self, way: &Way) -> Row {
        let value = (self.value)(way);
        let (word, limit) = match self.limit {
            Limit::AtLeast(limit) => ("at least", limit),
            Limit::AtMost(limit) => ("at most", limit(way)),
        };
        let reached = |value: f64| match self.limit {
            Limit::AtLeast(_) => value >= limit,
            Limit::AtMost(_) => value <= limit,
        };
        let with_unit = |number: f64| format!("{number:.3} {}", self.unit).trim_end().to_owned();
        // A missing figure is a missed target, wherever it should be.
        let (verdict, is_missed) = match value {
            _ if self.needs_gpu && !way.on_gpu => ("not judged: this is no GPU".to_owned(), false),
            None => ("not measured".to_owned(), true),
            Some(_) if way.cores < CORES => {
                (format!("not judged: {} cores, and the target is for {CORES}", way.cores), false)
            }
            Some(value) if reached(value) => ("met".to_owned(), false),
            Some(value) => {
                let short = (value / limit - 1.0).abs() * 100.0;
                (format!("missed by {short:.1} %"), true)
            }
        };
        Row {
            name: self.name,
            value: value.map(with_unit).unwrap_or_default(),
            limit: format!("{word} {}", with_unit(limit)),
            verdict,
            is_missed,
        }
    }
}
