//! The targets of a way.

use super::file::Way;
use super::steps::{
    DOWNLOAD, DOWNLOAD_PINNED, LOAD, OPEN, PLAIN_WRITE, TO_SQUARE, UPLOAD, UPLOAD_PINNED,
};
use crate::targets::target::Bound;

/// The cores that the targets are for. With fewer they are not judged: threads are what reaches them.
const CORES: usize = 16;

/// What is to be reached.
struct Target {
    name: &'static str,
    unit: &'static str,
    bound: Bound,
    needs_gpu: bool,
    value: fn(&Way) -> Option<f64>,
}

const TARGETS: &[Target] = &[
    rate(DOWNLOAD, 25.0, |way| way.find(DOWNLOAD)?.rate()),
    rate(DOWNLOAD_PINNED, 50.0, |way| way.find(DOWNLOAD_PINNED)?.rate()),
    rate(UPLOAD, 25.0, |way| way.find(UPLOAD)?.rate()),
    rate(UPLOAD_PINNED, 50.0, |way| way.find(UPLOAD_PINNED)?.rate()),
    Target {
        name: "to_square, for n = 30,720",
        unit: " s",
        bound: Bound::AtMost(0.45),
        needs_gpu: false,
        // The time goes with n².
        value: |way| {
            Some(way.find(TO_SQUARE)?.median()? * (30_720.0 / way.elements as f64).powi(2))
        },
    },
    over_the_file("the whole way, over a plain write of the file", |way| over_write(way, &[])),
    over_the_file("the same without opening and loading", |way| over_write(way, &[OPEN, LOAD])),
];

const fn rate(name: &'static str, least: f64, value: fn(&Way) -> Option<f64>) -> Target {
    Target { name, unit: " GB/s", bound: Bound::AtLeast(least), needs_gpu: true, value }
}

const fn over_the_file(name: &'static str, value: fn(&Way) -> Option<f64>) -> Target {
    Target { name, unit: "", bound: Bound::AtMost(1.3), needs_gpu: true, value }
}

/// The steps but these, over a plain write of the same bytes to the same file.
fn over_write(way: &Way, without: &[&str]) -> Option<f64> {
    let steps = way.steps.iter().filter(|step| !without.contains(&step.name.as_str()));
    let whole: f64 = steps.filter_map(|step| step.median()).sum();
    Some(whole / way.find(PLAIN_WRITE)?.median()?)
}

/// A target beside what was measured.
pub(super) struct Verdict {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) limit: String,
    pub(super) words: String,
    /// So is one without a figure, wherever there should be one.
    pub(super) is_missed: bool,
}

/// Every target, judged.
pub(super) fn verdicts(way: &Way) -> impl Iterator<Item = Verdict> {
    TARGETS.iter().map(|&Target { name, unit, bound, needs_gpu, value }| {
        let value = value(way);
        let (words, is_missed) = match value.map(|value| bound.missed(value)) {
            _ if needs_gpu && !way.on_gpu => ("not judged: this is no GPU".into(), false),
            None => ("not measured".into(), true),
            Some(_) if way.cores < CORES => {
                (format!("not judged: {} cores, and the target is for {CORES}", way.cores), false)
            }
            Some(missed) => (missed.clone().unwrap_or("met".into()), missed.is_some()),
        };
        let limit = bound.words(|limit| format!("{limit:.3}{unit}"));
        let value = value.map(|value| format!("{value:.3}{unit}")).unwrap_or_default();
        Verdict { name, value, limit, words, is_missed }
    })
}
