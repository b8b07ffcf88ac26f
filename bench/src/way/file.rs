//! The figures of a way.

use serde::{Deserialize, Serialize};

use super::judge;
use crate::experiment::{Experiment, Section};
use crate::measure::times::Spread;
use crate::words::table;

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

impl Experiment for Way {
    /// The way with each step's share, the rest, the floors and the targets.
    fn sections(&self) -> Vec<Section> {
        let whole: f64 = self.steps.iter().filter_map(Step::median).sum();
        let shares = self.steps.iter().map(|step| {
            let share = step.median().map(|median| format!("{:.1} %", 100.0 * median / whole));
            vec![step.name.clone(), step.milliseconds(), share.unwrap_or_default(), step.rates()]
        });
        let mut rows: Vec<Vec<String>> = shares.collect();
        let all = ["all of it", &format!("{:.3}", 1e3 * whole), "100.0 %", ""];
        rows.push(all.map(str::to_owned).into());
        let heading = format!("The way, once: n = {}, {} cores", self.elements, self.cores);
        let text = table(&["step", "ms", "share", "GB/s"], &rows);
        let mut sections = vec![Section::new("way", heading, text)];
        let headings = ["step", "ms", "low..high", "GB/s"];
        for (name, heading, steps) in [
            ("rest", "The rest, medians", &self.others),
            ("floors", "Floors, medians", &self.floors),
        ] {
            let row = |step: &Step| {
                vec![step.name.clone(), step.milliseconds(), step.range(), step.rates()]
            };
            let rows: Vec<_> = steps.iter().map(row).collect();
            sections.push(Section::new(name, heading, table(&headings, &rows)));
        }
        let text = table(&["target", "value", "limit", "verdict"], &judge::rows(self));
        sections.push(Section::new("targets", "Targets", text));
        sections
    }

    fn missed(&self) -> Vec<String> {
        judge::missed(self)
    }
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

    fn milliseconds(&self) -> String {
        self.median().map(|median| format!("{:.3}", 1e3 * median)).unwrap_or_default()
    }

    fn range(&self) -> String {
        let range = |Spread { low, high, .. }| format!("{:.3}..{:.3}", 1e3 * low, 1e3 * high);
        self.spread().map(range).unwrap_or_default()
    }

    fn rates(&self) -> String {
        self.rate().map(|rate| format!("{rate:.2}")).unwrap_or_default()
    }
}
