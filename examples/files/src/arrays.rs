//! Rows of tables and of NumPy arrays.

use std::path::Path;

use clap::Arg;
use ndarray::{Array2, ArrayView, Dimension};
use ndarray_npy::{ReadNpyError, WriteNpyExt, read_npy};
use td_kernel_examples::{Output, Result, Table, TableOptions};

/// The option `--input` of examples that read tables or arrays.
pub fn input_of_rows(input: Arg) -> Arg {
    let help = "Read the rows from this table (.csv or .tsv) or this two-dimensional array (.npy) [default: Iris, built in]";
    input.value_name("FILE.csv|.npy").help(help)
}

/// The rows that the options select, from a table or from a two-dimensional array (.npy) of floats or integers; random rows
/// have `width` numbers.
pub fn rows(options: &TableOptions, width: usize) -> Result<Table> {
    let is_array = |path: &&Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("npy"));
    let Some(path) = options.input.as_deref().filter(is_array) else {
        return options.rows(usize::MAX, width);
    };
    let error = |text: &str| Err(format!("{}: {text}", path.display()).into());
    if options.columns.is_some() {
        return error("--columns works only for tables, not for arrays");
    }
    let array = match array(path) {
        Ok(array) if array.is_empty() => return error("there are no rows of numbers"),
        Ok(array) => array,
        Err(refused) => return error(&refused.to_string()),
    };
    if let Some(((row, column), value)) = array.indexed_iter().find(|(_, value)| !value.is_finite())
    {
        return error(&format!("row {row}, column {column}: {value} is not a finite number"));
    }
    let width = array.ncols();
    let table = Table {
        values: array.into_iter().collect(),
        names: (0..width).map(|at| at.to_string()).collect(),
        origin: format!("rows of {}", path.display()),
    };
    options.saved(table)
}

/// A two-dimensional array of one of four types.
fn array(path: &Path) -> std::result::Result<Array2<f64>, ReadNpyError> {
    use ReadNpyError::WrongDescriptor as OtherType;
    let mut array = read_npy(path);
    if let Err(OtherType(_)) = array {
        array = read_npy::<_, Array2<f32>>(path).map(|array| array.mapv(f64::from));
    }
    if let Err(OtherType(_)) = array {
        array = read_npy::<_, Array2<i32>>(path).map(|array| array.mapv(f64::from));
    }
    if let Err(OtherType(_)) = array {
        array = read_npy::<_, Array2<i64>>(path).map(|array| array.mapv(|value| value as f64));
    }
    array
}

/// Writes an array and finishes the file.
pub fn write_npy<D: Dimension>(file: Output, array: ArrayView<'_, f32, D>) -> Result<()> {
    array.write_npy(file.file()).map_err(|error| file.failed(error))?;
    file.finish()
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
