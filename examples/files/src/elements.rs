//! Radii and masses of elements, and the element of an atom whose file does not name it.

use crate::records::Record;

/// Symbols in capitals, van der Waals radii in ångström and masses in daltons.
const ELEMENTS: &str = include_str!("../../data/elements.csv");

/// The radius and the mass of an element.
pub(crate) fn known(symbol: &str) -> Option<(f64, f64)> {
    let row = ELEMENTS.lines().find_map(|line| line.strip_prefix(symbol)?.strip_prefix(','))?;
    let (radius, mass) = row.split_once(',')?;
    Some((radius.parse().ok()?, mass.parse().ok()?))
}

/// Names of ions in force fields.
const IONS: [(&str, &str); 6] =
    [("POT", "K"), ("CLA", "CL"), ("SOD", "NA"), ("CAL", "CA"), ("CES", "CS"), ("LIT", "LI")];

/// Residues of proteins and nucleic acids, whose atoms' names begin with the symbol of one letter.
const CHAINS: &str = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL HID HIE HIP HSD HSE HSP \
                      CYX A C G U DA DC DG DT ACE NME";

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
    let is_known = |symbol: &str| known(symbol).is_some();
    let (name, residue) = (letters(&atom.name), letters(&atom.residue[0]));
    if name == residue {
        let ion = IONS.iter().find(|(ion, _)| *ion == name).map(|(_, symbol)| (*symbol).to_owned());
        return ion.or_else(|| is_known(&name).then_some(name));
    }
    let one: String = name.chars().take(1).collect();
    // In a PDB file, a symbol of one letter is in the second column of the name.
    let is_one = CHAINS.split(' ').any(|name| name.eq_ignore_ascii_case(&atom.residue[0]))
        || name.len() == 1
        || atom.padded.starts_with([' ', '1', '2', '3']);
    (is_one && is_known(&one)).then_some(one)
}
