//! What a file of atoms says of them, and its numbers.

/// What a reader finds in a file.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The atoms of each model.
    pub(crate) models: Vec<Vec<Record>>,
    /// The edges and the angles of the unit cell, as written.
    pub(crate) cell: Option<[String; 6]>,
}

/// An atom as a file has it. Missing strings are empty.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// Its line, in files in which an atom cannot occur twice.
    pub(crate) line: Option<usize>,
    pub(crate) name: String,
    /// The name with the spaces around it, in files with columns.
    pub(crate) padded: String,
    pub(crate) alternate: String,
    pub(crate) symbol: String,
    pub(crate) residue: [String; 4],
    pub(crate) position: [f64; 3],
}

/// A finite number, which may be followed by its uncertainty, as 30.00(2).
pub(crate) fn finite(text: &str) -> Option<f64> {
    let (number, uncertainty) = text.split_once('(').unwrap_or((text, "0)"));
    let digits = uncertainty.strip_suffix(')').filter(|digits| !digits.is_empty())?;
    let is_right = digits.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|number: &f64| is_right && number.is_finite())
}
