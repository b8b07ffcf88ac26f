//! What the program refuses, and in which words.

use std::fs;

use clap::{CommandFactory, Parser};
use ndarray::Array2;
use ndarray_npy::write_npy;

use super::{Files, report};
use crate::arguments::Arguments;
use crate::metric::Metric;

#[test]
fn bad_input_is_refused_with_its_place() {
    for (text, options, message) in [
        ("x,y\n1,2\n3,?\n", vec!["--columns", "x,y"], "line 3, column `y`: `?` is not a number"),
        ("x,y\n1,2\n3,inf\n", vec![], "bad.csv, line 3, column `y`: inf is out of range"),
        ("x,y\n1,2\n3,NaN\n", vec![], "column `y`: `NaN` is no value: "),
        ("x,y\n1,2\n3,\n", vec![], "bad.csv, line 3, column `y`: the cell is empty"),
        ("x,y\n1,2\n", vec!["--columns", "x,z"], "column `z`: there is no such column"),
        ("x,y\n1,2\n", vec!["--label", "z"], "column `z`: there is no such column"),
        ("x,y\na,b\n", vec!["--label", "x", "--columns", "y"], "`b` is not a number"),
        ("x,kind\n1,a\n2,b\n", vec![], "line 2, column `kind`: `a` is not a number, nor is any"),
        ("x,kind\n1,a\n2,3\n", vec![], "`a` is not a number, and `3` in line 3 of this column is"),
        ("kind\na\nb\n", vec!["--label", "kind"], "no cell of this row is a number"),
        ("", vec![], "bad.csv: the file is empty"),
    ] {
        let (_files, path) = Files::with("bad.csv", text);
        let error = report(&[&["--input", &path], &*options].concat()).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let error = report(&["--input", "nowhere.csv"]).unwrap_err();
    assert!(error.starts_with("cannot read nowhere.csv: "), "{error}");
    let error = report(&["--input", "nowhere.txt"]).unwrap_err();
    let message = "cannot tell what nowhere.txt is: the name has to end in .csv, .tsv or .npy, the first two \
                   also with .gz behind it";
    assert_eq!(error, message);
}

#[test]
fn text_columns_say_what_to_do() {
    let (_files, path) = Files::with("t.csv", "x,kind,y\n1,a,2\n2,b,3\n");
    let error = report(&["--input", &path]).unwrap_err();
    assert!(error.contains("name it with --label; else choose the columns"), "{error}");
    for choice in [["--label", "kind"], ["--columns", "x,y"], ["--columns", "0,2"]] {
        let report = report(&[&["--input", &path], &choice[..]].concat()).unwrap();
        assert!(report.contains("\nfeatures: 2\n"), "{report}");
    }
}

#[test]
fn options_of_tables_are_not_for_arrays() {
    let files = Files::empty();
    let path = files.path("a.npy");
    write_npy(&path, &Array2::<f32>::zeros((3, 2))).unwrap();
    for (option, value) in
        [("--columns", "0"), ("--label", "0"), ("--delimiter", "tab"), ("--missing", "skip")]
    {
        let error = report(&["--input", &path, option, value]).unwrap_err();
        assert!(error.starts_with(&format!("{option} is for .csv files: ")), "{error}");
    }
    fs::write(&path, "1,2\n").unwrap();
    let error = report(&["--input", &path]).unwrap_err();
    assert!(error.contains("a.npy: this is no array that can be read"), "{error}");
}

#[test]
fn outputs_are_checked_before_any_work() {
    let (files, path) = Files::with("taken.png", "precious");
    for (arguments, message) in [
        (vec!["--plot", &path], "exists already"),
        (vec!["--output", &path], "exists already"),
        (vec!["--save-input", &path], "exists already"),
        (vec!["--plot", "nowhere/a.png"], "there is no folder nowhere"),
        (vec!["--plot", "a.jpg"], "cannot tell what a.jpg is: the name has to end in .png or .svg"),
        (vec!["--plot", &path, "--output", &path, "--force"], "named as two different outputs"),
        (
            vec!["--output", "a.txt"],
            "cannot write a.txt: it is an array in NumPy's format: let the name end in .npy",
        ),
        (vec!["--save-input", "a.csv"], "let the name end in .npy"),
        (vec!["--plot", "a.png", "--save-order", "a.csv"], "let the name end in .npy"),
        (vec!["--output", "-"], "cannot write -: it is standard output"),
        (vec!["--output", "-", "--force"], "cannot write -: it is standard output"),
        (vec!["--save-input", "-"], "cannot write -: it is standard output"),
        (vec!["--gamma", "2"], "--gamma belongs to --metric rbf: leave it out, or choose that"),
    ] {
        let error = report(&[&["--input", "missing.csv"], &*arguments].concat()).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    report(&["--plot", &path, "--force"]).unwrap();
    assert!(fs::read(files.path("taken.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_picture_needs_rows_and_an_order_by_label_labels() {
    let files = Files::empty();
    let path = files.path("a.png");
    let error = report(&["--random", "0", "--plot", &path]).unwrap_err();
    assert_eq!(error, "there are no rows, of which there is no picture: leave out --plot");
    let error = report(&["--random", "9", "--plot", &path, "--order", "label"]).unwrap_err();
    let message = "--order label needs labels: name their column of a .csv file with --label";
    assert_eq!(error, message);
    assert_eq!(fs::read_dir(files.folder()).unwrap().count(), 0);
}

#[test]
fn correlation_has_its_other_name() {
    let parsed = Arguments::try_parse_from(["similarity", "--metric", "pearson"]).unwrap();
    assert_eq!(parsed.metric, Metric::Correlation);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        vec!["--random", "5", "--input", "a.csv"],
        vec!["--random", "5", "--columns", "a"],
        vec!["--random", "5", "--label", "a"],
        vec!["--random", "5", "--delimiter", "tab"],
        vec!["--random", "5", "--missing", "skip"],
        vec!["--random", "-1"],
        vec!["--random", "16777217"],
        vec!["--random", "5", "--features", "0"],
        vec!["--seed", "1"],
        vec!["--features", "2"],
        vec!["--layout", "square"],
        vec!["--order", "label"],
        vec!["--save-order", "a.npy"],
        vec!["--metric", "chebyshev"],
        vec!["--metric", "rbf", "--gamma", "0"],
        vec!["--metric", "rbf", "--gamma", "-1"],
        vec!["--metric", "rbf", "--gamma", "inf"],
        vec!["--top", "-1"],
        vec!["--metric", "rbf", "--gamma", "nan"],
        vec!["--top", "1000001"],
        vec!["--device", "tpu"],
        vec!["rows.csv"],
    ] {
        let parsed = Arguments::try_parse_from(["similarity"].iter().chain(&arguments));
        assert!(parsed.is_err(), "{arguments:?}");
    }
}

#[test]
fn what_is_out_of_range_is_told_with_the_range() {
    for gamma in ["1e300", "1e-60", "0", "-2", "x"] {
        let parsed = Arguments::try_parse_from(["similarity", "--metric", "rbf", "--gamma", gamma]);
        let message = parsed.unwrap_err().to_string();
        let expected = "above 0 and in the range of 32-bit floats, 1.5e-45 to 3.4e38";
        assert!(message.contains(expected), "{message}");
    }
    for gamma in ["1.5e-45", "3.4e38"] {
        let arguments = ["similarity", "--metric", "rbf", "--gamma", gamma];
        assert!(Arguments::try_parse_from(arguments).is_ok(), "{gamma}");
    }
}

#[test]
fn the_command_line_is_well_formed() {
    Arguments::command().debug_assert();
    let help = Arguments::command().render_long_help().to_string();
    for said in ["semicolons or tabs", ".csv.gz", "standard input", "--save-order"] {
        assert!(help.contains(said), "{said}: {help}");
    }
}
