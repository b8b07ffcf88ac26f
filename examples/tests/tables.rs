//! The examples that read tables: `edm` and `cross`.

#![allow(clippy::unwrap_used)]

mod program;

use td_kernel_examples::TableOptions;

use program::{Folder, assert_near, cases, distance, fact, pairs, size};

#[test]
fn edm_of_iris() {
    let folder = Folder::new();
    let text = folder.run("edm", "--save-input points.csv --plot iris.svg");
    let points = folder.numbers("points.csv");
    assert_eq!((points.len(), points[149].as_slice()), (150, &[5.9, 3.0, 5.1, 1.8][..]));
    let sum: f64 = pairs(150).map(|(i, j)| distance(&points[i], &points[j])).sum();
    assert_near(fact(&text, "mean distance").parse().unwrap(), sum / 11175.0);
    let picture = folder.text("iris.svg");
    assert!(picture.contains("Euclidean distance of 150 points"));
    assert!(picture.contains("png;base64,"));
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
            let more = format!("{layout}.2.npy --layout {layout} --memory 20000 {resume}");
            let text = folder.run("edm", &format!("{options} {more}"));
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

/// Poles, the date line, opposite points, and points centimetres apart: the reference is in double precision.
#[test]
fn edm_on_a_sphere() {
    let mut generator = fastrand::Rng::with_seed(1);
    let mut points = vec![[90.0, 10.0], [-90.0, 20.0], [0.0, 179.9], [0.0, -179.9], [-0.0, 0.1]];
    for _ in 0..size(20, 1000) {
        let [latitude, longitude] = [90.0, 180.0].map(|most| most * (2.0 * generator.f64() - 1.0));
        let opposite = [-latitude + 1e-6, longitude + 180.0 - 1e-6];
        points.extend([[latitude, longitude], [latitude, longitude + 1e-6], opposite]);
    }
    let rows: Vec<String> = points.iter().map(|[a, b]| format!("{b},{a}\n")).collect();
    let folder = Folder::new().with("a.csv", &format!("lon,lat\n{}", rows.concat()));
    folder.run("edm", "--input a.csv --sphere --output a.npy");
    for ((i, j), found) in pairs(points.len()).zip(folder.array("a.npy")) {
        let [a, b] = [points[i], points[j]].map(|point| point.map(f64::to_radians));
        let (sin, cos) = (b[1] - a[1]).sin_cos();
        let across = a[0].cos() * b[0].sin() - a[0].sin() * b[0].cos() * cos;
        let along = a[0].sin() * b[0].sin() + a[0].cos() * b[0].cos() * cos;
        let expected = 6371.0088 * (b[0].cos() * sin).hypot(across).atan2(along);
        let error = (f64::from(found) - expected).abs();
        assert!(error < 1e-6 * expected + 1e-7, "{a:?} {b:?}: {found}, {expected}");
    }
}

#[test]
fn inputs() {
    let read = |options: &TableOptions| options.few_rows(9, 9);
    let table = |folder: &Folder, arguments: &str| cases::rows(folder, arguments, read);
    cases::check(include_str!("cases/tables.txt"), "table", table);
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
    assert_crossed(1500, 0.06);
}

/// Checks the outputs for random rows in two files.
#[track_caller]
fn assert_crossed(n: usize, within: f64) {
    let (folder, first) = (Folder::new(), n * 4 / 9);
    folder.run("cross", &format!("--random {n} --save-input both.csv"));
    let both = folder.text("both.csv");
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
}
