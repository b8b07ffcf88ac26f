//! Atoms in mmCIF files.
//!
//! The same atoms as from a file of the Protein Data Bank: those of the first model, without water, and of alternate
//! locations those that are named first in their residue. They are read from the category `_atom_site`, of which the items
//! may be in any order; every other category is skipped. A structure more is an error.
//!
//! Readers of whole structures refuse what is only unusual elsewhere in a file, and lose the line that a message should
//! name; the atoms alone need little of the format.

mod words;

#[cfg(test)]
mod tests;

use self::words::{Word, Words};
use crate::atoms::{Guesses, Locations, label};
use crate::elements::Element;
use crate::encoding::utf8;
use crate::{Atom, Column, Place, Problem, Result, number, quoted};

/// The category of the atoms.
const CATEGORY: &str = "_atom_site.";

/// The items that are read, in small letters without their category.
const ITEMS: [&str; 15] = [
    "cartn_x",
    "cartn_y",
    "cartn_z",
    "type_symbol",
    "pdbx_pdb_model_num",
    "label_alt_id",
    "label_asym_id",
    "auth_asym_id",
    "label_seq_id",
    "auth_seq_id",
    "pdbx_pdb_ins_code",
    "label_comp_id",
    "auth_comp_id",
    "label_atom_id",
    "auth_atom_id",
];

/// How many of those items have to be there: the first ones.
const NEEDED: usize = 4;

/// Places in `ITEMS`.
mod item {
    pub(super) const X: usize = 0;
    pub(super) const SYMBOL: usize = 3;
    pub(super) const MODEL: usize = 4;
    pub(super) const LOCATION: usize = 5;
    pub(super) const LABEL_CHAIN: usize = 6;
    pub(super) const CHAIN: usize = 7;
    pub(super) const LABEL_NUMBER: usize = 8;
    pub(super) const NUMBER: usize = 9;
    pub(super) const INSERTION: usize = 10;
    pub(super) const LABEL_RESIDUE: usize = 11;
    pub(super) const RESIDUE: usize = 12;
    pub(super) const LABEL_NAME: usize = 13;
    pub(super) const NAME: usize = 14;
}

/// The atoms in this text, which messages call `file`, in its order.
///
/// # Errors
///
/// There are none, or the text is not in the format, so that an atom would be overlooked or misread.
pub fn cif(file: &str, text: &[u8]) -> Result<Vec<Atom>> {
    let text = utf8(file, text)?;
    if text.trim().is_empty() {
        return Err(Problem::Empty.at(Place::file(file)));
    }
    let mut reader = Reader {
        file,
        atoms: Vec::new(),
        model: None,
        locations: Locations::new(),
        sites: None,
        guesses: Guesses::default(),
    };
    reader.read(Words::new(file, text))?;
    reader.guesses.warn(file);
    match (reader.atoms.is_empty(), reader.sites) {
        (false, _) => Ok(reader.atoms),
        (true, Some(_)) => Err(Problem::OnlyWater.at(Place::file(file))),
        (true, None) => Err(Problem::NoAtomSites.at(Place::file(file))),
    }
}

struct Reader<'a> {
    file: &'a str,
    atoms: Vec<Atom>,
    /// The number of the first model.
    model: Option<&'a str>,
    locations: Locations<'a, [&'a str; 4]>,
    /// The line where the atoms begin.
    sites: Option<u64>,
    guesses: Guesses,
}

/// A value, and its line.
type Value<'a> = (&'a str, u64);

/// What an atom's items are, by their places in `ITEMS`.
type Site<'a> = [Option<Value<'a>>; ITEMS.len()];

impl<'a> Reader<'a> {
    fn read(&mut self, mut words: Words<'a>) -> Result<()> {
        // Atoms' items that are not in a loop are one atom.
        let mut single: Site<'a> = [None; ITEMS.len()];
        let mut single_line = None;
        let mut next = words.next_word()?;
        while let Some((word, line)) = next {
            next = match word {
                Word::Loop => self.read_loop(&mut words, line)?,
                Word::Name(name) => {
                    let value = match words.next_word()? {
                        Some((Word::Value(value), line)) => (value, line),
                        _ => return Err(self.problem(line, Problem::CifNoValue(quoted(name)))),
                    };
                    if is_of_atoms(name) {
                        single_line = single_line.or(Some(line));
                        if let Some(item) = item_of(name) {
                            if single[item].is_some() {
                                return Err(self.second(line));
                            }
                            single[item] = Some(value);
                        }
                    }
                    words.next_word()?
                }
                Word::Value(value) => {
                    return Err(self.problem(line, Problem::CifStray(quoted(value))));
                }
                // What follows until the next name belongs to neither.
                Word::Block => words.next_word()?,
            };
        }
        match single_line {
            None => Ok(()),
            Some(line) => {
                self.begin(line)?;
                self.check_items(line, |item| single[item].is_some())?;
                self.site(&single)
            }
        }
    }

