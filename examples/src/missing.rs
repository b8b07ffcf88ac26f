//! Cells without a value.

use clap::ValueEnum;

/// The option `--missing`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Missing {
    /// They are an error, which names the first one
    #[default]
    Error,
    /// Their rows are left out, and counted in the report
    Skip,
}

/// What programs write where a value is missing.
const WORDS: [&str; 9] = ["NA", "<NA>", "#NA", "#N/A", "N/A", "n/a", "NULL", "null", "None"];

/// Whether a cell has a word for no value.
pub(crate) fn is_missing(cell: &str) -> bool {
    WORDS.contains(&cell)
}

/// Whether a cell of numbers has no value: nothing, a word for it, or what stands for no number among floats.
pub(crate) fn has_no_value(cell: &str) -> bool {
    cell.is_empty() || is_missing(cell) || cell.eq_ignore_ascii_case("nan")
}
