//! Numbers in input files.

use crate::Problem;
use crate::problem::{LARGEST, quoted};

/// The number in `text`, ignoring spaces around it.
///
/// # Errors
///
/// It is no number, or one that the kernels cannot take.
pub fn number(text: &str) -> std::result::Result<f32, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Problem::EmptyCell);
    }
    let value: f32 = text.parse().map_err(|_| Problem::NotANumber(quoted(text)))?;
    if value.is_nan() || value.abs() > LARGEST {
        return Err(Problem::OutOfRange(quoted(text)));
    }
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    if value == 0.0 && digits.contains(|digit: char| ('1'..='9').contains(&digit)) {
        return Err(Problem::TooSmall(quoted(text)));
    }
    Ok(value)
}

/// The same, in double precision, with the same limits.
///
/// # Errors
///
/// It is no number, or one that the kernels cannot take.
pub(crate) fn double(text: &str) -> std::result::Result<f64, Problem> {
    number(text)?;
    text.trim().parse().map_err(|_| Problem::NotANumber(quoted(text)))
}

/// A number that a file has in binary, if the kernels can take it.
///
/// # Errors
///
/// It is no number, or too large in size, or would become zero in single precision.
pub(crate) fn checked(value: f64) -> std::result::Result<f64, Problem> {
    if value.is_nan() || value.abs() > f64::from(LARGEST) {
        return Err(Problem::OutOfRange(value.to_string()));
    }
    if value != 0.0 && value as f32 == 0.0 {
        return Err(Problem::TooSmall(format!("{value:e}")));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, value) in
            [("5.1", 5.1), (" -3 ", -3.0), ("+.5", 0.5), ("1e15", 1e15), ("2.5E-3", 2.5e-3)]
        {
            assert_eq!(number(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_usable_number_is_told_apart() {
        assert_eq!(number("  "), Err(Problem::EmptyCell));
        for text in ["setosa", "5,1", "0x10", "1 2"] {
            assert_eq!(number(text), Err(Problem::NotANumber(text.into())));
        }
        for text in ["1e-50", "-0.01e-60", "1e-400"] {
            assert_eq!(number(text), Err(Problem::TooSmall(text.into())));
        }
        for text in ["0", "-0.0", "0e9", "0.00e-99"] {
            assert_eq!(number(text), Ok(0.0));
        }
        for text in ["NaN", "inf", "-Infinity", "1.1e15", "-1e400"] {
            assert_eq!(number(text), Err(Problem::OutOfRange(text.into())));
        }
    }
}
