//! Positions in input files, as messages name them.

use std::fmt;

use crate::text::escaped;

/// A position in an input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    file: String,
    line: Option<u64>,
    column: Option<Column>,
}

/// A column of a file, as its readers know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// A column of a table whose header names it.
    Name(String),
    /// A column of a table without a header, counted from 0.
    Number(usize),
    /// A value of an array, both counted from 0.
    Value {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// One character of a line, counted from 1.
    Character(usize),
    /// Characters of a line, counted from 1, and their content.
    Characters {
        /// The first.
        first: usize,
        /// The last.
        last: usize,
        /// What they hold.
        content: &'static str,
    },
}

impl Place {
    /// A position that names only the file.
    pub fn file(file: &str) -> Place {
        Place { file: file.into(), line: None, column: None }
    }

    /// The position, narrowed to a line, which is counted from 1.
    #[must_use]
    pub fn line(self, line: u64) -> Place {
        Place { line: Some(line), ..self }
    }

    /// The position, narrowed to a column.
    #[must_use]
    pub fn column(self, column: Column) -> Place {
        Place { column: Some(column), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escaped(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        match &self.column {
            Some(column) => write!(f, ", {column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Name(name) => write!(f, "column `{name}`"),
            Column::Number(number) => write!(f, "column {number} (counted from 0)"),
            Column::Value { row, column } => {
                write!(f, "row {row}, column {column} (counted from 0)")
            }
            Column::Character(number) => write!(f, "character {number}"),
            Column::Characters { first, last, content } => {
                write!(f, "columns {first} to {last} ({content})")
            }
        }
    }
}
