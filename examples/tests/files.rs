//! The examples that read atoms and arrays: `collision`, `correlation`, `forces`, `similarity`, `knn` and `conformers`.

#![allow(clippy::panic, clippy::unwrap_used)]

mod program;

use std::fs;

use program::{Folder, assert_near, distance, fact, pairs, size};

/// The atoms of an alanine.
const ALANINE: &str = "\
ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00 10.00           N
ATOM      2  CA  ALA A   1       1.460   0.000   0.000  1.00 10.00           C
ATOM      3  C   ALA A   1       2.000   1.400   0.000  1.00 10.00           C
ATOM      4  O   ALA A   1       1.300   2.400   0.000  1.00 10.00           O
ATOM      5  CB  ALA A   1       2.000  -0.700   1.200  1.00 10.00           C
";

fn pdb(more: &str) -> Folder {
    Folder::new().with("a.pdb", &format!("{ALANINE}{more}END\n"))
}

fn cif(rows: &str) -> Folder {
    let names = "group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_seq_id Cartn_x \
                 Cartn_y Cartn_z occupancy";
    let names: String =
        names.split_whitespace().map(|name| format!("_atom_site.{name}\n")).collect();
    Folder::new().with("a.cif", &format!("data_a\nloop_\n{names}{rows}"))
}

/// Checks the pairs of spheres in a file, and returns its rows.
#[track_caller]
fn assert_colliding(folder: &Folder, spheres: &str, found: &str) -> Vec<Vec<String>> {
    let (spheres, found) = (folder.numbers(spheres), folder.table(found));
    let overlap = |i: usize, j: usize| {
        spheres[i][3] + spheres[j][3] - distance(&spheres[i][..3], &spheres[j][..3])
    };
    let expected = pairs(spheres.len()).filter(|(i, j)| overlap(*i, *j) >= 0.0);
    let numbers = found.iter().map(|row| (row[0].parse().unwrap(), row[1].parse().unwrap()));
    assert!(numbers.eq(expected));
    found
}

#[test]
fn collisions_of_a_protein() {
    let folder = Folder::new();
    let text = folder.run("collision", "--output pairs.csv --plot a.svg --save-input spheres.csv");
    let found = assert_colliding(&folder, "spheres.csv", "pairs.csv");
    assert_eq!(found[0][2..], ["CA of MSE A 151", "N of MSE A 151"]);
    assert_eq!(fact(&text, "collisions"), "557");
    assert!(
        fact(&text, "spheres")
            .starts_with("556 (atoms of the built-in 1A8O.pdb, left out: 88 of water (HOH)")
    );
    let deepest = "(i = 132, j = 131), O of ASP A 166 and C of ASP A 166";
    assert!(fact(&text, "deepest overlap").ends_with(deepest), "{text}");
    assert!(fs::read_to_string(folder.path("a.svg")).unwrap().contains("<circle"));
    assert_eq!(folder.names(), ["a.svg", "pairs.csv", "spheres.csv"]);
}

