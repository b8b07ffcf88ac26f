//! Atoms in files of the Protein Data Bank.
//!
//! It takes the atoms of the first model, also those of ligands and modified residues (HETATM records), but not those
//! of water. A model ends with ENDMDL, with END, or where the next begins. Atoms after a model's end and outside any
//! model are an error, as is everything that would make it overlook or misread atoms. Where a residue has alternate
//! locations, it takes the atoms of the location that is named first, and those without an alternative; of an atom that has
//! others than its residue, the first, with a warning.
//!
//! The format has fixed columns, so each line can be read by itself. A reader of whole structures does not fit here:
//! messages should name a line, and an element that is left out can only be told from the columns in which the atom's
//! name stands.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use crate::elements::Element;
use crate::{Column, Place, Problem, Result, number, plain, quoted, text};

#[cfg(test)]
mod tests;

/// An atom.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// Where it is: x, y and z in ångström.
    pub position: [f64; 3],
    /// What it is.
    pub element: &'static Element,
    /// What it is called, as "CA of LYS A 17".
    pub label: String,
}

/// What an atom is called, by its own name, its residue's, its chain's, and the residue's number in the chain: those
/// that it has.
pub(crate) fn label([name, residue, chain, number]: [&str; 4]) -> String {
    let place: Vec<&str> =
        [residue, chain, number].into_iter().filter(|word| !word.is_empty()).collect();
    match place.is_empty() {
        true => name.into(),
        false => format!("{name} of {}", place.join(" ")),
    }
}

/// What files call water: the archive and most programs by the first four names. The others are of force fields, and others may
/// use them for something else; names of four letters are cut to three in the archive's format.
const WATER: [&str; 12] =
    ["HOH", "DOD", "WAT", "H2O", "SOL", "SPC", "TIP", "TIP3", "TIP4", "TIP5", "TP3", "TP4"];

/// How many of these names are surely water's.
const SURE: usize = 4;

