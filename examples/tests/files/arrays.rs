//! Rows of numbers: `similarity` and `knn`.

use std::collections::HashSet;

use td_kernel_examples::TableOptions;
use td_kernel_examples_files::rows;

use crate::program::{Folder, assert_near, cases, distance, fact, pairs, size};

/// The row that a metric compares.
fn compared(row: &[f64], metric: &str) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    let mean = if metric == "correlation" { mean } else { 0.0 };
    let norm = row.iter().map(|value| (value - mean).powi(2)).sum::<f64>().sqrt();
    let norm = if ["cosine", "correlation"].contains(&metric) { norm } else { 1.0 };
    row.iter().map(|value| (value - mean) / norm).collect()
}

fn value(metric: &str, a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    match metric {
        "euclidean" => distance(a, b),
        "manhattan" => pairs.map(|(a, b)| (a - b).abs()).sum(),
        "hamming" => pairs.filter(|(a, b)| a != b).count() as f64 / a.len() as f64,
        _ => 1.0 - 0.5 * distance(a, b).powi(2),
    }
}

#[test]
fn similarities_and_neighbours() {
    let (folder, n) = (Folder::new(), size(120, 5000));
    // Rounded, so that features of several rows are equal; with a width that is not a multiple of four, and a row without a
    // direction.
    folder.run("similarity", &format!("--random {n} --save-input random.csv"));
    let mut rows = folder.numbers("random.csv");
    rows.iter_mut().for_each(|row| row.truncate(61));
    rows.iter_mut().flatten().for_each(|value| *value = (*value * 8.0).round() + 1000.0);
    rows[7].fill(0.0);
    let line = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let folder = folder.with("rows.csv", &rows.iter().map(line).collect::<Vec<_>>().join("\n"));
    for metric in ["euclidean", "manhattan", "cosine", "correlation", "hamming"] {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| compared(row, metric)).collect();
        let is_cosine = ["cosine", "correlation"].contains(&metric);
        let options = format!("--input rows.csv --force --metric {metric} --output");
        let text = folder.run("similarity", &format!("{options} values.npy"));
        let mut all = folder.array("values.npy");
        assert_eq!(fact(&text, "pairs"), all.len().to_string());
        for ((i, j), found) in pairs(n).zip(&all) {
            let expected = value(metric, &rows[i], &rows[j]);
            assert_eq!(found.is_nan(), expected.is_nan(), "{metric} {i} {j}");
            // For cosines, an angle is as exact as its features.
            let size = if is_cosine { 1.0 } else { expected };
            let error = (f64::from(*found) - expected).abs();
            assert!(expected.is_nan() || error <= 2e-6 * size, "{metric} {found} {expected}");
        }
        let undefined = format!("undefined: {} pairs, with a row that has no direction", n - 1);
        assert_eq!(text.contains(&undefined), is_cosine, "{text}");
        // The printed values are in the file.
        all.retain(|value| !value.is_nan());
        all.sort_by(f32::total_cmp);
        let alike = if is_cosine { all.last() } else { all.first() }.unwrap();
        assert!(fact(&text, "most alike").starts_with(&format!("{alike:?} (")), "{text}");
        let mean = all.iter().map(|value| f64::from(*value)).sum::<f64>() / all.len() as f64;
        let printed: f64 = fact(&text, "mean of all pairs").parse().unwrap();
        assert!((printed - mean).abs() <= 1e-6 * mean.abs().max(1e-3), "{printed} {mean}");
        if metric == "hamming" {
            continue;
        }
        let text = folder.run("knn", &format!("{options} near.csv --k 7"));
        assert!(fact(&text, "recall").starts_with("1 ("), "{text}");
        let mut near = folder.numbers("near.csv").into_iter();
        let sign = if is_cosine { -1.0 } else { 1.0 };
        let less = |row: usize, other: usize| sign * value(metric, &rows[row], &rows[other]);
        for row in 0..n {
            let others = (0..n).filter(|other| *other != row).map(|other| less(row, other));
            let mut all: Vec<f64> = others.filter(|value| !value.is_nan()).collect();
            all.sort_by(f64::total_cmp);
            let found: Vec<Vec<f64>> = near.by_ref().take(all.len().min(7)).collect();
            for (line, expected) in found.iter().zip(all) {
                assert_eq!(line[0], row as f64);
                assert_near(line[2] as f32, expected.abs());
                assert!((less(row, line[1] as usize) - expected).abs() < 1e-6);
            }
            // Among equal values, the smaller index comes first; other values are rounded again after the sort.
            let in_order = |pair: &[Vec<f64>]| {
                pair[0][2] < pair[1][2] || (pair[0][2] == pair[1][2] && pair[0][1] < pair[1][1])
            };
            assert!(metric != "manhattan" || found.windows(2).all(in_order));
            let others: HashSet<usize> = found.iter().map(|line| line[1] as usize).collect();
            assert!(others.len() == found.len() && !others.contains(&row));
        }
        assert_eq!(near.next(), None);
        // A machine may have only one GPU.
        let devices = size(3, 1);
        folder.run("knn", &format!("{options} several.csv --k 7 --devices {devices}"));
        assert!(folder.text("near.csv") == folder.text("several.csv"), "{metric}");
    }
}

/// The 72 MB of values of 6,000 rows are never all in memory. A GPU's driver needs more of it.
#[cfg(unix)]
#[test]
fn memory_is_that_of_rows() {
    for example in ["similarity", "edm"].into_iter().filter(|_| size(0, 1) == 0) {
        let folder = Folder::new();
        folder.run(example, "--random 300"); // compiles without a limit
        let options = "--random 6000 --plot a.svg";
        let (success, _, error) = folder.limited("-v 300000", example, options);
        assert!(success, "{example}: {error}");
    }
}

/// Of more rows than a chunk has.
#[test]
fn square_of_many_rows() {
    let (folder, n) = (Folder::new(), 1100);
    folder.run("similarity", &format!("--random {n} --output a.npy --layout square"));
    folder.run("similarity", &format!("--random {n} --output b.npy"));
    let (square, packed) = (folder.array("a.npy"), folder.array("b.npy"));
    for ((i, j), value) in pairs(n).zip(packed) {
        assert_eq!([square[i * n + j], square[j * n + i], square[i * n + i]], [value, value, 0.0]);
    }
}

#[test]
fn arrays() {
    let folder = Folder::new();
    let options = "--output a.npy --layout square --plot a.svg --metric cosine";
    let text = folder.run("similarity", options);
    assert!(fact(&text, "most alike").starts_with("1.0 ("), "{text}");
    let square = folder.array("a.npy");
    assert!((0..150).all(|i| square[i * 151] == 1.0 && square[i * 150 + 7] == square[1050 + i]));
    assert!(folder.text("a.svg").contains("Cosine, 150 rows of 4 features"));
    folder.run("similarity", "--output b.npy --layout condensed --metric cosine");
    assert_eq!(folder.array("b.npy")[..149], square[1..150]);
    // The square is also an array of rows.
    let text = folder.run("knn", "--input a.npy --save-input a.csv --output b.csv");
    assert!(text.contains("rows: 150 of 150 features (rows of a.npy)"), "{text}");
    folder.run("knn", "--input a.csv --output c.csv");
    assert!(folder.table("b.csv") == folder.table("c.csv"));
    let read = |options: &TableOptions| rows(options, 1, false);
    let array = |folder: &Folder, arguments: &str| cases::rows(folder, arguments, read);
    cases::check(include_str!("../cases/arrays.txt"), "array", array);
}
