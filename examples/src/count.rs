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

/// A number of things, such as "1 row" or "2 rows".
pub(crate) fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// A whole number that is written as a float.
fn of_float(text: &str) -> Option<usize> {
    let number: f64 = text.parse().ok()?;
    let is_whole = (0.0..=MAX_EXACT).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as usize)
}
