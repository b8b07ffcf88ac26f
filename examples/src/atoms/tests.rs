//! Files of the Protein Data Bank, compared with another reader and with the format's description.

use std::io::BufReader;

use pdbtbx::{
    ContainsAtomConformer, ContainsAtomConformerResidue, ContainsAtomConformerResidueChain, Format,
    ReadOptions, StrictnessLevel,
};

use super::{Atom, atoms, with_guesses};
use crate::data::PROTEIN;
use crate::elements::Element;

const ATOM: &str =
    "ATOM      2  CA  LYS A  17      21.835  36.306  28.144  1.00 20.88           C  \n";

fn read(text: &str) -> Result<Vec<Atom>, String> {
    atoms("m.pdb", text.as_bytes()).map_err(|error| error.to_string())
}

/// ATOM with parts of its text replaced.
fn atom(replacements: &[(&str, &str)]) -> String {
    let mut text = ATOM.to_owned();
    for (from, to) in replacements {
        assert!(text.contains(from) && from.len() == to.len());
        text = text.replacen(from, to, 1);
    }
    text
}

fn radius(text: &str) -> f64 {
    let atoms = read(text).unwrap();
    assert_eq!(atoms.len(), 1);
    atoms[0].element.radius
}

#[test]
fn another_reader_finds_the_same_atoms() {
    let text = BufReader::new(PROTEIN.text.as_bytes());
    let mut options = ReadOptions::default();
    options.set_level(StrictnessLevel::Loose).set_format(Format::Pdb);
    let (structure, _) = options.read_raw(text).unwrap();
    let expected: Vec<Atom> = structure
        .atoms_with_hierarchy()
        .filter(|found| found.residue().name() != Some("HOH"))
        .map(|found| {
            let (atom, residue) = (found.atom(), found.residue());
            let (x, y, z) = atom.pos();
            let element = Element::of(atom.element().unwrap().symbol()).unwrap();
            let (name, number) = (residue.name().unwrap(), residue.serial_number());
            let label = format!("{} of {name} {} {number}", atom.name(), found.chain().id());
            Atom { position: [x, y, z], element, label }
        })
        .collect();
    let found = atoms(PROTEIN.name, PROTEIN.text.as_bytes()).unwrap();
    assert_eq!(found.len(), 556);
    assert_eq!(found, expected);
    // Four selenium atoms, which are HETATM records.
    assert_eq!(found.iter().filter(|atom| atom.element.symbol == "Se").count(), 4);
}

#[test]
fn an_atom_has_its_place_and_its_element() {
    let carbon = Element::of("C").unwrap();
    let label = "CA of LYS A 17".to_owned();
    let atom_of = Atom { position: [21.835, 36.306, 28.144], element: carbon, label };
    for text in [ATOM, &ATOM.replace('\n', "\r\n"), &atom(&[("ATOM  ", "HETATM")])] {
        assert_eq!(read(text), Ok(vec![atom_of.clone()]));
    }
    let label = |replacements| read(&atom(replacements)).unwrap().remove(0).label;
    assert_eq!(label(&[("A  17 ", "   17B")]), "CA of LYS 17B");
    assert_eq!(label(&[("LYS A  17", "         ")]), "CA");
}

#[test]
fn water_and_later_models_are_left_out() {
    for water in ["HOH", "DOD", "WAT", "H2O"] {
        let text = format!("{ATOM}{}", atom(&[("LYS", water)]));
        assert_eq!(read(&text).unwrap().len(), 1, "{water}");
    }
    let text = format!("MODEL        1\n{ATOM}ENDMDL\nMODEL        2\n{ATOM}ENDMDL\n");
    assert_eq!(read(&text).unwrap().len(), 1);
}

/// How many atoms there are, and what is said of guesses.
fn guessed(text: &str) -> (usize, Vec<String>) {
    let (atoms, guesses) = with_guesses("m.pdb", text.as_bytes()).unwrap();
    (atoms.len(), guesses.warnings("m.pdb"))
}

