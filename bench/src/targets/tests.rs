//! What is said of figures, without a GPU.

use serde_json::{Value, json};

use super::report::Report;
use super::target::{Bound, Measured, Target};
use super::*;
use crate::measure::times::Times;

static FLOOR: Target =
    Target { work: "work", features: Some(4), n: 1024, bound: Bound::AtMost(1.10) };
static PEER: Target = Target { work: "peer", features: None, n: 1024, bound: Bound::AtLeast(2.0) };

fn times(median: f64) -> Times {
    Times { name: "name".into(), median, low: 0.9 * median, high: 1.2 * median }
}

fn row(target: &'static Target, ours: f64, reference: f64) -> Row {
    let others = vec![times(5.0)];
    let measured = Measured { ours: times(ours), reference: times(reference), others };
    Row { target, outcome: Outcome::Measured(measured) }
}

fn report(rows: Vec<Row>) -> Report {
    Report {
        device: "a GPU".into(),
        driver: "580 (CUDA 13.0)".into(),
        nvrtc: "13.0".into(),
        version: "0.1.0".into(),
        commit: Some("abc".into()),
        command: "td-bench targets".into(),
        rows,
    }
}

/// The report as it is written.
fn written(report: &Report) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("targets.json");
    report.write(&path).unwrap();
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn parsed(value: &Value) -> Result<Report, String> {
    Report::parse(&value.to_string(), &[&FLOOR, &PEER])
}

#[test]
fn a_target_is_met_up_to_its_limit() {
    assert_eq!(row(&FLOOR, 1.10, 1.0).verdict(), "met");
    assert_eq!(row(&FLOOR, 1.21, 1.0).verdict(), "missed by 10.0 %");
    assert_eq!(row(&PEER, 1.0, 2.0).verdict(), "met");
    assert_eq!(row(&PEER, 1.0, 1.5).verdict(), "missed by 25.0 %");
}

#[test]
fn the_median_and_the_fastest_are_found() {
    let first = Times::of("first", vec![3.0, 1.0, 2.0]).unwrap();
    assert_eq!((first.median, first.low, first.high), (2.0, 1.0, 3.0));
    assert_eq!(Times::of("none", Vec::new()), None);
    let (fastest, others) = Times::split_fastest(vec![times(3.0), times(1.0), times(2.0)]).unwrap();
    assert_eq!((fastest.median, others[0].median, others[1].median), (1.0, 3.0, 2.0));
}

#[test]
fn what_is_written_is_read_again() {
    let not_measured = Row { target: &PEER, outcome: Outcome::NotMeasured("no Triton".into()) };
    let report = report(vec![row(&FLOOR, 1.0, 1.0), not_measured]);
    let value = written(&report);
    assert_eq!(value["rows"][0]["ratio"], 1.0);
    assert_eq!(value["rows"][0]["met"], true);
    assert_eq!(value["rows"][1]["met"], false);
    assert_eq!(parsed(&value).unwrap(), report);
}

#[test]
fn missed_targets_are_named_with_how_much() {
    let report = report(vec![row(&FLOOR, 1.21, 1.0), row(&PEER, 1.0, 3.0)]);
    let text = missed(&report).unwrap();
    assert_eq!(text, "1 of 2 targets are missed\n  work, 4 features, n = 1024: missed by 10.0 %");
    let table = table::text(&report);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "a GPU, driver 580 (CUDA 13.0), NVRTC 13.0, td-kernel 0.1.0, commit abc");
    assert!(lines[2].ends_with("1.210   at most 1.10  missed by 10.0 %"), "{table}");
    let beside: Vec<&str> = lines[3].split_whitespace().collect();
    assert_eq!(beside, ["name", "5.00000", "4.50000..6.00000"]);
    assert!(lines[4].ends_with("3.000  at least 2.00  met"), "{table}");
}

#[test]
fn rows_that_are_not_there_are_missed() {
    let value = written(&report(vec![row(&FLOOR, 1.0, 1.0)]));
    let text = missed(&parsed(&value).unwrap()).unwrap();
    assert!(text.ends_with("peer, n = 1024: not measured: the file has no such row"), "{text}");
}

#[test]
fn other_files_are_refused() {
    let refused = |value: &Value| parsed(value).unwrap_err();
    assert!(Report::parse("{", &[]).unwrap_err().starts_with("this is not JSON"));
    assert!(refused(&json!({ "rows": [] })).contains("not figures for the targets"));
    assert!(refused(&json!([1, 2])).contains("not figures for the targets"));

    let whole = written(&report(vec![row(&FLOOR, 1.0, 1.0)]));
    let changed = |pointer: &str, to: Value| {
        let mut value = whole.clone();
        *value.pointer_mut(pointer).unwrap() = to;
        refused(&value)
    };
    assert_eq!(changed("/rows", json!(1)), "`rows` is not an array");
    assert_eq!(changed("/device", json!(1)), "`device` is not a text");
    let text = changed("/rows/0/n", json!(7));
    assert_eq!(text, "rows[0]: there is no target for \"work\", features 4, n 7");
    let text = changed("/rows/0/target", json!(9.0));
    assert!(text.ends_with("is at most 9.0, and this program's is at most 1.1"), "{text}");
    let text = changed("/rows/0/ours/ms", json!(-1.0));
    assert_eq!(text, "rows[0]: `ours`: `ms` is not a positive number");
    let text = changed("/rows/0/others", json!(null));
    assert_eq!(text, "rows[0]: `others` is not an array");
    let twice = json!([whole["rows"][0], whole["rows"][0]]);
    assert_eq!(changed("/rows", twice), "rows[1]: work, 4 features, n = 1024 is there twice");
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let error = judge(Path::new("no-such-file.json")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read no-such-file.json: "), "{error}");
}

#[test]
fn no_target_is_there_twice() {
    let all = all();
    for (place, target) in all.iter().enumerate() {
        assert!(all[..place].iter().all(|before| before.name() != target.name()), "{target:?}");
    }
}
