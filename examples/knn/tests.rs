//! The whole program, on the CPU, compared with neighbours that are searched differently, in double precision, among the
//! same rows.

mod files;
mod reference;
mod refused;
mod texts;

use std::collections::BTreeSet;

use ndarray::{Array2, array};
use ndarray_npy::{read_npy, write_npy};
use td_kernel_examples::tried::{self, fact};
use tempfile::TempDir;

use self::reference::{METRICS, input, is_similarity, seen, value};
use crate::run;

fn report(arguments: &[&str]) -> Result<String, String> {
    tried::report("knn", arguments, run)
}

/// A folder for one test's files.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().into()
    }

    /// The path of a file with this text.
    fn with(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The path of a file with these rows.
    fn array(&self, name: &str, rows: &Array2<f64>) -> String {
        let path = self.path(name);
        write_npy(&path, rows).unwrap();
        path
    }
}

/// What a run of the program left behind.
struct Outcome {
    report: String,
    rows: Array2<f64>,
    indices: Array2<i64>,
    values: Array2<f32>,
}

/// Expects that all neighbours were found but for those that single precision cannot tell apart.
fn assert_found(report: &str) {
    if !fact(report, "recall: ").starts_with("1 (") {
        let missed = fact(report, "missed by no more than single precision rounds: ");
        let (within, missed) = missed.split_once(" of ").unwrap();
        assert_eq!(within, missed, "{report}");
    }
}

/// Runs the program with these arguments, and checks the neighbours of each row: those of all others, or where there are
/// queries, those of them.
fn check(metric: &str, k: usize, arguments: &[&str], queries: Option<&Array2<f64>>) -> Outcome {
    let files = Files::new();
    let [saved, output] = ["input.npy", "near"].map(|name| files.path(name));
    let places = k.to_string();
    let fixed = ["--metric", metric, "--k", &places, "--save-input", &saved, "--output", &output];
    let report = report(&[&fixed, arguments].concat()).unwrap();
    let rows: Array2<f64> = read_npy(&saved).unwrap();
    let indices: Array2<i64> = read_npy(output.clone() + "-indices.npy").unwrap();
    let values: Array2<f32> = read_npy(output + "-values.npy").unwrap();
    let data = seen(metric, &rows);
    let of = queries.map_or_else(|| data.clone(), |queries| seen(metric, queries));
    let input = input(metric, [&data, &of]);
    assert_eq!((indices.dim(), values.dim()), ((of.nrows(), k), (of.nrows(), k)));
    let sign = if is_similarity(metric) { -1.0 } else { 1.0 };
    let mut all = 0;
    for (i, row) in of.rows().into_iter().enumerate() {
        let others = (0..data.nrows()).filter(|j| queries.is_some() || *j != i);
        let others =
            others.filter_map(|j| Some((j as i64, value(metric, row, data.row(j), input)?)));
        let mut left_out: std::collections::BTreeMap<_, _> = others.collect();
        let count = left_out.len().min(k);
        all += count;
        let near = indices.row(i).to_vec().into_iter().zip(values.row(i).to_vec());
        let near: Vec<(i64, f32)> = near.collect();
        for (index, found) in &near[..count] {
            let (expected, bound) = left_out.remove(index).unwrap();
            let error = (f64::from(*found) - expected).abs();
            assert!(
                error <= bound,
                "{metric}, ({i}, {index}): {found} is not {expected} ± {bound}"
            );
        }
        for two in near[..count].windows(2) {
            let [(a, first), (b, second)] = [two[0], two[1]];
            let (first, second) = (sign as f32 * first, sign as f32 * second);
            // A cosine is the same number for several distances of rows of length 1, which the kernel compares.
            let is_ordered = if is_similarity(metric) { first <= second } else { first < second };
            assert!(is_ordered || (first == second && a < b), "{metric}, {i}: {two:?}");
        }
        if let Some((_, last)) = near[..count].last() {
            for (index, (expected, bound)) in left_out {
                let is_nearer = sign * expected + bound < sign * f64::from(*last);
                assert!(!is_nearer, "{metric}, {i}: {index} at {expected}, and not {last}");
            }
        }
        assert!(near[count..].iter().all(|(index, value)| *index == -1 && value.is_nan()));
    }
    if all > 0 {
        let count = format!("{all}, up to {k} of each row");
        assert_eq!(fact(&report, "neighbours: "), count, "{report}");
        assert_found(&report);
    }
    Outcome { report, rows, indices, values }
}

