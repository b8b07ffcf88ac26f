//! Tables as people have them: with gaps, with other delimiters, compressed.

use std::fs::{self, File};
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use ndarray::Array2;
use ndarray_npy::read_npy;

use super::{Files, fact, report};

/// Three features, of which two rows lack one.
const GAPS: &str = "name,x,y,z\na,0,0,0\nb,,1,1\nc,3,4,0\nNA,0,0,12\ne,1,NA,1\n";

/// The report, and the points that the kernel saw. That it gets the distances right is tested elsewhere.
fn read(arguments: &[&str]) -> (String, Array2<f64>) {
    let files = Files::empty();
    let path = files.path("points.npy");
    let text = report(&[arguments, &["--save-input", &path]].concat()).unwrap();
    (text, read_npy(path).unwrap())
}

#[test]
fn rows_with_gaps_are_left_out_where_that_is_asked_for() {
    let (_files, path) = Files::with("t.csv", GAPS);
    let skip = ["--input", &path, "--missing", "skip"];
    let (text, points) = read(&skip);
    assert_eq!(
        points.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>(),
        [[0.0, 0.0, 0.0], [3.0, 4.0, 0.0], [0.0, 0.0, 12.0]]
    );
    let left_out = "2 rows without a value (lines 3, 6); i and j count the others";
    assert_eq!(fact(&text, "left out: "), left_out);
    assert_eq!(fact(&text, "farthest: "), "13 (i = 2, j = 1)");
    // Only the columns that are taken count.
    let (text, points) = read(&[&skip[..], &["--columns", "y..z"]].concat());
    assert_eq!((points.nrows(), points.ncols()), (4, 2));
    let left_out = "1 row without a value (line 6); i and j count the others";
    assert_eq!(fact(&text, "left out: "), left_out);
    let (text, _) = read(&[&skip[..], &["--columns", "z"]].concat());
    assert!(!text.contains("left out"), "{text}");
    // Not every line is told.
    let (_files, path) = Files::with("t.csv", &format!("x\n{}1\n2\n", "nan\n".repeat(20)));
    let (text, _) = read(&["--input", &path, "--missing", "skip"]);
    assert!(text.contains("left out: 20 rows without a value (lines 2, 3, 4, 5, 6, 7, 8, 9, …)"));
}

#[test]
fn gaps_are_errors_by_default() {
    for (text, message) in [
        (GAPS, "line 3, column `x`: the cell is empty: write a number, leave out the column"),
        ("x\n1\nNA\n", "line 3, column `x`: `NA` is no value: write a number, leave out"),
        ("x\n1\nnan\n", "line 3, column `x`: `nan` is no value: write a number, leave out"),
        ("1,2\n3,\n", "line 2, column 1 (counted from 0): the cell is empty"),
    ] {
        let (_files, path) = Files::with("bad.csv", text);
        for more in [&[][..], &["--missing", "error"]] {
            let error = report(&[&["--input", &path], more].concat()).unwrap_err();
            assert!(error.contains(&format!("bad.csv, {message}")), "{error}");
            assert!(error.ends_with("leave out rows such as this with --missing skip"), "{error}");
        }
    }
    let (_files, path) = Files::with("bad.csv", "x,y\n1,\n,2\n");
    let error = report(&["--input", &path, "--missing", "skip"]).unwrap_err();
    assert!(error.contains("bad.csv: no row has a value in each of these columns"), "{error}");
    // What is wrong is no gap.
    let (_files, path) = Files::with("bad.csv", "x,y\n1,\n3,1e99\n");
    let error = report(&["--input", &path, "--missing", "skip"]).unwrap_err();
    assert!(error.contains("bad.csv, line 3, column `y`: 1e99 is out of range"), "{error}");
}

#[test]
fn other_delimiters_give_the_same_points() {
    let expected = read(&[]).1;
    let iris = td_kernel_examples::data::IRIS.text;
    for (name, delimiter) in [("semicolon", ";"), ("tab", "\t"), ("bar", "|")] {
        let (_files, path) = Files::with("iris.txt", &iris.replace(',', delimiter));
        for word in [name, delimiter] {
            let (_, points) = read(&["--input", &path, "--delimiter", word]);
            assert_eq!(points, expected);
        }
        // A bar is only one where it is asked for.
        let found = report(&["--input", &path]);
        match delimiter {
            "|" => assert!(found.unwrap_err().contains("--delimiter names another")),
            _ => assert_eq!(fact(&found.unwrap(), "pairs: "), "11175"),
        }
    }
    // Decimals with commas, perhaps.
    let (_files, path) = Files::with("bad.csv", "1,5;2\n3,4;1\n");
    for (more, message) in [
        (vec![], "line 1: the rows can be split by comma and by semicolon"),
        (
            vec!["--delimiter", ";"],
            "line 1, column 0 (counted from 0): `1,5` is not a number: write a point",
        ),
        (
            vec!["--delimiter", ","],
            "line 1, column 1 (counted from 0): `5;2` is more than one number",
        ),
    ] {
        let error = report(&[&["--input", &path], &more[..]].concat()).unwrap_err();
        assert!(error.contains(&format!("bad.csv, {message}")), "{error}");
    }
}

