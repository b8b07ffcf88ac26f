//! The whole program, on the CPU, compared with distances that are computed differently, in double precision, from the
//! same points.

use std::fs;

use clap::Parser;
use ndarray::{Array1, Array2};
use ndarray_npy::read_npy;
use td_kernel_examples::tried::{self, fact};
use tempfile::TempDir;

use crate::arguments::Arguments;
use crate::run;

fn report(arguments: &[&str]) -> Result<String, String> {
    tried::report("cross", arguments, run)
}

/// A pair and its distance.
type Neighbour = (usize, usize, f32);

/// What the program left behind.
struct Outcome {
    report: String,
    /// The points of both sets.
    sets: [Array2<f64>; 2],
    nearest: Vec<Neighbour>,
    matrix: Array2<f32>,
    within: Vec<Neighbour>,
    /// The same pairs, from the files of the sparse matrix.
    csr: Vec<Neighbour>,
}

fn outcome(arguments: &[&str], radius: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a.npy", "b.npy", "nearest.csv", "matrix.npy", "pairs.csv"];
    let [first, second, nearest, matrix, pairs] =
        names.map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let saved = ["--save-input", &first, &second];
    let written =
        ["--output", &nearest, "--matrix", &matrix, "--within", radius, "--pairs", &pairs];
    let parts = ["begins.npy", "columns.npy", "distances.npy"];
    let parts = parts.map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let csr = ["--csr", &parts[0], &parts[1], &parts[2]];
    let report = report(&[arguments, &saved, &written, &csr].concat()).unwrap();
    let neighbours = |path| {
        let text = fs::read_to_string(path).unwrap();
        let mut rows = text.lines();
        assert_eq!(rows.next(), Some("i,j,distance"));
        let rows = rows.map(|row| {
            let [i, j, distance] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
            (i.parse().unwrap(), j.parse().unwrap(), distance.parse().unwrap())
        });
        rows.collect::<Vec<Neighbour>>()
    };
    Outcome {
        report,
        sets: [first, second].map(|path| read_npy(path).unwrap()),
        nearest: neighbours(nearest),
        matrix: read_npy(matrix).unwrap(),
        within: neighbours(pairs),
        csr: {
            let [begins, columns, distances] = &parts;
            let begins: Array1<i64> = read_npy(begins).unwrap();
            let columns: Array1<i64> = read_npy(columns).unwrap();
            let distances: Array1<f32> = read_npy(distances).unwrap();
            let row = |i: usize| begins[i] as usize..begins[i + 1] as usize;
            let of_row = |i| row(i).map(move |at| (i, at));
            let all = (0..begins.len() - 1).flat_map(of_row);
            all.map(|(i, at)| (i, columns[at] as usize, distances[at])).collect()
        },
    }
}

fn reference([rows, columns]: &[Array2<f64>; 2], i: usize, j: usize) -> f64 {
    let differences = rows.row(i).to_owned() - columns.row(j);
    differences.iter().fold(0.0, |length: f64, difference| length.hypot(*difference))
}

/// How far rounding the input may take a distance off: coordinates are rounded after their column's median was subtracted, so
/// that none is larger than the column's range.
fn rounding([rows, columns]: &[Array2<f64>; 2]) -> f64 {
    let ranges = rows.columns().into_iter().zip(columns.columns()).map(|(one, other)| {
        let both = || one.iter().chain(other).copied();
        both().fold(f64::NEG_INFINITY, f64::max) - both().fold(f64::INFINITY, f64::min)
    });
    // Both of two are rounded, by half a unit in the last place.
    ranges.map(|range| range * 2.0_f64.powi(-23)).fold(0.0, f64::hypot)
}

