//! What is said of figures, without a GPU.

use serde_json::json;
use td_kernel::{PairKernel, nvrtc};

use super::target::{Measured, Row, table_of};
use super::*;
use crate::experiment::Experiment;
use crate::experiment::tests::file;
use crate::measure::times::{Spread, Times};

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

fn of(rows: Vec<Row>) -> Targets {
    Targets { only: Vec::new(), rows }
}

#[test]
fn a_target_is_met_up_to_its_limit() {
    assert_eq!(row(&TWO[0], 1.10, 1.0).missed(), None);
    assert_eq!(row(&TWO[0], 1.21, 1.0).missed().unwrap(), "missed by 10.0 %");
    assert_eq!(row(&TWO[1], 1.0, 2.0).missed(), None);
    assert_eq!(row(&TWO[1], 1.0, 1.5).missed().unwrap(), "missed by 25.0 %");
}

#[test]
fn what_is_written_is_read_again() {
    let not_measured = Outcome::NotMeasured { not_measured: "no Triton".into() };
    for other in [not_measured, Outcome::Wrong { wrong: "slot 3".into() }] {
        let targets = Targets {
            only: vec!["work".into()],
            rows: vec![row(&TWO[0], 1.0, 1.0), TWO[1].row(other)],
        };
        let value = json!(targets);
        assert_eq!(serde_json::from_value::<Targets>(value.clone()).unwrap(), targets);
        for ms in [json!([-1.0, 1.0, 1.0]), json!(null)] {
            let mut value = value.clone();
            value["rows"][0]["ours"]["ms"] = ms;
            let error = serde_json::from_value::<Targets>(value).unwrap_err().to_string();
            assert!(error.contains("did not match any variant"), "{error}");
        }
    }
}

#[test]
fn missed_targets_are_named_with_how_much() {
    let wrong = TWO[1].row(Outcome::Wrong { wrong: "slot 3".into() });
    let targets = of(vec![row(&TWO[0], 1.21, 1.0), wrong]);
    assert_eq!(targets.wrong(), ["peer, n = 1024: slot 3"]);
    let rows = targets.judged(TWO);
    assert_eq!(rows, targets.rows);
    let text = table_of(&rows).replace(['|', ' '], "");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[2].ends_with("1.210atmost1.10missedby10.0%"), "{text}");
    assert_eq!(lines[3], "name5.000004.50000..6.00000");
    assert!(lines[4].ends_with("atleast2.00notmeasured:slot3"), "{text}");
}

#[test]
fn rows_that_are_not_there_are_missed_and_limits_are_this_programs() {
    let mut loose = row(&TWO[0], 1.21, 1.0);
    loose.target = Bound::AtMost(9.0);
    let missed: Vec<_> =
        of(vec![loose]).judged(TWO).iter().map(|row| row.missed().unwrap()).collect();
    assert_eq!(missed, ["missed by 10.0 %", "not measured: the file has no such row"]);
}

#[test]
fn a_missed_target_fails_the_judge_and_not_the_measurement() {
    let folder = tempfile::tempdir().unwrap();
    let slow = of(TARGETS.iter().map(|target| row(target, 3.0, 1.0)).collect());
    let limited = TARGETS.iter().filter(|target| target.bound.has_limit()).count();
    file(folder.path(), "targets", slow).finish().unwrap();
    let path = folder.path().join("targets.json");
    let error = File::<Targets>::judge(&path, "targets").unwrap_err().to_string();
    assert!(error.starts_with(&format!("{limited} of {limited} targets are missed\n")), "{error}");
}

#[test]
fn what_has_no_limit_is_shown_and_not_judged() {
    let cost = rival("deterministic", None, 1024, Bound::Cost, none);
    let text = table_of(&[row(&cost, 3.0, 2.0)]).replace(['|', ' '], "");
    assert!(text.lines().nth(2).unwrap().ends_with("1.500nolimit"), "{text}");
    let free = rival("KeOps", None, 1024, Bound::Gain, none);
    assert_eq!(row(&free, 2.0, 3.0).missed(), None);
    let text = table_of(&[row(&free, 2.0, 3.0)]).replace(['|', ' '], "");
    assert!(text.lines().nth(2).unwrap().ends_with("1.500nolimit"), "{text}");
    // Such as a library that is not there.
    let none = free.row(Outcome::NotMeasured { not_measured: "no KeOps".into() });
    assert_eq!(none.missed(), None);
    assert!(table_of(std::slice::from_ref(&none)).contains("not measured: no KeOps"));
    let wrong = free.row(Outcome::Wrong { wrong: "slot 3".into() });
    assert_eq!(wrong.missed().unwrap(), "not measured: slot 3");
    // The bound is a word in the file.
    assert_eq!(json!(wrong)["target"], json!("gain"));
    assert_eq!(serde_json::from_value::<Row>(json!(wrong)).unwrap(), wrong);
}

#[test]
fn targets_are_chosen_by_words_of_their_works() {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let count = |only: &[String]| TWO.iter().filter(|target| target.is_asked_for(only)).count();
    assert_eq!(
        [&[][..], &["pe"], &["pe", "work"], &["x"]].map(|only| count(&words(only))),
        [2, 1, 2, 0]
    );
    let some = Targets { only: words(&["peer"]), rows: vec![row(&TWO[1], 1.0, 2.0)] };
    assert_eq!(some.judged(TWO), some.rows);
}

fn compiles<K: PairKernel>() {
    let compiled = nvrtc::compile(K::NAME, K::SOURCE, 90).unwrap();
    assert_eq!(compiled.warnings, "", "{}", K::NAME);
}

#[test]
fn kernels_of_two_sets_and_of_results_per_element_compile() {
    compiles::<rectangle::edm_1>();
    compiles::<rectangle::edm_4>();
    compiles::<forces::plain>();
    compiles::<forces::flushed>();
    compiles::<minima::least_2>();
    compiles::<minima::partner_2>();
    compiles::<minima::least_3>();
    compiles::<minima::partner_3>();
    compiles::<minima::least_4>();
    compiles::<minima::partner_4>();
}

#[test]
fn kernels_over_features_compile() {
    compiles::<folds::packed_distance>();
    compiles::<folds::packed_product>();
    compiles::<folds::square_of_distance>();
    compiles::<folds::product>();
}

#[test]
fn kernels_of_neighbours_compile() {
    compiles::<neighbours::nearest_hundred>();
    compiles::<neighbours::nearest_by_products>();
    compiles::<neighbours::nearest_points>();
}

#[test]
fn no_target_is_there_twice() {
    for (place, target) in TARGETS.iter().enumerate() {
        let before = TARGETS[..place].iter().any(|before| before.name() == target.name());
        assert!(!before, "{}", target.name());
    }
}
