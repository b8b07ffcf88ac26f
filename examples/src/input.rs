//! Files of which the name tells what is in them.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::delimiter::Delimiter;
use crate::{Atom, Error, Result, Table, atoms, cif, source};

/// The options about tables.
#[derive(Clone, Debug, Default, Args)]
pub struct TableOptions {
    /// Take these columns, one to four, by name or counted from 0, or all from one to another, as a..c or 1..3 (both
    /// ends included) [default: the first columns of numbers, up to four; one that holds numbers and text is an error,
    /// and one that looks like an identifier is told]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', conflicts_with = "random")]
    pub columns: Option<Vec<String>>,

    /// What separates the cells of a row: comma, semicolon, tab or bar, or the character itself [default: the one of
    /// comma, semicolon and tab that the first row has]
    #[arg(long, value_name = "CHARACTER", conflicts_with = "random")]
    pub delimiter: Option<Delimiter>,
}

/// The options about files that may be tables or atoms.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct FileOptions {
    /// What the input is, where its name does not tell [default: what its name ends in]
    #[arg(long, value_enum, requires = "input", conflicts_with = "random")]
    pub format: Option<Format>,

    /// What separates the cells of a table's row: comma, semicolon, tab or bar, or the character itself [default: the
    /// one of comma, semicolon and tab that the first row has]
    #[arg(long, value_name = "CHARACTER", requires = "input", conflicts_with = "random")]
    pub delimiter: Option<Delimiter>,
}

/// The option `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table: rows of cells
    #[value(alias = "tsv")]
    Csv,
    /// Atoms in the format of the Protein Data Bank, with fixed columns
    #[value(alias = "ent")]
    Pdb,
    /// Atoms as mmCIF
    #[value(alias = "mmcif")]
    Cif,
}

impl Format {
    /// The format, by the end of a name.
    fn of(path: &Path) -> Result<Format> {
        match source::ending(path).as_deref() {
            Some("csv" | "tsv") => Ok(Format::Csv),
            Some("pdb" | "ent") => Ok(Format::Pdb),
            Some("cif" | "mmcif") => Ok(Format::Cif),
            _ => Err(Error::UnknownFormat { name: source::name(path) }),
        }
    }
}

/// What is in an input file: a table, or atoms.
#[derive(Debug)]
pub enum Input {
    /// Comma-separated values.
    Table(Table),
    /// The atoms of a file of the Protein Data Bank.
    Atoms(Vec<Atom>),
}

impl Input {
    /// What is in this file, or in standard input, which is called `-`: by the options, or by the end of its name.
    ///
    /// # Errors
    ///
    /// The end is not known; or the file cannot be read, or is not what its name says.
    pub fn read(path: &Path, options: FileOptions) -> Result<Input> {
        let format = match options.format {
            Some(format) => format,
            None => Format::of(path)?,
        };
        let name = source::name(path);
        if options.delimiter.is_some() && format != Format::Csv {
            return Err(Error::NoTable { option: "--delimiter", name });
        }
        match format {
            Format::Csv => Table::read_by(path, options.delimiter).map(Input::Table),
            Format::Pdb => atoms(&name, &source::read(path)?).map(Input::Atoms),
            Format::Cif => cif(&name, &source::read(path)?).map(Input::Atoms),
        }
    }
}
