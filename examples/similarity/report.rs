//! What the program prints.

use std::fmt;
use std::time::Duration;

use td_kernel::Device;
use td_kernel_examples::progress::Elements;
use td_kernel_examples::{Digits, Labels, LeftOut, Vectors};

use crate::closest::{Closest, Pair};
use crate::metric::Metric;

/// One line for each fact, with its name in front.
#[derive(Debug)]
pub(crate) struct Report {
    device: String,
    rows: String,
    features: usize,
    labels: Option<Labels>,
    left_out: Vec<u64>,
    metric: Metric,
    pairs: u64,
    closest: Closest,
    time: Duration,
}

impl Report {
    pub(crate) fn new(
        device: &Device,
        rows: Vectors,
        metric: Metric,
        closest: Closest,
        time: Duration,
    ) -> Report {
        Report {
            device: device.name().into(),
            rows: format!("{} ({})", rows.count, rows.origin),
            features: rows.features,
            labels: rows.labels,
            left_out: rows.left_out,
            metric,
            pairs: Elements::One(rows.count).pairs(),
            closest,
            time,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "device: {}", self.device)?;
        writeln!(f, "rows: {}", self.rows)?;
        writeln!(f, "features: {}", self.features)?;
        if let Some(labels) = &self.labels {
            writeln!(f, "labels: {}", labels.names.len())?;
        }
        if !self.left_out.is_empty() {
            writeln!(f, "left out: {}", LeftOut(&self.left_out))?;
        }
        writeln!(f, "metric: {}", self.metric)?;
        write!(f, "pairs: {}", self.pairs)?;
        if self.pairs == 0 {
            return write!(f, ", so there is nothing to compare");
        }
        let name = if self.metric.is_similarity() { "most similar" } else { "closest" };
        // Pairs without a value come last, and are counted below.
        let has_value = |pair: &&Pair| !pair.value.is_nan();
        for Pair { i, j, value } in self.closest.pairs.iter().filter(has_value) {
            write!(f, "\n{name}: {} (i = {i}, j = {j})", Digits((*value).into()))?;
            if let Some(labels) = &self.labels {
                write!(f, ", {} and {}", labels.name(*i), labels.name(*j))?;
            }
        }
        let undefined = self.closest.undefined;
        if let Some(mean) = self.closest.mean {
            let of = match (undefined, self.pairs.saturating_sub(undefined)) {
                (0, _) => "all pairs".into(),
                (_, 1) => "the one pair that has a value".into(),
                (_, defined) => format!("the {defined} pairs that have a value"),
            };
            write!(f, "\nmean of {of}: {}", Digits(mean))?;
        }
        if undefined > 0 {
            let pairs = if undefined == 1 { "pair" } else { "pairs" };
            write!(f, "\nundefined: {undefined} {pairs}, with a row that has no direction")?;
        }
        let seconds = self.time.as_secs_f64();
        let terms = self.pairs as f64 * self.features as f64 / seconds;
        write!(f, "\nkernel: {:.3} ms, {terms:.3e} features of pairs/s", seconds * 1e3)
    }
}
