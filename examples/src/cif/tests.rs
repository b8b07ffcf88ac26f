//! mmCIF files, compared with the same structure in the format of the Protein Data Bank and with another reader.

use std::io::BufReader;

use pdbtbx::{Format, ReadOptions, StrictnessLevel};

use super::cif;
use crate::data::PROTEIN;
use crate::{Atom, atoms};

const LOOP: &str = "data_1ABC
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_alt_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.label_seq_id
_atom_site.pdbx_PDB_ins_code
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.auth_seq_id
_atom_site.auth_asym_id
_atom_site.pdbx_PDB_model_num
";

const ATOM: &str = "ATOM 1 C CA . LYS A 3 ? 21.835 36.306 28.144 17 B 1\n";

fn read(text: &str) -> Result<Vec<Atom>, String> {
    cif("m.cif", text.as_bytes()).map_err(|error| error.to_string())
}

/// LOOP and these atoms.
fn with(atoms: &[&str]) -> String {
    format!("{LOOP}{}#\n", atoms.concat())
}

/// The protein as mmCIF, by another program.
fn protein() -> String {
    let mut options = ReadOptions::default();
    options.set_level(StrictnessLevel::Loose).set_format(Format::Pdb);
    let text = BufReader::new(PROTEIN.text.as_bytes());
    let (structure, _) = options.read_raw(text).unwrap();
    let mut written = Vec::new();
    pdbtbx::save_mmcif_raw(&structure, std::io::BufWriter::new(&mut written));
    String::from_utf8(written).unwrap()
}

#[test]
fn both_formats_have_the_same_atoms() {
    let expected = atoms(PROTEIN.name, PROTEIN.text.as_bytes()).unwrap();
    let text = protein();
    let found = read(&text).unwrap();
    assert_eq!(found.len(), 556);
    assert_eq!(found, expected);
    for ending in ["\r\n", "\r"] {
        assert_eq!(read(&text.replace('\n', ending)).unwrap(), expected);
    }
    assert_eq!(read(&format!("\u{feff}{text}")).unwrap(), expected);
}

#[test]
fn an_atom_has_its_place_and_its_name() {
    let found = read(&with(&[ATOM])).unwrap();
    assert_eq!(found[0].position, [21.835, 36.306, 28.144]);
    assert_eq!((found[0].element.symbol, found[0].label.as_str()), ("C", "CA of LYS B 17"));
    let quoted =
        ATOM.replace(" CA ", " \"C5'\" ").replace('?', "X").replace("21.835", "21.835(12)");
    let found = read(&with(&[&quoted])).unwrap();
    assert_eq!((found[0].label.as_str(), found[0].position[0]), ("C5' of LYS B 17X", 21.835));
    // One atom needs no loop, names may be in any case, and few are needed.
    let text = "data_x _ATOM_SITE.cartn_X 1 _atom_site.Cartn_y 2 _atom_site.Cartn_z 3\n\
                _cell.length_a ? _atom_site.type_symbol se _atom_site.label_atom_id SE";
    let found = read(text).unwrap();
    assert_eq!(found[0].position, [1.0, 2.0, 3.0]);
    assert_eq!((found[0].element.symbol, found[0].label.as_str()), ("Se", "SE"));
}

#[test]
fn water_later_models_and_other_locations_are_left_out() {
    let count = |atoms: &[&str]| read(&with(atoms)).map(|atoms| atoms.len());
    for water in ["HOH", "DOD", "WAT"] {
        assert_eq!(count(&[ATOM, &ATOM.replace("LYS", water)]), Ok(1));
    }
    assert_eq!(count(&[ATOM, &ATOM.replace(" 1\n", " 2\n")]), Ok(1));
    let at = |location: &str, number: &str| {
        ATOM.replace(" . ", &format!(" {location} ")).replace(" 17 ", &format!(" {number} "))
    };
    let atoms = [at("B", "17"), at("A", "17"), at(".", "17"), at("A", "18"), at("B", "18")];
    assert_eq!(count(&atoms.each_ref().map(String::as_str)), Ok(3));
}

