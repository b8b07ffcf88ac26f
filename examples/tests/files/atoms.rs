//! Atoms and spheres from files: `collision` and `conformers`.

use std::fs;

use td_kernel_examples::Result;
use td_kernel_examples_files::{Atom, Atoms, models};

use crate::program::cases::check;
use crate::program::{Folder, distance, fact, pairs, size};

/// What the reader of atoms prints.
fn read(folder: &Folder, name: &str) -> Result<String> {
    let mut text = Vec::new();
    for Atoms { all, origin, .. } in models(Some(&folder.path(name)))? {
        let lines = all.iter().map(|Atom { element, position: [x, y, z], label, .. }| {
            format!("{element} {x} {y} {z} {label}").trim_end().to_owned()
        });
        text.extend([origin].into_iter().chain(lines));
    }
    Ok(text.join("\n"))
}

#[test]
fn cases() {
    check(include_str!("../cases/atoms.txt"), "atoms", read);
}

/// The atoms of an alanine.
const ALANINE: &str = "\
ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00 10.00           N
ATOM      2  CA  ALA A   1       1.460   0.000   0.000  1.00 10.00           C
ATOM      3  C   ALA A   1       2.000   1.400   0.000  1.00 10.00           C
ATOM      4  O   ALA A   1       1.300   2.400   0.000  1.00 10.00           O
ATOM      5  CB  ALA A   1       2.000  -0.700   1.200  1.00 10.00           C
";

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

#[test]
fn collisions_of_a_table() {
    let folder = Folder::new();
    let options = format!("--random {} --save-input a.csv --output b.csv", size(3000, 30_720));
    let text = folder.run("collision", &options);
    let found = assert_colliding(&folder, "a.csv", "b.csv").len();
    assert!(found > 0 && fact(&text, "collisions") == found.to_string(), "{text}");
    let again = folder.run("collision", "--input a.csv");
    assert_eq!(fact(&text, "collisions"), fact(&again, "collisions"));
}

/// The distances of groups and models, set after set.
#[test]
fn conformers() {
    let rows = "x,y,z,molecule\n0,0,0,5\n3,4,0,5\n0,0,2,5\n9,9,9,7\n1,0,0,2\n0,0,0,2\n";
    let folder = Folder::new().with("a.csv", rows);
    folder.run("conformers", "--input a.csv --group molecule --output d.npy");
    assert_eq!(folder.array("d.npy"), [5.0, 2.0, 29.0_f32.sqrt(), 1.0]);

    let moved = ALANINE.replace("2.000   1.400   0.000", "2.000   1.400   0.500");
    let folder = Folder::new().with("a.pdb", &format!("{ALANINE}END\n{moved}END\n"));
    let text = folder.run("conformers", "--input a.pdb --output d.npy");
    assert!(text.contains("most different from the first of the models: 2 by 0."), "{text}");
    let found = folder.array("d.npy");
    assert_eq!((found.len(), found[0], found[10]), (20, 1.46, 1.46));

    let options = format!("--random {}", size(100, 100_000));
    assert!(fact(&Folder::new().run("conformers", &options), "molecules").ends_with("(random)"));
}
