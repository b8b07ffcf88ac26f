//! The figures of a way.

use serde::{Deserialize, Serialize};

use crate::measure::times::Spread;

/// A way, step by step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Way {
    /// n: the number of points.
    pub(crate) elements: usize,
    /// The cores that the process may use.
    pub(crate) cores: usize,
    pub(crate) on_gpu: bool,
    /// What a program does once, in its order, from opening the device to the file.
    pub(crate) steps: Vec<Step>,
    /// What else is done with large results, and what of the way can be repeated.
    pub(crate) others: Vec<Step>,
    /// What the machine does at most.
    pub(crate) floors: Vec<Step>,
}

/// Something that takes time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) name: String,
    /// The bytes that are copied, made or read; 0 where no rate makes sense.
    pub(crate) bytes: usize,
    /// The time of each round.
    pub(crate) seconds: Vec<f64>,
}

impl Way {
    /// The step, or the floor, of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Step> {
        let mut all = self.steps.iter().chain(&self.others).chain(&self.floors);
        all.find(|step| step.name == name)
    }
}

impl Step {
    fn spread(&self) -> Option<Spread> {
        Spread::extremes(self.seconds.clone())
    }

    /// The median of its times; `None` where there are none.
    pub(crate) fn median(&self) -> Option<f64> {
        Some(self.spread()?.median)
    }

    /// Bytes a second, in GB, where that makes sense.
    pub(crate) fn rate(&self) -> Option<f64> {
        let median = self.median().filter(|median| *median > 0.0 && self.bytes > 0)?;
        Some(self.bytes as f64 / median / 1e9)
    }

    pub(super) fn milliseconds(&self) -> String {
        self.median().map(|median| format!("{:.3}", 1e3 * median)).unwrap_or_default()
    }

    pub(super) fn range(&self) -> String {
        let range = |Spread { low, high, .. }| format!("{:.3}..{:.3}", 1e3 * low, 1e3 * high);
        self.spread().map(range).unwrap_or_default()
    }

    pub(super) fn rates(&self) -> String {
        self.rate().map(|rate| format!("{rate:.2}")).unwrap_or_default()
    }
}
