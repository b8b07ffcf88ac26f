//! What is to be reached, and what was measured.

use crate::measure::times::Times;

/// A ratio that some work is to reach.
#[derive(Debug, PartialEq)]
pub(crate) struct Target {
    /// The work, and what it is compared with where that is not its floor.
    pub(crate) work: &'static str,
    /// The features of a point, where the work is on points.
    pub(crate) features: Option<u32>,
    pub(crate) n: usize,
    pub(crate) bound: Bound,
}

/// On which side of a number a ratio is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// Our time over the floor's is at most this.
    AtMost(f64),
    /// The time of what we compare with, over ours, is at least this.
    AtLeast(f64),
}

/// A target, and how it was met.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) target: &'static Target,
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Measured(Measured),
    /// Why there are no figures.
    NotMeasured(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    /// The generated kernel.
    pub(crate) ours: Times,
    /// The floor, or what else ours is compared with.
    pub(crate) reference: Times,
    /// What ran in the same rounds and does not count: hand-written kernels, and other maps.
    pub(crate) others: Vec<Times>,
}

impl Target {
    /// The target as one names it in a sentence.
    pub(crate) fn name(&self) -> String {
        match self.features {
            Some(1) => format!("{}, 1 feature, n = {}", self.work, self.n),
            Some(features) => format!("{}, {features} features, n = {}", self.work, self.n),
            None => format!("{}, n = {}", self.work, self.n),
        }
    }
}

impl Bound {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Bound::AtMost(_) => "at most",
            Bound::AtLeast(_) => "at least",
        }
    }

    pub(crate) fn limit(self) -> f64 {
        match self {
            Bound::AtMost(limit) | Bound::AtLeast(limit) => limit,
        }
    }

    fn is_met(self, ratio: f64) -> bool {
        match self {
            Bound::AtMost(limit) => ratio <= limit,
            Bound::AtLeast(limit) => ratio >= limit,
        }
    }
}

impl Row {
    /// The ratio that the target is about, where it was measured.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let Outcome::Measured(measured) = &self.outcome else { return None };
        let (ours, reference) = (measured.ours.median, measured.reference.median);
        Some(match self.target.bound {
            Bound::AtMost(_) => ours / reference,
            Bound::AtLeast(_) => reference / ours,
        })
    }

    pub(crate) fn is_met(&self) -> bool {
        self.ratio().is_some_and(|ratio| self.target.bound.is_met(ratio))
    }

    /// A word or two on whether the target was met, and if not, by how much it was missed.
    pub(crate) fn verdict(&self) -> String {
        match (self.ratio(), &self.outcome) {
            (Some(_), _) if self.is_met() => "met".to_owned(),
            (Some(ratio), _) => {
                let short = (ratio / self.target.bound.limit() - 1.0).abs() * 100.0;
                format!("missed by {short:.1} %")
            }
            (None, Outcome::NotMeasured(reason)) => format!("not measured: {reason}"),
            (None, Outcome::Measured(_)) => "not measured".to_owned(),
        }
    }
}
