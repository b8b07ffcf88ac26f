//! Rows of numbers in NumPy's files.

use std::path::Path;

use ndarray::ArrayView2;
use ndarray_npy::{ViewNpyError, ViewNpyExt};

use crate::number::checked;
use crate::{Column, Place, Problem, Result, memory};

/// What every file in NumPy's format begins with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// Rows of as many numbers each.
#[derive(Debug)]
pub struct Rows {
    /// The numbers, row by row.
    pub values: Vec<f64>,
    /// How many rows there are.
    pub count: usize,
    /// How many numbers each has.
    pub width: usize,
}

/// The rows of an array of 32-bit or 64-bit floats, by rows or by columns, in a file in NumPy's format.
///
/// # Errors
///
/// The file cannot be read, or is no such array; or it has a number that the kernels cannot take.
pub fn rows(path: &Path) -> Result<Rows> {
    let file = path.display().to_string();
    let refused = |reason: String| Problem::NotRows(reason).at(Place::file(&file));
    let Some(bytes) = memory::read_binary(path, MAGIC)? else {
        return Err(refused("it does not begin as NumPy's files do".into()));
    };
    // Views need no memory, whatever sizes the file names. A vector's memory is aligned as all numbers are.
    match ArrayView2::<f32>::view_npy(&bytes) {
        Ok(array) => taken(&file, array),
        Err(ViewNpyError::WrongDescriptor(_)) => match ArrayView2::<f64>::view_npy(&bytes) {
            Ok(array) => taken(&file, array),
            Err(error) => Err(refused(error.to_string())),
        },
        Err(error) => Err(refused(error.to_string())),
    }
}

/// The numbers of an array, in double precision.
fn taken<T: Copy + Into<f64>>(file: &str, array: ArrayView2<'_, T>) -> Result<Rows> {
    let (count, width) = array.dim();
    if width == 0 {
        return Err(Problem::NotRows("its rows are empty".into()).at(Place::file(file)));
    }
    let mut values = memory::reserved(array.len())?;
    for ((row, column), value) in array.indexed_iter() {
        let value = checked((*value).into()).map_err(|problem| {
            problem.at(Place::file(file).column(Column::Value { row, column }))
        })?;
        values.push(value);
    }
    Ok(Rows { values, count, width })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ndarray::{Array, Array1, Array2, array};
    use ndarray_npy::{WritableElement, write_npy};

    use super::*;

    fn read<T: WritableElement>(array: &Array2<T>) -> std::result::Result<Rows, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        write_npy(&path, array).unwrap();
        rows(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn floats_of_both_sizes_are_read_in_either_order() {
        let values: Vec<f64> = (0..12).map(|value| f64::from(value) / 4.0).collect();
        let doubles = Array::from_shape_vec((4, 3), values.clone()).unwrap();
        let by_columns = doubles.t().as_standard_layout().into_owned().reversed_axes();
        let singles = doubles.mapv(|value| value as f32);
        for rows in [read(&doubles), read(&by_columns), read(&singles)] {
            let rows = rows.unwrap();
            assert_eq!((rows.count, rows.width, &rows.values), (4, 3, &values));
        }
        let none = read(&Array2::<f32>::zeros((0, 5))).unwrap();
        assert_eq!((none.count, none.width), (0, 5));
        // Not all of it is single precision.
        assert_eq!(read(&array![[0.1_f64]]).unwrap().values, [0.1]);
    }

    #[test]
    fn what_is_no_rows_of_floats_is_refused() {
        let integers = read(&array![[1_i64, 2]]).unwrap_err();
        assert!(integers.contains("i8") && integers.contains("astype"), "{integers}");
        let empty = read(&Array2::<f32>::zeros((3, 0))).unwrap_err();
        assert!(empty.contains("its rows are empty"), "{empty}");
        for (value, message) in
            [(f64::NAN, "NaN is out of range"), (1e16, "out of range"), (1e-50, "too small")]
        {
            let error = read(&array![[0.0, 1.0], [2.0, 3.0], [4.0, value]]).unwrap_err();
            let place = "a.npy, row 2, column 1 (counted from 0): ";
            assert!(error.contains(place) && error.contains(message), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let refused = || rows(&path).unwrap_err().to_string();
        write_npy(&path, &Array1::<f32>::zeros(3)).unwrap();
        assert!(refused().contains("a.npy: this is no array that can be read"), "{}", refused());
        fs::write(&path, "1,2\n").unwrap();
        assert!(refused().contains("does not begin as NumPy's files do"), "{}", refused());
        // Too short for what it says.
        write_npy(&path, &Array2::<f32>::zeros((3, 3))).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(refused().contains("no array that can be read"), "{}", refused());
        fs::remove_file(&path).unwrap();
        assert!(refused().starts_with("cannot read "), "{}", refused());
    }
}
