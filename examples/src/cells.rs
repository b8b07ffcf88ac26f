//! The numbers in the cells of a table.

/// How a table is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// The byte between cells.
    pub(crate) delimiter: u8,
    /// Whether a comma begins the decimals.
    pub(crate) has_decimal_commas: bool,
}

impl Format {
    /// Tabs for .tsv. Otherwise semicolons, with decimal commas or points, if the first row has some; else commas.
    pub(crate) fn of(name: &str, text: &str) -> Format {
        let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
        match first {
            _ if name.to_lowercase().ends_with(".tsv") => {
                Format { delimiter: b'\t', has_decimal_commas: false }
            }
            Some(first) if first.contains(';') => {
                Format { delimiter: b';', has_decimal_commas: true }
            }
            _ => Format { delimiter: b',', has_decimal_commas: false },
        }
    }

    /// The number in a cell, if it is a finite one. Spaces that do not break lines may separate thousands.
    pub(crate) fn number(self, cell: &str) -> Option<f64> {
        let mut cell = cell.replace(['\u{a0}', '\u{202f}'], "");
        if self.has_decimal_commas && !cell.contains('.') && cell.matches(',').count() == 1 {
            cell = cell.replace(',', ".");
        }
        cell.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// Whether a cell has no value.
pub(crate) fn is_missing(cell: &str) -> bool {
    ["", "?", "-", "na", "n/a", "nan", "null", "none"].contains(&cell.to_lowercase().as_str())
}

/// Whether a cell is an integer that a double cannot hold, so that it would become another number.
pub(crate) fn is_inexact(cell: &str) -> bool {
    cell.parse::<i128>().is_ok_and(|integer| integer as f64 as i128 != integer)
}

/// Whether numbers in the first row are names of columns: they count up, and the rows below are of another kind. So are the
/// indices from 0 that some programs write, above numbers with decimals, and years, above other numbers.
pub(crate) fn are_names(
    first: &[Option<f64>],
    columns: &[usize],
    below: &[Vec<Option<f64>>],
) -> bool {
    let Some(first) = first.iter().copied().collect::<Option<Vec<f64>>>() else { return false };
    let is_year = |number: f64| number.fract() == 0.0 && (1000.0..3000.0).contains(&number);
    let counts_up = first.len() > 1 && first.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
    let mut cells = below.iter().flatten().flatten();
    let begin = columns[0] as f64;
    let are_indices = [0.0, begin, begin - 1.0].contains(&first[0]) && first[0] >= 0.0;
    counts_up
        && (are_indices && first[0] <= 1.0 && cells.clone().any(|cell| cell.fract() != 0.0)
            || first.iter().all(|it| is_year(*it)) && !cells.any(|cell| is_year(*cell)))
}
