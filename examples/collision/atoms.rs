//! Atoms in files of the Protein Data Bank, as van der Waals spheres.
//!
//! Taken are the atoms of the first model, those of ligands and modified residues among them
//! (HETATM records), but not those of water. Where a residue has alternate locations, those atoms
//! are taken whose location is named first, and those that have no alternative.
//!
//! The format is one of fixed columns, and a line can be read by itself. A reader of whole
//! structures would be in the way here: messages should name a line, and an element that is left
//! out can only be told from the columns in which the atom's name stands.

use std::collections::HashMap;

use td_kernel_examples::{Column, Place, Problem, Result, number};

use crate::radii;
use crate::sphere::Sphere;

#[cfg(test)]
mod tests;

/// What files call water.
const WATER: [&str; 4] = ["HOH", "DOD", "WAT", "H2O"];

/// The atoms in this text, which messages call `file`, in its order.
pub(crate) fn spheres(file: &str, text: &[u8]) -> Result<Vec<Sphere>> {
    if text.trim_ascii().is_empty() {
        return Err(Problem::Empty.at(Place::file(file)));
    }
    let mut spheres = Vec::new();
    // Of each residue that has alternate locations: the first.
    let mut locations: HashMap<&[u8], &[u8]> = HashMap::new();
    for (line, text) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let record = Record { file, line, text };
        // Serial numbers of many digits reach into the column after "ATOM".
        match (record.bytes(1, 4), record.bytes(1, 6)) {
            (b"ATOM", _) | (_, b"HETATM") => {}
            (_, b"ENDMDL") => break,
            _ => continue,
        }
        if WATER.contains(&&*record.word(18, 20)) {
            continue;
        }
        let location = record.bytes(17, 17);
        if !location.trim_ascii().is_empty() {
            let residue = record.bytes(22, 27);
            if *locations.entry(residue).or_insert(location) != location {
                continue;
            }
        }
        spheres.push(record.sphere()?);
    }
    if spheres.is_empty() {
        return Err(Problem::NoAtoms.at(Place::file(file)));
    }
    Ok(spheres)
}

/// An ATOM or HETATM record. Columns are counted from 1, as the format's description does.
struct Record<'a> {
    file: &'a str,
    line: u64,
    text: &'a [u8],
}

impl<'a> Record<'a> {
    fn sphere(&self) -> Result<Sphere> {
        Ok(Sphere {
            x: self.coordinate(31, 38, "x")?,
            y: self.coordinate(39, 46, "y")?,
            z: self.coordinate(47, 54, "z")?,
            radius: self.radius()?,
        })
    }

    fn coordinate(&self, first: usize, last: usize, content: &'static str) -> Result<f32> {
        let place = || self.place(first, last, content);
        if self.text.len() < last {
            return Err(Problem::Truncated.at(place()));
        }
        number(&self.word(first, last)).map_err(|problem| problem.at(place()))
    }

    fn radius(&self) -> Result<f32> {
        let element = self.element();
        radii::van_der_waals(&element).ok_or_else(|| {
            let atom = format!(
                "{} of {} {} {}",
                self.word(13, 16),
                self.word(18, 20),
                self.word(22, 22),
                self.word(23, 27)
            );
            let place = self.place(77, 78, "element");
            Problem::NoRadius { atom, element }.at(place)
        })
    }

    /// The element's symbol: from its own columns, or where these hold none, from the name's. The
    /// name has the symbol at its start, in columns 13 and 14, aligned right, so that " CA " is a
    /// carbon atom and "CA  " is calcium. Hydrogens with names of four characters, as "HD11", start
    /// in column 13 for want of room.
    fn element(&self) -> String {
        let own = self.word(77, 78);
        if !own.is_empty() && own.chars().all(|letter| letter.is_ascii_alphabetic()) {
            return own;
        }
        let name = self.word(13, 16);
        if name.len() == 4 && name.starts_with(['H', 'D']) {
            return name[..1].into();
        }
        let symbol = self.word(13, 14);
        symbol.chars().filter(char::is_ascii_alphabetic).collect()
    }

    /// These columns, as far as the line reaches.
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
