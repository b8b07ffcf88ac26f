//! What is to be reached, and what was measured.

mod multiples;

use serde::{Deserialize, Serialize};

use self::multiples::{PLOTS, groups_of};
use super::{Setting, TARGETS};
use crate::experiment::{Experiment, Section, missed};
use crate::measure::times::{Spread, Times};
use crate::words::{first_line, table};
use crate::{Failure, plot};

/// A ratio that some work is to reach.
pub(crate) struct Target {
    /// The work, and what it is compared with where that is not its floor.
    pub(crate) work: &'static str,
    /// The features of a point, where the work is on points.
    pub(crate) features: Option<u32>,
    pub(crate) n: usize,
    pub(crate) bound: Bound,
    /// Whether it is compared with what bounds it, and not with others that do the same.
    pub(crate) is_floor: bool,
    pub(crate) measure: fn(&Setting, usize) -> Result<Outcome, Failure>,
}

/// On which side of a number something is to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Bound {
    /// Such as our time over the floor's.
    #[serde(rename = "at most")]
    AtMost(f64),
    /// Such as the time of what we compare with, over ours.
    #[serde(rename = "at least")]
    AtLeast(f64),
    /// Our time over the other one, without a limit.
    #[serde(rename = "cost")]
    Cost,
    /// The other time over ours, without a limit.
    #[serde(rename = "gain")]
    Gain,
}

/// Everything that was measured.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Targets {
    /// Words of the works that were asked for; none where it was all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) only: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// A target, and how it was met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) work: String,
    pub(crate) features: Option<u32>,
    pub(crate) n: usize,
    pub(crate) target: Bound,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Measured(Measured),
    /// Why there are no figures: what they need is not there.
    NotMeasured {
        not_measured: String,
    },
    /// It failed, or its results are wrong.
    Wrong {
        wrong: String,
    },
}

/// Times of the same rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// The generated kernel.
    pub(crate) ours: Times,
    /// The floor, or what else ours is compared with.
    pub(crate) reference: Times,
    /// What does not count: hand-written kernels, and other maps.
    pub(crate) others: Vec<Times>,
}

impl Bound {
    pub(crate) fn has_limit(self) -> bool {
        matches!(self, Bound::AtMost(_) | Bound::AtLeast(_))
    }

    /// As tables have it, with the limit in a form of theirs.
    pub(crate) fn words(self, form: impl Fn(f64) -> String) -> String {
        match self {
            Bound::AtMost(limit) => format!("at most {}", form(limit)),
            Bound::AtLeast(limit) => format!("at least {}", form(limit)),
            Bound::Cost | Bound::Gain => "no limit".into(),
        }
    }

    /// By how much it is missed, in words; `None` where it is met.
    pub(crate) fn missed(self, value: f64) -> Option<String> {
        let (is_met, limit) = match self {
            Bound::AtMost(limit) => (value <= limit, limit),
            Bound::AtLeast(limit) => (value >= limit, limit),
            Bound::Cost | Bound::Gain => return None,
        };
        let short = (value / limit - 1.0).abs() * 100.0;
        (!is_met).then(|| format!("missed by {short:.1} %"))
    }
}

impl Outcome {
    /// What is wrong with the work of this name, if something is.
    pub(crate) fn wrong(&self, name: &str) -> Option<String> {
        match self {
            Outcome::Wrong { wrong } => Some(format!("{name}: {wrong}")),
            _ => None,
        }
    }
}

/// A work as one names it in a sentence.
fn name(work: &str, features: Option<u32>, n: usize) -> String {
    match features {
        Some(1) => format!("{work}, 1 feature, n = {n}"),
        Some(features) => format!("{work}, {features} features, n = {n}"),
        None => format!("{work}, n = {n}"),
    }
}

impl Target {
    pub(crate) fn name(&self) -> String {
        name(self.work, self.features, self.n)
    }

    /// Whether one of these words is in the work's name; without any, every target is asked for.
    pub(crate) fn is_asked_for(&self, only: &[String]) -> bool {
        only.is_empty() || only.iter().any(|word| self.work.contains(word))
    }

    pub(crate) fn row(&self, outcome: Outcome) -> Row {
        let Target { work, features, n, bound, .. } = *self;
        Row { work: work.into(), features, n, target: bound, outcome }
    }

    /// The outcome; a failure is one too, since one work that fails says nothing about the next.
    pub(crate) fn outcome(&self, setting: &Setting) -> Outcome {
        (self.measure)(setting, self.n)
            .unwrap_or_else(|error| Outcome::Wrong { wrong: error.to_string() })
    }
}

impl Row {
    pub(crate) fn name(&self) -> String {
        name(&self.work, self.features, self.n)
    }

    /// The ratio that the target is about, where it was measured.
    fn ratio(&self) -> Option<f64> {
        let Outcome::Measured(measured) = &self.outcome else { return None };
        let (ours, reference) = (measured.ours.ms.median, measured.reference.ms.median);
        Some(match self.target {
            Bound::AtMost(_) | Bound::Cost => ours / reference,
            Bound::AtLeast(_) | Bound::Gain => reference / ours,
        })
    }