#[test]
fn water_of_force_fields_is_left_out_with_a_warning() {
    for (residue, name) in [("TIP3A", "TIP"), ("SOL A", "SOL"), ("SPC A", "SPC")] {
        let text = format!("{ATOM}{}", atom(&[("LYS A", residue)]).repeat(3));
        let (count, warnings) = guessed(&text);
        assert_eq!(count, 1, "{residue}");
        let start = format!("3 atoms of m.pdb are left out as water, by the name {name} of");
        assert!(warnings.len() == 1 && warnings[0].starts_with(&start), "{warnings:?}");
    }
    assert_eq!(guessed(&format!("{ATOM}{}", atom(&[("LYS", "HOH")]))), (1, vec![]));
}

#[test]
fn of_alternate_locations_the_first_is_taken() {
    let at = |location: &str, residue: &str, y: &str| {
        let name = format!("CA {location}LYS A  {residue}");
        atom(&[("CA  LYS A  17", name.as_str()), ("36.306", y)])
    };
    let text = [
        at(" ", "17", "30.000"),
        at("B", "17", "31.000"),
        at("A", "17", "32.000"),
        at("B", "17", "33.000"),
        // Another residue, with another first location.
        at("A", "18", "34.000"),
        at("B", "18", "35.000"),
    ];
    let y: Vec<f64> = read(&text.concat()).unwrap().iter().map(|atom| atom.position[1]).collect();
    assert_eq!(y, [30.0, 31.0, 33.0, 34.0]);
}

#[test]
fn a_missing_element_is_told_by_the_names_columns() {
    let named = |name: &str| {
        let text = atom(&[("           C  ", "              "), (" CA ", name)]);
        [radius(&text), radius(text.trim_end())]
    };
    for (name, expected) in [
        (" CA ", 1.70),
        (" N  ", 1.55),
        (" OXT", 1.52),
        ("SE  ", 1.90),
        ("CL1 ", 1.75),
        ("N   ", 1.55),
        ("1HB ", 1.20),
        ("HD11", 1.20),
        ("C1' ", 1.70),
    ] {
        assert_eq!(named(name), [expected; 2], "{name}");
    }
    // In old files these columns count lines.
    assert_eq!(radius(&atom(&[("           C  ", "      1A8O  22")])), 1.70);
}

#[test]
fn atom_without_its_residues_first_location_is_taken_with_a_warning() {
    let at = |name: &str, residue: &str| atom(&[(" CA  LYS", format!("{name}{residue}").as_str())]);
    let found = |lines: &[String]| {
        let (atoms, guesses) = with_guesses("m.pdb", lines.concat().as_bytes()).unwrap();
        let names = atoms.iter().map(|atom| atom.label.split(' ').next().unwrap().to_owned());
        (names.collect::<Vec<_>>().join(" "), guesses.warnings("m.pdb"))
    };
    let (names, warnings) = found(&[
        at(" N  ", " SER"),
        at(" CA ", "ASER"),
        at(" CA ", "BSER"),
        at(" OG ", "CSER"),
        at(" OG ", "DSER"),
    ]);
    assert_eq!(names, "N CA OG");
    let start = "1 atoms of m.pdb are of another location than the first of their residue, which has none of the same name \
                 (OG of SER A 17 at C): ";
    assert!(warnings.len() == 1 && warnings[0].starts_with(start), "{warnings:?}");
    // Another residue in its place.
    let (names, warnings) =
        found(&[at(" CA ", "APRO"), at(" CG ", "APRO"), at(" CA ", "BSER"), at(" OG ", "BSER")]);
    assert_eq!((names.as_str(), warnings), ("CA CG", vec![]));
}

