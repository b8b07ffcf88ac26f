//! The whole program, on the CPU, compared with values that are computed differently, in double precision, from the same
//! rows.

mod pictures;
mod reference;
mod refused;

use ndarray::{Array1, Array2};
use ndarray_npy::{read_npy, write_npy};
use td_kernel_examples::Digits;
use td_kernel_examples::tried::{self, Files, fact};

use self::reference::{METRICS, Reference};
use crate::run;

fn report(arguments: &[&str]) -> Result<String, String> {
    tried::report("similarity", arguments, run)
}

/// What a run of the program left behind.
struct Outcome {
    report: String,
    rows: Array2<f64>,
    /// The values of all pairs, both ways.
    square: Array2<f32>,
}

/// Runs the program with these arguments and a metric, and checks each value.
fn check(metric: &str, arguments: &[&str]) -> Outcome {
    let files = Files::empty();
    let [input, square] = ["input.npy", "square.npy"].map(|name| files.path(name));
    let written = ["--save-input", &input, "--output", &square, "--layout", "square"];
    let report = report(&[&["--metric", metric], arguments, &written].concat()).unwrap();
    let rows: Array2<f64> = read_npy(&input).unwrap();
    let square: Array2<f32> = read_npy(&square).unwrap();
    let n = rows.nrows();
    assert_eq!(square.shape(), [n, n]);
    let reference = Reference::new(metric, &rows);
    for i in 0..n {
        for j in 0..=i {
            let found = square[[i, j]];
            assert_eq!(found.to_bits(), square[[j, i]].to_bits());
            reference.check(found, i, j);
        }
    }
    check_report(metric, &report, &square);
    Outcome { report, rows, square }
}

/// Compares what a report says of pairs with the values of all of them.
fn check_report(metric: &str, report: &str, square: &Array2<f32>) {
    let n = square.nrows();
    assert_eq!(
        fact(report, "pairs: ").split(',').next(),
        Some(&*(n * n.saturating_sub(1) / 2).to_string())
    );
    let mut pairs: Vec<(f32, usize, usize)> =
        (0..n).flat_map(|i| (0..i).map(move |j| (square[[i, j]], i, j))).collect();
    let undefined = pairs.iter().filter(|pair| pair.0.is_nan()).count();
    let sum: f64 = pairs.iter().map(|pair| f64::from(pair.0)).filter(|value| !value.is_nan()).sum();
    let is_similarity = matches!(metric, "cosine" | "correlation" | "rbf");
    // The sort is stable: of equal pairs, those in front stay there.
    pairs.sort_by(|(a, ..), (b, ..)| match is_similarity {
        true => b.partial_cmp(a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())),
        false => a.partial_cmp(b).unwrap(),
    });
    let name = if is_similarity { "most similar: " } else { "closest: " };
    let found: Vec<&str> = report.lines().filter_map(|line| line.strip_prefix(name)).collect();
    assert_eq!(found.len(), (pairs.len() - undefined).min(5), "{report}");
    for (found, (value, i, j)) in found.iter().zip(&pairs) {
        let value = Digits((*value).into());
        let expected = format!("{value} (i = {i}, j = {j})");
        assert!(found.starts_with(&expected), "{found} is not {expected}");
    }
    assert_eq!(report.contains("\nundefined: "), undefined > 0);
    if undefined > 0 {
        let noun = if undefined == 1 { "pair" } else { "pairs" };
        let count = format!("{undefined} {noun}, with a row that has no direction");
        assert_eq!(fact(report, "undefined: "), count);
    }
    let defined = pairs.len() - undefined;
    if defined > 0 {
        let of = match (undefined, defined) {
            (0, _) => "mean of all pairs: ".to_owned(),
            (_, 1) => "mean of the one pair that has a value: ".to_owned(),
            _ => format!("mean of the {defined} pairs that have a value: "),
        };
        let mean: f64 = fact(report, &of).parse().unwrap();
        let expected = sum / defined as f64;
        assert!((mean - expected).abs() <= 1e-6 * expected.abs().max(1e-3), "{mean}, {expected}");
    }
}

#[test]
fn iris_is_the_default() {
    let outcome = check("euclidean", &[]);
    assert_eq!(outcome.rows.dim(), (150, 4));
    assert_eq!(outcome.rows.row(0).to_vec(), [5.1, 3.5, 1.4, 0.2]);
    assert_eq!(outcome.square[[142, 101]], 0.0);
    assert_eq!(fact(&outcome.report, "labels: "), "3");
    let first = fact(&outcome.report, "closest: ");
    assert_eq!(first, "0 (i = 142, j = 101), virginica and virginica");
}

