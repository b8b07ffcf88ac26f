//! Atoms and spheres from files: `collision` and `conformers`.

use std::fs;

use crate::program::{Folder, distance, fact, pairs, size};

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

/// The help of examples that read more than tables of points says so.
#[test]
fn inputs_in_the_help() {
    for (example, files, built_in) in [
        ("collision", ".cif", "the protein 1A8O"),
        ("correlation", ".cif", "the protein 1A8O"),
        ("similarity", ".npy", "Iris"),
        ("knn", ".npy", "Iris"),
    ] {
        let text = Folder::new().run(example, "--help");
        let help = text.split("--input <").nth(1).and_then(|rest| rest.split("      --").next());
        let help = help.unwrap();
        assert!(help.contains(&format!("[default: {built_in}, built in]")), "{help}");
        assert!(help.contains(&format!("{files}>")), "{help}");
    }
    assert!(Folder::new().run("collision", "--help").contains("[default: x,y,z,r]"));
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
    let text = pandas.run("collision", "--input a.csv");
    assert!(fact(&text, "spheres").contains("use --header no"), "{text}");
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
        "5 (atoms of a.pdb, left out: 1 of water (TIP3), half their radii)"
    );

    let calcium =
        "HETATM    6 CA    CA A 200      10.000   0.000   0.000  1.00 10.00          CA\n";
    assert!(
        pdb(calcium).run("collision", "--input a.pdb --radius Ca=30").contains("collisions: 9")
    );
    let unknown = calcium.replace("          CA\n", "           X\n");
    let error = pdb(&unknown).refused("collision", "--input a.pdb");
    assert!(
        error.contains("CA of CA A 200: the radius of X is unknown: set it, as --radius X=1.8"),
        "{error}"
    );
    let error = pdb(&unknown).refused("forces", "--input a.pdb --radius X=2 --steps 1");
    assert!(error.contains("the mass of X is unknown"), "{error}");
    let unclear = "HETATM    6 CA   LIG A 200      10.000   0.000   0.000  1.00 10.00\n";
    let error = pdb(unclear).refused("collision", "--input a.pdb");
    assert!(error.contains("CA of LIG A 200 does not have an element symbol"), "{error}");

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
    assert_eq!(fact(&text, "atoms"), "5 (atoms of a.ent, the first of 2 models)");

    let rows = "ATOM 1 N N . ALA A 1 0 0 0 1\nATOM 2 C CA . ALA A 1 1.46 0 0 1\n";
    assert!(cif(rows).run("collision", "--input a.cif").contains("collisions: 1"));
    let error = cif(&format!("{rows}{rows}")).refused("collision", "--input a.cif");
    assert!(error.contains("line 17: N of ALA A 1 occurs twice"), "{error}");
    for cut in [rows.len() - 2, rows.len() - 5] {
        let error = cif(&rows[..cut]).refused("collision", "--input a.cif");
        assert!(error.starts_with("error: a.cif: "), "{error}");
    }
    for (name, text, message) in [
        ("a.txt", "", "a.txt: its name does not end in .pdb, .ent or .cif"),
        ("a.pdb", "", "a.pdb: there are no atoms"),
        (
            "a.pdb",
            &ALANINE[..40],
            "a.pdb: line 1, column 39: the coordinate \"\" is not a finite number",
        ),
        ("a.cif", "data_a\n", "a.cif: there are no atoms"),
    ] {
        let error = Folder::new().with(name, text).refused("collision", &format!("--input {name}"));
        assert!(error.contains(message), "{error}");
    }
}

