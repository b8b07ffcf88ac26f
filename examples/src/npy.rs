//! Rows of numbers in NumPy's files.

use std::io::{ErrorKind, Write};
use std::path::Path;

use ndarray::ArrayView2;
use ndarray_npy::npy::header::ParseHeaderError;
use ndarray_npy::{ViewNpyError, ViewNpyExt, WritableElement};

use crate::number::checked;
use crate::source::NPY as MAGIC;
use crate::text::escaped;
use crate::{AnyError, Column, Error, Place, Problem, Result, memory};

/// The most numbers that the rows of an array without rows may have.
const MOST_OF_NO_ROW: usize = 1 << 16;

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

/// The rows of an array of numbers, by rows or by columns, in a file in NumPy's format: floats of 32 or 64 bits, integers, or
/// truth values as 0 and 1. Those that are read are below 10^15 and so are exact in double precision.
///
/// # Errors
///
/// The file cannot be read, or is no such array; or it has a number that the kernels cannot take.
pub fn rows(path: &Path) -> Result<Rows> {
    let file = path.display().to_string();
    let Some(mut bytes) = memory::read_binary(path, MAGIC)? else {
        let problem = Problem::NotRows("it does not begin as NumPy's files do".into());
        return Err(problem.at(Place::file(&file)));
    };
    // Views need no memory, whatever sizes the file names. A vector's memory is aligned as all numbers are. The values are
    // aligned by bytes in front: NumPy pads headers to a multiple of 64 bytes, and other programs need not.
    let padding = match bytes.get(MAGIC.len()..MAGIC.len() + 3) {
        Some(&[version, _, low]) => {
            (if version == 1 { 10_u8 } else { 12 }).wrapping_add(low).wrapping_neg() % 8
        }
        _ => 0,
    };
    if bytes.try_reserve_exact(padding.into()).is_err() {
        return Err(Error::HostMemory { needed: bytes.len() });
    }
    bytes.splice(..0, vec![0; padding.into()]);
    let bytes = bytes.get(padding.into()..).unwrap_or_default();
    let refused = |error: ViewNpyError| problem(error, bytes).at(Place::file(&file));
    macro_rules! of_type {
        ($($number:ty),*) => {$(
            match ArrayView2::<$number>::view_npy(bytes) {
                Ok(array) => return taken(&file, array, |number| number as f64),
                Err(ViewNpyError::WrongDescriptor(_)) => {}
                Err(error) => return Err(refused(error)),
            }
        )*};
    }
    of_type!(f32, f64, u8, i8, u16, i16, u32, i32, u64, i64);
    match ArrayView2::<bool>::view_npy(bytes) {
        Ok(array) => taken(&file, array, f64::from),
        Err(error) => Err(refused(error)),
    }
}

/// Why a file of these bytes is no array of rows.
fn problem(error: ViewNpyError, bytes: &[u8]) -> Problem {
    let reason = match error {
        ViewNpyError::MissingBytes(missing) => return Problem::CutArray { missing: Some(missing) },
        ViewNpyError::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            return Problem::CutArray { missing: None };
        }
        ViewNpyError::ExtraBytes(extra) => return Problem::LongArray { extra },
        ViewNpyError::WrongNdim(_, 1) => {
            "it has one dimension, and `values.reshape(-1, 1)` has a number in each row".into()
        }
        ViewNpyError::WrongNdim(_, found) => format!("it has {found} dimensions"),
        ViewNpyError::WrongDescriptor(kind) => format!("its numbers are of NumPy's type {kind}"),
        ViewNpyError::NonNativeEndian => "its numbers have the bytes in another order".into(),
        ViewNpyError::LengthOverflow => "its shape is larger than any memory".into(),
        // The parser's message has several lines.
        ViewNpyError::ParseHeader(ParseHeaderError::DictParse(_)) => {
            let header = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
            match header.windows(2).any(|two| two[0].is_ascii_digit() && two[1] == b'L') {
                true => "Python 2 wrote its header, with an L behind each length".into(),
                false => "its header is damaged".into(),
            }
        }
        error => error.to_string(),
    };
    Problem::NotRows(escaped(&reason))
}

