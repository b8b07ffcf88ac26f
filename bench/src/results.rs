//! The results of an experiment: records of times taken in the same rounds, and the machine.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow};
use clap::Args;
use serde::{Deserialize, Serialize};
use td_kernel::{Device, nvrtc};

use crate::measure::gpu::driver_version;
use crate::measure::times::{Spread, Times};

/// The options of all experiments.
#[derive(Args)]
pub(crate) struct Run {
    /// The folder for the results
    #[arg(long, default_value = "results")]
    pub(crate) output: PathBuf,
    /// The commit of this program, recorded with the results
    #[arg(long)]
    pub(crate) commit: Option<String>,
    /// Only the works with one of these words in their names, such as `rectangle,forces`
    #[arg(long, value_delimiter = ',')]
    pub(crate) only: Vec<String>,
}

impl Run {
    pub(crate) fn asks_for(&self, work: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| work.contains(word.as_str()))
    }
}

/// The results of one experiment.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) experiment: String,
    pub(crate) machine: Machine,
    pub(crate) records: Vec<Record>,
    #[serde(skip)]
    path: PathBuf,
}

/// The environment of a measurement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) device: String,
    /// The GPU's driver, and NVRTC; `none` without a GPU.
    pub(crate) driver: String,
    pub(crate) nvrtc: String,
    /// The operating system and the processor's architecture.
    pub(crate) system: String,
    /// The version of this program, and so of the crates that it is built from.
    pub(crate) version: String,
    pub(crate) commit: Option<String>,
    pub(crate) command: String,
    /// Other software involved, such as a compiler or Python packages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) beside: String,
}

/// Ways to do one work, timed in the same rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) work: String,
    /// The features of an element, if the work is for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) features: Option<usize>,
    pub(crate) n: usize,
    /// The target of the first result compared with the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<Bound>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) note: String,
    /// Where the times of two variants cross, if the work is for a threshold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) crossing: Option<Crossing>,
    /// Each way, in milliseconds unless the work's name ends with another unit. In a comparison, ours is the first.
    pub(crate) results: Vec<(String, Outcome)>,
}

/// The outcome of one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Measured(Spread),
    /// The reason for a missing time, or an observation without a time.
    Untimed {
        untimed: String,
    },
    /// It failed, or its results are wrong.
    Wrong {
        wrong: String,
    },
}

/// The limit of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Bound {
    /// Our time over the other one.
    #[serde(rename = "at most")]
    AtMost(f64),
    /// The other time over ours.
    #[serde(rename = "at least")]
    AtLeast(f64),
    /// Our time over the other one, without a limit.
    #[serde(rename = "cost")]
    Cost,
    /// The other time over ours, without a limit.
    #[serde(rename = "gain")]
    Gain,
}

/// The error of a measurement that needs something unavailable, such as a Python package.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Untimed(pub(crate) String);

impl From<Error> for Outcome {
    fn from(error: Error) -> Outcome {
        match error.downcast::<Untimed>() {
            Ok(untimed) => Outcome::Untimed { untimed: untimed.0 },
            Err(error) => Outcome::Wrong { wrong: error.to_string() },
        }
    }
}

impl From<Result<Spread>> for Outcome {
    fn from(measured: Result<Spread>) -> Outcome {
        measured.map_or_else(Outcome::from, Outcome::Measured)
    }
}

impl Outcome {
    pub(crate) fn spread(&self) -> Option<Spread> {
        match self {
            Outcome::Measured(spread) => Some(*spread),
            Outcome::Untimed { .. } | Outcome::Wrong { .. } => None,
        }
    }

    /// The reason for a missing time, in one line.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Measured(_) => None,
            Outcome::Untimed { untimed: text } | Outcome::Wrong { wrong: text } => {
                Some(text.lines().next().unwrap_or_default())
            }
        }
    }
}

impl Record {
    pub(crate) fn new(work: impl Into<String>, n: usize) -> Record {
        let (work, note) = (work.into(), String::new());
        Record { work, features: None, n, target: None, note, crossing: None, results: Vec::new() }
    }

    /// Adds the number of features. 0 means that the work defines its elements.
    pub(crate) fn with_features(self, features: usize) -> Record {
        Record { features: (features > 0).then_some(features), ..self }
    }

    pub(crate) fn with_target(self, target: Bound) -> Record {
        Record { target: Some(target), ..self }
    }

    /// Adds these times; without them, the error as ours.
    pub(crate) fn with(mut self, times: Result<Vec<Times>>) -> Record {
        match times {
            Ok(times) => {
                let times = times.into_iter().map(|(name, ms)| (name, Outcome::Measured(ms)));
                self.results.extend(times);
            }
            Err(error) => self.results.push(("generated".into(), error.into())),
        }
        self
    }

