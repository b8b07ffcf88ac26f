//! Radii and masses of elements, and the element of an atom whose file does not name it.

use crate::atoms::Record;

/// Symbols, van der Waals radii in ångström (A. Bondi, "van der Waals Volumes and Radii", J. Phys. Chem. 68 (1964), 441) and
/// masses in daltons (abridged standard atomic weights of the IUPAC). Radii of Ca, Mn, Fe, Co and Cs, which Bondi does not have, are
/// those of S. Alvarez, "A cartography of the van der Waals territories", Dalton Trans. 42 (2013), 8617.
pub(crate) const ELEMENTS: [(&str, f64, f64); 26] = [
    ("H", 1.20, 1.008),
    ("D", 1.20, 2.014),
    ("C", 1.70, 12.011),
    ("N", 1.55, 14.007),
    ("O", 1.52, 15.999),
    ("F", 1.47, 18.998),
    ("LI", 1.82, 6.94),
    ("NA", 2.27, 22.99),
    ("MG", 1.73, 24.305),
    ("P", 1.80, 30.974),
    ("S", 1.80, 32.06),
    ("CL", 1.75, 35.45),
    ("K", 2.75, 39.098),
    ("CA", 2.62, 40.078),
    ("MN", 2.45, 54.938),
    ("FE", 2.44, 55.845),
    ("CO", 2.40, 58.933),
    ("NI", 1.63, 58.693),
    ("CU", 1.40, 63.546),
    ("ZN", 1.39, 65.38),
    ("SE", 1.90, 78.971),
    ("BR", 1.85, 79.904),
    ("CD", 1.58, 112.41),
    ("I", 1.98, 126.9),
    ("CS", 3.48, 132.905),
    ("HG", 1.55, 200.59),
];

/// Names of ions in force fields.
const IONS: [(&str, &str); 6] =
    [("POT", "K"), ("CLA", "CL"), ("SOD", "NA"), ("CAL", "CA"), ("CES", "CS"), ("LIT", "LI")];

/// Residues of proteins and nucleic acids, whose atoms' names begin with the symbol of one letter.
const CHAINS: [&str; 37] = [
    "ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE", "LEU", "LYS", "MET",
    "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL", "HID", "HIE", "HIP", "HSD", "HSE", "HSP",
    "CYX", "A", "C", "G", "U", "DA", "DC", "DG", "DT", "ACE", "NME",
];

/// The element of an atom, in capitals: as the file says, or else as its name and its residue tell. `None` if the name may mean
/// several elements.
pub(crate) fn element(atom: &Record) -> Option<String> {
    let written = atom.symbol.to_uppercase();
    if written.chars().next().is_some_and(char::is_alphabetic) {
        // A charge may follow the symbol.
        return Some(written.chars().take_while(|c| c.is_alphabetic()).collect());
    }
    let letters = |text: &str| -> String {
        let text = text.trim_start_matches(|c: char| c.is_ascii_digit());
        text.chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_uppercase()
    };
    let is_known = |symbol: &str| ELEMENTS.iter().any(|(known, ..)| *known == symbol);
    let (name, residue) = (letters(&atom.name), letters(&atom.residue.kind));
    if name == residue {
        let ion = IONS.iter().find(|(ion, _)| *ion == name).map(|(_, symbol)| (*symbol).to_owned());
        return ion.or_else(|| is_known(&name).then_some(name));
    }
    let one: String = name.chars().take(1).collect();
    if CHAINS.contains(&atom.residue.kind.to_uppercase().as_str()) {
        return is_known(&one).then_some(one);
    }
    // In a PDB file, a symbol of one letter is in the second column of the name.
    if name.len() == 1 || atom.padded.starts_with([' ', '1', '2', '3']) {
        return is_known(&one).then_some(one);
    }
    None
}
