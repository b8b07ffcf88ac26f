//! What can be wrong with an input.

use crate::number::LARGEST;
use crate::{Error, Place};

/// What is wrong at a place of an input file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// There is nothing in the file.
    #[error("the file is empty")]
    Empty,

    /// There is a header and nothing below it.
    #[error("there is no row below the header")]
    NoRows,

    /// Bytes that are not UTF-8.
    #[error("this is not text in UTF-8")]
    NotText,

    /// A row has another number of cells than the first.
    #[error("the row has another number of cells ({found}) than line {first_line} ({expected})")]
    Ragged {
        /// The cells of this row.
        found: usize,
        /// The cells of the first row.
        expected: usize,
        /// Where the first row is.
        first_line: u64,
    },

    /// A cell with nothing in it.
    #[error("the cell is empty")]
    EmptyCell,

    /// Text that is no number.
    #[error("`{0}` is not a number")]
    NotANumber(String),

    /// A number that the kernels cannot take.
    #[error(
        "{0} is out of range: a number has to be finite, and at most {LARGEST:e} in size, so that \
         single precision holds its square"
    )]
    OutOfRange(String),

    /// A radius below zero.
    #[error("the radius {0} is negative")]
    NegativeRadius(String),

    /// No column holds numbers.
    #[error("no cell of this row is a number; cells are separated by commas")]
    NoNumbers,

    /// Too few columns, or too many.
    #[error("{wanted} columns are needed, and there are {found}")]
    ColumnCount {
        /// How many should be there.
        wanted: &'static str,
        /// How many are there.
        found: usize,
    },

    /// A column that the file does not have.
    #[error("there is no such column; the file has {known}")]
    NoColumn {
        /// Those that it has.
        known: String,
    },

    /// A column that was chosen twice.
    #[error("the column is chosen twice")]
    ChosenTwice,

    /// A name that two columns have.
    #[error("two columns have this name: choose by number, counted from 0")]
    AmbiguousName,

    /// A line that ends too early.
    #[error("the line ends before this field does")]
    Truncated,

    /// A file of the Protein Data Bank without a single atom to read.
    #[error("there are no atoms in the first model, other than water's")]
    NoAtoms,

    /// An atom of an element that has no radius.
    #[error("atom {atom}: there is no van der Waals radius for the element `{element}`")]
    NoRadius {
        /// The atom, as "CA of LYS A 17".
        atom: String,
        /// Its element.
        element: String,
    },
}

impl Problem {
    /// The error that this problem is at `place`.
    pub fn at(self, place: Place) -> Error {
        Error::Input { place: Box::new(place), problem: self }
    }
}

/// Text of an input as a message quotes it: on one line, and no longer than a message should be.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().count() > MOST {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_stays_short_and_on_one_line() {
        assert_eq!(quoted("5.1"), "5.1");
        assert_eq!(quoted("a\nb"), r"a\nb");
        assert_eq!(quoted(&"é".repeat(41)), "é".repeat(40) + "…");
    }
}
