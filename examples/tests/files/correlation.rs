//! The example `correlation`.

use std::f64::consts::PI;

use crate::program::{Folder, assert_near, pairs, size};

/// Checks the bins in a file with the distances of all pairs, which a periodic box of these sides makes shorter. Every count is
/// exact.
#[track_caller]
fn assert_correlated(folder: &Folder, most: f64, sides: Option<&[f64]>) {
    let (mut points, bins) = (folder.numbers("points.csv"), folder.numbers("counts.csv"));
    // A weight is in the fourth column.
    let dimensions = points[0].len().min(3);
    let axes = || 0..dimensions;
    for (axis, side) in axes().zip(sides.unwrap_or_default()) {
        points.iter_mut().for_each(|point| point[axis] = point[axis].rem_euclid(*side));
    }
    let extent = |axis: usize| {
        let all = || points.iter().map(move |point| point[axis]);
        all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
    };
    let volume: f64 =
        axes().map(|axis| sides.map_or_else(|| extent(axis), |it| it[axis])).product();
    // A pair counts as 1, or as the product of the weights.
    let weight = |at: usize| points[at].get(3).copied().unwrap_or(1.0);
    let edge = |bin: usize| most * bin as f64 / bins.len() as f64;
    let (begins, mut counts) = (Vec::from_iter((0..bins.len()).map(edge)), vec![0.0; bins.len()]);
    for (i, j) in pairs(points.len()) {
        let square = axes().map(|axis| {
            let difference = points[i][axis] - points[j][axis];
            let side = sides.map_or(1e300, |sides| sides[axis]);
            (difference - side * (difference / side).round_ties_even()).powi(2)
        });
        let distance = square.sum::<f64>().sqrt();
        let bin = begins.partition_point(|begin| *begin <= distance) - 1;
        counts[bin] += if distance <= most { weight(i) * weight(j) } else { 0.0 };
    }
    let all: f64 = pairs(points.len()).map(|(i, j)| weight(i) * weight(j)).sum();
    let ball = |r: f64| [2.0 * r, PI * r * r, 4.0 / 3.0 * PI * r.powi(3)][dimensions - 1];
    for (at, (bin, count)) in bins.iter().zip(counts).enumerate() {
        assert_eq!(bin[..3], [edge(at), edge(at + 1), count]);
        assert_near(bin[3] as f32, bin[2] * volume / (all * (ball(bin[1]) - ball(bin[0]))));
    }
}

/// Points in clusters, on a grid with distances at the edges of bins, and one far from all: on a
/// line, in a plane, or in space with weights.
#[test]
fn correlations_up_to_a_cutoff() {
    let n = size(900, 20_000);
    let mut random = fastrand::Rng::with_seed(1);
    let mut next = || random.f64();
    let rows = (0..n).map(|at| match at % 3 {
        0 => [next(), next(), next()].map(|x| 10.0 * x),
        1 => [next(), next(), next()].map(|x| (at % 7) as f64 + 0.4 * x),
        _ => [at / 64 % 8, at / 8 % 8, at % 8].map(|x| x as f64 * 0.07 - 1.0),
    });
    let rows = rows.chain([[-1e8; 3]]).enumerate();
    let rows = rows.map(|(at, [x, y, z])| format!("{x},{y},{z},{}\n", at % 4));
    let folder = Folder::new().with("a.csv", &format!("x,y,z,w\n{}", rows.collect::<String>()));
    for (columns, bounds, sides) in [
        ("x,y,z --weights w", "", None),
        ("x,y,z --weights w", "--box 10,8,12.5", Some(&[10.0, 8.0, 12.5][..])),
        ("y,x", "", None),
        ("y,x", "--box 10", Some(&[10.0, 10.0])),
        ("z", "--box 10", Some(&[10.0])),
    ] {
        // Of the short distances there are so few that only near tiles are visited.
        for (most, bins) in [(4.0, 20), (0.6, 20), (0.05, 10)] {
            let more = format!(
                "--max {most} --bins {bins} --output counts.csv --save-input points.csv --force"
            );
            folder
                .run("correlation", &format!("--input a.csv --columns {columns} {bounds} {more}"));
            assert_correlated(&folder, most, sides);
        }
    }
}

#[test]
fn correlations() {
    let folder = Folder::new();
    let text = folder.run(
        "correlation",
        &format!("--random {} --box 1 --bins 20 --output counts.csv --save-input points.csv --plot g.svg", size(500, 20_000)),
    );
    assert_correlated(&folder, 0.5, Some(&[1.0; 3]));
    assert!(text.contains("pairs within 0.5: "), "{text}");
    assert!(folder.text("g.svg").contains("<polyline"));
    assert_eq!(folder.names(), ["counts.csv", "g.svg", "points.csv"]);

    // The atoms of a protein.
    let folder = Folder::new();
    let arguments = "--max 12 --bins 60 --output counts.csv --save-input points.csv";
    folder.run("correlation", arguments);
    assert_correlated(&folder, 12.0, None);

    // The same atoms in the cell of the crystal.
    folder.run("correlation", &format!("{arguments} --periodic --force"));
    assert_correlated(&folder, 12.0, Some(&[41.98, 41.98, 88.92]));
}
