//! The figures as JSON, written and read.

use std::path::Path;

use serde_json::{Value, json};

use super::target::{Measured, Outcome, Row, Target};
use crate::Failure;
use crate::measure::times::Times;

/// What the file says that it is, so that another one is not taken for it.
const WHAT: &str = "td-bench targets, format 1";

/// Everything that is written.
#[derive(Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) device: String,
    pub(crate) driver: String,
    pub(crate) nvrtc: String,
    /// The version of this program, and so of the crates that it is built from.
    pub(crate) version: String,
    /// The commit, if it was told.
    pub(crate) commit: Option<String>,
    pub(crate) command: String,
    pub(crate) rows: Vec<Row>,
}

impl Report {
    /// Where and with what the figures were taken.
    pub(crate) fn place(&self) -> String {
        let commit = self.commit.as_deref().map(|commit| format!(", commit {commit}"));
        format!(
            "{}, driver {}, NVRTC {}, td-kernel {}{}",
            self.device,
            self.driver,
            self.nvrtc,
            self.version,
            commit.unwrap_or_default()
        )
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let report = json!({
            "what": WHAT,
            "device": self.device,
            "driver": self.driver,
            "nvrtc": self.nvrtc,
            "version": self.version,
            "commit": self.commit,
            "command": self.command,
            "rows": self.rows.iter().map(row_to_json).collect::<Vec<_>>(),
        });
        std::fs::write(path, format!("{report:#}\n"))
            .map_err(|error| format!("cannot write {}: {error}", path.display()).into())
    }

    /// Reads a file, and has a row for each of `targets`: one that is not in the file is not measured.
    pub(crate) fn read(path: &Path, targets: &[&'static Target]) -> Result<Report, Failure> {
        let place = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {place}: {error}"))?;
        Report::parse(&text, targets).map_err(|error| {
            format!("{place}: {error}\n to do: give a file that `td-bench targets --output` of this version wrote").into()
        })
    }

    /// The same for a text.
    pub(crate) fn parse(text: &str, targets: &[&'static Target]) -> Result<Report, String> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
        if value["what"] != WHAT {
            return Err(format!(
                "`what` is not {WHAT:?}, so these are not figures for the targets"
            ));
        }
        let found = value["rows"].as_array().ok_or("`rows` is not an array")?;
        let mut rows: Vec<Row> = Vec::with_capacity(targets.len());
        for (place, row) in found.iter().enumerate() {
            let row =
                row_of_json(row, targets).map_err(|error| format!("rows[{place}]: {error}"))?;
            if rows.iter().any(|before| before.target == row.target) {
                return Err(format!("rows[{place}]: {} is there twice", row.target.name()));
            }
            rows.push(row);
        }
        for &target in targets {
            if !rows.iter().any(|row| row.target == target) {
                let outcome = Outcome::NotMeasured("the file has no such row".to_owned());
                rows.push(Row { target, outcome });
            }
        }
        Ok(Report {
            device: string(&value, "device")?,
            driver: string(&value, "driver")?,
            nvrtc: string(&value, "nvrtc")?,
            version: string(&value, "version")?,
            commit: value["commit"].as_str().map(str::to_owned),
            command: string(&value, "command")?,
            rows,
        })
    }
}

fn row_to_json(row: &Row) -> Value {
    let target = row.target;
    let mut value = json!({
        "work": target.work,
        "features": target.features,
        "n": target.n,
        "kind": target.bound.word(),
        "target": target.bound.limit(),
        "ratio": row.ratio(),
        "met": row.is_met(),
    });
    match &row.outcome {
        Outcome::Measured(measured) => {
            value["ours"] = times_to_json(&measured.ours);
            value["reference"] = times_to_json(&measured.reference);
            value["others"] = measured.others.iter().map(times_to_json).collect();
        }
        Outcome::NotMeasured(reason) => value["not_measured"] = json!(reason),
    }
    value
}

fn times_to_json(times: &Times) -> Value {
    json!({ "name": times.name, "ms": times.median, "low_ms": times.low, "high_ms": times.high })
}

/// The ratio and whether the target is met are not read: they follow from the times.
fn row_of_json(row: &Value, targets: &[&'static Target]) -> Result<Row, String> {
    let work = string(row, "work")?;
    let is_this = |target: &&Target| {
        target.work == work
            && row["n"].as_u64() == Some(target.n as u64)
            && row["features"].as_u64() == target.features.map(u64::from)
    };
    let target = targets.iter().copied().find(|target| is_this(target)).ok_or_else(|| {
        format!("there is no target for {work:?}, features {}, n {}", row["features"], row["n"])
    })?;
    let same = row["kind"] == target.bound.word() && row["target"] == target.bound.limit();
    if !same {
        return Err(format!(
            "the file's target for {} is {} {}, and this program's is {} {}",
            target.name(),
            row["kind"].as_str().unwrap_or("?"),
            row["target"],
            target.bound.word(),
            target.bound.limit()
        ));
    }
    let outcome = match row["not_measured"].as_str() {
        Some(reason) => Outcome::NotMeasured(reason.to_owned()),
        None => Outcome::Measured(Measured {
            ours: times_of_json(row, "ours")?,
            reference: times_of_json(row, "reference")?,
            others: others_of_json(row)?,
        }),
    };
    Ok(Row { target, outcome })
}

fn others_of_json(row: &Value) -> Result<Vec<Times>, String> {
    let others = row["others"].as_array().ok_or("`others` is not an array")?;
    others.iter().map(|each| times(each).map_err(|error| format!("`others`: {error}"))).collect()
}

fn times_of_json(row: &Value, key: &str) -> Result<Times, String> {
    times(&row[key]).map_err(|error| format!("`{key}`: {error}"))
}

fn times(value: &Value) -> Result<Times, String> {
    let milliseconds = |key: &str| {
        value[key]
            .as_f64()
            .filter(|number| *number > 0.0)
            .ok_or_else(|| format!("`{key}` is not a positive number"))
    };
    Ok(Times {
        name: string(value, "name")?,
        median: milliseconds("ms")?,
        low: milliseconds("low_ms")?,
        high: milliseconds("high_ms")?,
    })
}

fn string(value: &Value, key: &str) -> Result<String, String> {
    value[key].as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` is not a text"))
}
