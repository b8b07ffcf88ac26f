//! What the program refuses, and in which words.

use std::fs;

use clap::{CommandFactory, Parser};
use ndarray::Array2;
use td_kernel_examples::tried::fact;

use super::{Files, report};
use crate::arguments::Arguments;
use crate::metric::Metric;

#[test]
fn bad_input_is_refused_with_its_place() {
    let files = Files::new();
    for (text, options, message) in [
        ("x,y\n1,2\n3,?\n", vec!["--columns", "x,y"], "line 3, column `y`: `?` is not a number"),
        ("x,y\n1,2\n3,\n", vec![], "bad.csv, line 3, column `y`: the cell is empty"),
        ("x,kind\n1,a\n2,b\n", vec![], "line 2, column `kind`: `a` is not a number, nor is any"),
        ("", vec![], "bad.csv: the file is empty"),
    ] {
        let path = files.with("bad.csv", text);
        let error = report(&[&["--input", &path], &*options].concat()).unwrap_err();
        assert!(error.contains(message), "{error}");
        let good = files.with("good.csv", "x,y\n1,2\n");
        let error = report(&[&["--input", &good, "--queries", &path], &*options].concat());
        assert!(error.unwrap_err().contains(message));
    }
    for option in ["--input", "--queries"] {
        let error = report(&[option, "nowhere.csv"]).unwrap_err();
        assert!(error.starts_with("cannot read nowhere.csv: "), "{error}");
        let error = report(&[option, "nowhere.txt"]).unwrap_err();
        assert!(error.starts_with("cannot tell what nowhere.txt is: the name has to end in "));
    }
}

#[test]
fn queries_have_the_same_columns() {
    let files = Files::new();
    let data = files.with("data.csv", "x,y\n1,2\n3,4\n");
    let queries = files.with("queries.csv", "y,x\n1,2\n3,4\n");
    let arguments = ["--input", &data, "--queries", &queries, "--k", "1"];
    let error = report(&arguments).unwrap_err();
    assert!(error.contains("queries.csv: its columns are y, x, and those of "), "{error}");
    assert!(error.ends_with("choose them by name, with --columns x,y"), "{error}");
    let text = report(&[&arguments[..], &["--columns", "x,y"]].concat()).unwrap();
    assert_eq!(fact(&text, "nearest of 1: "), "1 (1.4142135)");
    let queries = files.with("queries.csv", "lat,lon\n1,2\n");
    let error = report(&["--input", &data, "--queries", &queries]).unwrap_err();
    assert!(error.ends_with("choose them by number, with --columns 0,1"), "{error}");
    let text = report(&[&arguments[..], &["--columns", "0..1"]].concat()).unwrap();
    assert_eq!(fact(&text, "nearest of 0: "), "0 (0)");
}

#[test]
fn queries_have_as_many_features() {
    let files = Files::new();
    let queries = files.array("queries.npy", &Array2::zeros((3, 5)));
    let error = report(&["--queries", &queries]).unwrap_err();
    let message =
        "queries.npy: the queries have 5 features, and the rows 4 (columns sepal_length, ";
    assert!(error.contains(message), "{error}");
}

#[test]
fn outputs_are_checked_before_any_work() {
    let files = Files::new();
    let data = files.with("data.csv", "1,2\n3,4\n");
    let taken = files.with("taken-values.npy", "precious");
    for (arguments, message) in [
        (vec!["--output", &files.path("taken")], "taken-values.npy exists already"),
        (vec!["--output", &files.path("taken.npy")], "taken-values.npy exists already"),
        (vec!["--save-input", &taken], "exists already"),
        (
            vec!["--save-input", "a.txt"],
            "it is an array in NumPy's format: let the name end in .npy",
        ),
        (vec!["--save-input", "-"], "cannot write -: it is standard output"),
        (vec!["--output", "nowhere/a.mtx"], "there is no folder nowhere"),
        (vec!["--output", &files.path("taken"), "--save-input", &taken, "--force"], "named as two"),
    ] {
        let error = report(&[&["--input", "missing.csv"], &*arguments].concat()).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(fs::read_to_string(&taken).unwrap(), "precious");
    for input in ["--input", "--queries"] {
        let error = report(&[input, &data, "--save-input", &data, "--force"]).unwrap_err();
        assert!(error.contains("is the input"), "{error}");
    }
    report(&["--output", &files.path("taken"), "--force"]).unwrap();
    assert!(fs::read(&taken).unwrap().starts_with(b"\x93NUMPY"));
}

#[test]
fn correlation_has_its_other_name() {
    let parsed = Arguments::try_parse_from(["knn", "--metric", "pearson"]).unwrap();
    assert_eq!(parsed.metric, Metric::Correlation);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        vec!["--random", "5", "--input", "a.csv"],
        vec!["--random", "5", "--queries", "a.csv"],
        vec!["--random", "5", "--columns", "a"],
        vec!["--random", "5", "--label", "a"],
        vec!["--random", "5", "--delimiter", "tab"],
        vec!["--random", "-1"],
        vec!["--random", "16777217"],
        vec!["--random", "5", "--features", "0"],
        vec!["--seed", "1"],
        vec!["--features", "2"],
        vec!["--k", "0"],
        vec!["--k", "257"],
        vec!["--k", "-1"],
        vec!["--metric", "rbf"],
        vec!["--sample", "-1"],
        vec!["--device", "tpu"],
        vec!["rows.csv"],
    ] {
        let parsed = Arguments::try_parse_from(["knn"].iter().chain(&arguments));
        assert!(parsed.is_err(), "{arguments:?}");
    }
}

#[test]
fn the_command_line_is_well_formed() {
    Arguments::command().debug_assert();
}