/// The alternate locations that are taken: of a residue the one that is named first, and of its atoms that have none of that
/// name the first of their own.
pub(crate) struct Locations<'a, R> {
    /// The residue's name and location, by its place.
    residues: HashMap<R, [&'a [u8]; 2]>,
    atoms: HashMap<(R, &'a [u8]), &'a [u8]>,
}

impl<'a, R: Copy + Eq + Hash> Locations<'a, R> {
    pub(crate) fn new() -> Self {
        Locations { residues: HashMap::new(), atoms: HashMap::new() }
    }

    /// Whether an atom at an alternate location is taken, and if so, whether the location is that of its residue.
    pub(crate) fn takes(&mut self, residue: R, name: [&'a [u8]; 2], at: &'a [u8]) -> Option<bool> {
        let [residue_name, name] = name;
        let [first_name, first] = *self.residues.entry(residue).or_insert([residue_name, at]);
        // Two kinds of residue in one place are not mixed.
        let is_taken =
            first_name == residue_name && *self.atoms.entry((residue, name)).or_insert(at) == at;
        is_taken.then_some(first == at)
    }
}

/// What was guessed of atoms, for warnings.
#[derive(Debug, Default)]
pub(crate) struct Guesses {
    /// How many atoms were left out as water, by the name of their residue.
    water: BTreeMap<String, usize>,
    /// How many atoms have an element by their name, by element.
    elements: BTreeMap<&'static str, usize>,
    /// The atoms that are at another alternate location than their residue.
    mixed: Vec<String>,
}

impl Guesses {
    /// Whether a residue of this name is water; counts its atom if the name is of a force field.
    pub(crate) fn is_water(&mut self, residue: &str) -> bool {
        let place = WATER.iter().position(|name| *name == residue);
        if place.is_some_and(|place| place >= SURE) {
            *self.water.entry(residue.into()).or_default() += 1;
        }
        place.is_some()
    }

    /// Notes an atom that is not at the alternate location of its residue.
    pub(crate) fn mixed(&mut self, label: &str, location: &str) {
        self.mixed.push(format!("{label} at {location}"));
    }

    /// A line for each kind of guess.
    fn warnings(&self, file: &str) -> Vec<String> {
        let water = self.water.iter().map(|(name, count)| {
            format!(
                "{count} atoms of {file} are left out as water, by the name {name} of their residue: if it is none, give it \
                 another name"
            )
        });
        let symbols: Vec<&str> = self.elements.keys().copied().collect();
        let elements = (!symbols.is_empty()).then(|| {
            format!(
                "the elements of {} atoms of {file} are guessed from their names ({}): columns 77 to 78 do not name them",
                self.elements.values().sum::<usize>(),
                symbols.join(", ")
            )
        });
        let mixed = self.mixed.first().map(|first| {
            format!(
                "{} atoms of {file} are of another location than the first of their residue, which has none of the same \
                 name ({first}{}): leave them out of the file, or name locations alike in each residue",
                self.mixed.len(),
                if self.mixed.len() > 1 { ", …" } else { "" }
            )
        });
        water.chain(elements).chain(mixed).collect()
    }

    /// Warns of them.
    pub(crate) fn warn(&self, file: &str) {
        self.warnings(file).iter().for_each(|warning| tracing::warn!("{}", text::escaped(warning)));
    }
}

/// Records that may have numbers in the columns of an atom's coordinates.
const WITH_NUMBERS: [&[u8]; 2] = [b"REMARK", b"SIGATM"];

/// The part of the file that a line belongs to.
enum Part {
    /// In the first model, or in a file without models.
    First,
    /// In a later model.
    Later,
    /// After the end of a model or of the structure, which is on line `since`, and in no model.
    None { since: u64 },
}

/// The atoms in this text, which messages call `file`, in its order.
///
/// # Errors
///
/// There are none, or the text is not in the format, so that an atom would be overlooked or misread.
pub fn atoms(file: &str, text: &[u8]) -> Result<Vec<Atom>> {
    let (atoms, guesses) = with_guesses(file, text)?;
    guesses.warn(file);
    Ok(atoms)
}

fn with_guesses(file: &str, text: &[u8]) -> Result<(Vec<Atom>, Guesses)> {
    let text = plain(file, text)?;
    if text.trim_ascii().is_empty() {
        return Err(Problem::Empty.at(Place::file(file)));
    }
    let (mut atoms, mut guesses) = (Vec::new(), Guesses::default());
    let mut part = Part::First;
    let mut models = 0;
    let mut locations = Locations::new();
    for (line, text) in text::lines(text) {
        let record = Record { file, line, text };
        if !record.is_atom() {
            match text.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) {
                Some(b"MODEL") if models > 0 || !atoms.is_empty() => part = Part::Later,
                Some(b"MODEL") => models += 1,
                Some(b"ENDMDL" | b"END") => part = Part::None { since: line },
                // Another chain may use the same residue numbers.
                Some(b"TER") => locations = Locations::new(),
                _ if record.is_misplaced_atom() => {
                    return Err(Problem::Misplaced.at(Place::file(file).line(line)));
                }
                _ => {}
            }
            continue;
        }
        match part {
            Part::First => {}
            Part::Later => continue,
            Part::None { since } => {
                return Err(Problem::AfterTheEnd { line: since }.at(Place::file(file).line(line)));
            }
        }
        if guesses.is_water(&record.word(18, 20)) {
            continue;
        }
        let location = record.bytes(17, 17);
        if !location.trim_ascii().is_empty() {
            let name = [record.bytes(18, 20), record.bytes(13, 16)];
            match locations.takes(record.bytes(22, 27), name, location) {
                None => continue,
                Some(true) => {}
                Some(false) => guesses.mixed(&record.label(), &record.word(17, 17)),
            }
        }
        let atom = record.atom()?;
        if record.own_symbol().is_none() {
            *guesses.elements.entry(atom.element.symbol).or_default() += 1;
        }
        atoms.push(atom);
    }
    if atoms.is_empty() {
        return Err(Problem::NoAtoms.at(Place::file(file)));
    }
    Ok((atoms, guesses))
}

/// An ATOM or HETATM record. Columns are counted from 1, as the format's description does.
struct Record<'a> {
    file: &'a str,
    line: u64,
    text: &'a [u8],
}

impl<'a> Record<'a> {
    /// Whether it is an atom's record.
    fn is_atom(&self) -> bool {
        // Long serial numbers reach into the column after "ATOM".
        self.bytes(1, 4) == b"ATOM" || self.bytes(1, 6) == b"HETATM"
    }