#[test]
fn iris_is_the_default() {
    let outcome = check("euclidean", 10, &[], None);
    assert_eq!(outcome.rows.dim(), (150, 4));
    // These two have the same measurements.
    assert_eq!((outcome.indices[[101, 0]], outcome.values[[101, 0]]), (142, 0.0));
    assert_eq!(fact(&outcome.report, "labels: "), "3");
    assert_eq!(fact(&outcome.report, "pairs: "), "11175");
    // Flowers of one kind are side by side, 50 of each.
    let pairs = outcome.indices.indexed_iter();
    let alike = pairs.filter(|((row, _), index)| row / 50 == **index as usize / 50).count();
    let share = format!("{:.2} %", alike as f64 / 15.0);
    assert_eq!(fact(&outcome.report, "neighbours with the label of their row: "), share);
    let [first, second, third] = [0, 1, 2].map(|at| outcome.indices[[0, at]]);
    let [one, two, three] = [0, 1, 2].map(|at| outcome.values[[0, at]]);
    let expected = format!("{first} ({one}), {second} ({two}), {third} ({three}), and 7 more");
    assert_eq!(fact(&outcome.report, "nearest of 0: "), expected);
}

#[test]
fn every_metric_is_right_in_one_set_and_in_two() {
    let files = Files::new();
    let rows = |count, factor: usize| {
        Array2::from_shape_fn((count, 13), |(i, k)| {
            (((i + 3) * (k + 7) * factor) % 29) as f64 / 8.0
        })
    };
    let (data, queries) = (rows(90, 11), rows(41, 17));
    let input = files.array("data.npy", &data);
    let asked = files.array("queries.npy", &queries);
    for metric in METRICS {
        check(metric, 7, &["--input", &input], None);
        let arguments = ["--input", &input, "--queries", &asked];
        let outcome = check(metric, 7, &arguments, Some(&queries));
        assert_eq!(fact(&outcome.report, "pairs: "), "3690");
        assert!(fact(&outcome.report, "queries: ").starts_with("41 (rows of "));
    }
}

#[test]
fn any_number_of_neighbours_is_right() {
    for k in [1, 10, 11, 33, 101, 256] {
        let arguments = ["--random", "130", "--features", "3", "--seed", "4"];
        let outcome = check("squared", k, &arguments, None);
        let fewer = outcome.report.contains("\nrows with fewer: 130 of 130\n");
        assert_eq!(fewer, k > 129, "{}", outcome.report);
    }
}

#[test]
fn any_number_of_rows_and_features_is_right() {
    for (n, features) in
        [("0", "3"), ("1", "3"), ("2", "1"), ("33", "64"), ("300", "5"), ("70", "131")]
    {
        let outcome = check("euclidean", 4, &["--random", n, "--features", features], None);
        let is_empty = outcome.report.contains(", so there are no neighbours");
        assert_eq!(is_empty, matches!(n, "0" | "1"), "{}", outcome.report);
    }
    let files = Files::new();
    let none = files.array("none.npy", &Array2::zeros((0, 4)));
    let some = files.array("some.npy", &array![[1.0, 2.0, 3.0, 4.0]]);
    let text = report(&["--input", &some, "--queries", &none]).unwrap();
    assert!(text.ends_with("pairs: 0, so there are no neighbours"), "{text}");
    let outcome =
        check("manhattan", 3, &["--input", &none, "--queries", &some], Some(&array![[0.0; 4]]));
    assert_eq!(outcome.indices, array![[-1, -1, -1]]);
}

/// All values are equal, so that indices alone decide.
#[test]
fn equal_rows_have_their_first_neighbours() {
    let files = Files::new();
    let input = files.array("data.npy", &Array2::ones((200, 6)));
    for metric in ["euclidean", "cosine", "hamming"] {
        let outcome = check(metric, 12, &["--input", &input], None);
        let first = (0..13).filter(|j| *j != 5).collect::<Vec<_>>();
        assert_eq!(outcome.indices.row(5).to_vec(), first);
        assert_eq!(outcome.indices.row(150).to_vec(), (0..12).collect::<Vec<_>>());
    }
}