#[test]
fn what_gzip_has_compressed_is_read() {
    let files = Files::empty();
    let path = files.path("iris.csv.gz");
    let mut encoder = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
    encoder.write_all(td_kernel_examples::data::IRIS.text.as_bytes()).unwrap();
    encoder.finish().unwrap();
    let (text, points) = read(&["--input", &path]);
    assert_eq!(points, read(&[]).1);
    assert!(fact(&text, "features: ").ends_with("iris.csv.gz)"), "{text}");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let error = report(&["--input", &path]).unwrap_err();
    assert!(error.contains("iris.csv.gz: it is compressed by gzip, and damaged"), "{error}");
}

/// The nearest and the farthest distance and the mean of these points, as the report has them.
fn statistics(text: &str, more: &[&str]) -> [String; 3] {
    let (_files, path) = Files::with("t.csv", text);
    let text = report(&[&["--input", &path], more].concat()).unwrap();
    let number = |name| fact(&text, name).split(' ').next().unwrap().to_owned();
    [number("nearest: "), number("farthest: "), number("mean distance: ")]
}

/// Coordinates that single precision rounds to the same number, or of which it rounds the squares to zero.
#[test]
fn distances_far_from_zero_and_tiny_ones_are_right() {
    let latitudes = "lat,lon\n48.8566123,2.3522123\n48.8566124,2.3522123\n48.8566129,2.3522123\n";
    let times = "t,v\n1700000000.25,1\n1700000001.25,2\n1700000060.5,3\n";
    // One point far from the others, first.
    let odd = "x,y\n0,0\n1700000000.25,1\n1700000001.25,1\n1700000005.25,4\n";
    let masses = "x,y\n1.6e-27,0\n3.3e-27,0\n6.6e-27,0\n";
    let nano = "x,y\n1e-9,0\n3e-9,0\n9e-9,0\n";
    for (text, expected) in [
        (latitudes, [1e-7, 6e-7, 4e-7]),
        (times, [2.0_f64.sqrt(), 60.283_19, 40.318_61]),
        (odd, [1.0, 1_700_000_005.25, 850_000_002.375]),
        (masses, [1.7e-27, 5e-27, 3.333_333_4e-27]),
        (nano, [2e-9, 8e-9, 5.333_333_5e-9]),
    ] {
        for more in [&[][..], &["--memory", "12"]] {
            for (found, expected) in statistics(text, more).iter().zip(expected) {
                let value: f64 = found.parse().unwrap();
                assert!((value / expected - 1.0).abs() < 1e-6, "{text}: {found}, not {expected}");
                assert!(found.len() < 16, "{found}");
            }
        }
    }
    assert_eq!(statistics(nano, &[]), ["2e-9", "8e-9", "5.3333333e-9"]);
}

#[test]
fn numbers_may_have_exponents() {
    let (_files, path) = Files::with("t.csv", "x,y\n1e5,0\n1E+5,3e0\n");
    assert_eq!(fact(&read(&["--input", &path]).0, "nearest: "), "3 (i = 1, j = 0)");
    let points = |count| read(&["--random", count]).1;
    assert_eq!(points("1.2e1"), points("12"));
}

/// Which columns are taken; what is told of them is in `identifiers.rs`, and that it is told in the tests of processes.
#[test]
fn columns_that_look_like_identifiers_are_taken_all_the_same() {
    let (_files, path) = Files::with("t.csv", "id,x\n1,5\n2,7\n3,5\n");
    assert_eq!(read(&["--input", &path]).1.ncols(), 2);
    assert_eq!(read(&["--input", &path, "--columns", "x"]).1.ncols(), 1);
}

#[test]
fn report_says_that_there_is_no_header() {
    let features = |text: &str| {
        let (_files, path) = Files::with("t.csv", text);
        fact(&report(&["--input", &path]).unwrap(), "features: ").to_owned()
    };
    assert!(features("1,2\n3,5\n").ends_with("t.csv, without a header)"));
    assert!(features("x,y\n1,2\n3,5\n").ends_with("t.csv)"));
}