/// Runs the program with all its outputs, and checks each distance in each: those of the matrix by the reference, and the
/// others, with their pairs, by the matrix.
fn check(arguments: &[&str], radius: &str) -> Outcome {
    let outcome = outcome(arguments, radius);
    let (rows, columns) = (outcome.sets[0].nrows(), outcome.sets[1].nrows());
    assert_eq!(outcome.matrix.shape(), [rows, columns]);
    let radius: f32 = radius.parse().unwrap();
    let input = if arguments.contains(&"--random") { 0.0 } else { rounding(&outcome.sets) };
    let (mut nearest, mut within) = (Vec::new(), Vec::new());
    for i in 0..rows {
        let mut least: Option<(usize, f32)> = None;
        for j in 0..columns {
            let (found, expected) = (outcome.matrix[[i, j]], reference(&outcome.sets, i, j));
            let error = (f64::from(found) - expected).abs();
            assert!(error <= 1e-6 * expected + input, "({i}, {j}): {found} is not {expected}");
            // The first of those that are equally near.
            if least.is_none_or(|(_, least)| found < least) {
                least = Some((j, found));
            }
            if found <= radius {
                within.push((i, j, found));
            }
        }
        nearest.extend(least.map(|(j, distance)| (i, j, distance)));
    }
    assert_eq!(outcome.nearest, nearest, "{arguments:?}");
    assert_eq!(outcome.within, within, "{arguments:?}");
    assert_eq!(outcome.csr, within, "{arguments:?}");
    assert_eq!(
        fact(&outcome.report, "pairs: ").split(',').next(),
        Some(&*format!("{}", rows * columns))
    );
    if rows * columns > 0 {
        let count = fact(&outcome.report, &format!("pairs within {radius}: "));
        assert_eq!(count, within.len().to_string());
    }
    outcome
}

