//! What is said of figures, without a GPU.

use serde_json::{Value, json};

use super::target::Row;
use super::*;
use crate::experiment::Experiment;
use crate::experiment::tests::file;
use crate::measure::times::Spread;

fn none(_: &Setting, _: usize) -> Result<Outcome, Failure> {
    Err("nothing is measured".into())
}

const TWO: &[Target] = &[
    floor("work", Some(4), 1024, 1.10, none),
    rival("peer", None, 1024, Bound::AtLeast(2.0), none),
];

fn times(median: f64) -> Times {
    let ms = Spread { median, low: 0.9 * median, high: 1.2 * median };
    Times { name: "name".into(), ms }
}

fn row(target: &Target, ours: f64, reference: f64) -> Row {
    let others = vec![times(5.0)];
    let measured = Measured { ours: times(ours), reference: times(reference), others };
    target.row(Outcome::Measured(measured))
}

#[test]
fn a_target_is_met_up_to_its_limit() {
    assert_eq!(row(&TWO[0], 1.10, 1.0).missed(), None);
    assert_eq!(row(&TWO[0], 1.21, 1.0).missed().unwrap(), "missed by 10.0 %");
    assert_eq!(row(&TWO[1], 1.0, 2.0).missed(), None);
    assert_eq!(row(&TWO[1], 1.0, 1.5).missed().unwrap(), "missed by 25.0 %");
}

/// The figures as they are read from what is written.
fn read(value: &Value) -> Result<Targets, String> {
    let mut targets: Targets =
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    targets.complete_with(TWO).map(|()| targets)
}

#[test]
fn what_is_written_is_read_again() {
    let not_measured = TWO[1].row(Outcome::NotMeasured { not_measured: "no Triton".into() });
    let targets = Targets { rows: vec![row(&TWO[0], 1.0, 1.0), not_measured] };
    assert_eq!(read(&json!(targets)).unwrap(), targets);
    let wrong = TWO[1].row(Outcome::Wrong { wrong: "slot 3".into() });
    let targets = Targets { rows: vec![row(&TWO[0], 1.0, 1.0), wrong] };
    assert_eq!(read(&json!(targets)).unwrap(), targets);
    assert_eq!(targets.wrong(), ["peer, n = 1024: slot 3"]);
}

#[test]
fn missed_targets_are_named_with_how_much() {
    let targets = Targets { rows: vec![row(&TWO[0], 1.21, 1.0), row(&TWO[1], 1.0, 3.0)] };
    let missed = targets.missed();
    assert_eq!(missed[0], "1 of 2 targets are missed");
    assert_eq!(missed[1..], ["  work, 4 features, n = 1024: missed by 10.0 %"]);
    let table = targets.sections()[0].text.clone();
    let lines: Vec<&str> = table.lines().collect();
    let words = |line: usize| {
        let words = lines[line].split(['|', ' ']).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    };
    assert!(words(2).ends_with("1.210 at most 1.10 missed by 10.0 %"), "{table}");
    assert_eq!(words(3), "name 5.00000 4.50000..6.00000");
    assert!(words(4).ends_with("3.000 at least 2.00 met"), "{table}");
}

#[test]
fn rows_that_are_not_there_are_missed() {
    let targets = read(&json!(Targets { rows: vec![row(&TWO[0], 1.0, 1.0)] })).unwrap();
    let text = targets.missed().join("\n");
    assert!(text.ends_with("peer, n = 1024: not measured: the file has no such row"), "{text}");
}

#[test]
fn other_files_are_refused() {
    let whole = json!(Targets { rows: vec![row(&TWO[0], 1.0, 1.0)] });
    let changed = |pointer: &str, to: Value| {
        let mut value = whole.clone();
        *value.pointer_mut(pointer).unwrap() = to;
        read(&value).unwrap_err()
    };
    assert!(changed("/rows", json!(1)).contains("invalid type"));
    let text = changed("/rows/0/n", json!(7));
    assert_eq!(text, "rows[0]: there is no target for work, 4 features, n = 7");
    let text = changed("/rows/0/target", json!({ "at most": 9.0 }));
    assert!(text.ends_with("is at most 9, and this program's is at most 1.1"), "{text}");
    for ms in [json!([-1.0, 1.0, 1.0]), json!(null)] {
        assert!(changed("/rows/0/ours/ms", ms).contains("did not match any variant"));
    }
    let twice = json!([whole["rows"][0], whole["rows"][0]]);
    assert_eq!(changed("/rows", twice), "rows[1]: work, 4 features, n = 1024 is there twice");
}

#[test]
fn a_missed_target_fails_the_judge_and_not_the_measurement() {
    let folder = tempfile::tempdir().unwrap();
    let slow = Targets { rows: TARGETS.iter().map(|target| row(target, 3.0, 1.0)).collect() };
    file(folder.path(), "targets", slow).finish().unwrap();
    let path = folder.path().join("targets.json");
    let error = File::<Targets>::judge(&path, "targets").unwrap_err().to_string();
    assert!(error.starts_with("35 of 35 targets are missed\n"), "{error}");
}

#[test]
fn no_target_is_there_twice() {
    for (place, target) in TARGETS.iter().enumerate() {
        let before = TARGETS[..place].iter().any(|before| before.name() == target.name());
        assert!(!before, "{}", target.name());
    }
}
