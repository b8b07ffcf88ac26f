//! The whole program, on the CPU, compared with a brute-force search in double precision.

mod inputs;
mod pictures;

use std::fs;

use clap::Parser;
use ndarray::Array2;
use ndarray_npy::read_npy;
use td_kernel_examples::tried::{self, fact, file};

use crate::arguments::Arguments;
use crate::run;

fn report(arguments: &[&str]) -> Result<String, String> {
    tried::report("collision", arguments, run)
}

/// What the program left behind.
struct Outcome {
    report: String,
    /// Rows x, y, z, radius.
    spheres: Array2<f64>,
    pairs: Vec<[usize; 2]>,
}

fn outcome(arguments: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (input, output) = (path("spheres.npy"), path("pairs.csv"));
    let files = ["--save-input", &input, "--output", &output];
    let report = report(&[arguments, &files].concat()).unwrap();
    let text = fs::read_to_string(output).unwrap();
    let mut lines = text.lines();
    assert!(["i,j", "i,j,atom_i,atom_j"].contains(&lines.next().unwrap()));
    let pairs = lines.map(|line| {
        let mut cells = line.split(',').map(|cell| cell.parse().unwrap_or(usize::MAX));
        [cells.next().unwrap(), cells.next().unwrap()]
    });
    Outcome { report, spheres: read_npy(input).unwrap(), pairs: pairs.collect() }
}

/// Two sorted lists of pairs: those that overlap, and those so close to touching that rounding to single precision
/// decides.
fn reference(spheres: &Array2<f64>) -> [Vec<[usize; 2]>; 2] {
    let (mut overlapping, mut borderline) = (Vec::new(), Vec::new());
    for i in 0..spheres.nrows() {
        for j in 0..i {
            let square = |column: usize| (spheres[[i, column]] - spheres[[j, column]]).powi(2);
            let distance = square(0) + square(1) + square(2);
            let touching = (spheres[[i, 3]] + spheres[[j, 3]]).powi(2);
            if (distance - touching).abs() <= 1e-6 * touching {
                borderline.push([i, j]);
            } else if distance < touching {
                overlapping.push([i, j]);
            }
        }
    }
    [overlapping, borderline]
}

/// Runs the program, and expects the pairs of the reference, except borderline pairs, of which there must be
/// `borderline`.
fn check(arguments: &[&str], borderline: usize) -> Outcome {
    let outcome = outcome(arguments);
    let [overlapping, doubtful] = reference(&outcome.spheres);
    assert_eq!(doubtful.len(), borderline, "{arguments:?}");
    let found = outcome.pairs.iter().filter(|pair| !doubtful.contains(pair));
    assert!(found.eq(&overlapping), "{arguments:?}");
    let collisions = outcome.pairs.len().to_string();
    assert_eq!(fact(&outcome.report, "collisions: "), collisions);
    outcome
}

#[test]
fn a_protein_is_the_default() {
    let outcome = check(&[], 0);
    assert_eq!(outcome.spheres.shape(), [556, 4]);
    assert_eq!(fact(&outcome.report, "pairs tested: "), "154290");
    assert_eq!(fact(&outcome.report, "dimensions: "), "3");
    // The first atom is the nitrogen of a selenomethionine.
    assert_eq!(outcome.spheres.row(0).to_vec(), [19.594, 32.367, 28.012, 0.775]);
    for scale in ["0.1", "1", "3"] {
        check(&["--scale", scale], 0);
    }
    // Coordinates have three decimals and radii two, so in one dimension some sums are the same.
    let on_line = check(&["--dimensions", "1"], 12);
    assert!(on_line.pairs.len() > outcome.pairs.len());
    assert!(on_line.spheres.rows().into_iter().all(|row| (row[1], row[2]) == (0.0, 0.0)));
}

#[test]
fn random_spheres_of_any_number_are_right() {
    for dimensions in ["1", "3"] {
        let random = |n, more: &[&str]| {
            let arguments = ["--random", n, "--seed", "3", "--dimensions", dimensions];
            check(&[&arguments, more].concat(), 0)
        };
        for n in ["0", "1", "2", "17", "300"] {
            let outcome = random(n, &[]);
            assert_eq!(outcome.spheres.nrows().to_string(), n);
            // So large that many overlap.
            let scale = if dimensions == "1" { "1000" } else { "10" };
            let outcome = random(n, &["--scale", scale]);
            assert_eq!(outcome.pairs.is_empty(), n == "0" || n == "1" || n == "2");
        }
    }
}

#[test]
fn all_pairs_overlap_or_none() {
    let row = "0.5,0.5,0.5,1\n";
    let (_folder, path) = file("same.csv", &row.repeat(40));
    let outcome = outcome(&["--input", &path]);
    assert_eq!(outcome.pairs.len(), 40 * 39 / 2);
    assert_eq!(fact(&outcome.report, "contacts: "), "39.000 a sphere, on average");
    let (_folder, path) = file("far.csv", "0,0,0,1\n9,0,0,1\n");
    assert!(check(&["--input", &path], 0).pairs.is_empty());
}