    /// The name of the work in a sentence.
    pub(crate) fn name(&self) -> String {
        let Record { work, n, .. } = self;
        match self.features {
            Some(1) => format!("{work}, 1 feature, n = {n}"),
            Some(features) => format!("{work}, {features} features, n = {n}"),
            None => format!("{work}, n = {n}"),
        }
    }

    pub(crate) fn get(&self, way: &str) -> Option<&Outcome> {
        self.results.iter().find(|(name, _)| name == way).map(|(_, outcome)| outcome)
    }

    pub(crate) fn ms(&self, way: &str) -> Option<f64> {
        Some(self.get(way)?.spread()?.median)
    }

    /// The time of the result at this index.
    pub(crate) fn spread(&self, place: usize) -> Option<Spread> {
        self.results.get(place)?.1.spread()
    }

    /// The ratio of the target.
    pub(crate) fn ratio(&self) -> Option<f64> {
        let (ours, other) = (self.spread(0)?.median, self.spread(1)?.median);
        match self.target? {
            Bound::AtMost(_) | Bound::Cost => Some(ours / other),
            Bound::AtLeast(_) | Bound::Gain => Some(other / ours),
        }
    }

    /// How the target is missed; `None` if it is reached, or there is none.
    pub(crate) fn missed(&self) -> Option<String> {
        let (limit, sign) = match self.target? {
            Bound::AtMost(limit) => (limit, 1.0),
            Bound::AtLeast(limit) => (limit, -1.0),
            Bound::Cost | Bound::Gain => return None,
        };
        let Some(ratio) = self.ratio().filter(|ratio| ratio.is_finite()) else {
            let reason = self.results.iter().find_map(|(_, outcome)| outcome.reason());
            return Some(format!("not measured: {}", reason.unwrap_or("there are no times")));
        };
        let over = sign * (ratio / limit - 1.0);
        (over > 0.0).then(|| format!("missed by {:.1} %", 100.0 * over))
    }
}

impl Results {
    /// The results of an experiment that begins now.
    pub(crate) fn begin(
        run: &Run,
        experiment: &str,
        device: &Device,
        beside: String,
    ) -> Result<Results> {
        let none = || "none".to_owned();
        let machine = Machine {
            device: device.name().to_owned(),
            driver: if device.is_cpu() { none() } else { driver_version() },
            nvrtc: match device.is_cpu() {
                true => none(),
                false => nvrtc::version().map(|(major, minor)| format!("{major}.{minor}"))?,
            },
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: env!("CARGO_PKG_VERSION").into(),
            commit: run.commit.clone(),
            command: command(std::env::args().skip(1)),
            beside,
        };
        let path = run.output.join(format!("{experiment}.json"));
        Ok(Results { experiment: experiment.into(), machine, records: Vec::new(), path })
    }

    /// Adds a record and writes the file, so that an interrupted run keeps its results.
    pub(crate) fn add(&mut self, record: Record) -> Result<()> {
        eprintln!("{}", record.name());
        self.records.push(record);
        self.write()
    }

    /// An earlier file is replaced atomically.
    pub(crate) fn write(&self) -> Result<()> {
        let failed = |error| anyhow!("cannot write {}: {error}", self.path.display());
        let folder = self.path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder).map_err(failed)?;
        let new = self.path.with_extension("json.new");
        std::fs::write(&new, self.text()?).map_err(failed)?;
        std::fs::rename(&new, &self.path).map_err(failed)
    }

    /// JSON with a record in each line.
    fn text(&self) -> Result<String> {
        let Results { experiment, machine, records, .. } = self;
        let records = records.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        let [experiment, machine] =
            [serde_json::to_string(experiment)?, serde_json::to_string_pretty(machine)?];
        let records = records.join(",\n");
        Ok(format!(
            "{{\n\"experiment\": {experiment},\n\"machine\": {machine},\n\"records\": [\n{records}\n]\n}}\n"
        ))
    }

    pub(crate) fn read(path: &Path) -> Result<Results> {
        let failed = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
        let results: Results = serde_json::from_str(&text).map_err(|error| {
            failed(&format!("{error}\n to do: pass a file written by this version of `td-bench`"))
        })?;
        Ok(Results { path: path.to_owned(), ..results })
    }

    /// The number of targets with a limit, and a description of each missed one.
    pub(crate) fn missed(&self) -> (usize, Vec<String>) {
        let is_limited =
            |record: &&Record| matches!(record.target, Some(Bound::AtMost(_) | Bound::AtLeast(_)));
        let records = self.records.iter();
        let missed = records.clone().filter_map(|each| Some((each.name(), each.missed()?)));
        let missed = missed.map(|(name, how)| format!("{name}: {how}"));
        (records.filter(is_limited).count(), missed.collect())
    }

    /// Every wrong result.
    pub(crate) fn wrong(&self) -> Vec<String> {
        let mut all = Vec::new();
        for record in &self.records {
            for (way, outcome) in &record.results {
                if let Outcome::Wrong { wrong } = outcome {
                    all.push(format!("{}, {way}: {wrong}", record.name()));
                }
            }
        }
        all
    }
}

