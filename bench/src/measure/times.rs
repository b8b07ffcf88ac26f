//! Times.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A way and its time in milliseconds.
pub(crate) type Times = (String, Spread);

/// A median and its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 3]", into = "[f64; 3]")]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// Half of the samples are within the bounds. Fails without samples.
    pub(crate) fn quarters(mut samples: Vec<f64>) -> Result<Spread> {
        samples.sort_unstable_by(f64::total_cmp);
        let last = samples.len().checked_sub(1).context("nothing was timed")?;
        let [median, low, high] = [samples.len() / 2, last / 4, last - last / 4];
        Ok(Spread { median: samples[median], low: samples[low], high: samples[high] }.map(rounded))
    }

    /// All samples are within the bounds. Fails without samples.
    pub(crate) fn extremes(mut samples: Vec<f64>) -> Result<Spread> {
        samples.sort_unstable_by(f64::total_cmp);
        let (low, high) = samples.first().zip(samples.last()).context("nothing was timed")?;
        Ok(Spread { median: samples[samples.len() / 2], low: *low, high: *high }.map(rounded))
    }

    pub(crate) fn map(self, of: impl Fn(f64) -> f64) -> Spread {
        Spread { median: of(self.median), low: of(self.low), high: of(self.high) }
    }

    /// The rate of this much work in these times.
    pub(crate) fn rate(self, work: f64) -> Spread {
        let Spread { median, low, high } = self;
        Spread { median, low: high, high: low }.map(|ms| rounded(work / ms))
    }
}

impl TryFrom<[f64; 3]> for Spread {
    type Error = &'static str;

    fn try_from(numbers: [f64; 3]) -> Result<Spread, &'static str> {
        let [median, low, high] = numbers;
        let is_positive = numbers.iter().all(|number| *number > 0.0);
        is_positive.then_some(Spread { median, low, high }).ok_or("a time is not a positive number")
    }
}

impl From<Spread> for [f64; 3] {
    fn from(Spread { median, low, high }: Spread) -> [f64; 3] {
        [median, low, high]
    }
}

/// Rounds to the digits of a measurement, which keeps files short.
fn rounded(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// The way with the smallest median.
pub(crate) fn fastest(all: impl IntoIterator<Item = Times>) -> Result<Times> {
    let fastest = all.into_iter().min_by(|(_, a), (_, b)| a.median.total_cmp(&b.median));
    fastest.context("nothing else was timed")
}

/// The result of some work, and the host's time for it.
pub(crate) fn timed<R, E>(work: impl FnOnce() -> Result<R, E>) -> Result<(R, Duration), E> {
    let begin = Instant::now();
    work().map(|result| (result, begin.elapsed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_bounds() {
        let quarters = Spread::quarters((1..=9).map(f64::from).collect()).unwrap();
        assert_eq!(<[f64; 3]>::from(quarters), [5.0, 3.0, 7.0]);
        let extremes = Spread::extremes(vec![3.0, 1.0, 2.000_012]).unwrap();
        assert_eq!(<[f64; 3]>::from(extremes), [2.0, 1.0, 3.0]);
        assert!(Spread::quarters(Vec::new()).is_err() && Spread::extremes(Vec::new()).is_err());
        assert_eq!(<[f64; 3]>::from(extremes.rate(6.0)), [3.0, 2.0, 6.0]);
    }
}
