//! The figures as they are kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::measure::times::Spread;

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

impl Figures {
    /// The point of a work at n, if it is there.
    pub(crate) fn point(&self, work: &str, n: usize) -> Option<&Point> {
        self.points.iter().find(|point| point.work == work && point.n == n)
    }
}

impl Point {
    /// Every result that was wrong, in words.
    pub(crate) fn wrong(&self) -> impl Iterator<Item = String> {
        self.choices.iter().filter_map(|choice| match &choice.outcome {
            Outcome::Wrong { wrong } => {
                Some(format!("{}, n = {}, {}: {wrong}", self.work, self.n, choice.name))
            }
            _ => None,
        })
    }

    /// Whether there is nothing to be gained by measuring it again.
    pub(crate) fn is_done(&self) -> bool {
        self.skipped.is_none() && self.wrong().next().is_none()
    }

    /// The milliseconds of a choice and its factor, if it was timed.
    pub(crate) fn timed(&self, choice: &str) -> Option<[Spread; 2]> {
        let measured = self.choices.iter().find(|measured| measured.name == choice)?;
        match measured.outcome {
            Outcome::Timed { ms, factor } => Some([ms, factor]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