#[test]
fn rows_without_a_direction_have_no_neighbours() {
    let files = Files::new();
    let text = "0,0,0\n1,2,3\n5,5,5\n-2,-4,-6\n0.1,0.1,0.1\n";
    let path = files.with("t.csv", text);
    let outcome = check("cosine", 3, &["--input", &path], None);
    assert_eq!(fact(&outcome.report, "nearest of 0: "), "none");
    assert_eq!(fact(&outcome.report, "rows with fewer: "), "1 of 5");
    // The one that points the other way is farthest.
    assert_eq!(outcome.indices.row(1)[2], 3);
    assert!((outcome.values.row(1)[2] + 1.0).abs() < 1e-6);
    let outcome = check("correlation", 3, &["--input", &path], None);
    assert_eq!(fact(&outcome.report, "rows with fewer: "), "5 of 5");
    assert_eq!(outcome.indices.row(1).to_vec(), [3, -1, -1]);
}

/// As 32-bit floats, these would be equal.
#[test]
fn hamming_compares_numbers_as_they_are() {
    let files = Files::new();
    let path = files.with("t.csv", "16777216,0,1\n16777217,-0,1\n16777217,0,2\n");
    let outcome = check("hamming", 2, &["--input", &path], None);
    let third = 1.0_f32 / 3.0;
    assert_eq!(outcome.values, array![[third, 2.0 * third], [third, third], [third, 2.0 * third]]);
}

/// Times since 1970, which would be equal in single precision.
#[test]
fn numbers_far_from_zero_keep_their_differences() {
    let files = Files::new();
    let times = [0.0, 1.0, 3.0, 7.0, 60.0, 61.5, 200.0].map(|after| 1_700_000_000.0 + after);
    let path = files.array("times.npy", &Array2::from_shape_fn((7, 1), |(i, _)| times[i]));
    for metric in ["euclidean", "squared", "manhattan"] {
        let outcome = check(metric, 2, &["--input", &path], None);
        assert_eq!(outcome.indices.row(4).to_vec(), [5, 3], "{metric}");
        let nearest = if metric == "squared" { 2.25 } else { 1.5 };
        assert_eq!(outcome.values.row(4)[0], nearest, "{metric}");
    }
    let asked = Array2::from_elem((1, 1), 1_700_000_059.0);
    let queries = files.array("queries.npy", &asked);
    let arguments = ["--input", &path, "--queries", &queries];
    let outcome = check("euclidean", 1, &arguments, Some(&asked));
    assert_eq!((outcome.indices[[0, 0]], outcome.values[[0, 0]]), (4, 1.0));
}

/// One row far from the others, and lengths of which single precision rounds the squares to zero.
#[test]
fn an_odd_row_and_tiny_distances_change_nothing() {
    let files = Files::new();
    let odd = "0,0\n1700000000.25,1\n1700000001.25,1\n1700000003.5,1\n";
    let tiny = "0,9e-27\n1.6e-27,0\n3.3e-27,0\n6.6e-27,0\n";
    for (text, nearest, value) in [(odd, 1, 1.0), (tiny, 1, 1.7e-27)] {
        let path = files.with("t.csv", text);
        for metric in ["euclidean", "manhattan", "squared"] {
            let text = report(&["--input", &path, "--k", "2", "--metric", metric]).unwrap();
            let found = fact(&text, "nearest of 2: ").split([' ', '(', ')']).collect::<Vec<_>>();
            assert_eq!(found[0].parse(), Ok(nearest), "{metric}: {text}");
            let expected: f64 = if metric == "squared" { value * value } else { value };
            let expected = f64::from(expected as f32);
            let found: f64 = found[2].parse().unwrap();
            assert!((found - expected).abs() <= 1e-6 * expected, "{metric}: {text}");
            assert!(fact(&text, "recall: ").starts_with("1 ("), "{text}");
        }
    }
}

/// Angles so small that a cosine in single precision is 1 for all of them.
#[test]
fn neighbours_at_small_angles_are_right() {
    let files = Files::new();
    let path = files.with("t.csv", "a,b\n10000,10000\n10000,10007\n10000,10001\n10000,10003\n");
    let outcome = check("cosine", 3, &["--input", &path], None);
    let expected = array![[2, 3, 1], [3, 2, 0], [0, 3, 1], [2, 0, 1]];
    assert_eq!(outcome.indices, expected);
    assert_eq!(outcome.values[[0, 0]], 1.0);
    // Unit vectors about one direction.
    let value = |i: usize, k: usize| 1.0 + 1e-4 * ((((i + 3) * (k + 7) * 31) % 97) as f64 / 97.0);
    let rows = Array2::from_shape_fn((200, 24), |(i, k)| value(i, k) + 1e-6 * (i % 7) as f64);
    let input = files.array("rows.npy", &rows);
    for metric in ["cosine", "correlation"] {
        check(metric, 3, &["--input", &input], None);
    }
}

