//! The examples that read tables: `edm` and `cross`.

#![allow(clippy::unwrap_used)]

mod program;

use std::fs;

use program::{Folder, assert_near, distance, fact, pairs, size};

#[test]
fn edm_of_iris() {
    let folder = Folder::new();
    let text = folder.run("edm", "--save-input points.csv --plot iris.svg");
    let points = folder.numbers("points.csv");
    assert_eq!((points.len(), points[149].as_slice()), (150, &[5.9, 3.0, 5.1, 1.8][..]));
    let sum: f64 = pairs(150).map(|(i, j)| distance(&points[i], &points[j])).sum();
    assert_near(fact(&text, "mean distance").parse().unwrap(), sum / 11175.0);
    assert_eq!(fact(&text, "pairs"), "11175");
    assert_eq!(fact(&text, "nearest"), "0.0 (i = 142, j = 101)");
    assert!(fact(&text, "farthest").starts_with("7.085196") && text.contains("(i = 118, j = 13)"));
    assert!(fact(&text, "points").ends_with("(without species), header: yes)"), "{text}");
    let picture = fs::read_to_string(folder.path("iris.svg")).unwrap();
    assert!(
        picture.contains("Euclidean distance of 150 points") && picture.contains("png;base64,")
    );
    assert_eq!(folder.names(), ["iris.svg", "points.csv"]);
}

/// Every layout, at once and with memory for a few rows.
#[test]
fn edm_layouts() {
    for (columns, n) in [("0", 300), ("0,1,2", 300), ("0,1,2,3", size(30, 30_720))] {
        let folder = Folder::new();
        let options = format!("--input points.csv --columns {columns} --output");
        folder.run("edm", &format!("--random {n} --save-input points.csv"));
        let points = folder.numbers("points.csv");
        let width = columns.split(',').count();
        let packed = folder.run("edm", &format!("{options} packed.npy"));
        let found = folder.array("packed.npy");
        assert_eq!(found.len(), n * (n - 1) / 2);
        for ((i, j), found) in pairs(n).zip(&found) {
            assert_near(*found, distance(&points[i][..width], &points[j][..width]));
        }
        if n != 300 {
            continue;
        }
        let at = |i: usize, j: usize| found[i * (i - 1) / 2 + j];

        for (layout, resume) in [("condensed", ""), ("square", "--resume"), ("packed", "--resume")]
        {
            let more =
                format!("{options} {layout}.2.npy --layout {layout} --memory 20000 {resume}");
            let text = folder.run("edm", &more);
            for name in ["nearest", "farthest"] {
                assert_eq!(fact(&text, name), fact(&packed, name), "{more}");
            }
        }
        assert_eq!(folder.array("packed.2.npy"), found);
        let upper = (0..300).flat_map(|i| (i + 1..300).map(move |j| (j, i)));
        let condensed: Vec<f32> = upper.map(|(i, j)| at(i, j)).collect();
        assert_eq!(folder.array("condensed.2.npy"), condensed);
        let square = folder.array("square.2.npy");
        for (slot, value) in square.iter().enumerate() {
            let (i, j) = (slot / 300, slot % 300);
            assert_eq!(*value, if i == j { 0.0 } else { at(i.max(j), i.min(j)) });
        }
        assert!(folder.names().iter().all(|name| !name.contains("part")));
    }
}

/// Values that are equal in single precision, or whose squares are out of its range.
#[test]
fn edm_far_from_zero() {
    for (rows, nearest, farthest, mean) in [
        (
            "48.8566123,2.3522123\n48.8566124,2.3522123\n48.8566129,2.3522123",
            "1e-7",
            "6e-7",
            "4e-7",
        ),
        ("1700000000.25,1\n1700000001.25,2\n1700000060.5,3", "1.4142135", "60.283184", "40.31861"),
        ("1.6e-27,0\n3.3e-27,0\n6.6e-27,0", "1.7e-27", "5e-27", "3.3333333e-27"),
        ("500000.10,4649776.20\n500000.10,4649776.55", "0.35", "0.35", "0.35"),
        // Two groups far from each other.
        ("1700000000\n1700000001.5\n0\n-1.5", "1.5", "1700000000.0", "1133333400.0"),
        ("1e15,0\n-1e15,0\n1e15,1", "1.0", "2000000000000000.0", "1333333300000000.0"),
    ] {
        let text = Folder::new().with("a.csv", rows).run("edm", "--input a.csv");
        let first = |name| fact(&text, name).split(' ').next().unwrap();
        assert_eq!(
            [first("nearest"), first("farthest"), first("mean distance")],
            [nearest, farthest, mean]
        );
    }
}

