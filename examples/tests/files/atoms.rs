//! Atoms and spheres from files: `collision` and `conformers`.

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
    folder.run("collision", "--output pairs.csv --plot a.svg --save-input spheres.csv");
    let found = assert_colliding(&folder, "spheres.csv", "pairs.csv");
    assert_eq!(found[0][2..], ["CA of MSE A 151", "N of MSE A 151"]);
    assert!(folder.text("a.svg").contains("<circle"));
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

#[test]
fn conformers() {
    let options = format!("--random {}", size(100, 100_000));
    assert!(fact(&Folder::new().run("conformers", &options), "molecules").ends_with("(random)"));
}