/// Writes an array of this shape, by rows. Its bytes are those that NumPy writes, and td-kernel's bands: ndarray-npy's header
/// says the same with one comma less.
pub(crate) fn write<T: WritableElement>(
    mut writer: impl Write,
    shape: &[usize],
    values: &[T],
) -> std::result::Result<(), AnyError> {
    /// Values begin at a multiple of this.
    const ALIGNMENT: usize = 64;
    let count = shape.iter().try_fold(1_usize, |count, length| count.checked_mul(*length));
    if count != Some(values.len()) {
        return Err(format!("{} values have not the shape {shape:?}", values.len()).into());
    }
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    let lengths = match lengths.as_slice() {
        // As Python writes a tuple of one.
        [one] => format!("{one},"),
        all => all.join(", "),
    };
    let descr = T::type_descriptor();
    let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({lengths}), }}");
    // The version, 1.0, and in two bytes the length of the text, which ends with a line break.
    let before = MAGIC.len() + 4;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    let told = u16::try_from(length)?.to_le_bytes();
    writer.write_all(&[MAGIC, &[1, 0], &told].concat())?;
    writer.write_all(format!("{text:<width$}\n", width = length - 1).as_bytes())?;
    Ok(T::write_slice(values, writer)?)
}

/// The numbers of an array, in double precision.
fn taken<T: Copy>(file: &str, array: ArrayView2<'_, T>, number: impl Fn(T) -> f64) -> Result<Rows> {
    let (count, width) = array.dim();
    if width == 0 {
        return Err(Problem::NotRows("its rows are empty".into()).at(Place::file(file)));
    }
    // No byte of the file stands for a row's numbers, and programs take memory for as many.
    if count == 0 && width > MOST_OF_NO_ROW {
        let reason = format!("it has no rows, and its header says that they have {width} numbers");
        return Err(Problem::NotRows(reason).at(Place::file(file)));
    }
    let mut values = memory::reserved(array.len())?;
    for ((row, column), value) in array.indexed_iter() {
        let value = checked(number(*value)).map_err(|problem| {
            problem.at(Place::file(file).column(Column::Value { row, column }))
        })?;
        values.push(value);
    }
    Ok(Rows { values, count, width })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ndarray::{Array, Array1, Array2, Array3, array};
    use ndarray_npy::{WritableElement, write_npy};

    use super::*;

    fn read<T: WritableElement>(array: &Array2<T>) -> std::result::Result<Rows, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        write_npy(&path, array).unwrap();
        rows(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn an_array_is_written_as_numpy_writes_it() {
        let mut bytes = Vec::new();
        write(&mut bytes, &[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        let start = b"\x93NUMPY\x01\0v\0";
        assert_eq!(bytes[..128], [&start[..], format!("{text:117}\n").as_bytes()].concat());
        assert_eq!(bytes[124 + 24..], 6.0_f32.to_le_bytes());
        let array = ArrayView2::<f32>::view_npy(&bytes[..]);
        assert_eq!(array.unwrap(), array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        bytes.clear();
        write(&mut bytes, &[0], &[0_i64; 0]).unwrap();
        assert!(
            String::from_utf8_lossy(&bytes)
                .contains("'<i8', 'fortran_order': False, 'shape': (0,), }  ")
        );
        assert!(write(&mut bytes, &[2, 2], &[1.0_f32; 3]).is_err());
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
    fn integers_of_all_sizes_are_read() {
        let values = [[0, 1], [100, 7]];
        let expected = [0.0, 1.0, 100.0, 7.0];
        let bytes = Array::from(values.to_vec());
        let all = [
            read(&bytes.mapv(|value| value as u8)),
            read(&bytes.mapv(|value| value as i8)),
            read(&bytes.mapv(|value| value as u16)),
            read(&bytes.mapv(|value| value as i16)),
            read(&bytes.mapv(|value| value as u32)),
            read(&bytes.mapv(|value: i32| value)),
            read(&bytes.mapv(|value| value as u64)),
            read(&bytes.mapv(|value| -i64::from(-value))),
        ];
        for rows in all {
            assert_eq!(rows.unwrap().values, expected);
        }
        assert_eq!(read(&array![[-5_i16, 3]]).unwrap().values, [-5.0, 3.0]);
        assert_eq!(read(&array![[true, false]]).unwrap().values, [1.0, 0.0]);
    }

    /// Old versions of NumPy, and other programs, pad the header less or not at all.
    #[test]
    fn misaligned_array_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        for spaces in 0..16 {
            let text = format!(
                "{{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }}{}\n",
                " ".repeat(spaces)
            );
            let mut bytes = b"\x93NUMPY\x01\0".to_vec();
            bytes.extend((text.len() as u16).to_le_bytes());
            bytes.extend(text.as_bytes());
            bytes.extend([0.5_f64, -3.0].map(f64::to_le_bytes).concat());
            fs::write(&path, bytes).unwrap();
            assert_eq!(rows(&path).unwrap().values, [0.5, -3.0], "{spaces}");
        }
    }

    #[test]
    fn header_that_does_not_parse_is_refused_in_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        for (shape, reason) in [
            ("(1L, 2L)", "Python 2 wrote its header, with an L behind each length"),
            ("(1, 2", "its header is damaged"),
        ] {
            let text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
            let start = b"\x93NUMPY\x01\0v\0";
            fs::write(&path, [&start[..], format!("{text:117}\n").as_bytes(), &[0; 16]].concat())
                .unwrap();
            let error = rows(&path).unwrap_err().to_string();
            let expected =
                format!("a.npy: this is no array that can be read ({reason}): write two");
            assert!(error.contains(&expected), "{error}");
        }
    }

    #[test]
    fn what_is_no_rows_of_numbers_is_refused() {
        let large = read(&array![[1_i64, 1 << 60]]).unwrap_err();
        assert!(large.contains("row 0, column 1") && large.contains("out of range"), "{large}");
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
        let words = "a.npy: this is no array that can be read (it has one dimension, and `values.reshape(-1, 1)` ";
        assert!(refused().contains(words), "{}", refused());
        write_npy(&path, &Array3::<f64>::zeros((2, 2, 2))).unwrap();
        assert!(refused().contains("(it has 3 dimensions): write two"), "{}", refused());
        // Floats of 16 bits, which the header alone tells.
        write_npy(&path, &array![[1_u16, 2]]).unwrap();
        let mut halves = fs::read(&path).unwrap();
        let at = halves.windows(3).position(|three| three == b"<u2").unwrap();
        halves[at + 1] = b'f';
        fs::write(&path, halves).unwrap();
        let words = "(its numbers are of NumPy's type '<f2'): write two dimensions of floats of 32 or 64 bits or of integers, as";
        assert!(refused().contains(words) && refused().contains("astype"), "{}", refused());
        // Rows that are not there, of more numbers than any memory has, than this one has, and than rows may have.
        for width in ["4600000000000000000", "3000000000", "65537"] {
            let text =
                format!("{{'descr': '<f8', 'fortran_order': False, 'shape': (0, {width}), }}");
            let start = b"\x93NUMPY\x01\0v\0";
            fs::write(&path, [&start[..], format!("{text:117}\n").as_bytes()].concat()).unwrap();
            let words =
                format!("(it has no rows, and its header says that they have {width} numbers)");
            assert!(refused().contains(&words), "{}", refused());
        }
        assert_eq!(read(&Array2::<f64>::zeros((0, 65_536))).unwrap().width, 65_536);
        fs::write(&path, "1,2\n").unwrap();
        assert!(refused().contains("does not begin as NumPy's files do"), "{}", refused());
        // Too short for what it says, and too long.
        write_npy(&path, &Array2::<f64>::zeros((3, 3))).unwrap();
        let whole = fs::read(&path).unwrap();
        for (bytes, words) in [
            (
                &whole[..whole.len() - 1],
                "a.npy: the file is cut: 1 bytes of its array are missing; ",
            ),
            (&whole[..100], "a.npy: the file is cut: the end of its header is missing; "),
            (&whole[..9], "a.npy: the file is cut: the end of its header is missing; "),
            (&[&whole[..], b"abc"].concat(), "a.npy: 3 bytes follow the array"),
        ] {
            fs::write(&path, bytes).unwrap();
            assert!(refused().contains(words), "{}", refused());
        }
        fs::remove_file(&path).unwrap();
        assert!(refused().starts_with("cannot read "), "{}", refused());
    }
}
