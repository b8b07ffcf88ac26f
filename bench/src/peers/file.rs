//! What the peers did, as it is kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::figures::Spread;
use crate::record::Record;

/// All peers, beside the generated kernels.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Peers {
    /// Python's packages, and what is told of others.
    pub(crate) versions: BTreeMap<String, String>,
    pub(crate) answers: Vec<Answer>,
}

/// What one of them did with a work at some n.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) peer: String,
    /// Which of its forms was fastest, where it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) variant: Option<String>,
    pub(crate) work: Work,
    pub(crate) n: usize,
    pub(crate) outcome: Outcome,
    /// The error's text, or how far off the results are.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) detail: String,
    /// Of one run, in milliseconds, where it was timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<Spread>,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Work {
    /// Distances of points with four features.
    Edm,
    /// Collisions of spheres in space, counted.
    Collision,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    Right,
    /// Further off than roundings explain, and still near.
    Inexact,
    /// Wrong, without an error.
    Garbage,
    Error,
}

impl Record for Peers {
    const FILE: &'static str = "peers.json";
    const WHAT: &'static str = "td-bench peers, format 1";
    const COMMAND: &'static str = "td-bench peers";
}

/// The same where there is no GPU.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CpuPeers(pub(crate) Peers);

impl Record for CpuPeers {
    const FILE: &'static str = "peers-cpu.json";
    const WHAT: &'static str = "td-bench peers --cpu, format 1";
    const COMMAND: &'static str = "td-bench peers --cpu";
}

impl Work {
    /// As Python's scripts have it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Work::Edm => "edm",
            Work::Collision => "collision",
        }
    }
}

impl Outcome {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Outcome::Right => "right",
            Outcome::Inexact => "inexact",
            Outcome::Garbage => "garbage",
            Outcome::Error => "error",
        }
    }
}
