//! Cells without a value.

use std::fmt;

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

/// The lines of rows that were left out, as reports tell them.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut<'a>(pub &'a [u64]);

impl fmt::Display for LeftOut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 8;
        let LeftOut(lines) = self;
        let shown: Vec<String> = lines.iter().take(MOST).map(u64::to_string).collect();
        let (rows, word) = match lines.len() {
            1 => ("row", "line"),
            _ => ("rows", "lines"),
        };
        write!(f, "{} {rows} without a value ({word} {}", lines.len(), shown.join(", "))?;
        if lines.len() > MOST {
            f.write_str(", …")?;
        }
        f.write_str("); i and j count the others")
    }
}
