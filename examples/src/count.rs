//! Counts on the command line.

use std::fmt::Debug;
use std::ops::{Range, RangeBounds};

/// Parses a count within `range`, such as `100000` or `1e5`: for clap's `value_parser`.
pub fn count_in(
    range: impl RangeBounds<usize> + Debug + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().or_else(|| of_float(text));
        let number = number.ok_or("expected a whole number, such as 100000 or 1e5")?;
        match range.contains(&number) {
            true => Ok(number),
            false => Err(format!("{number} is not in {range:?}")),
        }
    }
}

/// Parses a number within `range`, of positive numbers or also of zero: for clap's `value_parser`.
pub fn number_in(range: Range<f64>) -> impl Fn(&str) -> Result<f64, &'static str> + Clone {
    let has_zero = range.contains(&0.0);
    let what = if has_zero { "write a number of zero or more" } else { "write a positive number" };
    move |text| text.parse().ok().filter(|number| range.contains(number)).ok_or(what)
}

/// A number of things, such as "1 row" or "2 rows".
pub(crate) fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// A whole number that is written as a float.
fn of_float(text: &str) -> Option<usize> {
    let number: f64 = text.parse().ok()?;
    // Below, all whole numbers are floats.
    let is_whole = (0.0..=2_f64.powi(53)).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as usize)
}