#[test]
fn other_categories_are_skipped() {
    let others = "data_x\n_entry.id 'a b'\n;\n".replace("\n;\n", "\n")
        + "_a.text\n;loop_\n_atom_site.id\n;\nloop_\n_b.c\n_b.d\n1 'x y'\n2 ?\n\
           loop_ _atom_site_anisotrop.id 1 2 3\n";
    let text = format!("{others}{}{others}", with(&[ATOM]));
    assert_eq!(read(&text).unwrap().len(), 1);
}

#[test]
fn what_would_be_lost_or_misread_is_told_with_its_place() {
    let whole = with(&[ATOM]);
    let y = |value: &str| whole.replace("36.306", value);
    let at_y = ", line 18, column `_atom_site.Cartn_y`";
    for (text, place, message) in [
        (String::new(), "", "the file is empty"),
        ("data_x\n".into(), "", "there are no atoms: an mmCIF file"),
        ("data_x\nloop_ _atom_site_fract_x 0.5 0.5".into(), "", "fractions of a cell is not read"),
        (with(&[&ATOM.replace("LYS", "HOH")]), "", "other than water's"),
        (with(&[]), "", "other than water's"),
        (whole.repeat(2), ", line 21", "after those that begin on line 2"),
        (whole.replace("_atom_site.Cartn_y\n", ""), ", line 2", "have no _atom_site.Cartn_y"),
        (whole.replace("type_symbol", "symbol"), ", line 2", "have no _atom_site.type_symbol"),
        (with(&[ATOM, "ATOM 2 C"]), ", line 19", "has 15 names, and its last row ends here with 3"),
        (with(&["ATOM 1 C CA . LYS A 3 ? 1 2 3 17 B\n"]), ", line 18", "with 14 values"),
        (y("36,306"), at_y, "a point"),
        (y("?"), at_y, "`?` is not a number"),
        (y("nan"), at_y, "out of range"),
        (
            whole.replace(" C CA", " FE FE"),
            ", line 18, column `_atom_site.type_symbol`",
            "atom FE of LYS B 17: there is no van der Waals radius for the element `FE`",
        ),
        (
            whole.replace("label_seq_id", "CARTN_X"),
            ", line 2",
            "the loop that begins here names `_atom_site.Cartn_x` twice",
        ),
        (format!("loop_ 7\n{whole}"), ", line 1", "`7` belongs to no name and no loop"),
        (y("36.306(x)"), at_y, "`36.306(x)`"),
        (y("36.306(1"), at_y, "`36.306(1`"),
        (format!("{whole}_a.b\n_a.c 1\n"), ", line 20", "`_a.b` has no value"),
        (format!("data_x y\n{LOOP}"), ", line 1", "`y` belongs to no name"),
        (whole.replace(" CA ", " 'CA "), ", line 18, character 10", "does not close on its line"),
        (format!("{whole}_a.b\n;text\n"), ", line 21", "does not end"),
        (format!("{whole}\0"), ", line 20", "a zero byte"),
    ] {
        let error = read(&text).expect_err(message);
        assert!(error.starts_with(&format!("m.cif{place}: ")), "{error}");
        assert!(error.contains(message), "{error}");
    }
    let error = cif("m.cif", b"data_\xff").unwrap_err().to_string();
    assert!(error.contains("not text in UTF-8"), "{error}");
}

/// Damage anywhere in a file is no panic, and what it does to the names of items moves no atom.
#[test]
fn damage_is_no_panic_and_moves_no_atom() {
    let text = format!("{}_a.b\n;ü\n;\n", with(&[ATOM, &ATOM.replace("LYS", "'L S'")]));
    let expected = read(&text).unwrap();
    let places: Vec<[f64; 3]> = expected.iter().map(|atom| atom.position).collect();
    for (at, _) in text.char_indices() {
        let (before, behind) = text.split_at(at);
        let rest = behind.chars().next().map_or("", |letter| &behind[letter.len_utf8()..]);
        for damaged in
            ["é", "'", ";", "\n;", "#", "_", " "].map(|new| format!("{before}{new}{behind}"))
        {
            let _ = read(&damaged);
        }
        for cut in [before.to_owned(), format!("{before}\n{rest}")] {
            let Ok(found) = read(&cut) else { continue };
            // A number that is cut cannot be told from another number, in the cut line.
            let in_numbers = at >= LOOP.len();
            assert!(
                in_numbers || found.iter().all(|atom| places.contains(&atom.position)),
                "{cut}"
            );
        }
    }
}
