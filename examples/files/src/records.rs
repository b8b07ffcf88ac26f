//! What a file of atoms says of them.

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