    /// Whether it looks like an atom's record except for its start: "ATOM" and a serial number, but not in the first
    /// column or not in capitals; or coordinates, in a record that has none.
    fn is_misplaced_atom(&self) -> bool {
        let mut text = self.text.trim_ascii_start();
        while let Some(rest) = text.strip_prefix(b"\xef\xbb\xbf") {
            text = rest.trim_ascii_start();
        }
        let is_named = [b"ATOM".as_slice(), b"HETATM"].iter().any(|name| {
            text.split_at_checked(name.len()).is_some_and(|(start, rest)| {
                let rest = rest.trim_ascii_start();
                start.eq_ignore_ascii_case(name) && rest.first().is_some_and(u8::is_ascii_digit)
            })
        });
        let has_coordinates = [31, 39, 47].into_iter().all(|first| {
            // A number with three decimals, and nothing else.
            self.bytes(first + 4, first + 4) == b"." && number(&self.word(first, first + 7)).is_ok()
        });
        is_named || (has_coordinates && !WITH_NUMBERS.contains(&self.bytes(1, 6)))
    }

    fn atom(&self) -> Result<Atom> {
        self.check_ascii(1, 30)?;
        let position = [
            self.coordinate(31, 38, "x")?,
            self.coordinate(39, 46, "y")?,
            self.coordinate(47, 54, "z")?,
        ];
        self.check_ascii(55, usize::MAX)?;
        let label = self.label();
        Ok(Atom { position, element: self.element(&label)?, label })
    }

    /// Refuses a character of several bytes, or one that takes more than one column: it shifts the columns after it.
    fn check_ascii(&self, first: usize, last: usize) -> Result<()> {
        let mut bytes = self.bytes(first, last).iter();
        match bytes.position(|byte| !matches!(byte, b' '..=b'~')) {
            None => Ok(()),
            Some(at) => {
                let place = Place::file(self.file).line(self.line);
                Err(Problem::NotAscii.at(place.column(Column::Character(first + at))))
            }
        }
    }

    fn coordinate(&self, first: usize, last: usize, content: &'static str) -> Result<f64> {
        let place = || self.place(first, last, content);
        if self.text.len() < last {
            return Err(Problem::Truncated.at(place()));
        }
        number(&self.word(first, last)).map_err(|problem| problem.at(place()))
    }

    fn label(&self) -> String {
        let words = [(13, 16), (18, 20), (22, 22), (23, 27)];
        let words = words.map(|(first, last)| self.word(first, last));
        label(words.each_ref().map(String::as_str))
    }

    fn element(&self, label: &str) -> Result<&'static Element> {
        let symbol = self.symbol();
        let name = self.word(13, 16);
        let letters = name.trim_end_matches(['+', '-']);
        // An ion, such as POT, which is potassium.
        if name == self.word(18, 20) && letters != symbol && self.own_symbol().is_none() {
            return Err(Problem::NoElement(quoted(label)).at(self.place(77, 78, "element")));
        }
        Element::of(&symbol).ok_or_else(|| {
            let place = self.place(77, 78, "element");
            Problem::NoRadius { atom: quoted(label), element: quoted(&symbol) }.at(place)
        })
    }

    /// The symbol of the element, if its own columns have one.
    fn own_symbol(&self) -> Option<String> {
        let own = self.word(77, 78);
        (!own.is_empty() && own.chars().all(|letter| letter.is_ascii_alphabetic())).then_some(own)
    }

    /// The symbol of the element: from its own columns, or where these hold none, from the name's. The name has the symbol
    /// at its start, in columns 13 and 14, aligned right, so that " CA " is a carbon atom and "CA  " is calcium.
    /// Hydrogens with names of four characters, such as "HD11", need all the columns and start in column 13.
    fn symbol(&self) -> String {
        if let Some(own) = self.own_symbol() {
            return own;
        }
        let name = self.word(13, 16);
        if name.len() == 4 && name.starts_with(['H', 'D']) {
            return name[..1].into();
        }
        let symbol = self.word(13, 14);
        symbol.chars().filter(char::is_ascii_alphabetic).collect()
    }

    /// The bytes in these columns, as far as the line reaches.
    fn bytes(&self, first: usize, last: usize) -> &'a [u8] {
        let end = last.min(self.text.len());
        self.text.get(first - 1..end).unwrap_or_default()
    }

    /// The text in these columns.
    fn word(&self, first: usize, last: usize) -> String {
        String::from_utf8_lossy(self.bytes(first, last).trim_ascii()).into_owned()
    }

    fn place(&self, first: usize, last: usize, content: &'static str) -> Place {
        Place::file(self.file).line(self.line).column(Column::Characters { first, last, content })
    }
}