#[test]
fn spheres_that_touch_overlap() {
    // At half size, radii 1 and 1.5; distances 2.5, and a little more.
    let (_folder, path) =
        file("touch.csv", "r,z,y,x,name\n2,0,0,0,a\n3,0,0,2.5,b\n3,0,0,-2.501,c\n");
    let half = ["--input", &path, "--scale", "0.5"];
    assert_eq!(outcome(&half).pairs, [[1, 0]]);
    assert_eq!(outcome(&[&half[..], &["--dimensions", "1"]].concat()).pairs, [[1, 0]]);
    assert_eq!(outcome(&["--input", &path, "--scale", "2"]).pairs.len(), 3);
}

#[test]
fn bad_tables_are_refused_with_their_place() {
    for (text, message) in [
        ("", "bad.csv: the file is empty"),
        ("1,2,3\n", "bad.csv: 4 (x, y, z and r) columns are needed, and there are 3"),
        ("1,2,3,4,5\n", "bad.csv: 4 (x, y, z and r) columns are needed, and there are 5"),
        (
            "name,lat,z\na,2,3\n",
            "bad.csv, line 1: the columns x, y, z and r are needed, and none is called x, y or r; the file has `name`, \
             `lat`, `z`",
        ),
        ("x,y,z,r,r\n1,2,3,4,5\n", "bad.csv, line 1, column `r`: two columns have this name"),
        ("x,y,z,r\n1,2,3,4\n1,2,3\n", "bad.csv, line 3: the row has another number of cells (3)"),
        ("x,y,z,r\n1,2,3,4\n1,2,b,4\n", "bad.csv, line 3, column `z`: `b` is not a number"),
        ("1,2,3,-4\n", "bad.csv, line 1, column 3 (counted from 0): the radius -4 is negative"),
        ("z,r,x,y\n\n1,nan,3,4\n", "bad.csv, line 3, column `r`: nan is out of range"),
    ] {
        let (_folder, path) = file("bad.csv", text);
        let error = report(&["--input", &path]).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn files_that_cannot_be_read_are_refused_by_name() {
    for (path, message) in [
        ("nowhere.csv", "cannot read nowhere.csv: "),
        ("nowhere.PDB", "cannot read nowhere.PDB: "),
        (
            "nowhere.xyz",
            "cannot tell what nowhere.xyz is: let the name end in .csv, .tsv, .pdb, .ent or .cif, each also with .gz \
             behind it, or say --format csv, pdb or cif",
        ),
        ("nowhere", "cannot tell what nowhere is"),
        ("nowhere.gz", "cannot tell what nowhere.gz is"),
        ("nowhere.cif.gz", "cannot read nowhere.cif.gz: "),
        ("-", "cannot tell what standard input is: let the name end in"),
    ] {
        let error = report(&["--input", path]).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
    let (_folder, path) = file("bad.pdb", "ATOM      1  N   MET A   1      27.340\n");
    let error = report(&["--input", &path]).unwrap_err();
    assert!(error.contains("bad.pdb, line 1, columns 39 to 46 (y): the line ends"), "{error}");
}

#[test]
fn outputs_are_checked_before_any_work() {
    let (_folder, path) = file("taken.csv", "precious");
    for option in ["--output", "--save-input"] {
        let error = report(&[option, &path]).unwrap_err();
        assert!(error.contains("exists already"), "{error}");
    }
    let error = report(&["--output", &path, "--save-input", &path, "--force"]).unwrap_err();
    assert!(error.contains("two different outputs"), "{error}");
    let error = report(&["--save-input", &path, "--force"]).unwrap_err();
    assert!(
        error.contains("it is an array in NumPy's format: let the name end in .npy"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    report(&["--output", &path, "--force"]).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("i,j,atom_i,atom_j\n"));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        vec!["--random", "5", "--input", "a.csv"],
        vec!["--random", "16777217"],
        vec!["--random", "1e8"],
        vec!["--random", "0.5"],
        vec!["--random", "5", "--format", "csv"],
        vec!["--format", "csv"],
        vec!["--delimiter", ";"],
        vec!["--input", "a.csv", "--format", "xyz"],
        vec!["--input", "a.csv", "--delimiter", "abc"],
        vec!["--seed", "1"],
        vec!["--dimensions", "2"],
        vec!["--scale", "0"],
        vec!["--scale", "nan"],
        vec!["--scale", "1001"],
        vec!["atoms.pdb"],
    ] {
        let parsed = Arguments::try_parse_from(["collision"].iter().chain(&arguments));
        assert!(parsed.is_err(), "{arguments:?}");
    }
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
}