#[test]
fn guessed_elements_are_warned_of() {
    let none = atom(&[("           C  ", "              ")]);
    let (count, warnings) = guessed(&format!("{ATOM}{none}{none}{}", none.replace(" CA ", " N  ")));
    let start = "the elements of 3 atoms of m.pdb are guessed from their names (C, N)";
    assert!(count == 4 && warnings.len() == 1 && warnings[0].starts_with(start), "{warnings:?}");
    assert_eq!(guessed(ATOM).1, [""; 0]);
}

#[test]
fn ion_whose_name_is_no_symbol_needs_an_element() {
    let ion = |name: &str, residue: &str, element: &str| {
        let name = format!("{name} {residue}");
        read(&atom(&[
            (" CA  LYS", &name),
            ("           C  ", &format!("          {element:>2}  ")),
        ]))
    };
    for (name, residue) in
        [(" POT", "POT"), (" CLA", "CLA"), (" SOD", "SOD"), (" CAL", "CAL"), (" NA ", " NA")]
    {
        let error = ion(name, residue, "").unwrap_err();
        let start = format!("m.pdb, line 1, columns 77 to 78 (element): atom {} of", name.trim());
        assert!(error.starts_with(&start) && error.contains("the element is missing"), "{error}");
        assert_eq!(ion(name, residue, "K").unwrap()[0].element.symbol, "K");
    }
    for (name, residue, symbol) in
        [("NA  ", " NA", "Na"), ("ZN  ", " ZN", "Zn"), (" K  ", "  K", "K"), ("CL- ", "CL-", "Cl")]
    {
        assert_eq!(ion(name, residue, "").unwrap()[0].element.symbol, symbol, "{name}");
    }
}

#[test]
fn an_element_without_a_radius_is_refused() {
    let iron = atom(&[(" CA  LYS", "FE   HEM"), (" C  \n", "FE  \n")]);
    let nameless = atom(&[(" CA ", "CA  "), ("           C  ", "              ")]);
    for (text, atom, element) in [(iron, "FE of HEM", "FE"), (nameless, "CA of LYS", "CA")] {
        let message = format!(
            "m.pdb, line 2, columns 77 to 78 (element): atom {atom} A 17: there is no van der \
             Waals radius for the element `{element}`"
        );
        let error = read(&format!("REMARK\n{text}")).unwrap_err();
        assert!(error.starts_with(&message), "{error}");
    }
}

