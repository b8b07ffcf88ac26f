//! The example `correlation`.

use std::fs;

use crate::program::{Folder, assert_near, fact, pairs, size};

/// Checks the bins in a file with the distances of all pairs, which a periodic box of these sides makes shorter.
#[track_caller]
fn assert_correlated(folder: &Folder, most: f64, sides: Option<[f64; 3]>) {
    let (points, bins) = (folder.numbers("points.csv"), folder.numbers("counts.csv"));
    let volume = sides.map_or_else(
        || {
            let all = |axis: usize| points.iter().map(move |point| point[axis]);
            let sides = [0, 1, 2].map(|axis| {
                all(axis).fold(f64::MIN, f64::max) - all(axis).fold(f64::MAX, f64::min)
            });
            sides.iter().product::<f64>()
        },
        |sides| sides.iter().product(),
    );
    // A pair counts as 1, or as the product of the weights in the fourth column.
    let product = |i: usize, j: usize| {
        [i, j].map(|at| points[at].get(3).copied().unwrap_or(1.0)).into_iter().product::<f64>()
    };
    let mut counts = vec![0.0; bins.len()];
    for (i, j) in pairs(points.len()) {
        let differences = (0..3).map(|axis| {
            let (difference, side) = (points[i][axis] - points[j][axis], sides.map(|it| it[axis]));
            side.map_or(difference, |side| difference - side * (difference / side).round())
        });
        let distance = differences.map(|it| it * it).sum::<f64>().sqrt();
        if let Some(count) = counts.get_mut((distance / most * bins.len() as f64) as usize) {
            *count += product(i, j);
        }
    }
    let all: f64 = pairs(points.len()).map(|(i, j)| product(i, j)).sum();
    let most = pairs(points.len()).map(|(i, j)| product(i, j)).fold(0.0, f64::max);
    let (mut found, mut expected) = (0.0, 0.0);
    for (bin, count) in bins.iter().zip(counts) {
        // Pairs beside an edge may be in the next bin.
        (found, expected) = (found + bin[2], expected + count);
        assert!((found - expected).abs() <= 2.0 * most + 1e-9 * all, "{bin:?}, expected {count}");
        let shell = 4.0 / 3.0 * std::f64::consts::PI * (bin[1].powi(3) - bin[0].powi(3));
        assert_near(bin[3] as f32, bin[2] * volume / (all * shell));
    }
}

#[test]
fn correlations() {
    let folder = Folder::new();
    let text = folder.run(
        "correlation",
        &format!("--random {} --box 1 --bins 20 --output counts.csv --save-input points.csv --plot g.svg", size(500, 20_000)),
    );
    assert_correlated(&folder, 0.5, Some([1.0; 3]));
    assert!(
        fact(&text, "periodic box") == "1 x 1 x 1" && text.contains("pairs within 0.5: "),
        "{text}"
    );
    assert!(fs::read_to_string(folder.path("g.svg")).unwrap().contains("<polyline"));
    assert_eq!(folder.names(), ["counts.csv", "g.svg", "points.csv"]);

    // The same points with weights, in the first column.
    let rows = folder.numbers("points.csv").into_iter().enumerate();
    let rows = rows.map(|(at, row)| format!("{},{},{},{}", at % 5, row[0], row[1], row[2]));
    let text = format!("w,x,y,z\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let weighted = Folder::new().with("a.csv", &text);
    let more = "--box 1 --bins 20 --output counts.csv --save-input points.csv";
    let text = weighted.run("correlation", &format!("--input a.csv --weights w {more}"));
    assert_correlated(&weighted, 0.5, Some([1.0; 3]));
    assert!(text.contains("weight of pairs within 0.5: "), "{text}");
    assert!(fs::read_to_string(weighted.path("points.csv")).unwrap().starts_with("x,y,z,w\n"));

    // The atoms of a protein: bonds are in the bin that begins at 1.2 Å.
    let folder = Folder::new();
    let arguments = "--max 12 --bins 60 --output counts.csv --save-input points.csv";
    let text = folder.run("correlation", arguments);
    assert_correlated(&folder, 12.0, None);
    assert!(fact(&text, "points").starts_with("556 (atoms of the built-in 1A8O.pdb"), "{text}");
    assert!(fact(&text, "largest g").ends_with("from 1.4000 to 1.6000"), "{text}");

    // The same atoms in the cell of the crystal.
    let text = folder.run("correlation", &format!("{arguments} --periodic --force"));
    assert_correlated(&folder, 12.0, Some([41.98, 41.98, 88.92]));
    assert_eq!(fact(&text, "periodic box"), "41.98 x 41.98 x 88.92");

    let folder = Folder::new()
        .with("a.csv", "x,y,z\n0,0,0\n1,2,0\n")
        .with("b.csv", "1,2\n3,4\n")
        .with("c.csv", "x,y,z,w,v\n0,0,0,1,0\n1,2,4,-1,2\n");
    for (arguments, problem) in [
        ("--input a.csv", "the points are in a plane"),
        ("--input b.csv", "three columns are needed"),
        ("--input a.csv --box 4 --max 3", "write at most 2"),
        ("--input a.csv --weights w", "no column w in x, y, z: choose with --weights"),
        ("--input c.csv --weights w", "row 1 has \"-1\": a weight is a number of zero or more"),
        ("--input c.csv --weights v", "at least two points need a weight above zero"),
        ("--input c.csv --columns x,y --weights v", "three columns are needed"),
        ("--input c.pdb --weights v", "--weights takes a column of a table"),
        (
            "--input a.csv --periodic",
            "a table does not have a cell: write --box instead of --periodic",
        ),
        ("--input a.csv --box 4,4", "--box has one side or three"),
    ] {
        let error = folder.refused("correlation", arguments);
        assert!(error.contains(problem), "{error}");
    }
}
