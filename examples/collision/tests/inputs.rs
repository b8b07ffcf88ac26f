//! What spheres are read from: tables, and atoms in two formats, also compressed.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use pdbtbx::{Format, ReadOptions, StrictnessLevel};
use td_kernel_examples::data::PROTEIN;
use tempfile::TempDir;

use super::{check, fact, file, outcome, report};

/// The protein as mmCIF, by another program.
fn cif() -> String {
    let mut options = ReadOptions::default();
    options.set_level(StrictnessLevel::Loose).set_format(Format::Pdb);
    let (structure, _) = options.read_raw(BufReader::new(PROTEIN.text.as_bytes())).unwrap();
    let mut written = Vec::new();
    pdbtbx::save_mmcif_raw(&structure, BufWriter::new(&mut written));
    String::from_utf8(written).unwrap()
}

fn compressed(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let mut encoder = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

#[test]
fn radii_of_tables_are_taken_as_they_are() {
    let (_folder, path) = file("t.csv", "x;y;z;r\n0;0;0;1\n0;0;1.9;1\n0;5;0;1\n");
    let found = check(&["--input", &path], 0);
    assert_eq!(found.spheres.column(3).to_vec(), [1.0; 3]);
    assert_eq!(found.pairs, [[1, 0]]);
    assert!(fact(&found.report, "spheres: ").ends_with("t.csv, radii as they are)"));
    let found = check(&["--input", &path, "--scale", "0.5", "--delimiter", ";"], 0);
    assert!(fact(&found.report, "spheres: ").ends_with("t.csv, radii times 0.5)"));
    assert!(found.pairs.is_empty());
    // Random radii are what is said of them, and only atoms are scaled.
    let found = check(&["--random", "1e2"], 0);
    assert_eq!(found.spheres.nrows(), 100);
    assert!(found.spheres.column(3).iter().all(|radius| (0.0..=0.01).contains(radius)));
    assert!(fact(&outcome(&[]).report, "spheres: ").ends_with("radii times 0.5)"));
}

#[test]
fn the_deepest_overlap_is_told() {
    let (_folder, path) = file("t.csv", "0,0,0,1\n0,0,1.75,1\n0,0,3,1\n9,9,9,1\n");
    let found = check(&["--input", &path], 0);
    assert_eq!(fact(&found.report, "deepest overlap: "), "0.75 (i = 2, j = 1)");
    let (_folder, path) = file("t.csv", "0,0,0,1\n0,0,3,1\n");
    assert!(!outcome(&["--input", &path]).report.contains("deepest"));
}

#[test]
fn atoms_have_names_in_the_list_and_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.csv").to_str().unwrap().to_owned();
    let text = report(&["--output", &path]).unwrap();
    let list = fs::read_to_string(&path).unwrap();
    assert!(list.starts_with("i,j,atom_i,atom_j\n1,0,CA of MSE A 151,N of MSE A 151\n"), "{list}");
    assert_eq!(list.lines().count() - 1, fact(&text, "collisions: ").parse::<usize>().unwrap());
    assert!(list.lines().all(|line| line.split(',').count() == 4));
    let deepest = fact(&text, "deepest overlap: ");
    assert!(deepest.ends_with(", O of ASP A 166 and C of ASP A 166"), "{deepest}");
    // A name that has a comma is in quotes.
    let atom = "HETATM    1  C,A XXX A   1       0.000   0.000   0.000  1.00  0.00           C\n";
    let (_folder, atoms) = file("m.pdb", &atom.repeat(2));
    report(&["--input", &atoms, "--output", &path, "--force"]).unwrap();
    let expected = "i,j,atom_i,atom_j\n1,0,\"C,A of XXX A 1\",\"C,A of XXX A 1\"\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn a_protein_is_the_same_in_every_format() {
    let expected = outcome(&[]);
    let cif = cif();
    for ((_folder, path), format) in [
        (file("m.cif", &cif), None),
        (compressed("m.CIF.gz", &cif), None),
        (compressed("m.ent.gz", PROTEIN.text), None),
        (file("m.txt", &cif), Some("cif")),
        (compressed("m.txt", PROTEIN.text), Some("pdb")),
        (file("m.csv", PROTEIN.text), Some("pdb")),
    ] {
        let format = format.map_or(vec![], |format| vec!["--format", format]);
        let found = outcome(&[&["--input", &path], &format[..]].concat());
        assert_eq!((&found.spheres, &found.pairs), (&expected.spheres, &expected.pairs), "{path}");
    }
}

#[test]
fn a_format_that_does_not_fit_is_an_error() {
    let (_folder, pdb) = file("m.pdb", PROTEIN.text);
    let (_folder, cut) = file("m.cif", "data_x\nloop_\n_atom_site.Cartn_x\n1\n");
    for (arguments, message) in [
        (vec!["--input", &pdb, "--format", "csv"], "m.pdb, line "),
        (vec!["--input", &pdb, "--format", "cif"], "m.pdb, line 1: `HEADER` belongs to no name"),
        (vec!["--input", &cut, "--format", "pdb"], "m.cif: there are no atoms"),
        (
            vec!["--input", &pdb, "--delimiter", "tab"],
            "m.pdb is read as atoms: leave it out, or say --format csv",
        ),
        (
            vec!["--input", &cut],
            "m.cif, line 2: the atoms that begin here have no _atom_site.Cartn_y",
        ),
    ] {
        let error = report(&arguments).unwrap_err();
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
}

/// Coordinates that single precision rounds to others, and lengths whose squares it rounds to zero.
#[test]
fn spheres_far_from_zero_and_tiny_ones_overlap_where_they_do() {
    let utm = "x,y,z,r\n500000.10,4649776.20,100,0.2\n500000.10,4649776.55,100,0.2\n";
    // One sphere far from the others, first.
    let odd = format!("{utm}500000.10,4649776.96,100,0.2\n").replace("r\n", "r\n0,0,0,1\n");
    let tiny = "0,0,0,1e-27\n3e-27,0,0,1e-27\n1.5e-27,0,0,1e-27\n";
    for (text, expected, deepest) in [
        (utm, vec![[1, 0]], "0.05"),
        (&odd, vec![[2, 1]], "0.05"),
        (tiny, vec![[2, 0], [2, 1]], "5e-28"),
    ] {
        let (_folder, path) = file("t.csv", text);
        for dimensions in ["3", "1"] {
            let turned = match dimensions {
                "1" => text.replace("x,y", "y,x"),
                _ => text.into(),
            };
            std::fs::write(&path, turned).unwrap();
            let found = outcome(&["--input", &path, "--dimensions", dimensions]);
            assert_eq!(found.pairs, expected, "{text}");
            let found = fact(&found.report, "deepest overlap: ").split(' ').next().unwrap();
            let (found, expected): (f64, f64) = (found.parse().unwrap(), deepest.parse().unwrap());
            assert!((found / expected - 1.0).abs() < 1e-6, "{text}: {found}");
        }
    }
}