/// Two files in a folder of their own, which exist as long as the returned `TempDir`.
fn files(first: &str, second: &str) -> (TempDir, [String; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = [("a.csv", first), ("b.csv", second)].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    (folder, paths)
}

#[test]
fn halves_of_iris_are_the_default() {
    let outcome = check(&[], "0.3");
    assert_eq!(outcome.sets.each_ref().map(|set| set.dim()), [(75, 4), (75, 4)]);
    assert_eq!(outcome.sets[0].row(0).to_vec(), [5.1, 3.5, 1.4, 0.2]);
    assert_eq!(outcome.sets[1].row(0).to_vec(), [4.9, 3.0, 1.4, 0.2]);
    assert_eq!(outcome.sets[1].row(74).to_vec(), [5.9, 3.0, 5.1, 1.8]);
    assert!(!outcome.within.is_empty());

    let (i, j, distance) = outcome.nearest[0];
    assert_eq!(fact(&outcome.report, &format!("nearest of {i}: ")), format!("{j}, at {distance}"));
    assert_eq!(fact(&outcome.report, "not shown: "), "70 more, which --output writes");
    let mean: f64 = fact(&outcome.report, "mean of these distances: ").parse().unwrap();
    let sum: f64 = outcome.nearest.iter().map(|found| f64::from(found.2)).sum();
    assert!((mean - sum / 75.0).abs() < 1e-6);
    for (name, expected) in [
        ("smallest", outcome.nearest.iter().map(|found| found.2).fold(f32::INFINITY, f32::min)),
        ("largest", outcome.nearest.iter().map(|found| found.2).fold(0.0, f32::max)),
    ] {
        let &(i, j, _) = outcome.nearest.iter().find(|found| found.2 == expected).unwrap();
        let found = fact(&outcome.report, &format!("{name} of these distances: "));
        assert_eq!(found, format!("{expected} (i = {i}, j = {j})"));
    }
    // The flowers 101 and 142, counted from 0, have the same measurements: one is in each half.
    assert!(outcome.within.contains(&(71, 50, 0.0)));
}

#[test]
fn every_number_of_features_is_right() {
    let columns = ["sepal_length", "3", "petal_length", "1"];
    for features in 1..=4 {
        let outcome = check(&["--columns", &columns[..features].join(",")], "0.1");
        assert_eq!(outcome.sets[1].row(74)[0], 5.9);
        let features = features.to_string();
        check(&["--random", "131", "97", "--seed", "5", "--features", &features], "0.05");
    }
}

#[test]
fn sets_of_any_size_are_right() {
    for (rows, columns) in
        [("0", "0"), ("0", "5"), ("5", "0"), ("1", "1"), ("1", "300"), ("300", "1"), ("33", "257")]
    {
        let outcome = check(&["--random", rows, columns, "--seed", "7"], "0.2");
        let sizes = outcome.sets.map(|set| set.nrows().to_string());
        assert_eq!(sizes, [rows, columns]);
        let is_empty = rows == "0" || columns == "0";
        assert_eq!(outcome.report.ends_with(", so there are no distances"), is_empty);
    }
}

/// More pairs than the list has room for at first.
#[test]
fn all_pairs_can_be_within_the_radius() {
    let outcome = outcome(&["--random", "1100", "1000", "--features", "1"], "2");
    assert_eq!(outcome.within.len(), 1_100_000);
    let mut expected = (0..1100).flat_map(|i| (0..1000).map(move |j| (i, j)));
    assert!(outcome.within.iter().all(|&(i, j, distance)| {
        expected.next() == Some((i, j)) && distance == outcome.matrix[[i, j]]
    }));
}

#[test]
fn of_equally_near_points_the_first_is_taken() {
    // In the middle between the columns, one of which is there twice.
    let second = "-1,0\n1,0\n1,0\n0,1\n0,-1\n";
    let (_folder, [first, second]) = files("0,0\n1,0\n", &second.repeat(60));
    let outcome = check(&[&first, &second], "0");
    assert_eq!(outcome.nearest, [(0, 0, 1.0), (1, 1, 0.0)]);
    assert_eq!(outcome.within.len(), 120);
}

/// Coordinates that single precision rounds to the same number, or of which it rounds the squares to zero.
#[test]
fn points_far_from_zero_and_tiny_distances_are_right() {
    // One point far from the others, first.
    let first = "lat,lon\n0,0\n48.8566123,2.3522123\n";
    let second = "lat,lon\n48.8566129,2.3522123\n48.8566124,2.3522123\n";
    let (_folder, [first, second]) = files(first, second);
    let outcome = check(&[&first, &second], "3e-7");
    assert_eq!(outcome.nearest[1].1, 1);
    assert!((f64::from(outcome.nearest[1].2) / 1e-7 - 1.0).abs() < 1e-6);
    assert_eq!(outcome.within.len(), 1);
    assert_eq!(fact(&outcome.report, "nearest of 1: "), "1, at 1e-7");
    let (_folder, [first, second]) = files("x,y\n1.6e-27,0\n", "x,y\n6.6e-27,0\n3.3e-27,0\n");
    let outcome = check(&[&first, &second], "2e-27");
    assert_eq!(fact(&outcome.report, "nearest of 0: "), "1, at 1.7e-27");
    assert_eq!(fact(&outcome.report, "mean of these distances: "), "1.7e-27");
    assert_eq!(outcome.within.len(), 1);
}

#[test]
fn files_may_be_of_different_length_and_order() {
    let (_folder, [first, second]) = files("name,x,y\na,0,0\nb,3,4\n", "y,x\n4,0\n");
    let outcome = check(&[&first, &second, "--columns", "x,y"], "3");
    assert_eq!(outcome.nearest, [(0, 0, 4.0), (1, 0, 3.0)]);
    assert_eq!(outcome.within, [(1, 0, 3.0)]);
    assert!(fact(&outcome.report, "first set: ").starts_with("2 (columns x, y of "));
}

#[test]
fn columns_of_other_names_or_in_another_order_are_refused() {
    let (_folder, [first, second]) = files("x,y\n1,2\n3,4\n", "y,x\n1,2\n3,4\n");
    let error = report(&[&first, &second]).unwrap_err();
    assert!(error.contains("b.csv: its columns are y, x, and those of "), "{error}");
    assert!(error.ends_with("choose them by name, with --columns x,y"), "{error}");
    // Then they are taken by name from both: (2, 1) and (4, 3).
    let text = report(&[&first, &second, "--columns", "x,y"]).unwrap();
    assert_eq!(fact(&text, "nearest of 0: "), "0, at 1.4142135");
    let (_folder, [first, second]) = files("x,y\n1,2\n", "lat,lon\n1,2\n");
    let error = report(&[&first, &second]).unwrap_err();
    assert!(error.ends_with("choose them by number, with --columns 0,1"), "{error}");
    for (second, options) in [(&second, vec!["--columns", "0,1"]), (&first, vec![])] {
        let text = report(&[&[first.as_str(), second], &*options].concat()).unwrap();
        assert_eq!(fact(&text, "nearest of 0: "), "0, at 0");
    }
}

#[test]
fn bad_input_is_refused_with_its_place() {
    for (first, second, columns, message) in [
        ("x,y\n1,2\n", "x,y\n1,2\n3,?\n", "x,y", "b.csv, line 3, column `y`: `?` is not a number"),
        ("x,y\n1,inf\n", "x,y\n1,2\n", "x,y", "a.csv, line 2, column `y`: inf is out of range"),
        ("x,y\n1,2\n", "x,z\n1,2\n", "x,y", "b.csv, line 1, column `y`: there is no such column"),
        ("x,y\n1,2\n", "", "x", "b.csv: the file is empty"),
        ("1,2,3,4,5\n", "1,2,3,4,5\n", "0,1,2,3,4", "a.csv: 1 to 4 columns are needed"),
    ] {
        let (_folder, [first, second]) = files(first, second);
        let error = report(&[&first, &second, "--columns", columns]).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let (_folder, [first, second]) = files("1,2,3\n", "x,y\n1,2\n");
    let error = report(&[&first, &second]).unwrap_err();
    let message = "b.csv: there are 2 columns of numbers, and in ";
    assert!(error.contains(message) && error.contains("a.csv there are 3: points"), "{error}");
    let error = report(&[&first, "nowhere.csv"]).unwrap_err();
    assert!(error.starts_with("cannot read nowhere.csv: "), "{error}");
}

#[test]
fn outputs_are_checked_before_any_work() {
    let (_folder, [first, second]) = files("1,2\n", "3,4\n");
    for input in [&first, &second] {
        let arguments = [&first, &second, "--output", input, "--force"];
        let error = report(&arguments).unwrap_err();
        assert!(error.contains("is the input"), "{error}");
    }
    let arguments = ["nowhere.csv", "nowhere.csv", "--save-input", "c.npy", &second];
    let error = report(&arguments).unwrap_err();
    assert!(error.contains("exists already"), "{error}");
    let arguments = ["--output", &second, "--matrix", &second, "--force"];
    let error = report(&arguments).unwrap_err();
    assert!(error.contains("two different outputs"), "{error}");
    for arguments in [
        vec!["--matrix", "a.csv"],
        vec!["--save-input", "a.npy", "b.csv"],
        vec!["--within", "1", "--csr", "a.npy", "b", "c.npy"],
    ] {
        let error = report(&arguments).unwrap_err();
        assert!(error.contains("it is an array in NumPy's format"), "{error}");
    }
    assert_eq!(fs::read_to_string(&second).unwrap(), "3,4\n");
    report(&["--output", &second, "--force"]).unwrap();
    assert!(fs::read_to_string(&second).unwrap().starts_with("i,j,distance\n"));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        vec!["a.csv"],
        vec!["a.csv", "b.csv", "c.csv"],
        vec!["a.csv", "b.csv", "--random", "5", "5"],
        vec!["--random", "5"],
        vec!["--random", "5", "16777217"],
        vec!["--random", "5", "5", "--columns", "a"],
        vec!["--random", "5", "5", "--features", "5"],
        vec!["--seed", "1"],
        vec!["--features", "2"],
        vec!["--csr", "a.npy", "b.npy", "c.npy"],
        vec!["--within", "1", "--csr", "a.npy", "b.npy"],
        vec!["--within", "-1"],
        vec!["--within", "nan"],
        vec!["--within", "inf"],
        vec!["--pairs", "a.csv"],
        vec!["--save-input", "a.npy"],
        vec!["--device", "tpu"],
    ] {
        let parsed = Arguments::try_parse_from(["cross"].iter().chain(&arguments));
        assert!(parsed.is_err(), "{arguments:?}");
    }
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
}

/// The C++ compiler takes some tenths of a second, the kernel far less than one for this number of points.
#[test]
fn the_kernels_time_is_without_its_compilation() {
    let report = report(&["--random", "10", "10"]).unwrap();
    let time = fact(&report, "kernel: ").split(' ').next().unwrap();
    assert!(time.parse::<f64>().unwrap() < 100.0, "{report}");
}

#[test]
fn tables_are_read_as_by_other_examples() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        fs::write(&path, text).unwrap();
        path
    };
    let (first, second) =
        (path("a.csv", "x;y;z\n0;0;9\n3;4;9\n"), path("b.tsv", "x\ty\tz\n3\t5\t7\n"));
    let text = report(&[&first, &second, "--columns", "x..y"]).unwrap();
    assert_eq!(fact(&text, "nearest of 1: "), "0, at 1");
    assert_eq!(fact(&text, "features: "), "2");
    let first = path("a.csv", "0|0\n3|4\n");
    let second = path("b.csv", "3|5\n");
    let text = report(&[&first, &second, "--delimiter", "bar"]).unwrap();
    assert_eq!(fact(&text, "nearest of 1: "), "0, at 1");
    // There is no choice to leave rows out, of which a message could tell.
    let gap = path("gap.csv", "0,1\n,4\n");
    let error = report(&[&gap, &gap]).unwrap_err();
    assert!(error.contains("the cell is empty") && !error.contains("--missing"), "{error}");
    let text = report(&["--random", "2e1", "1.2e1"]).unwrap();
    assert_eq!(fact(&text, "pairs: "), "240");
    assert!(report(&["--random", "1.5", "2"]).is_err());
}