#[test]
fn headers_and_columns() {
    let years = "region,2019,2020,2021\nEMEA,10,20,30\nAPAC,5,6,7\nLATAM,8,1,2\n";
    let folder = Folder::new()
        .with("years.csv", years)
        .with("tabs.tsv", "x\ty\n0\t0\n3\t4\n")
        .with("commas.csv", "# of a spreadsheet\na;b\n1,5;2,5\n4,5;6.5\n")
        .with("index.csv", ",x,y\n0,1,2\n1,4,6\n2,4,6.5\n")
        .with("counts.csv", "1,2,3\n1,2,4\n3,4,5\n")
        .with("holes.csv", "x,y\n1,2\n,4\nNA,3\n1\u{a0}001,2\n")
        .with("gap.csv", "a,b,c\n1,,4\n2,3,5\n")
        .with("bom.csv", "\u{feff}x , y\r\n 0,0\r\n\r\n3, 4\r\n");
    for (arguments, points, nearest) in [
        (
            "--input years.csv",
            "3 (columns 2019, 2020, 2021 of years.csv (without region), header: yes (if the first row has numbers, use --header no))",
            "7.6811457",
        ),
        (
            "--input years.csv --header yes",
            "3 (columns 2019, 2020, 2021 of years.csv (without region), header: yes)",
            "7.6811457",
        ),
        (
            "--input years.csv --columns 2019,2021",
            "3 (columns 2019, 2021 of years.csv, header: yes)",
            "5.8309517",
        ),
        (
            "--input years.csv --columns 1,3 --header no",
            "4 (columns 1, 3 of years.csv, header: no)",
            "5.8309517",
        ),
        ("--input commas.csv", "2 (columns a, b of commas.csv, header: yes)", "5.0"),
        (
            "--input index.csv",
            "3 (columns x, y of index.csv (without the index), header: yes)",
            "0.5",
        ),
        (
            "--input counts.csv",
            "3 (columns 0, 1, 2 of counts.csv, header: no (if the first row has names, use --header yes))",
            "1.0",
        ),
        (
            "--input holes.csv --skip-missing",
            "2 (columns x, y of holes.csv, header: yes, left out: 2 rows without a value)",
            "1000.0",
        ),
        ("--input tabs.tsv", "2 (columns x, y of tabs.tsv, header: yes)", "5.0"),
        ("--input bom.csv --columns y,x", "2 (columns y, x of bom.csv, header: yes)", "5.0"),
        ("--input gap.csv --columns c", "2 (columns c of gap.csv, header: yes)", "1.0"),
    ] {
        let text = folder.run("edm", arguments);
        assert_eq!(fact(&text, "points"), points);
        assert!(fact(&text, "nearest").starts_with(&format!("{nearest} (")), "{text}");
    }
}

#[test]
fn refused_input() {
    for (text, arguments, message) in [
        (
            "x,y\n1,2\n3,?\n",
            "--columns x,y",
            "a.csv: line 3, column y: \"?\" is not a finite number",
        ),
        ("x,y\n1,2\n3,?\n", "", "a.csv: line 3, column y: \"?\" is not a finite number"),
        (
            "x,y\n1,2\n,4\n",
            "",
            "line 3, column x: \"\" is not a finite number, such as 5.1 or -2e-3: leave such rows out with --skip-missing",
        ),
        ("x,y\n1,2\n3,inf\n", "", "line 3, column y: \"inf\" is not a finite number"),
        ("x\n9007199254740993\n2\n", "", "line 2, column x: \"9007199254740993\" has more digits"),
        ("a;b\n1,5;2\n2,5;1.000,5\n", "", "line 3, column b: \"1.000,5\" is not a finite number"),
        ("x,y\n1,2\n3\n", "", "found record with 1 fields, but the previous record has 2"),
        ("x,y\n1,2\n", "--columns x,z", "there is no column z in x, y: choose with --columns"),
        ("x,x\n1,2\n", "--columns x", "several columns are called x"),
        (
            "a,b,c,d,e\n1,2,3,4,5\n",
            "--columns 0,1,2,3,4",
            "there are 5 columns, but at most 4 are supported",
        ),
        ("a,b\nx,y\n", "", "there are no columns of numbers"),
        ("", "", "a.csv: there are no rows"),
        ("x\n5\n", "", "expected at least two rows, got 1: columns x of a.csv"),
        ("1e-40\n2e-40\n", "", "use another unit"),
    ] {
        let error =
            Folder::new().with("a.csv", text).refused("edm", &format!("--input a.csv {arguments}"));
        assert!(error.contains(message), "{error}");
    }
    let error = Folder::new().refused("edm", "--input nowhere.csv");
    assert!(error.starts_with("error: nowhere.csv: No such file"), "{error}");
}

