//! The figures as they are kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::{Record, rounded};

/// Everything that was measured so far.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// The blocks of each choice with one thread a pair, by n: those launched, and those that it takes.
    pub(crate) blocks: Vec<Blocks>,
    pub(crate) points: Vec<Point>,
}

/// The blocks of every choice at one n.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Blocks {
    pub(crate) n: usize,
    pub(crate) launched_and_needed: BTreeMap<String, [u64; 2]>,
}

/// One work at one n.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) work: String,
    pub(crate) n: usize,
    pub(crate) rounds: usize,
    /// Launches that are timed together.
    pub(crate) repeats: u32,
    /// Why nothing was measured, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) skipped: Option<String>,
    pub(crate) choices: Vec<Measured>,
}

/// One choice of a point.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Timed {
        /// Of one launch, in milliseconds.
        ms: Spread,
        /// The bounding box's time over this one's.
        factor: Spread,
    },
    /// The library says that the map does not go so far.
    Refused { refused: String },
    /// It failed, or its results are wrong.
    Wrong { wrong: String },
}

/// A median, and the quarters of the rounds below and above: half of the rounds are between the two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 3]", into = "[f64; 3]")]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Record for Figures {
    const FILE: &'static str = "figures.json";
    const WHAT: &'static str = "td-bench figures, format 1";
    const COMMAND: &'static str = "td-bench figures";
}

impl Figures {
    /// The point of a work at n, if it is there.
    pub(crate) fn point(&self, work: &str, n: usize) -> Option<&Point> {
        self.points.iter().find(|point| point.work == work && point.n == n)
    }
}

impl Point {
    /// Whether there is nothing to be gained by measuring it again.
    pub(crate) fn is_done(&self) -> bool {
        let is_wrong = |measured: &Measured| matches!(measured.outcome, Outcome::Wrong { .. });
        self.skipped.is_none() && !self.choices.iter().any(is_wrong)
    }

    /// The factor of a choice, if it was timed.
    pub(crate) fn factor(&self, choice: &str) -> Option<Spread> {
        let measured = self.choices.iter().find(|measured| measured.name == choice)?;
        match measured.outcome {
            Outcome::Timed { factor, .. } => Some(factor),
            _ => None,
        }
    }

    /// The milliseconds of a choice, if it was timed.
    pub(crate) fn milliseconds(&self, choice: &str) -> Option<Spread> {
        let measured = self.choices.iter().find(|measured| measured.name == choice)?;
        match measured.outcome {
            Outcome::Timed { ms, .. } => Some(ms),
            _ => None,
        }
    }
}

impl Spread {
    /// Of at least one sample.
    pub(crate) fn of(mut samples: Vec<f64>) -> Option<Spread> {
        samples.sort_unstable_by(f64::total_cmp);
        let last = samples.len().checked_sub(1)?;
        Some(Spread {
            median: rounded(samples[samples.len() / 2]),
            low: rounded(samples[last / 4]),
            high: rounded(samples[last - last / 4]),
        })
    }
}

impl Spread {
    /// With as many digits as are kept.
    pub(crate) fn rounded(self) -> Spread {
        <[f64; 3]>::from(self).map(rounded).into()
    }
}

impl From<[f64; 3]> for Spread {
    fn from([median, low, high]: [f64; 3]) -> Spread {
        Spread { median, low, high }
    }
}

impl From<Spread> for [f64; 3] {
    fn from(spread: Spread) -> [f64; 3] {
        [spread.median, spread.low, spread.high]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_rounds_are_within_the_spread() {
        let spread = Spread::of((1..=9).map(f64::from).collect()).unwrap();
        assert_eq!(<[f64; 3]>::from(spread), [5.0, 3.0, 7.0]);
        assert_eq!(Spread::of(vec![2.0]).unwrap().high, 2.0);
        assert!(Spread::of(Vec::new()).is_none());
    }

    #[test]
    fn outcomes_are_told_apart() {
        let read = |text: &str| serde_json::from_str::<Measured>(text).unwrap().outcome;
        let timed = read(r#"{"name": "a", "ms": [1, 1, 1], "factor": [2, 2, 2]}"#);
        assert!(matches!(timed, Outcome::Timed { factor, .. } if factor.median == 2.0));
        let refused = read(r#"{"name": "a", "refused": "past its end"}"#);
        assert_eq!(refused, Outcome::Refused { refused: "past its end".into() });
        assert!(serde_json::from_str::<Measured>(r#"{"name": "a"}"#).is_err());
    }
}