/// The command line for other machines: without the paths of its files, and without the recorded remarks.
fn command(mut words: impl Iterator<Item = String>) -> String {
    let mut text = "td-bench".to_owned();
    while let Some(word) = words.next() {
        if ["--output", "--python", "--commit"].contains(&word.as_str()) {
            words.next();
        } else {
            text += &format!(" {word}");
        }
    }
    text
}

/// A threshold, and where the times cross.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Crossing {
    /// The kernel, and both variants.
    pub(crate) kernel: String,
    /// What the number counts.
    pub(crate) unit: String,
    pub(crate) multiprocessors: u32,
    /// The number in the code.
    pub(crate) least: u64,
    /// The measured number, and its n. Without them, the times do not cross.
    pub(crate) measured: Option<f64>,
    pub(crate) n: Option<usize>,
    /// For each n, the time of the variant over that of the fastest other.
    pub(crate) ratios: Vec<(usize, f64)>,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn at(ms: f64) -> Outcome {
        Outcome::Measured(Spread { median: ms, low: 0.9 * ms, high: 1.2 * ms })
    }

    pub(crate) fn record(work: &str, target: Bound, times: &[(&str, f64)]) -> Record {
        let results = times.iter().map(|(name, ms)| ((*name).to_owned(), at(*ms))).collect();
        Record { results, ..Record::new(work, 1024).with_target(target) }
    }

    pub(crate) fn results(experiment: &str, folder: &Path, records: Vec<Record>) -> Results {
        let path = folder.join(format!("{experiment}.json"));
        Results { experiment: experiment.into(), machine: Machine::default(), records, path }
    }

    #[test]
    fn results_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = record("work", Bound::AtMost(1.1), &[("ours", 1.0), ("other", 2.0)]);
        one.results.push(("third".into(), Outcome::Untimed { untimed: "no such thing".into() }));
        one.results.push(("last".into(), Outcome::Wrong { wrong: "slot 3".into() }));
        let written = results("a", &folder.path().join("new"), vec![one.clone(), one]);
        written.write().unwrap();
        assert_eq!(Results::read(&written.path).unwrap(), written);
        let text = written.text().unwrap().replace("[1.0,0.9,1.2]", "[-1.0,0.9,1.2]");
        std::fs::write(&written.path, text).unwrap();
        let error = Results::read(&written.path).unwrap_err().to_string();
        assert!(error.contains("a.json: ") && error.contains(" to do: "), "{error}");
    }

    #[test]
    fn missed_targets_are_listed() {
        let judged = |target, ours, other| record("w", target, &[("a", ours), ("b", other)]);
        for (target, ours, other, missed) in [
            (Bound::AtMost(1.1), 1.1, 1.0, None),
            (Bound::AtMost(1.1), 1.21, 1.0, Some("missed by 10.0 %")),
            (Bound::AtLeast(2.0), 1.0, 2.0, None),
            (Bound::AtLeast(2.0), 1.0, 1.5, Some("missed by 25.0 %")),
            (Bound::Cost, 9.0, 1.0, None),
        ] {
            assert_eq!(judged(target, ours, other).missed().as_deref(), missed);
        }
        let failed = |target, error| Record::new("x", 9).with_target(target).with(Err(error));
        let all = vec![
            judged(Bound::AtMost(1.1), 1.21, 1.0),
            failed(Bound::Gain, Untimed("no torch".into()).into()),
            failed(Bound::AtLeast(1.0), Untimed("no torch".into()).into()),
            failed(Bound::Cost, Error::msg("slot 3")),
        ];
        let all = results("a", Path::new(""), all);
        let missed = ["w, n = 1024: missed by 10.0 %", "x, n = 9: not measured: no torch"];
        assert_eq!(all.missed(), (2, missed.map(str::to_owned).into()));
        assert_eq!(all.wrong(), ["x, n = 9, generated: slot 3"]);
    }

    #[test]
    fn command_omits_paths() {
        let words = ["figures", "--output", "/a/b", "--only", "edm"].map(str::to_owned);
        assert_eq!(command(words.into_iter()), "td-bench figures --only edm");
    }
}
