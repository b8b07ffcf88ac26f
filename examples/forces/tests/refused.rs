//! What the program refuses, and in which words.

use std::fs;

use clap::Parser;

use super::{Arguments, file, report};

#[test]
fn bad_tables_are_refused_with_their_place() {
    let gravity = ["--law", "gravity"].as_slice();
    let cases: [(&[&str], &str, &str); 12] = [
        (&[], "", "bad.csv: the file is empty"),
        (&[], "1,2,3,4\n", "bad.csv: 5 (x, y, z, m and r) columns are needed, and there are 4"),
        (gravity, "1,2,3,4,5\n", "bad.csv: 4 (x, y, z and m) columns are needed, and there are 5"),
        (
            &[],
            "x,y,z,m\n1,2,3,4\n",
            "columns x, y, z, m and r are needed, and none is called r; the",
        ),
        (gravity, "x,y,z\n1,2,3\n", "columns x, y, z and m are needed, and none is called m; the"),
        (
            gravity,
            "x,y,z,m,vx\n1,2,3,4,5\n",
            "columns vx, vy and vz are needed, and none is called vy",
        ),
        (
            gravity,
            "x,y,z,m\n1,2,3,4\n1,2,b,4\n",
            "bad.csv, line 3, column `z`: `b` is not a number",
        ),
        (gravity, "x,y,z,m\n1,2,3,4\n1,2,3\n", "bad.csv, line 3: the row has another number"),
        (gravity, "1,2,3,-4\n", "bad.csv, line 1, column 3 (counted from 0): the mass -4 is not"),
        (&[], "r,x,y,z,m\n0,1,2,3,4\n", "bad.csv, line 2, column `r`: the radius 0 is not"),
        (&[], "m,x,y,z,r\n\n0,1,2,3,4\n", "bad.csv, line 3, column `m`: the mass 0 is not"),
        (
            gravity,
            "x,y,z,m,vx,vy,vz\n1,2,3,4,5,6,inf\n",
            "line 2, column `vz`: inf is out of range",
        ),
    ];
    for (arguments, text, message) in cases {
        let (_folder, path) = file("bad.csv", text);
        let error = report(&[arguments, &["--input", &path]].concat()).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let (_folder, path) = file("bad.pdb", "ATOM      1  N   MET A   1      27.340\n");
    let error = report(&["--input", &path]).unwrap_err();
    assert!(error.contains("bad.pdb, line 1, columns 39 to 46 (y): the line ends"), "{error}");
    let error = report(&["--input", "nowhere.xyz"]).unwrap_err();
    assert!(error.starts_with("cannot tell what nowhere.xyz is"), "{error}");
}

#[test]
fn formats_are_told_by_names_and_by_options() {
    let (_folder, path) = file("t.txt", "x;y;z;m\n0;0;0;1\n0;0;1;1\n");
    let gravity = ["--law", "gravity", "--input", &path];
    let error = report(&gravity).unwrap_err();
    assert!(error.contains("t.txt is: let the name end in .csv"), "{error}");
    for more in [vec![], vec!["--delimiter", "semicolon"]] {
        let text = report(&[&gravity[..], &["--format", "csv"], &more].concat()).unwrap();
        assert!(text.contains("bodies: 2 (rows of "), "{text}");
    }
    let (_folder, path) = file(
        "m.cif",
        "data_x\nloop_\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n\
         _atom_site.type_symbol\n0 0 0 C\n0 0 2 O\n",
    );
    let text = report(&["--input", &path]).unwrap();
    assert!(text.contains("bodies: 2 (atoms of "), "{text}");
    let error = report(&["--input", &path, "--delimiter", "tab"]).unwrap_err();
    assert!(error.starts_with("--delimiter is for tables, and "), "{error}");
    assert!(report(&["--random", "1e1"]).unwrap().contains("bodies: 10 ("));
}

#[test]
fn outputs_are_checked_before_any_work() {
    let (_folder, path) = file("taken.xyz", "precious");
    for option in ["--output", "--energies"] {
        let error = report(&[option, &path, "--input", "nowhere.csv"]).unwrap_err();
        assert!(error.contains("exists already"), "{error}");
    }
    let error = report(&["--output", &path, "--energies", &path, "--force"]).unwrap_err();
    assert!(error.contains("two different outputs"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    report(&["--random", "5", "--output", &path, "--force"]).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("5\n"));
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        vec!["--random", "5", "--input", "a.csv"],
        vec!["--random", "16777217"],
        vec!["--random", "0.5"],
        vec!["--random", "5", "--delimiter", ";"],
        vec!["--format", "csv"],
        vec!["--seed", "1"],
        vec!["--every", "2"],
        vec!["--output", "a.xyz", "--every", "0"],
        vec!["--law", "coulomb"],
        vec!["--scale", "0"],
        vec!["--scale", "nan"],
        vec!["--depth", "-1"],
        vec!["--softening", "0"],
        vec!["--time-step", "inf", "--steps", "1"],
        vec!["--time-step", "1"],
        vec!["--steps", "-1"],
        vec!["atoms.pdb"],
    ] {
        let parsed = Arguments::try_parse_from(["forces"].iter().chain(&arguments));
        assert!(parsed.is_err(), "{arguments:?}");
    }
    for (arguments, message) in [
        (
            vec!["--depth", "-1"],
            "error: invalid value '-1' for '--depth <E>': it has to be a number",
        ),
        (vec!["--steps", "-1"], "error: invalid value '-1' for '--steps <N>'"),
        (vec!["--softening", "1"], "--softening belongs to --law gravity"),
        (vec!["--law", "gravity", "--depth", "1"], "--depth belongs to --law lennard-jones"),
        (vec!["--law", "gravity", "--scale", "1"], "--scale belongs to --law lennard-jones"),
    ] {
        let error = report(&arguments).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn the_command_line_is_well_formed() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
}
