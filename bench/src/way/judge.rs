//! The targets of a way.

use super::file::Way;
use super::steps::{
    DOWNLOAD, DOWNLOAD_PINNED, LOAD, OPEN, PLAIN_WRITE, TO_SQUARE, UPLOAD, UPLOAD_PINNED,
};
use crate::targets::target::Bound;

/// The cores that the targets are for. With fewer they are not judged: threads are what reaches them.
const CORES: usize = 16;

/// The n that the limit of `to_square` is for; it goes with n².
const N: f64 = 30_720.0;

/// What is to be reached.
struct Target {
    name: &'static str,
    unit: &'static str,
    bound: fn(&Way) -> Bound,
    needs_gpu: bool,
    value: fn(&Way) -> Option<f64>,
}

const TARGETS: &[Target] = &[
    rate(DOWNLOAD, |_| Bound::AtLeast(25.0), |way| way.find(DOWNLOAD)?.rate()),
    rate(DOWNLOAD_PINNED, |_| Bound::AtLeast(50.0), |way| way.find(DOWNLOAD_PINNED)?.rate()),
    rate(UPLOAD, |_| Bound::AtLeast(25.0), |way| way.find(UPLOAD)?.rate()),
    rate(UPLOAD_PINNED, |_| Bound::AtLeast(50.0), |way| way.find(UPLOAD_PINNED)?.rate()),
    Target {
        name: TO_SQUARE,
        unit: "s",
        bound: |way| Bound::AtMost(0.45 * (way.elements as f64 / N).powi(2)),
        needs_gpu: false,
        value: |way| way.find(TO_SQUARE)?.median(),
    },
    over_the_file("the whole way, over a plain write of the file", |way| over_write(way, &[])),
    over_the_file("the same without opening and loading", |way| over_write(way, &[OPEN, LOAD])),
];

const fn rate(
    name: &'static str,
    bound: fn(&Way) -> Bound,
    value: fn(&Way) -> Option<f64>,
) -> Target {
    Target { name, unit: "GB/s", bound, needs_gpu: true, value }
}

const fn over_the_file(name: &'static str, value: fn(&Way) -> Option<f64>) -> Target {
    Target { name, unit: "", bound: |_| Bound::AtMost(1.3), needs_gpu: true, value }
}

/// The steps but these, over a plain write of the same bytes to the same file.
fn over_write(way: &Way, without: &[&str]) -> Option<f64> {
    let steps = way.steps.iter().filter(|step| !without.contains(&step.name.as_str()));
    let whole: f64 = steps.filter_map(|step| step.median()).sum();
    Some(whole / way.find(PLAIN_WRITE)?.median()?)
}

/// Every target beside what was measured: its name, the value, the limit, and whether it is met.
pub(super) fn rows(way: &Way) -> Vec<Vec<String>> {
    let row = |target: &Target| {
        let bound = (target.bound)(way);
        let limit = format!("{} {}", bound.word(), target.with_unit(bound.limit()));
        let verdict = target.verdict(way).0;
        vec![target.name.into(), target.value_of(way), limit, verdict]
    };
    TARGETS.iter().map(row).collect()
}

/// Which targets are missed.
pub(super) fn missed(way: &Way) -> Vec<String> {
    let mut missed = Vec::new();
    for target in TARGETS {
        if let (verdict, true) = target.verdict(way) {
            missed.push(format!("  {}: {}, {verdict}", target.name, target.value_of(way)));
        }
    }
    if !missed.is_empty() {
        missed.insert(0, format!("{} of {} targets are missed", missed.len(), TARGETS.len()));
    }
    missed
}

impl Target {
    fn with_unit(&self, number: f64) -> String {
        format!("{number:.3} {}", self.unit).trim_end().to_owned()
    }

    fn value_of(&self, way: &Way) -> String {
        (self.value)(way).map(|value| self.with_unit(value)).unwrap_or_default()
    }

    /// What is said of the target, and whether it is missed: so is one without a figure, wherever there should be one.
    fn verdict(&self, way: &Way) -> (String, bool) {
        match (self.value)(way) {
            _ if self.needs_gpu && !way.on_gpu => ("not judged: this is no GPU".into(), false),
            None => ("not measured".into(), true),
            Some(_) if way.cores < CORES => {
                (format!("not judged: {} cores, and the target is for {CORES}", way.cores), false)
            }
            Some(value) => match (self.bound)(way).missed(value) {
                Some(missed) => (missed, true),
                None => ("met".into(), false),
            },
        }
    }
}