/// Each run compiles its kernel anew, so not every metric has every width.
#[test]
fn every_metric_is_right_at_many_widths() {
    for metric in METRICS {
        let widths: &[&str] = match metric {
            "euclidean" => &["1", "3", "4", "5", "31", "64", "127", "1000"],
            "cosine" | "hamming" => &["1", "5", "127"],
            _ => &["31"],
        };
        for features in widths {
            let arguments = ["--random", "37", "--features", features, "--seed", features];
            let outcome = check(metric, &arguments);
            assert_eq!(outcome.rows.dim(), (37, features.parse().unwrap()));
        }
    }
}

#[test]
fn any_number_of_rows_is_right() {
    for (metric, n) in [
        ("euclidean", "0"),
        ("correlation", "0"),
        ("euclidean", "1"),
        ("cosine", "1"),
        ("hamming", "2"),
        ("euclidean", "17"),
        ("rbf", "200"),
    ] {
        let outcome = check(metric, &["--random", n, "--features", "7"]);
        let is_empty = outcome.report.ends_with(", so there is nothing to compare");
        assert_eq!(is_empty, matches!(n, "0" | "1"), "{}", outcome.report);
    }
}

#[test]
fn columns_are_chosen() {
    let outcome = check("euclidean", &["--columns", "petal_width,1"]);
    assert_eq!(outcome.rows.row(0).to_vec(), [0.2, 3.5]);
    assert!(outcome.report.contains("columns petal_width, sepal_width of the built-in iris.csv"));
}

#[test]
fn a_layout_changes_nothing_but_the_order() {
    let files = Files::empty();
    let read = |layout: &str| -> Array1<f32> {
        let path = files.path(&format!("{layout}.npy"));
        let arguments = ["--metric", "cosine", "--output", &path, "--layout", layout];
        report(&arguments).unwrap();
        read_npy(&path).unwrap()
    };
    let (packed, condensed) = (read("packed"), read("condensed"));
    assert_eq!((packed.len(), condensed.len()), (11175, 11175));
    let square = check("cosine", &[]).square;
    let lower = (0..150).flat_map(|i| (0..i).map(move |j| (i, j)));
    let upper = (0..150).flat_map(|i| (i + 1..150).map(move |j| (i, j)));
    assert!(lower.zip(&packed).all(|(pair, value)| square[pair] == *value));
    assert!(upper.zip(&condensed).all(|(pair, value)| square[pair] == *value));
}

#[test]
fn arrays_and_tables_of_the_same_numbers_are_the_same() {
    let iris = check("manhattan", &[]);
    let files = Files::empty();
    let path = files.path("iris.npy");
    write_npy(&path, &iris.rows).unwrap();
    let doubles = check("manhattan", &["--input", &path]);
    write_npy(&path, &iris.rows.mapv(|value| value as f32)).unwrap();
    let singles = check("manhattan", &["--input", &path]);
    assert_eq!(doubles.square, iris.square);
    // Rounded before their column's median is subtracted.
    let pairs = singles.square.iter().zip(&iris.square);
    assert!(pairs.into_iter().all(|(single, double)| (single - double).abs() < 1e-5));
    assert!(!doubles.report.contains("labels: "), "{}", doubles.report);
    // Without a header, and with labels of numbers.
    let (_files, path) = Files::with("t.csv", "7,1,2\n8,3,5\n7,0,0\n");
    let outcome = check("manhattan", &["--input", &path, "--label", "0"]);
    assert_eq!(outcome.rows.dim(), (3, 2));
    assert_eq!(fact(&outcome.report, "closest: "), "3 (i = 2, j = 0), 7 and 7");
    assert_eq!(fact(&outcome.report, "labels: "), "2");
}

#[test]
fn gamma_is_a_choice() {
    let with = |gamma: &str| {
        let (files, path) = Files::with("t.csv", "0,0\n1,1\n");
        let output = files.path("a.npy");
        let arguments = ["--input", &path, "--metric", "rbf", "--output", &output];
        let gamma: &[&str] = if gamma.is_empty() { &[] } else { &["--gamma", gamma] };
        report(&[&arguments, gamma].concat()).unwrap();
        let values: Array1<f32> = read_npy(&output).unwrap();
        f64::from(values[0])
    };
    // 1 / 2 features, times 2.
    for (gamma, expected) in [("", -1.0_f64), ("0.25", -0.5), ("20", -40.0)] {
        assert!((with(gamma) / expected.exp() - 1.0).abs() < 1e-5, "{gamma}");
    }
}