/// Checks the bins in a file with the distances of all pairs, which a periodic box of these sides makes shorter.
#[track_caller]
fn assert_correlated(folder: &Folder, most: f64, sides: Option<f64>) {
    let (points, bins) = (folder.numbers("points.csv"), folder.numbers("counts.csv"));
    let volume = sides.map_or_else(
        || {
            let all = |axis: usize| points.iter().map(move |point| point[axis]);
            let sides = [0, 1, 2].map(|axis| {
                all(axis).fold(f64::MIN, f64::max) - all(axis).fold(f64::MAX, f64::min)
            });
            sides.iter().product::<f64>()
        },
        |side| side.powi(3),
    );
    let mut counts = vec![0_u64; bins.len()];
    for (i, j) in pairs(points.len()) {
        let differences = points[i].iter().zip(&points[j]).map(|(a, b)| {
            let difference = a - b;
            sides.map_or(difference, |side| difference - side * (difference / side).round())
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
    assert_correlated(&folder, 0.5, Some(1.0));
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

    let folder = Folder::new().with("a.csv", "x,y,z\n0,0,0\n1,2,0\n").with("b.csv", "1,2\n3,4\n");
    for (arguments, problem) in [
        ("--input a.csv", "the points are in a plane"),
        ("--input b.csv", "three columns are needed"),
        ("--input a.csv --box 4 --max 3", "write at most 2"),
        ("--input a.csv --box 4,4", "--box has one side or three"),
    ] {
        let error = folder.refused("correlation", arguments);
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn collisions_of_a_table() {
    // Far from zero, with columns in another order.
    let utm = "r,z,y,x\n0.2,100,4649776.20,500000.10\n0.2,100,4649776.55,500000.10\n0.1,100,4649777,500000.1\n";
    let text = Folder::new().with("a.csv", utm).run("collision", "--input a.csv --output b.csv");
    // Two spheres close to each other at each of two places.
    let places =
        "x,y,z,r\n6e6,0,0,0.02\n6000000.03,0,0,0.02\n6e6,1,0,0.02\n0,0,0,0.02\n0.06,0,0,0.02\n";
    let found = Folder::new().with("a.csv", places).run("collision", "--input a.csv");
    assert_eq!(fact(&found, "collisions"), "1");
    assert_eq!(
        (fact(&text, "collisions"), fact(&text, "deepest overlap")),
        ("1", "0.05 (i = 1, j = 0)")
    );
    let pandas = Folder::new().with("a.csv", "0,1,2,3\n0.5,0.5,0.5,0.1\n0.55,0.5,0.5,0.1\n");
    assert!(pandas.refused("collision", "--input a.csv").contains("there is no column x"));
    let text = pandas.run("collision", "--input a.csv --columns 0,1,2,3");
    assert!(fact(&text, "spheres").contains("use --header yes"), "{text}");
    let text = pandas.run("collision", "--input a.csv --columns 0,1,2,3 --header yes");
    assert_eq!(fact(&text, "deepest overlap"), "0.15 (i = 1, j = 0)");
    let error = Folder::new()
        .with("a.csv", "x,y,z,r\n0,0,0,1\n0,0,1,-1\n")
        .refused("collision", "--input a.csv");
    assert!(
        error.contains("row 1: four columns are needed, and a radius of zero or more"),
        "{error}"
    );
    let folder = Folder::new();
    let options = format!("--random {} --save-input a.csv --output b.csv", size(3000, 30_720));
    let text = folder.run("collision", &options);
    let found = assert_colliding(&folder, "a.csv", "b.csv").len();
    assert!(found > 0 && fact(&text, "collisions") == found.to_string(), "{text}");
    let again = folder.run("collision", "--input a.csv");
    assert_eq!(fact(&text, "collisions"), fact(&again, "collisions"));
}

/// Omissions and guesses are reported, and ambiguous input is an error.
#[test]
fn atoms() {
    let water =
        "TER\nATOM      4  OH2 TIP3W   2      23.000   0.000   0.000  1.00 10.00           O\n";
    let text = pdb(water).run("collision", "--input a.pdb");
    assert_eq!(
        fact(&text, "spheres"),
        "5 (atoms of a.pdb, left out: 1 of water (TIP), half their radii)"
    );

    let calcium =
        "HETATM    6 CA    CA A 200      10.000   0.000   0.000  1.00 10.00          CA\n";
    let error = pdb(calcium).refused("collision", "--input a.pdb");
    assert!(
        error.contains("CA of CA A 200: the radius of CA is unknown: set it, as --radius CA=1.8"),
        "{error}"
    );
    assert!(
        pdb(calcium).run("collision", "--input a.pdb --radius Ca=30").contains("collisions: 9")
    );
    let unknown = calcium.replace("          CA\n", "           X\n");
    let error = pdb(&unknown).refused("forces", "--input a.pdb --radius X=2 --steps 1");
    assert!(error.contains("the mass of X is unknown"), "{error}");
    let potassium = "HETATM    6  POT POT A 200      10.000   0.000   0.000  1.00 10.00\n";
    assert!(
        pdb(potassium)
            .refused("collision", "--input a.pdb")
            .contains("POT of POT A 200 does not have an element symbol")
    );

    let alternates = "\
ATOM      6  CA ASER A   7       1.500   0.000   9.000  0.50 10.00           C
ATOM      7  CA BSER A   7       1.600   0.100   9.000  0.50 10.00           C
ATOM      8  OG CSER A   7       3.000   1.000   9.000  0.60 10.00           O
ATOM      9  OG DSER A   7       3.000  -1.000   9.000  0.40 10.00           O
ATOM     10  CB BTHR A   7       3.000  -1.000   9.000  0.40 10.00           C
";
    let folder = pdb(alternates);
    let text = folder.run("collision", "--input a.pdb --save-input b.csv");
    assert!(
        fact(&text, "spheres").starts_with("7 (atoms of a.pdb, left out: 3 at other locations"),
        "{text}"
    );
    assert_eq!(folder.numbers("b.csv")[5..], [[1.5, 0.0, 9.0, 0.85], [3.0, 1.0, 9.0, 0.76]]);

    let models = format!("MODEL        1\n{ALANINE}ENDMDL\nMODEL        2\n{ALANINE}ENDMDL\n");
    let text = Folder::new().with("a.ent", &models).run("forces", "--input a.ent");
    assert_eq!(fact(&text, "atoms"), "5 (atoms of a.ent)");

    let rows = "ATOM 1 N N . ALA A 1 0 0 0 1\nATOM 2 C CA . ALA A 1 1.46 0 0 1\n";
    assert!(cif(rows).run("collision", "--input a.cif").contains("collisions: 1"));
    let error = cif(&format!("{rows}{rows}")).refused("collision", "--input a.cif");
    assert!(
        error.contains("N of ALA A 1 occurs twice: pass a file with a single model"),
        "{error}"
    );
    for cut in [rows.len() - 2, rows.len() - 5] {
        let error = cif(&rows[..cut]).refused("collision", "--input a.cif");
        assert!(error.starts_with("error: a.cif: "), "{error}");
    }
    for (name, text, message) in [
        ("a.txt", "", "a.txt: Invalid record: its name does not end in .pdb, .ent or .cif"),
        ("a.pdb", "", "a.pdb: there are no atoms"),
        ("a.pdb", &ALANINE[..40], "a.pdb: Invalid record: ATOM/HETATM record too short"),
        ("a.cif", "data_a\n", "a.cif: there are no atoms"),
    ] {
        let error = Folder::new().with(name, text).refused("collision", &format!("--input {name}"));
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn forces_follow_the_law() {
    let random = format!("--random {} --steps 10", size(100, 30_720));
    let everywhere = (f64::INFINITY, [f64::INFINITY; 3]);
    let text = assert_forces("--steps 20", 3, everywhere);
    // Little of the energy of -428 kJ/mol is lost.
    let drift = fact(&text, "farthest from the first energy").split(' ').next().unwrap();
    assert!(drift.parse::<f64>().unwrap() < 0.1, "{text}");
    assert_eq!(
        fact(&text, "atoms"),
        "556 (atoms of the built-in 1A8O.pdb, left out: 88 of water (HOH))"
    );
    assert!(assert_forces(&random, 2, everywhere).contains(" (carbon"));
}

/// Only pairs up to the cutoff, also across the faces of a periodic cell.
#[test]
fn forces_end_at_the_cutoff() {
    assert_forces("--cutoff 8", 1, (8.0, [f64::INFINITY; 3]));
    assert_forces("--cutoff 6 --box 25,30,1e3", 1, (6.0, [25.0, 30.0, 1e3]));
    let refused = |options: &str| Folder::new().refused("forces", options);
    assert!(refused("--cutoff 0").contains("above 0"));
    assert!(refused("--cutoff 6 --box 25,30").contains("three edges"));
    assert!(refused("--cutoff 6 --box 25,30,11").contains("shorter than twice the cutoff"));
}

/// Checks the forces and the energy in each frame, up to a cutoff in a periodic cell.
fn assert_forces(options: &str, frames: usize, (cutoff, edges): (f64, [f64; 3])) -> String {
    let folder = Folder::new();
    let text = folder.run("forces", &format!("{options} --output a.xyz"));
    let n: usize = fact(&text, "atoms").split(' ').next().unwrap().parse().unwrap();
    let written = fs::read_to_string(folder.path("a.xyz")).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines.len(), frames * (n + 2));
    for frame in lines.chunks(n + 2) {
        assert_eq!(frame[0], n.to_string());
        let rows = frame[2..].iter().map(|line| {
            let mut words = line.split(' ');
            let radius = match words.next().unwrap() {
                "C" => 1.70,
                "N" => 1.55,
                "O" => 1.52,
                "S" => 1.80,
                "SE" => 1.90,
                other => panic!("{other}"),
            };
            (0.45 * radius, words.map(|word| word.parse().unwrap()).collect::<Vec<f64>>())
        });
        let rows: Vec<(f64, Vec<f64>)> = rows.collect();
        let (mut energy, mut size, mut forces) = (0.0, 0.0, vec![[0.0; 3]; n]);
        for (i, j) in pairs(n) {
            let ((ri, a), (rj, b)) = (&rows[i], &rows[j]);
            let sigma = (ri + rj) / 1.9_f64.powf(1.0 / 6.0);
            let mut between = [0, 1, 2].map(|axis| a[axis] - b[axis]);
            for (gap, edge) in between.iter_mut().zip(edges) {
                *gap -= if edge.is_finite() { edge * (*gap / edge).round() } else { 0.0 };
            }
            let r = distance(&between, &[0.0; 3]);
            if r > cutoff {
                continue;
            }
            let u = 1.0 / (0.1 + (r / sigma).powi(6));
            energy += 4.0 * (u * u - u);
            size += (4.0 * (u * u - u)).abs();
            let factor = 24.0 * (2.0 * u - 1.0) * u * u * r.powi(4) / sigma.powi(6);
            for axis in 0..3 {
                forces[i][axis] += factor * between[axis];
                forces[j][axis] -= factor * between[axis];
            }
        }
        let found: f64 = frame[1].rsplit_once('=').unwrap().1.parse().unwrap();
        assert!((found - energy).abs() < 1e-5 * size, "{found} {energy}");
        for ((_, row), force) in rows.iter().zip(&forces) {
            let most = 1e-3 + 2e-5 * distance(force, &[0.0; 3]);
            assert!(distance(&row[3..], force) < most, "{row:?} {force:?}");
        }
    }
    text
}

/// The rows that a metric compares.
fn compared(rows: &[Vec<f64>], metric: &str) -> Vec<Vec<f64>> {
    let rows = rows.iter().map(|row| {
        let mean =
            if metric == "correlation" { row.iter().sum::<f64>() / row.len() as f64 } else { 0.0 };
        let row: Vec<f64> = row.iter().map(|value| value - mean).collect();
        let norm = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        row.into_iter().map(|value| value / norm).collect()
    });
    rows.collect()
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
    let text: Vec<String> = rows
        .iter()
        .map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let folder = folder.with("rows.csv", &text.join("\n"));
    for metric in ["euclidean", "manhattan", "cosine", "correlation", "hamming"] {
        let unit = compared(&rows, metric);
        let is_cosine = ["cosine", "correlation"].contains(&metric);
        let rows = if is_cosine { &unit } else { &rows };
        let options = format!("--input rows.csv --force --metric {metric} --output");
        let text = folder.run("similarity", &format!("{options} values.npy"));
        let mut all = folder.array("values.npy");
        assert_eq!(fact(&text, "pairs"), all.len().to_string());
        for ((i, j), found) in pairs(n).zip(&all) {
            let expected = value(metric, &rows[i], &rows[j]);
            assert_eq!(found.is_nan(), expected.is_nan(), "{metric} {i} {j}");
            // For cosines, an angle is as exact as its features.
            let size = if is_cosine { 1.0 } else { expected };
            assert!(
                expected.is_nan() || (f64::from(*found) - expected).abs() <= 2e-6 * size,
                "{metric} {found} {expected}"
            );
        }
        let undefined = format!("undefined: {} pairs, with a row that has no direction", n - 1);
        assert_eq!(text.contains(&undefined), is_cosine, "{text}");
        // The printed values are in the file.
        all.retain(|value| !value.is_nan());
        all.sort_by(f32::total_cmp);
        let alike = if is_cosine { all.last() } else { all.first() };
        assert!(
            fact(&text, "most alike").starts_with(&format!("{:?} (", alike.unwrap())),
            "{text}"
        );
        let mean = all.iter().map(|value| f64::from(*value)).sum::<f64>() / all.len() as f64;
        let printed: f64 = fact(&text, "mean of all pairs").parse().unwrap();
        assert!((printed - mean).abs() <= 1e-6 * mean.abs().max(1e-3), "{printed} {mean}");
        if metric == "hamming" {
            continue;
        }
        let text = folder.run("knn", &format!("{options} near.csv --k 7"));
        assert!(fact(&text, "recall").starts_with("1 ("), "{text}");
        let mut near = folder.numbers("near.csv").into_iter();
        let less = |row: usize, other: usize| match is_cosine {
            true => -value(metric, &rows[row], &rows[other]),
            false => value(metric, &rows[row], &rows[other]),
        };
        for row in 0..n {
            let mut all: Vec<f64> =
                (0..n).filter(|it| *it != row).map(|it| less(row, it)).collect();
            all.retain(|value| !value.is_nan());
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
            let mut others: Vec<u32> = found.iter().map(|line| line[1] as u32).collect();
            others.sort_unstable();
            assert!(
                others.windows(2).all(|pair| pair[0] < pair[1]) && !others.contains(&(row as u32))
            );
        }
        assert_eq!(near.next(), None);
        // A machine may have only one GPU.
        let devices = size(3, 1);
        folder.run("knn", &format!("{options} several.csv --k 7 --devices {devices}"));
        let [one, several] =
            ["near.csv", "several.csv"].map(|name| fs::read(folder.path(name)).unwrap());
        assert!(one == several, "{metric}");
    }
}

/// Neighbours that single precision confuses count as misses, and values that it makes equal are counted. Rows without a
/// direction are ignored.
#[test]
fn recall_is_strict() {
    let groups = "0\n3e-9\n2e-9\n5e-9\n1\n1.5\n2\n2.75\n4\n5.5\n7.5\n";
    let text = Folder::new().with("a.csv", groups).run("knn", "--k 1 --input a.csv");
    let made_equal = "values that single precision makes equal to another of their column";
    assert_eq!(fact(&text, made_equal), "3");
    assert!(!fact(&text, "recall").starts_with("1 ("), "{text}");
    let directions: String =
        (0..40).map(|at| format!("1,{}\n", 1.0 + 1e-6 * f64::from(at * at))).collect();
    let zeros = "0,0\n".repeat(60);
    let folder = Folder::new().with("a.csv", &format!("{directions}{zeros}"));
    let text = folder.run("knn", "--k 1 --metric cosine --input a.csv");
    assert!(fact(&text, "recall").starts_with("1 ("), "{text}");
}

#[test]
fn arrays() {
    let folder = Folder::new();
    let text =
        folder.run("similarity", "--output a.npy --layout square --plot a.svg --metric cosine");
    assert!(fact(&text, "most alike").starts_with("1.0 ("), "{text}");
    let square = folder.array("a.npy");
    assert!((0..150).all(|i| square[i * 151] == 1.0 && square[i * 150 + 7] == square[1050 + i]));
    assert!(
        fs::read_to_string(folder.path("a.svg"))
            .unwrap()
            .contains("Cosine, 150 rows of 4 features")
    );
    folder.run("similarity", "--output b.npy --layout condensed --metric cosine");
    assert_eq!(folder.array("b.npy")[..149], square[1..150]);
    // The square is also an array of rows.
    let text = folder.run("knn", "--input a.npy --save-input a.csv --output b.csv");
    assert!(text.contains("rows: 150 of 150 features (rows of a.npy)"), "{text}");
    folder.run("knn", "--input a.csv --output c.csv");
    assert!(folder.table("b.csv") == folder.table("c.csv"));
    for (arguments, message) in [
        ("--input b.npy", "b.npy: "),
        ("--input a.npy --columns 1", "--columns works only for tables"),
        ("--input nowhere.npy", "nowhere.npy: I/O error: No such file"),
    ] {
        let error = folder.refused("knn", arguments);
        assert!(error.contains(message), "{error}");
    }
    // Python 2 wrote long numbers like this.
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (6L, 3L), }";
    let old = folder.with("old.npy", &format!("\x00NUMPY\x01\x00\x3f\x00{header}\n"));
    assert!(old.refused("knn", "--input old.npy").starts_with("error: old.npy: "));
}

/// The distances of groups, models and residues, set after set.
#[test]
fn conformers() {
    let rows = "x,y,z,molecule\n0,0,0,5\n3,4,0,5\n0,0,2,5\n9,9,9,7\n1,0,0,2\n0,0,0,2\n";
    let folder = Folder::new().with("a.csv", rows);
    let text = folder.run("conformers", "--input a.csv --group molecule --output d.npy");
    assert!(fact(&text, "groups").starts_with("3 ("), "{text}");
    assert_eq!(fact(&text, "atoms"), "6, pairs: 4");
    assert_eq!(folder.array("d.npy"), [5.0, 2.0, 29.0_f32.sqrt(), 1.0]);

    let error = folder.refused("conformers", "--input a.csv");
    assert!(error.contains("a table needs --group"), "{error}");

    let split = Folder::new().with("a.csv", "x,y,z,g\n0,0,0,1\n1,0,0,2\n2,0,0,1\n");
    let error = split.refused("conformers", "--input a.csv --group g");
    assert!(error.contains("the rows of group 1 do not follow each other"), "{error}");

    let moved = ALANINE.replace("2.000   1.400   0.000", "2.000   1.400   0.500");
    let models = format!("MODEL        1\n{ALANINE}ENDMDL\nMODEL        2\n{moved}ENDMDL\nEND\n");
    let folder = Folder::new().with("a.pdb", &models);
    let text = folder.run("conformers", "--input a.pdb --output d.npy");
    assert!(fact(&text, "models").starts_with("2 ("), "{text}");
    assert!(text.contains("most different from the first of the models: 2 by 0."), "{text}");
    let found = folder.array("d.npy");
    assert_eq!((found.len(), found[0], found[10]), (20, 1.46, 1.46));

    let text = Folder::new().run("conformers", "");
    assert!(fact(&text, "residues").starts_with("70 (atoms of the built-in 1A8O.pdb"), "{text}");
    let options = format!("--random {}", size(100, 100_000));
    assert!(fact(&Folder::new().run("conformers", &options), "molecules").ends_with("(random)"));
}