/// What programs and archives write beside the plain form: the same atoms, or the line that is wrong.
#[test]
fn files_of_other_programs() {
    let ions = "HETATM    6  POT POT A 200      10.000   0.000   0.000  1.00 10.00\n\
                HETATM    7  CLA CLA A 201      14.000   0.000   0.000  1.00 10.00\n";
    let serials = |text: &str| text.replace("ATOM      ", "ATOM  10000");
    let shifted = |text: &str| text.replace("ATOM      ", "ATOM  100000");
    let stars = ALANINE.replace("ATOM      5", "ATOM  *****");
    let metals = "HETATM    6 FE   HEM A 201      10.000   5.000   4.000  1.00 10.00          FE\n";
    let water = "HETATM    6  OW  SOL W   2      20.000   0.000   0.000  1.00 10.00           O\n";
    let bonds = format!("CONECT*****    2\n{ALANINE}");
    for (text, spheres) in [
        (serials(ALANINE), "5 (atoms of a.pdb, half their radii)"),
        (shifted(ALANINE), "5 (atoms of a.pdb, half their radii)"),
        (stars, "5 (atoms of a.pdb, half their radii)"),
        (bonds, "5 (atoms of a.pdb, half their radii)"),
        (format!("{ALANINE}{ions}"), "7 (atoms of a.pdb, half their radii)"),
        (format!("{ALANINE}{metals}"), "6 (atoms of a.pdb, half their radii)"),
        (
            format!("{ALANINE}{water}"),
            "5 (atoms of a.pdb, left out: 1 of water (SOL), half their radii)",
        ),
        (
            format!("{ALANINE}END\n{ALANINE}END\n"),
            "5 (atoms of a.pdb, the first of 2 models, half their radii)",
        ),
    ] {
        let folder = Folder::new().with("a.pdb", &text);
        let found = folder.run("collision", "--input a.pdb --save-input b.csv");
        assert_eq!(fact(&found, "spheres"), spheres);
        assert_eq!(folder.numbers("b.csv")[4], [2.0, -0.7, 1.2, 0.85]);
    }
    let error = pdb(&ALANINE.replace("2.000  -0.700", "2.000     nan"))
        .refused("collision", "--input a.pdb");
    assert!(error.contains("a.pdb: line 10, column 39: the coordinate \"nan\" is not"), "{error}");

    // Residues that differ by their insertion codes only; models that END separates.
    let codes = ALANINE.replace("A   1 ", "H  82A") + &ALANINE.replace("A   1 ", "H  82B");
    let text = Folder::new().with("a.pdb", &codes).run("conformers", "--input a.pdb");
    assert!(fact(&text, "residues").starts_with("2 ("), "{text}");
    let frames = format!("{ALANINE}END\n{ALANINE}END\n{ALANINE}");
    let text = Folder::new().with("a.pdb", &frames).run("conformers", "--input a.pdb");
    assert!(fact(&text, "models").starts_with("3 ("), "{text}");

    // Names with spaces, values between lines with semicolons, comments, uncertainties, models.
    let head = "data_a # a comment\n_cell.length_a 30.00(2)\n_cell.length_b 30\n_cell.length_c 30\n\
                _cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 90.0(1)\n\
                loop_\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n\
                _atom_site.label_atom_id\n_atom_site.type_symbol\n_atom_site.pdbx_PDB_model_num\n";
    let rows = "0 0 0 'O 1' O 1\n1.43 0.5(1) .25 \"C'1\"\n;C\n;\n1\n0 0 1 'O 1' O 2\n";
    let folder = Folder::new().with("a.cif", &format!("{head}{rows}#\n"));
    let text = folder.run("forces", "--input a.cif --periodic --cutoff 5");
    assert!(fact(&text, "cell").starts_with("30 x 30 x 30"), "{text}");
    assert_eq!(fact(&text, "atoms"), "2 (atoms of a.cif, the first of 2 models)");
    let text = folder.run("collision", "--input a.cif --save-input b.csv");
    assert!(text.contains("collisions: 1"), "{text}");
    assert_eq!(folder.numbers("b.csv")[1], [1.43, 0.5, 0.25, 0.85]);
    for (rows, message) in [
        ("0 0 0 'O 1 O 1\n", "line 15, column 7: the quote does not end"),
        ("0 0 nan O O 1\n", "line 15, column 5: \"nan\" is not a finite number"),
        ("0 0 . O O 1\n", "line 15, column 1: the atom does not have _atom_site.cartn_z"),
        ("0 0 0 O O\n", "line 15, column 9: expected a multiple of 6 values, got 5"),
        ("0 0 0 O O\n;1\n", "line 16, column 1: the text after ; does not end"),
    ] {
        let folder = Folder::new().with("a.cif", &format!("{head}{rows}"));
        let error = folder.refused("collision", "--input a.cif");
        assert!(error.contains(message), "{error}");
    }
    let oblique = format!("CRYST1   30.000   30.000   30.000  90.00 100.00  90.00 P 1\n{ALANINE}");
    let folder = Folder::new().with("a.pdb", &oblique);
    let error = folder.refused("forces", "--input a.pdb --periodic --cutoff 5");
    assert!(error.contains("its cell are 90°, 100° and 90°, but only"), "{error}");
    assert!(!error.contains("--box"), "{error}");
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

    // Names, without a header; numbers that are written in two ways.
    let named = "0,0,0,a\n3,4,0,a\n9,9,9,b c\n1,0,0,7\n0,0,0,7.0\n";
    let folder = Folder::new().with("a.csv", named);
    let text = folder.run("conformers", "--input a.csv --columns 0,1,2 --group 3 --output d.npy");
    assert!(fact(&text, "groups").starts_with("3 ("), "{text}");
    assert_eq!(folder.array("d.npy"), [5.0, 1.0]);
    for (text, problem) in [
        (rows, "there is no column g in x, y, z, molecule: choose with --group"),
        ("x,y,z,g\n0,0,0,a\n1,0,0,\n", "row 1 does not have a group: write a number or a name"),
        ("x,y,z,g\n0,0,0,a\n1,0,0,b\n2,0,0,a\n", "the rows of group a do not follow"),
        ("x,y,z,g\n0,0,0,a\n1,0,?,a\n", "line 3, column z: \"?\" is not a finite number"),
    ] {
        let folder = Folder::new().with("a.csv", text);
        let error = folder.refused("conformers", "--input a.csv --group g");
        assert!(error.contains(problem), "{error}");
    }
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