#[test]
fn bad_records_are_refused_with_their_place() {
    for (text, message) in [
        (
            atom(&[("21.835", "2x.835")]),
            "m.pdb, line 2, columns 31 to 38 (x): `2x.835` is not a number",
        ),
        (atom(&[("36.306", "   nan")]), "m.pdb, line 2, columns 39 to 46 (y): nan is out of range"),
        (atom(&[("28.144", "      ")]), "m.pdb, line 2, columns 47 to 54 (z): the cell is empty"),
        (
            ATOM[..50].into(),
            "m.pdb, line 2, columns 47 to 54 (z): the line ends before this field does",
        ),
    ] {
        let error = read(&format!("{ATOM}{text}")).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
    assert_eq!(read(" \n"), Err("m.pdb: the file is empty".into()));
    let message = "m.pdb: there are no atoms in the first model, other than water's";
    for text in ["HEADER\nEND\n", &atom(&[("LYS", "HOH")])] {
        let error = read(text).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut text = b"REMARK \xff\xfe\n".to_vec();
    text.extend(ATOM.as_bytes());
    assert_eq!(atoms("m.pdb", &text).unwrap().len(), 1);
    let x = text.windows(6).position(|word| word == b"21.835").unwrap();
    text[x] = 0xff;
    let error = atoms("m.pdb", &text).unwrap_err().to_string();
    assert!(error.contains("line 2, columns 31 to 38 (x)"), "{error}");
}

#[test]
fn every_line_of_atoms_is_read_however_it_is_written() {
    let two = format!("{ATOM}{ATOM}");
    for text in [
        format!("\u{feff}{two}"),
        two.replace('\n', "\r"),
        two.replace('\n', "\r\n"),
        format!("REMARK\r{}\n{ATOM}", ATOM.trim_end()),
        two.replace("ATOM      2  CA", "ATOM  100002 CA"),
        format!("{two}END\n"),
        format!("{two}END"),
        format!("{two}TER\nEND   \n\n"),
        // A model that ends where the next one begins, or at the file's end.
        format!("MODEL        1\n{two}MODEL        2\n{ATOM}"),
        format!("MODEL        1\n{two}ENDMDL\nMODEL        2\n{ATOM}ENDMDL\nEND\n"),
        format!("MODEL        1\n{two} ENDMDL\n MODEL       2\n{ATOM}ENDMDL\nEND\n"),
        // Lines that mention atoms and are no atom records.
        format!("REMARK ATOM 1\n  atoms of a lysine\n{two}ANISOU    2  CA  LYS A  17\n"),
        format!("{two}{}{}", two.replace("ATOM  ", "SIGATM"), two.replace("ATOM  ", "REMARK")),
    ] {
        assert_eq!(read(&text).map(|atoms| atoms.len()), Ok(2), "{text:?}");
    }
}

#[test]
fn atoms_that_would_be_lost_are_told_with_their_place() {
    let first = "has to begin in column 1, in capitals";
    let after = "this atom comes after the end";
    let plain = "characters other than those of ASCII";
    for (text, place, message) in [
        (format!(" {ATOM}{ATOM}"), "line 1", first),
        (format!("{ATOM}\t{ATOM}"), "line 2", first),
        (format!("{ATOM}  HETATM{}", &ATOM[6..]), "line 2", first),
        (format!("{ATOM}\u{feff}{ATOM}"), "line 2", first),
        (format!("{ATOM}{}", ATOM.to_lowercase()), "line 2", first),
        (format!("{ATOM}{}", ATOM.replace("ATOM", "ATQM")), "line 2", first),
        (format!("{ATOM}{}", ATOM.replace("ATOM", "    ")), "line 2", first),
        (format!("{ATOM}END\n{ATOM}"), "line 3", after),
        (format!("{ATOM}ENDMDL\n{ATOM}"), "line 3", after),
        (format!("{ATOM}ENDMDL\nMODEL        2\n{ATOM}ENDMDL\n{ATOM}"), "line 6", after),
        // One character of two bytes, after which all columns are off by one.
        (ATOM.replace(" CA ", " Cé "), "line 1, character 15", plain),
        (ATOM.replace("  CA", "\tCA"), "line 1, character 12", plain),
        (ATOM.replace("20.88    ", "20.88  é "), "line 1, character 69", plain),
        (ATOM.replace("21.835", "1e-60 "), "line 1, columns 31 to 38 (x): 1e-60", "too small"),
        (format!("{ATOM}ATOM\n"), "line 2, columns 31 to 38 (x)", "the line ends"),
        (format!("{ATOM}ATOM"), "line 2, columns 31 to 38 (x)", "the line ends"),
        (format!("{ATOM}{}", &ATOM[..40]), "line 2, columns 39 to 46 (y)", "the line ends"),
    ] {
        let error = read(&text).expect_err(&text);
        assert!(error.starts_with(&format!("m.pdb, {place}")), "{text:?}: {error}");
        assert!(error.contains(message), "{text:?}: {error}");
    }
    let wide: Vec<u8> = ATOM.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (text, message) in [
        ([b"\xff\xfe", wide.as_slice()].concat(), "m.pdb: this is UTF-16"),
        (wide, "m.pdb, line 1: a zero byte"),
    ] {
        let error = atoms("m.pdb", &text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn chains_with_the_same_numbers_have_alternatives_of_their_own() {
    let at = |location: &str| atom(&[("CA  LYS", format!("CA {location}LYS").as_str())]);
    let text = format!("{}{}TER\n{}", at("A"), at("B"), at("B"));
    assert_eq!(read(&text).unwrap().len(), 2);
}
