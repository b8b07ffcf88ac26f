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
    let mut counts = vec![0_u64; bins.len()];
    for (i, j) in pairs(points.len()) {
        let differences = (0..3).map(|axis| {
            let (difference, side) = (points[i][axis] - points[j][axis], sides.map(|it| it[axis]));
            side.map_or(difference, |side| difference - side * (difference / side).round())
        });
        let distance = differences.map(|it| it * it).sum::<f64>().sqrt();
        if let Some(count) = counts.get_mut((distance / most * bins.len() as f64) as usize) {
            *count += 1;
        }
    }
    let all = pairs(points.len()).count() as f64;
    let (mut found, mut expected) = (0, 0);
    for (bin, count) in bins.iter().zip(counts) {
        // Pairs beside an edge may be in the next bin.
        (found, expected) = (found + bin[2] as u64, expected + count);
        assert!(found.abs_diff(expected) <= 2, "{bin:?}, expected {count}");
        let shell = 4.0 / 3.0 * std::f64::consts::PI * (bin[1].powi(3) - bin[0].powi(3));
        assert_near(
            (bin[3] / bin[2].max(1.0)) as f32,
            if bin[2] > 0.0 { volume / (all * shell) } else { 0.0 },
        );
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

    let folder = Folder::new().with("a.csv", "x,y,z\n0,0,0\n1,2,0\n").with("b.csv", "1,2\n3,4\n");
    for (arguments, problem) in [
        ("--input a.csv", "the points are in a plane"),
        ("--input b.csv", "three columns are needed"),
        ("--input a.csv --box 4 --max 3", "write at most 2"),
        ("--input a.csv --periodic", "a.csv: it does not have a cell"),
        ("--input a.csv --box 4,4", "--box has one side or three"),
    ] {
        let error = folder.refused("correlation", arguments);
        assert!(error.contains(problem), "{error}");
    }
}
