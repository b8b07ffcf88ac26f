//! Rows of tables and of NumPy arrays.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use clap::Arg;
use td_kernel_examples::{Header, Result, Table, TableOptions};

use crate::npy;

/// The option `--input` of examples that read tables or arrays.
pub fn input_of_rows(input: Arg) -> Arg {
    let help = "Read the rows from this table (.csv, .tsv or .txt) or this two-dimensional array (.npy) [default: Iris, built in]";
    input.value_name("FILE.csv|.npy").help(help)
}

/// The rows that the options select, from a table or from a two-dimensional array (.npy) of floats or integers; random rows
/// have `width` numbers. If `only_equality` counts, integers that a double cannot hold become the numbers of their column's
/// distinct values. Otherwise they are an error.
pub fn rows(options: &TableOptions, width: usize, only_equality: bool) -> Result<Table> {
    let is_array = |path: &&Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("npy"));
    let Some(path) = options.input.as_deref().filter(is_array) else {
        return options.rows(usize::MAX, width);
    };
    let error = |text: &str| Err(format!("{}: {text}", path.display()).into());
    if options.columns.is_some() || options.skip_missing || options.header != Header::Auto {
        return error(
            "--columns, --header and --skip-missing work only for tables, not for arrays",
        );
    }
    let read = fs::read(path).map_err(|error| error.to_string());
    let read = read.and_then(|bytes| npy::read(&bytes));
    let (width, mut values, integers) = read.map_err(|it| format!("{}: {it}", path.display()))?;
    let at_slot = |at: usize, value: &dyn Display, problem: &str| {
        error(&format!("row {}, column {}: {value} {problem}", at / width, at % width))
    };
    if let Some(at) = (0..integers.len()).find(|at| values[*at] as i128 != integers[*at]) {
        if !only_equality {
            let problem = "has more digits than a double, so it would become another number";
            return at_slot(at, &integers[at], problem);
        }
        values = numbered(&integers, width);
    }
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        return at_slot(at, &values[at], "is not a finite number");
    }
    if width == 0 || values.len() / width < 2 {
        return error("expected at least two rows of numbers");
    }
    options.saved(Table {
        values,
        names: (0..width).map(|at| at.to_string()).collect(),
        origin: format!("rows of {}", path.display()),
        ..Table::default()
    })
}

/// The index of each value among the distinct values of its column.
fn numbered(values: &[i128], width: usize) -> Vec<f64> {
    let mut known = vec![HashMap::new(); width];
    let columns = (0..width).cycle().zip(values);
    let index = columns.map(|(column, value)| {
        let count = known[column].len();
        *known[column].entry(*value).or_insert(count) as f64
    });
    index.collect()
}

/// The rows scaled to length 1, after subtracting their means if `centred`. A row without a direction becomes NaN.
pub fn unit_rows(table: &Table, centred: bool) -> Vec<f64> {
    let mut units = Vec::with_capacity(table.values.len());
    for row in table.rows() {
        // Relative to the first value, so that the mean of equal values is exact.
        let first = if centred { row[0] } else { 0.0 };
        let sum: f64 = row.iter().map(|value| value - first).sum();
        let mean = if centred { sum / row.len() as f64 } else { 0.0 };
        let parts = row.iter().map(|value| value - first - mean);
        // Relative to the largest part, so that squares are in range.
        let largest = parts.clone().fold(0.0, |largest: f64, part| largest.max(part.abs()));
        let norm = parts.clone().map(|part| (part / largest).powi(2)).sum::<f64>().sqrt();
        units.extend(parts.map(|part| part / largest / norm));
    }
    units
}
