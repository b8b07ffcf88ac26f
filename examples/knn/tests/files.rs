//! What is read, and what is written.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use ndarray::{Array2, array};
use ndarray_npy::read_npy;
use td_kernel_examples::tried::fact;

use super::{Files, report};

/// The names of what is in a folder.
fn names(files: &Files) -> Vec<String> {
    let entries = fs::read_dir(files.0.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_name_says_what_is_written() {
    let files = Files::new();
    for (name, written) in [
        ("a", &["a-indices.npy", "a-values.npy"][..]),
        ("b.npy", &["b-indices.npy", "b-values.npy"]),
        ("e.mtx", &["e.mtx"]),
        ("f.MTX", &["f.MTX"]),
    ] {
        let text = report(&["--output", &files.path(name)]).unwrap();
        let written: Vec<String> = written.iter().map(|name| files.path(name)).collect();
        assert_eq!(fact(&text, "written: "), written.join(", "));
    }
    for name in ["c.csv", "c.npz", "v1.5"] {
        let error = report(&["--output", &files.path(name)]).unwrap_err();
        let words =
            format!("{name}: one that ends in .mtx gets a sparse matrix, and NAME or NAME.npy, ");
        assert!(
            error.starts_with("cannot tell what to write to ") && error.contains(&words),
            "{error}"
        );
    }
    assert!(!report(&[]).unwrap().contains("written: "));
    let expected =
        ["a-indices.npy", "a-values.npy", "b-indices.npy", "b-values.npy", "e.mtx", "f.MTX"];
    assert_eq!(names(&files), expected);
}

#[test]
fn a_matrix_has_the_neighbours_of_the_arrays() {
    let files = Files::new();
    let path = files.with("t.csv", "0,0\n1,2\n5,5\n0.5,0.5\n");
    for queries in [None, Some(files.with("q.csv", "9,9\n0,0\n-1,3\n"))] {
        let mut arguments = vec!["--input", &path, "--metric", "cosine", "--k", "5", "--force"];
        let mut size = "4 4 ";
        if let Some(queries) = &queries {
            arguments.extend(["--queries", queries]);
            size = "3 4 ";
        }
        let (arrays, matrix) = (files.path("near"), files.path("near.mtx"));
        report(&[&arguments[..], &["--output", &arrays]].concat()).unwrap();
        report(&[&arguments[..], &["--output", &matrix]].concat()).unwrap();
        let indices: Array2<i64> = read_npy(arrays.clone() + "-indices.npy").unwrap();
        let values: Array2<f32> = read_npy(arrays + "-values.npy").unwrap();
        let there = indices.indexed_iter().filter(|(_, index)| **index >= 0);
        let expected: BTreeMap<(usize, usize), f32> = there
            .map(|((row, place), index)| ((row + 1, *index as usize + 1), values[[row, place]]))
            .collect();
        let text = fs::read_to_string(&matrix).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("%%MatrixMarket matrix coordinate real general"));
        let comment = "% Up to 5 nearest neighbours of each row, by cosine similarity.";
        assert_eq!(lines.next(), Some(comment));
        assert_eq!(lines.next(), Some(&*format!("{size}{}", expected.len())));
        let found: Vec<((usize, usize), f32)> = lines
            .map(|line| {
                let [row, column, value] = line.split(' ').collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                ((row.parse().unwrap(), column.parse().unwrap()), value.parse().unwrap())
            })
            .collect();
        assert_eq!(found.len(), expected.len());
        assert_eq!(found.into_iter().collect::<BTreeMap<_, _>>(), expected);
    }
}

#[test]
fn tables_are_read_as_by_other_examples() {
    let files = Files::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"x,kind,y\n0,a,0\n3,b,4\n6,a,8\n").unwrap();
    fs::write(files.path("t.csv.gz"), gzip.finish().unwrap()).unwrap();
    files.with("t.csv", "x;kind;y\n0;a;0\n3;b;4\n6;a;8\n");
    files.with("t.tsv", "x\tkind\ty\n0\ta\t0\n3\tb\t4\n6\ta\t8\n");
    files.with("bar.csv", "x|kind|y\n0|a|0\n3|b|4\n6|a|8\n");
    files.with("gap.csv", "x,kind,y\n0,a,0\nNA,a,1\n3,b,4\n6,a,8\n7,a,\n");
    for (name, options) in [
        ("t.csv.gz", vec![]),
        ("t.csv", vec![]),
        ("t.tsv", vec![]),
        ("bar.csv", vec!["--delimiter", "bar"]),
        ("gap.csv", vec!["--missing", "skip"]),
    ] {
        let path = files.path(name);
        let arguments = ["--input", &path, "--label", "kind", "--k", "2"];
        let text = report(&[&arguments[..], &options].concat()).unwrap();
        assert_eq!(fact(&text, "nearest of 0: "), "1 (5), 2 (10)");
        assert_eq!(fact(&text, "neighbours with the label of their row: "), "33.33 %");
        let columns = fact(&text, "rows: ");
        assert!(columns.starts_with("3 (columns x, y of "), "{columns}");
        if name == "gap.csv" {
            let left_out = "2 rows without a value (lines 3, 6); i and j count the others";
            assert_eq!(fact(&text, "left out of rows: "), left_out);
        }
    }
    let path = files.path("t.csv");
    let text = report(&["--input", &path, "--columns", "y", "--k", "1"]).unwrap();
    assert_eq!(fact(&text, "nearest of 2: "), "1 (4)");
}

#[test]
fn arrays_and_tables_go_together() {
    let files = Files::new();
    let data = files.array("data.npy", &array![[0.0, 0.0], [3.0, 4.0]]);
    let queries = files.with("queries.csv", "3,5\n0,0\n");
    let text = report(&["--input", &data, "--queries", &queries, "--k", "1"]).unwrap();
    assert_eq!(fact(&text, "nearest of 0: "), "1 (1)");
    assert_eq!(fact(&text, "nearest of 1: "), "0 (0)");
}