#[test]
fn rows_without_a_direction_have_no_angle() {
    let text = "x,y,z\n0,0,0\n1,2,3\n5,5,5\n-2,-4,-6\n0.1,0.1,0.1\n";
    let (_files, path) = Files::with("t.csv", text);
    let cosine = check("cosine", &["--input", &path]);
    let undefined = |square: &Array2<f32>| {
        let is_undefined = |row: usize| square.row(row).iter().all(|value| value.is_nan());
        (0..5).filter(|row| is_undefined(*row)).collect::<Vec<_>>()
    };
    assert_eq!(undefined(&cosine.square), [0]);
    assert!((cosine.square[[3, 1]] + 1.0).abs() < 1e-6 && cosine.square[[4, 2]] > 1.0 - 1e-6);
    let correlation = check("correlation", &["--input", &path]);
    assert_eq!(undefined(&correlation.square), [0, 2, 4]);
    assert!((correlation.square[[3, 1]] + 1.0).abs() < 1e-6);
    for metric in METRICS {
        check(metric, &["--input", &path]);
    }
}

#[test]
fn a_mean_says_of_which_pairs_it_is() {
    for (text, mean, undefined) in [
        ("1,0\n0,1\n", "mean of all pairs: 0", None),
        ("0,0\n0,1\n", "", Some("1 pair, with a row that has no direction")),
        ("0,0\n0,1\n0,2\n", "mean of the one pair that has a value: 1", Some("2 pairs, ")),
        ("0,0\n0,1\n0,2\n0,3\n", "mean of the 3 pairs that have a value: 1", Some("3 pairs, ")),
    ] {
        let (_files, path) = Files::with("t.csv", text);
        let report = check("cosine", &["--input", &path]).report;
        let found = report.lines().find(|line| line.starts_with("mean ")).unwrap_or_default();
        assert_eq!(found, mean);
        match undefined {
            Some(undefined) => assert!(fact(&report, "undefined: ").starts_with(undefined)),
            None => assert!(!report.contains("undefined: "), "{report}"),
        }
    }
}

/// Just below 1, single precision has the multiples of 2^-24. Each cosine is the nearest of them.
#[test]
fn small_angles_are_right() {
    let angles = [0.0_f64, 1e-5, 2e-4, 3e-4, 5e-4, 6e-4, 1e-3];
    let side = 100.0_f64.sqrt().recip();
    let rows = Array2::from_shape_fn((angles.len(), 101), |(row, k)| match k {
        100 => angles[row].sin(),
        _ => side * angles[row].cos() * if k % 2 == 0 { 1.0 } else { -1.0 },
    });
    let files = Files::empty();
    let path = files.path("rows.npy");
    for scale in [1.0, 3e7] {
        write_npy(&path, &rows.mapv(|value| scale * value)).unwrap();
        for metric in ["cosine", "correlation"] {
            let square = check(metric, &["--input", &path]).square;
            for (i, j) in (0..angles.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let [a, b] = [i, j].map(|row| match metric {
                    "cosine" => rows.row(row).to_owned(),
                    _ => &rows.row(row) - rows.row(row).mean().unwrap(),
                });
                let expected = a.dot(&b) / (a.dot(&a) * b.dot(&b)).sqrt();
                let error = (f64::from(square[[i, j]]) - expected).abs();
                assert!(error < 0.51 / f64::from(1 << 24), "{metric}, ({i}, {j}): {error:e}");
            }
        }
    }
}

#[test]
fn equal_rows_have_a_cosine_of_one() {
    let (_files, path) = Files::with("t.csv", "1,2,3\n1,2,3\n0.1,0.1,0.1\n0.1,0.1,0.1\n");
    let square = check("cosine", &["--input", &path]).square;
    assert_eq!([square[[1, 0]], square[[3, 2]]], [1.0, 1.0]);
}

/// Values whose squares are past the ends of single precision, and values that differ by less than it can tell.
#[test]
fn angles_do_not_depend_on_scale() {
    let rows = Array2::from_shape_fn((40, 9), |(i, k)| ((7 * i + 3 * k * k) % 23) as f64 - 11.0);
    let files = Files::empty();
    let path = files.path("rows.npy");
    for (scale, shift) in [(1.0, 0.0), (1e-38, 0.0), (1e13, 0.0), (1.0, 1e9), (1e-3, 1e12)] {
        write_npy(&path, &rows.mapv(|value| scale * value + shift)).unwrap();
        for metric in ["cosine", "correlation"] {
            check(metric, &["--input", &path]);
        }
    }
}

