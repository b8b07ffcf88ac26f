//! The number of rows of features, and where each starts.

use crate::error::counted;
use crate::{DeviceType, Error, ErrorKind, Result};

/// The alignment of rows, in bytes: the most that one instruction of a GPU loads.
const ROW_ALIGNMENT: usize = 16;

/// The most bytes that a kernel reads from the start of a row's last chunk: that chunk and another, each of eight 16-byte words
/// in the smallest tiles.
const STAGED: usize = 2 * 8 * ROW_ALIGNMENT;

/// rustc's message for other types. Only a build evaluates constants that depend on a type parameter, and `ui-tests` only
/// checks: so a documentation test of `Features` covers this error.
const SIZES: &str = "features are values of 1, 2, 4 or 8 bytes: write f32, f64, i8 to i64, u8 to u64, or a vector of them like [i8; 4]";

/// The most rows: kernels count them in 32 bits.
const MOST: usize = u32::MAX as usize;

/// The most features of a row: kernels count them in 32 bits, in steps that go past the last one.
const WIDEST: usize = i32::MAX as usize;

/// Rows of features on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rows: usize,
    /// The features of a row, at least one.
    pub(super) width: usize,
    /// The distance between the starts of two rows, in features.
    pub(super) pitch: usize,
}

impl Shape {
    /// The layout of `rows` rows, or an error if there are too many or they exceed the address space.
    pub(super) fn new<T: DeviceType>(rows: usize, width: usize) -> Result<Shape> {
        let size = const {
            let size = size_of::<T>();
            assert!(matches!(size, 1 | 2 | 4 | 8) && T::ALIGNMENT <= size, "{}", SIZES);
            size
        };
        if width == 0 {
            return Err(no_width(rows, "row"));
        }
        if width > WIDEST {
            return Err(Error::arguments(format!(
                "rows have {width} features, but kernels support at most 2147483647: use shorter rows"
            )));
        }
        if rows > MOST {
            return Err(Error::arguments(format!(
                "there are {rows} rows of features, but kernels support at most 4294967295: use fewer rows"
            )));
        }
        // Every size divides the alignment.
        let places = (width as u64).next_multiple_of((ROW_ALIGNMENT / size) as u64);
        let bytes = (places * size as u64).checked_mul(rows as u64);
        match (usize::try_from(places), bytes) {
            (Ok(pitch), Some(bytes)) if bytes <= isize::MAX as u64 - STAGED as u64 => {
                Ok(Shape { rows, width, pitch })
            }
            _ => Err(Error::new(
                ErrorKind::TooLarge,
                format!(
                    "{} of {} of {size} bytes each are more than memory can hold",
                    counted(rows, "row"),
                    counted(width, "feature")
                ),
            )),
        }
    }

    /// Whether rows have no padding.
    pub(super) fn is_dense(&self) -> bool {
        self.width == self.pitch
    }

    /// The number of features in all rows.
    pub(super) fn values(&self) -> usize {
        self.rows * self.width
    }

    /// The number of features with padding.
    pub(super) fn places(&self) -> usize {
        self.rows * self.pitch
    }

    /// The same, plus what kernels read past the last row and do not use: they stage several 16-byte words of each row before
    /// they check for its end.
    pub(super) fn memory<T>(&self) -> usize {
        // Every size of a feature divides STAGED.
        self.places() + STAGED / size_of::<T>()
    }
}

/// The error for rows without features.
pub(super) fn no_width(given: usize, what: &str) -> Error {
    let given = counted(given, what);
    Error::arguments(format!(
        "the width is 0 features for {given}: pass the number of features of a row, at least 1"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_shapes_are_refused() {
        let message = |rows, width| Shape::new::<f64>(rows, width).unwrap_err().to_string();
        assert!(message(5, 0).contains("0 features"), "{}", message(5, 0));
        assert!(message(1, WIDEST + 1).contains("2147483648"), "{}", message(1, WIDEST + 1));
        assert!(message(MOST + 1, 1).contains("4294967296"), "{}", message(MOST + 1, 1));
        assert!(message(MOST, WIDEST).contains("more than memory"), "{}", message(MOST, WIDEST));
        assert_eq!(Shape::new::<u8>(1, WIDEST).unwrap().pitch, 1 << 31);
        assert_eq!(Shape::new::<u8>(MOST, 1).unwrap().places(), MOST * 16);
    }
}