/// A search that finds others has a recall below one.
#[test]
fn a_sample_is_searched_again() {
    use crate::found::Found;
    use crate::metric::Metric;
    use crate::recall::Recall;
    use crate::rows::{Prepared, Sets};
    use td_kernel::{Device, td_kernel};
    use td_kernel_examples::Vectors;

    /// Finds the farthest, and those of every tenth element as they should be.
    #[td_kernel(tile = 32)]
    unsafe fn wrong(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 4>) {
        r#" float d = fabsf(x.i - x.j); near.push(i % 10 == 0 || j % 10 == 0 ? d : 2 - d); "#
    }

    let data = Vectors::random(100, 1, 3).unwrap();
    let x: Vec<f32> = data.values.iter().map(|value| *value as f32).collect();
    let sets = Sets { data, queries: None };
    let prepared = Prepared::new(&sets, Metric::Manhattan).unwrap();
    let device = Device::cpu().unwrap();
    let mut near = device.nearest(100).unwrap();
    wrong::load(&device).unwrap().launch(&device.upload(&x).unwrap(), &mut near).unwrap();
    let found = Found::new(near.download().unwrap(), 4, |value| value).unwrap();
    let recall = |sample| Recall::of(&sets, &prepared, Metric::Manhattan, &found, sample).unwrap();
    // Every tenth row, whose neighbours are right.
    let tenth = recall(10);
    assert_eq!((tenth.rows, tenth.expected, tenth.share()), (10, 40, Some(1.0)));
    let all = recall(1000);
    assert_eq!((all.rows, all.expected), (100, 400));
    assert!((0.1..0.9).contains(&all.share().unwrap()), "{all:?}");
    assert_eq!(recall(0).share(), None);
    let text = report(&["--sample", "0"]).unwrap();
    assert!(!text.contains("recall"), "{text}");
    let text = report(&["--sample", "7"]).unwrap();
    assert_eq!(fact(&text, "recall: "), "1 (70 of 70 neighbours of 7 rows, to double precision)");
}

/// A neighbour that is wrong by less than single precision tells is a miss, which is told apart.
#[test]
fn recall_is_strict() {
    let files = Files::new();
    let path = files.with("t.csv", "0,0\n1.000000001,0\n1,0\n100,0\n");
    let text = report(&["--input", &path, "--k", "1"]).unwrap();
    assert_eq!(fact(&text, "nearest of 0: "), "1 (1)");
    let recall = "0.75 (3 of 4 neighbours of 4 rows, to double precision)";
    assert_eq!(fact(&text, "recall: "), recall);
    assert_eq!(fact(&text, "missed by no more than single precision rounds: "), "1 of 1");
    let text = report(&["--k", "1"]).unwrap();
    assert!(!text.contains("missed by"), "{text}");
}

/// No row is its own neighbour, and none is there twice.
#[test]
fn neighbours_are_others() {
    let outcome = check("manhattan", 40, &["--random", "45", "--features", "2"], None);
    for (i, row) in outcome.indices.rows().into_iter().enumerate() {
        let different: BTreeSet<i64> = row.iter().copied().collect();
        assert!(different.len() == 40 && !different.contains(&(i as i64)));
    }
}

/// Several devices find what one finds.
#[test]
fn any_number_of_devices_is_right() {
    let random = ["--random", "300", "--features", "5", "--devices", "3"];
    let outcome = check("euclidean", 10, &random, None);
    assert!(fact(&outcome.report, "device: ").starts_with("3 x CPU ("), "{}", outcome.report);
    let one = check("euclidean", 10, &random[..4], None);
    assert!(outcome.indices == one.indices && outcome.values == one.values);
    let files = Files::new();
    let queries = Array2::from_shape_fn((3, 4), |(i, k)| (i * 5 + k) as f64);
    let asked = files.array("queries.npy", &queries);
    check("manhattan", 12, &["--queries", &asked, "--devices", "4"], Some(&queries));
}

/// The C++ compiler takes some tenths of a second, the kernel far less than one for this number of rows.
#[test]
fn the_kernels_time_is_without_its_compilation() {
    let report = report(&["--random", "10", "--features", "3"]).unwrap();
    let time = fact(&report, "kernel: ").split(' ').next().unwrap();
    assert!(time.parse::<f64>().unwrap() < 100.0, "{report}");
}