/// One row far from the others, and lengths of which single precision rounds the squares to zero.
#[test]
fn distances_far_from_zero_and_tiny_ones_are_right() {
    let odd = "0,0\n1700000000.25,1\n1700000001.25,1\n1700000003.5,1\n";
    let tiny = "0,9e-27\n1.6e-27,0\n3.3e-27,0\n6.6e-27,0\n";
    for (text, expected) in [(odd, 1.0_f64), (tiny, 1.7e-27)] {
        let (_files, path) = Files::with("t.csv", text);
        for metric in ["euclidean", "manhattan", "squared"] {
            let report = report(&["--input", &path, "--metric", metric]).unwrap();
            let (found, pair) = fact(&report, "closest: ").split_once(' ').unwrap();
            let expected = if metric == "squared" { expected * expected } else { expected };
            let (found, expected) = (found.parse::<f64>().unwrap(), f64::from(expected as f32));
            assert!((found - expected).abs() <= 1e-6 * expected, "{metric}: {report}");
            // Squares of tiny distances are zero in single precision, all of them.
            assert!(expected == 0.0 || pair == "(i = 2, j = 1)", "{metric}: {report}");
        }
        let report = report(&["--input", &path, "--metric", "rbf", "--gamma", "0.5"]).unwrap();
        let (found, _) = fact(&report, "most similar: ").split_once(' ').unwrap();
        let expected = (-0.5 * expected * expected).exp();
        assert!((found.parse::<f64>().unwrap() - expected).abs() < 1e-6, "{report}");
    }
}

/// As 32-bit floats, these would be equal.
#[test]
fn hamming_compares_numbers_as_they_are() {
    let (_files, path) = Files::with("t.csv", "16777216,0,1\n16777217,-0,1\n16777217,0,2\n");
    let outcome = check("hamming", &["--input", &path]);
    let third = 1.0_f32 / 3.0;
    assert_eq!(outcome.square.row(1).to_vec(), [third, 0.0, third]);
}

#[test]
fn the_list_is_as_long_as_asked() {
    for (top, expected) in [("0", 0), ("1", 1), ("12", 12), ("1000000", 11175)] {
        let report = report(&["--top", top]).unwrap();
        assert_eq!(report.lines().filter(|line| line.starts_with("closest: ")).count(), expected);
    }
}

/// The C++ compiler takes some tenths of a second, the kernel far less than one for this number of rows.
#[test]
fn the_kernels_time_is_without_its_compilation() {
    let report = report(&["--random", "10", "--features", "3"]).unwrap();
    let time = fact(&report, "kernel: ").split(' ').next().unwrap();
    assert!(time.parse::<f64>().unwrap() < 100.0, "{report}");
}

#[test]
fn tables_are_read_as_by_other_examples() {
    let expected = "5 (i = 1, j = 0), b and a";
    for (name, text, options) in [
        ("t.csv", "x;kind;y\n0;a;0\n3;b;4\n", vec![]),
        ("t.tsv", "x\tkind\ty\n0\ta\t0\n3\tb\t4\n", vec![]),
        ("t.csv", "x|kind|y\n0|a|0\n3|b|4\n", vec!["--delimiter", "bar"]),
        ("t.csv", "x,kind,y\n0,a,0\n,c,7\n3,b,4\nNA,b,4\n", vec!["--missing", "skip"]),
    ] {
        let (_files, path) = Files::with(name, text);
        let input = ["--input", &path, "--label", "kind"];
        let report = report(&[&input[..], &options].concat()).unwrap();
        assert_eq!(fact(&report, "closest: "), expected, "{report}");
        if options.contains(&"skip") {
            let left_out = "2 rows without a value (lines 3, 5); i and j count the others";
            assert_eq!(fact(&report, "left out: "), left_out);
        }
    }
    let (files, _) = Files::with("t.csv", "");
    let path = files.path("t.csv.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, b"0,0\n3,4\n").unwrap();
    std::fs::write(&path, gzip.finish().unwrap()).unwrap();
    assert!(fact(&report(&["--input", &path]).unwrap(), "closest: ").starts_with("5 "));
}