    /// Reads a loop, from its first name on, and returns the word behind it.
    fn read_loop(&mut self, words: &mut Words<'a>, line: u64) -> Result<Option<(Word<'a>, u64)>> {
        let mut names = Vec::new();
        let mut next = words.next_word()?;
        while let Some((Word::Name(name), _)) = next {
            names.push(name);
            next = words.next_word()?;
        }
        if let (true, Some((Word::Value(value), line))) = (names.is_empty(), next) {
            return Err(self.problem(line, Problem::CifStray(quoted(value))));
        }
        let is_of_atoms = names.iter().any(|name| is_of_atoms(name));
        if is_of_atoms {
            self.begin(line)?;
            self.check_items(line, |item| names.iter().any(|name| item_of(name) == Some(item)))?;
        }
        let items: Vec<Option<usize>> = names.iter().map(|name| item_of(name)).collect();
        for (at, item) in items.iter().enumerate() {
            if item.is_some() && items[..at].contains(item) {
                return Err(self.problem(line, Problem::CifTwice(quoted(names[at]))));
            }
        }
        let mut site: Site<'a> = [None; ITEMS.len()];
        let (mut place, mut last) = (0, line);
        while let Some((Word::Value(value), line)) = next {
            last = line;
            if let Some(Some(item)) = items.get(place) {
                site[*item] = Some((value, line));
            }
            place += 1;
            if place >= items.len() {
                place = 0;
                if is_of_atoms {
                    self.site(&site)?;
                }
            }
            next = words.next_word()?;
        }
        match place {
            0 => Ok(next),
            found => {
                let problem = Problem::CifRagged { found, expected: items.len(), line };
                Err(self.problem(last, problem))
            }
        }
    }

    /// Notes where the atoms begin, which they do once.
    fn begin(&mut self, line: u64) -> Result<()> {
        match self.sites {
            Some(_) => Err(self.second(line)),
            None => {
                self.sites = Some(line);
                Ok(())
            }
        }
    }

    fn second(&self, line: u64) -> crate::Error {
        let first = self.sites.unwrap_or(line);
        self.problem(line, Problem::SecondSites { first })
    }

    fn check_items(&self, line: u64, has: impl Fn(usize) -> bool) -> Result<()> {
        match (0..NEEDED).find(|item| !has(*item)) {
            None => Ok(()),
            Some(item) => Err(self.problem(line, Problem::CifNoItem(SPELLED[item]))),
        }
    }

    /// Takes an atom, if it is one of those wanted.
    fn site(&mut self, site: &Site<'a>) -> Result<()> {
        // A point or a question mark stands for nothing.
        let value = |item: usize| {
            let text = site[item].map_or("", |(text, _)| text);
            if matches!(text, "." | "?") { "" } else { text }
        };
        let either = |one: usize, other: usize| match value(one) {
            "" => value(other),
            value => value,
        };
        let model = value(item::MODEL);
        if *self.model.get_or_insert(model) != model {
            return Ok(());
        }
        let residue = either(item::RESIDUE, item::LABEL_RESIDUE);
        if self.guesses.is_water(residue) {
            return Ok(());
        }
        let (chain, place) =
            (either(item::CHAIN, item::LABEL_CHAIN), either(item::NUMBER, item::LABEL_NUMBER));
        let number_in_chain = format!("{place}{}", value(item::INSERTION));
        let name = either(item::NAME, item::LABEL_NAME);
        let label = label([name, residue, chain, &number_in_chain]);
        let location = value(item::LOCATION);
        if !location.is_empty() {
            let key = [value(item::LABEL_CHAIN), chain, place, value(item::INSERTION)];
            let names = [residue, name].map(str::as_bytes);
            match self.locations.takes(key, names, location.as_bytes()) {
                None => return Ok(()),
                Some(true) => {}
                Some(false) => self.guesses.mixed(&label, location),
            }
        }
        let mut position = [0.0; 3];
        for (axis, value) in position.iter_mut().enumerate() {
            let (text, line) = site[item::X + axis].unwrap_or_default();
            *value = number(without_uncertainty(text))
                .map_err(|problem| problem.at(self.place(line, item::X + axis)))?;
        }
        let (symbol, line) = site[item::SYMBOL].unwrap_or_default();
        let Some(element) = Element::of(symbol) else {
            let problem = Problem::NoRadius { atom: quoted(&label), element: quoted(symbol) };
            return Err(problem.at(self.place(line, item::SYMBOL)));
        };
        self.atoms.push(Atom { position, element, label });
        Ok(())
    }

    fn place(&self, line: u64, item: usize) -> Place {
        Place::file(self.file).line(line).column(Column::Name(SPELLED[item].into()))
    }

    fn problem(&self, line: u64, problem: Problem) -> crate::Error {
        problem.at(Place::file(self.file).line(line))
    }
}

/// A number without the digits of its uncertainty, which may follow it in parentheses.
fn without_uncertainty(text: &str) -> &str {
    let parts = text.strip_suffix(')').and_then(|text| text.split_once('('));
    match parts {
        Some((number, digits)) if digits.bytes().all(|digit| digit.is_ascii_digit()) => number,
        _ => text,
    }
}

/// The first of `ITEMS`, as files spell them.
const SPELLED: [&str; NEEDED] =
    ["_atom_site.Cartn_x", "_atom_site.Cartn_y", "_atom_site.Cartn_z", "_atom_site.type_symbol"];

/// Whether an item is one of the category of atoms. Names may be in any case.
fn is_of_atoms(name: &str) -> bool {
    name.get(..CATEGORY.len()).is_some_and(|start| start.eq_ignore_ascii_case(CATEGORY))
}

/// The place of an item in `ITEMS`.
fn item_of(name: &str) -> Option<usize> {
    let name = name.get(CATEGORY.len()..).filter(|_| is_of_atoms(name))?;
    ITEMS.iter().position(|item| item.eq_ignore_ascii_case(name))
}