#[test]
fn outputs_replace_only_with_force() {
    for (example, options) in [
        ("edm", "--output a"),
        ("edm", "--output a --resume"),
        ("edm", "--plot a"),
        ("edm", "--save-input a"),
        ("cross", "--output a"),
    ] {
        let folder = Folder::new().with("a", "precious");
        let error = folder.refused(example, options);
        assert_eq!(error, "error: a exists already: --force replaces it\n");
        assert_eq!(fs::read_to_string(folder.path("a")).unwrap(), "precious");
        assert_eq!(folder.names(), ["a"]);
        folder.run(example, &format!("{options} --force"));
        assert_ne!(fs::read(folder.path("a")).unwrap(), b"precious");
        assert_eq!(folder.names(), ["a"]);
    }
    let error = Folder::new().refused("edm", "--output nowhere/a.npy");
    assert!(error.starts_with("error: cannot write nowhere/a.npy: "), "{error}");
    assert_eq!(Folder::new().refused("edm", "--plot ."), "error: . is not a file\n");
}

/// The pairs of 6,000 points have 72 MB.
#[cfg(unix)]
#[test]
fn output_without_space_is_named() {
    let folder = Folder::new();
    let (_, _, error) = folder.limited("-f 32768", "edm", "--random 6000 --output a.npy");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("error: cannot write a.npy: "), "{error}");
    assert!(folder.names().is_empty());
}

/// The nearest of each row, and the pairs up to a distance: of so many that all pairs are visited, or of so few that only near
/// tiles are.
#[test]
fn cross_of_two_files() {
    assert_crossed(size(90, 50_001), size(40, 5) as f64 / 100.0);
    let folder = assert_crossed(1500, 0.06);
    let other = folder.with("other.csv", "b,a,c,d\n1,2,3,4\n5,6,7,8\n");
    let one = Folder::new().with("a.csv", "1,2\n").with("b.csv", "0,0\n2,3\n");
    let text = one.run("cross", "--input a.csv --other b.csv");
    assert_eq!(fact(&text, "nearest of 0"), "1, at 1.4142135");
    let error = other.refused("cross", "--input first.csv --other other.csv");
    assert!(error.contains("both sets need the same columns"), "{error}");
    assert!(Folder::new().run("cross", "").contains("nearest of 0: 8, at 0.1"));
}

/// Checks the outputs for random rows in two files.
#[track_caller]
fn assert_crossed(n: usize, within: f64) -> Folder {
    let (folder, first) = (Folder::new(), n * 4 / 9);
    folder.run("cross", &format!("--random {n} --save-input both.csv"));
    let both = fs::read_to_string(folder.path("both.csv")).unwrap();
    let rows: Vec<&str> = both.lines().skip(1).collect();
    let folder = folder
        .with("first.csv", &format!("a,b,c,d\n{}\n", rows[..first].join("\n")))
        .with("second.csv", &rows[first..].join("\n"));
    let options = "--input first.csv --other second.csv --output";
    folder.run("cross", &format!("{options} nearest.csv"));
    let text = folder.run("cross", &format!("{options} close.csv --within {within}"));
    let counted = options.replace("--output", &format!("--within {within}"));
    let name = format!("pairs within {within}");
    assert_eq!(fact(&folder.run("cross", &counted), &name), fact(&text, &name));
    let both = folder.numbers("both.csv");
    let (queries, points) = both.split_at(first);
    let mut close = folder.numbers("close.csv").into_iter();
    let nearest = folder.numbers("nearest.csv");
    assert_eq!((nearest.len(), points.len()), (first, n - first));
    assert_eq!(fact(&text, &name), close.len().to_string());
    for (i, row) in nearest.iter().enumerate() {
        let all = points.iter().map(|point| distance(&queries[i], point));
        let all: Vec<f64> = all.collect();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        assert_near(row[2] as f32, least);
        assert_eq!(row[0], i as f64);
        assert_near(all[row[1] as usize] as f32, least);
        for (j, expected) in all.into_iter().enumerate().filter(|(_, distance)| *distance <= within)
        {
            let found = close.next().unwrap();
            assert_eq!(found[..2], [i as f64, j as f64]);
            assert_near(found[2] as f32, expected);
        }
    }
    assert_eq!(close.next(), None);
    folder
}
