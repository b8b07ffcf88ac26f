//! The limits as they are kept.

use serde::{Deserialize, Serialize};

use crate::figures::Spread;
use crate::record::{Record, rounded};
use crate::targets::target::Measured;

/// The limits, and what comes near them.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) rates: Vec<Rate>,
    pub(crate) floors: Vec<Floor>,
}

/// How fast the GPU is at one thing.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rate {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) value: Spread,
}

/// A generated kernel beside the floor that bounds it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Floor {
    pub(crate) name: String,
    pub(crate) n: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) beside: Option<Beside>,
    /// Why nothing was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
}

/// The two times, each a median with the shortest and the longest.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Beside {
    pub(crate) ms: Spread,
    pub(crate) floor: String,
    pub(crate) floor_ms: Spread,
}

impl Record for Limits {
    const FILE: &'static str = "limits.json";
    const WHAT: &'static str = "td-bench limits, format 1";
    const COMMAND: &'static str = "td-bench limits";
}

impl Limits {
    /// A rate by its name.
    pub(crate) fn rate(&self, name: &str) -> Option<&Rate> {
        self.rates.iter().find(|rate| rate.name == name)
    }
}

impl Floor {
    /// The share of the floor's speed that the kernel reaches.
    pub(crate) fn share(&self) -> Option<f64> {
        let Beside { ms, floor_ms, .. } = self.beside.as_ref()?;
        Some(floor_ms.median / ms.median)
    }

    /// The figures in words.
    pub(super) fn text(&self) -> String {
        match (&self.beside, &self.failed) {
            (Some(Beside { ms, floor, floor_ms }), _) => {
                let ratio = ms.median / floor_ms.median;
                format!("{:>9.4} ms, {ratio:.3} times its floor ({floor})", ms.median)
            }
            (None, reason) => format!("not measured: {}", reason.as_deref().unwrap_or("?")),
        }
    }

    /// What is wrong, if something is.
    pub(super) fn wrong(&self) -> Option<String> {
        Some(format!("{}: {}", self.name, self.failed.as_ref()?))
    }
}

/// The row of a kernel.
pub(super) fn floor(name: String, n: usize, outcome: Result<Measured, String>) -> Floor {
    let (beside, failed) = match outcome {
        Err(reason) => (None, Some(reason)),
        Ok(Measured { ours, reference, .. }) => {
            let spread = |times: &crate::measure::times::Times| Spread {
                median: rounded(times.median),
                low: rounded(times.low),
                high: rounded(times.high),
            };
            let (ms, floor_ms) = (spread(&ours), spread(&reference));
            (Some(Beside { ms, floor: reference.name, floor_ms }), None)
        }
    };
    Floor { name, n, beside, failed }
}
