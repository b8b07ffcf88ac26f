//! Counts on the command line.

use std::fmt::Debug;
use std::ops::RangeBounds;

/// The largest float below which all whole numbers are floats.
const MAX_EXACT: f64 = (1_u64 << 53) as f64;

/// Parses a count within `range`, such as `100000` or `1e5`: for clap's `value_parser`.
pub fn count_in<R>(
    range: R,
) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static
where
    R: RangeBounds<usize> + Debug + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().or_else(|| of_float(text));
        let number = number.ok_or("expected a whole number, such as 100000 or 1e5")?;
        match range.contains(&number) {
            true => Ok(number),
            false => Err(format!("{number} is not in {range:?}")),
        }
    }
}

/// A whole number that is written as a float.
fn of_float(text: &str) -> Option<usize> {
    let number: f64 = text.parse().ok()?;
    let is_whole = (0.0..=MAX_EXACT).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as usize)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_exponents() {
        let any = count_in(..);
        for (text, expected) in [("7", 7), ("1e5", 100_000), ("2.5E3", 2500), ("3.0", 3)] {
            assert_eq!(any(text), Ok(expected));
        }
        for text in ["", "many", "-1", "1.5", "5e-1", "1e20", "nan", "inf", "0x10"] {
            assert_eq!(any(text).unwrap_err(), "expected a whole number, such as 100000 or 1e5");
        }
        assert_eq!(any("18446744073709551615"), Ok(usize::MAX));
        assert_eq!(count_in(1..=32)("1e2").unwrap_err(), "100 is not in 1..=32");
        assert_eq!(count_in(2..)("1").unwrap_err(), "1 is not in 2..");
    }
}
