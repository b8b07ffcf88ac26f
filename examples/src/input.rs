//! Files of which the name tells what is in them.

use std::path::Path;

use crate::{Atom, Error, Result, Table, atoms, memory};

/// What is in an input file: a table, or atoms.
#[derive(Debug)]
pub enum Input {
    /// Comma-separated values.
    Table(Table),
    /// The atoms of a file of the Protein Data Bank.
    Atoms(Vec<Atom>),
}

impl Input {
    /// What is in this file, by the end of its name.
    ///
    /// # Errors
    ///
    /// The end is not known; or the file cannot be read, or is not what its name says.
    pub fn read(path: &Path) -> Result<Input> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Table::read(path).map(Input::Table),
            Some("pdb" | "ent") => {
                atoms(&path.display().to_string(), &memory::read(path)?).map(Input::Atoms)
            }
            _ => Err(Error::UnknownKind { path: path.into(), expected: ".pdb, .ent or .csv" }),
        }
    }
}
