//! What can be wrong with an input.

use crate::delimiter::Delimiter;
use crate::text::escaped;

/// The largest absolute value that is read. The squared differences of such numbers add up to far less than 3.4e38, the
/// end of single precision, past which every distance is infinite.
pub const LARGEST: f64 = 1e15;

/// What is wrong at a position in an input file.
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
    #[error("this is not text in UTF-8: save the file as UTF-8")]
    NotText,

    /// A mark at the start that only UTF-16 has.
    #[error("this is UTF-16: save the file as UTF-8")]
    Utf16,

    /// A byte that no text has.
    #[error("a zero byte, which no text holds: if this is UTF-16, save the file as UTF-8")]
    ZeroByte,

    /// A quote without an end, which would make the rest of the file one cell.
    #[error(
        "the quote that opens here is never closed: close it, or if it belongs to the text, put \
         the whole cell in quotes and write it twice"
    )]
    UnclosedQuote,

    /// A quote is missing somewhere before.
    #[error(
        "the quote that opens here closes on line {line}, in the middle of a cell: close it where \
         its cell ends, or if it belongs to the text, put the whole cell in quotes and write it \
         twice"
    )]
    QuoteClosesLate {
        /// Where the next quote is.
        line: u64,
    },

    /// Quotes around a part of a cell.
    #[error(
        "there is text behind a closing quote: put the whole cell in quotes, and write a quote \
         within it twice"
    )]
    TextBehindQuote,

    /// A quote was forgotten, by all signs.
    #[error(
        "this cell goes on to line {last_line}, and holds as many {delimiter}s as whole rows do: \
         close its quote where the cell ends, or if it is meant so, write it on one line"
    )]
    SwallowedRows {
        /// What separates cells.
        delimiter: Delimiter,
        /// Where the cell ends.
        last_line: u64,
    },

    /// A row has another number of cells than the first.
    #[error(
        "the row has another number of cells ({found}) than line {first_line} ({expected}): every \
         row needs the same number, and a cell that holds a {delimiter} needs quotes"
    )]
    Ragged {
        /// What separates cells.
        delimiter: Delimiter,
        /// The cells of this row.
        found: usize,
        /// The cells of the first row.
        expected: usize,
        /// Where the first row is.
        first_line: u64,
    },

    /// A first row with several delimiters, by each of which the table could be read.
    #[error(
        "the rows can be split by {one} and by {other}, and would hold other numbers: name one with \
         --delimiter, or put each cell that holds the other in quotes"
    )]
    AmbiguousDelimiter {
        /// One.
        one: Delimiter,
        /// Another.
        other: Delimiter,
    },

    /// A first row that is neither a header nor numbers.
    #[error(
        "`{0}` is neither a number nor a name, and the first row holds numbers or the names of \
         columns: mend it, or let the names begin with a letter"
    )]
    NeitherNumberNorName(String),

    /// A cell with nothing in it.
    #[error("the cell is empty: write a number, or leave out the row or the column")]
    EmptyCell,

    /// A cell without a value, in rows that may be left out.
    #[error(
        "{}: write a number, leave out the column with --columns, or leave out rows \
         such as this with --missing skip",
        if .0.is_empty() { "the cell is empty".into() } else { format!("`{}` is no value", .0) }
    )]
    NoValue(String),

    /// No row is left.
    #[error(
        "no row has a value in each of these columns, so that --missing skip leaves out all: leave out \
         columns with --columns"
    )]
    NothingLeft,

    /// Text that is no number.
    #[error("`{0}` is not a number: write one, as 5.1 or -2e-3")]
    NotANumber(String),

    /// A column of which some cells are numbers.
    #[error(
        "`{text}` is not a number, and `{number}` in line {line} of this column is: mend one of \
         them, or choose the columns to read with --columns"
    )]
    Mixed {
        /// The cell.
        text: String,
        /// Another one.
        number: String,
        /// Where that is.
        line: u64,
    },

    /// A column of text where all columns are to be numbers.
    #[error(
        "`{0}` is not a number, nor is any cell of this column: if it holds labels, name it with \
         --label; else choose the columns to read with --columns"
    )]
    TextColumn(String),

    /// A file that is no array, or not one of rows of numbers.
    #[error(
        "this is no array that can be read ({0}): write two dimensions of floats of 32 or 64 bits or of integers, as \
         `numpy.save(name, rows.astype(numpy.float32))` does"
    )]
    NotRows(String),

    /// An array that is not there as a whole.
    #[error(
        "the file is cut: {} missing; copy or write it again",
        missing.map_or("the end of its header is".into(), |missing| format!("{missing} bytes of its array are"))
    )]
    CutArray {
        /// The bytes of the array that are not there; `None` where not even its size is told.
        missing: Option<usize>,
    },

    /// An array with something behind it.
    #[error(
        "{extra} bytes follow the array, which belong to nothing: copy or write the file again"
    )]
    LongArray {
        /// How many.
        extra: usize,
    },

    /// Cells that something else separates.
    #[error(
        "`{text}` is more than one number: cells were taken to be separated by {delimiter}s, and a \
         number has a point before its decimals; name another with --delimiter"
    )]
    Separator {
        /// The cell.
        text: String,
        /// What was taken to separate cells.
        delimiter: Delimiter,
    },

    /// A number as some countries write it.
    #[error(
        "`{0}` is not a number: write a point before its decimals, as 3.5, and nothing between thousands; \
         where commas separate cells, say --delimiter comma"
    )]
    DecimalComma(String),

    /// A number with something between its thousands.
    #[error(
        "`{0}` is not a number: write nothing between its thousands, as 1000; or if it is text, choose the columns to \
         read with --columns"
    )]
    Thousands(String),

    /// A number that would become zero.
    #[error(
        "{0} is too small: single precision would make it zero; give the values in another unit"
    )]
    TooSmall(String),

    /// A number that the kernels cannot take.
    #[error(
        "{0} is out of range: a number has to be finite, and at most {LARGEST:e} in size, so that \
         single precision holds its square"
    )]
    OutOfRange(String),

    /// A radius below zero.
    #[error("the radius {0} is negative: a radius has to be zero or more")]
    NegativeRadius(String),

    /// A mass or a radius that no body has.
    #[error("the {what} {found} is not above zero: give every body a mass and a radius above zero")]
    NotAboveZero {
        /// What it is.
        what: &'static str,
        /// The number.
        found: String,
    },

    /// No column holds numbers.
    #[error(
        "no cell of this row is a number; cells were taken to be separated by {0}s, and --delimiter \
         names another"
    )]
    NoNumbers(Delimiter),

    /// Too few columns, or too many.
    #[error("{wanted} columns are needed, and there are {found}")]
    ColumnCount {
        /// How many should be there.
        wanted: &'static str,
        /// How many are there.
        found: usize,
    },

    /// Points of another number of features than those of another file.
    #[error(
        "there are {found} columns of numbers, and in {other} there are {expected}: points of both \
         files need as many; choose them with --columns"
    )]
    OtherFeatures {
        /// How many columns this file has.
        found: usize,
        /// The other file.
        other: String,
        /// How many columns that has.
        expected: usize,
    },

    /// Columns in another order than those of another file.
    #[error(
        "its columns are {here}, and those of {other} {there}, so that unlike ones would be compared: choose them by name, \
         with --columns{}",
        choice.as_ref().map(|choice| format!(" {choice}")).unwrap_or_default()
    )]
    OtherOrder {
        /// The columns of this file.
        here: String,
        /// The other file.
        other: String,
        /// The columns of that.
        there: String,
        /// How they are chosen, where that can be said in a line.
        choice: Option<String>,
    },

    /// Columns of other names than those of another file.
    #[error(
        "its columns are {here}, and those of {other} {there}: give both the same names{}",
        choice.as_ref().map(|choice| format!(
            ", or if these belong together as they stand, choose them by number, with --columns {choice}"
        )).unwrap_or_default()
    )]
    OtherNames {
        /// The columns of this file.
        here: String,
        /// The other file.
        other: String,
        /// The columns of that.
        there: String,
        /// How they are chosen by number, where both have them in the same places.
        choice: Option<String>,
    },

    /// Queries with more or fewer features than the data.
    #[error(
        "the queries have {found} features, and the rows {expected} ({other}): both need as many, in the same \
         order; choose columns of tables with --columns"
    )]
    OtherWidth {
        /// How many features these have.
        found: usize,
        /// How many features the data has.
        expected: usize,
        /// Where the data is from.
        other: String,
    },

    /// A column that the file does not have.
    #[error("there is no such column; the file has {known}")]
    NoColumn {
        /// Those that it has.
        known: String,
    },

    /// Columns that the file does not have, of those that are needed.
    #[error("the columns {wanted} are needed, and none is called {missing}; the file has {known}")]
    NoColumns {
        /// All that are needed.
        wanted: String,
        /// Those that are not there.
        missing: String,
        /// Those that are.
        known: String,
    },

    /// A range of columns that ends before it begins.
    #[error("the range ends before it begins: write the column first that stands first, as {0}")]
    BackwardRange(String),

    /// A column that was chosen twice.
    #[error("the column is chosen twice: name it once")]
    ChosenTwice,

    /// A name that two columns have.
    #[error("two columns have this name: choose by number, counted from 0")]
    AmbiguousName,

    /// A line that ends too early.
    #[error(
        "the line ends before this field does: an atom's line has its coordinates in the columns \
         31 to 54"
    )]
    Truncated,

    /// An atom's line that does not look like one to a reader of fixed columns.
    #[error(
        "an atom's line has to begin in column 1, in capitals, with ATOM or HETATM: mend its start"
    )]
    Misplaced,

    /// An atom that belongs to no model.
    #[error(
        "this atom comes after the end of the first model, in line {line}, and in no other: give \
         one structure in a file, with its models between MODEL and ENDMDL"
    )]
    AfterTheEnd {
        /// Where the end is.
        line: u64,
    },

    /// Something that takes more or fewer columns than it has bytes.
    #[error(
        "an atom's line must not hold tabs or characters other than those of ASCII, which shift \
         the columns behind them: write spaces and plain letters"
    )]
    NotAscii,

    /// A file of the Protein Data Bank without a single atom to read.
    #[error(
        "there are no atoms in the first model, other than water's: they stand in lines that begin \
         with ATOM or HETATM"
    )]
    NoAtoms,

    /// An mmCIF file without atoms.
    #[error(
        "there are no atoms: an mmCIF file has them as items of _atom_site, with Cartn_x, Cartn_y and \
         Cartn_z; a CIF file with fractions of a cell is not read"
    )]
    NoAtomSites,

    /// An mmCIF file of which all atoms are left out.
    #[error("there are no atoms in the first model, other than water's")]
    OnlyWater,

    /// An mmCIF file of several structures.
    #[error(
        "atoms begin again here, after those that begin on line {first}: give one structure in a file"
    )]
    SecondSites {
        /// Where the first ones begin.
        first: u64,
    },

    /// An mmCIF file in which atoms lack something.
    #[error("the atoms that begin here have no {0}, which is needed: write the file with it")]
    CifNoItem(&'static str),

    /// A name that a loop has twice.
    #[error("the loop that begins here names `{0}` twice: leave one out, with its values")]
    CifTwice(String),

    /// A name without a value.
    #[error("`{0}` has no value: write one behind it, or ? if it is unknown")]
    CifNoValue(String),

    /// A value without a name.
    #[error("`{0}` belongs to no name and no loop: put values with spaces in quotes")]
    CifStray(String),

    /// A loop with a row that is not whole.
    #[error(
        "the loop that begins on line {line} has {expected} names, and its last row ends here with {found} \
         values: every row needs a value for each name, and those with spaces need quotes"
    )]
    CifRagged {
        /// The values of its last row.
        found: usize,
        /// Those of a whole row.
        expected: usize,
        /// Where it begins.
        line: u64,
    },

    /// A quote that does not close on its line.
    #[error("the quote that opens here does not close on its line: close it before a space")]
    CifUnclosedQuote,

    /// A text that does not end.
    #[error(
        "the text that begins with this semicolon does not end: close it with a semicolon at the start \
         of a line"
    )]
    CifUnclosedText,

    /// An atom that has the name of its residue, and no element.
    #[error(
        "atom {0}: the element is missing, and the name does not tell it: write its symbol in these columns, aligned \
         right, as K, CL or NA"
    )]
    NoElement(String),

    /// An atom of an element that has no radius.
    #[error(
        "atom {atom}: there is no van der Waals radius for the element `{element}`: mend it, remove \
         the atom, or give positions and radii of your own in a CSV file"
    )]
    NoRadius {
        /// The atom, as "CA of LYS A 17".
        atom: String,
        /// Its element.
        element: String,
    },
}

/// Text of an input as a message quotes it: on one line, and no longer than a message should be.
pub fn quoted(text: &str) -> String {
    const MAX_CHARACTERS: usize = 40;
    let mut shown = escaped(&text.chars().take(MAX_CHARACTERS).collect::<String>());
    if text.chars().count() > MAX_CHARACTERS {
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
        assert_eq!(quoted("\x1b[2J"), r"\u{1b}[2J");
        assert_eq!(quoted(&"é".repeat(41)), "é".repeat(40) + "…");
    }
}