    /// Why the target is not met; `None` where it is. What has no limit may be left out.
    pub(super) fn missed(&self) -> Option<String> {
        match &self.outcome {
            Outcome::NotMeasured { .. } if !self.target.has_limit() => None,
            _ => self.reason(),
        }
    }

    /// Why the target is not met, or why there are no figures.
    fn reason(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Measured(_) => self.ratio().and_then(|ratio| self.target.missed(ratio)),
            Outcome::NotMeasured { not_measured: reason } | Outcome::Wrong { wrong: reason } => {
                Some(format!("not measured: {reason}"))
            }
        }
    }

    /// The row, with one for each of what ran in the same rounds below it.
    fn lines(&self) -> Vec<Vec<String>> {
        let figures = |Spread { median, low, high }: Spread| {
            [format!("{median:.5}"), format!("{low:.5}..{high:.5}")]
        };
        let features = self.features.map(|features| features.to_string()).unwrap_or_default();
        let mut lines = vec![vec![self.work.clone(), features, self.n.to_string()]];
        if let Outcome::Measured(Measured { ours, reference, others }) = &self.outcome {
            lines[0].extend(figures(ours.ms));
            lines[0].push(reference.name.clone());
            lines[0].extend(figures(reference.ms));
            for other in others {
                let mut line = vec![String::new(); 5];
                line.push(format!("  {}", other.name));
                line.extend(figures(other.ms));
                lines.push(line);
            }
        }
        lines[0].resize(8, String::new());
        lines[0].push(self.ratio().map(|ratio| format!("{ratio:.3}")).unwrap_or_default());
        lines[0].push(self.target.words(|limit| format!("{limit:.2}")));
        let verdict = match self.reason() {
            Some(reason) => first_line(&reason).into(),
            None if !self.target.has_limit() => String::new(),
            None => "met".into(),
        };
        lines[0].push(verdict);
        lines.iter_mut().for_each(|line| line.resize(11, String::new()));
        lines
    }
}

const HEADINGS: &str =
    "work,features,n,ours in ms,low..high,compared with,its ms,low..high,ratio,target,verdict";

impl Targets {
    /// Every target that was asked for, with its row, judged by this program's limit: one that is not there is not
    /// measured.
    pub(super) fn judged(&self, targets: &[Target]) -> Vec<Row> {
        let row = |target: &Target| {
            let row = self.rows.iter().find(|row| row.name() == target.name());
            let outcome = row.map(|row| row.outcome.clone());
            target.row(outcome.unwrap_or_else(|| Outcome::NotMeasured {
                not_measured: "the file has no such row".into(),
            }))
        };
        targets.iter().filter(|target| target.is_asked_for(&self.only)).map(row).collect()
    }
}

pub(super) fn table_of(rows: &[Row]) -> String {
    let lines: Vec<_> = rows.iter().flat_map(Row::lines).collect();
    table(&HEADINGS.split(',').collect::<Vec<_>>(), &lines)
}

/// The sections, and how the works begin that are in them; those that begin otherwise are in the first.
const SECTIONS: [(&str, &str, &[&str]); 4] = [
    ("targets", "Targets", &[]),
    ("elements", "Two sets, and results per element", &["rectangle", "forces", "row minima"]),
    ("folds", "Sums over many features", &["fold"]),
    ("neighbours", "Nearest neighbours of all", &["neighbours"]),
];

fn section_of(row: &Row) -> usize {
    let begins = |words: &[&str]| words.iter().any(|work| row.work.starts_with(work));
    SECTIONS.iter().position(|(.., words)| begins(words)).unwrap_or(0)
}

impl Experiment for Targets {
    fn sections(&self) -> Vec<Section> {
        let rows = self.judged(TARGETS);
        let section = |(place, (name, heading, _)): (usize, &(&'static str, &str, _))| {
            let rows = rows.iter().filter(|row| section_of(row) == place);
            let rows: Vec<Row> = rows.cloned().collect();
            (!rows.is_empty()).then(|| Section::new(name, *heading, table_of(&rows)))
        };
        SECTIONS.iter().enumerate().filter_map(section).collect()
    }

    fn plots(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let rows = self.judged(TARGETS);
        let mut plots = Vec::new();
        for (name, works) in PLOTS {
            let groups = groups_of(&rows, works);
            if !groups.is_empty() {
                plots.push((name, plot::groups(&groups)?));
            }
        }
        Ok(plots)
    }

    fn wrong(&self) -> Vec<String> {
        self.rows.iter().filter_map(|row| row.outcome.wrong(&row.name())).collect()
    }

    fn missed(&self) -> Vec<String> {
        let rows = self.judged(TARGETS);
        let all = rows.iter().map(|row| (row, row.missed()));
        // What has no limit is no target, unless its results are wrong.
        let judged = all.filter(|(row, missed)| row.target.has_limit() || missed.is_some());
        missed(judged.map(|(row, missed)| (row.name(), missed)))
    }
}
