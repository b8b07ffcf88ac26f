//! Times, and what is said of them.

use serde::{Deserialize, Serialize};

/// A median, and from where to where the others go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 3]", into = "[f64; 3]")]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// With the quarters of the samples below and above: half of them are between the two. Of at least one sample.
    pub(crate) fn quarters(mut samples: Vec<f64>) -> Option<Spread> {
        samples.sort_unstable_by(f64::total_cmp);
        let last = samples.len().checked_sub(1)?;
        let [median, low, high] = [samples.len() / 2, last / 4, last - last / 4];
        Some(Spread { median: samples[median], low: samples[low], high: samples[high] }.rounded())
    }

    /// With the shortest and the longest. Of at least one sample.
    pub(crate) fn extremes(mut samples: Vec<f64>) -> Option<Spread> {
        samples.sort_unstable_by(f64::total_cmp);
        let (low, high) = (*samples.first()?, *samples.last()?);
        Some(Spread { median: samples[samples.len() / 2], low, high })
    }

    pub(crate) fn map(self, of: impl Fn(f64) -> f64) -> Spread {
        Spread { median: of(self.median), low: of(self.low), high: of(self.high) }
    }

    /// With as many digits as are kept.
    pub(crate) fn rounded(self) -> Spread {
        self.map(rounded)
    }

    /// So much work in each of these times.
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

/// A number with as many digits as a measurement has, which keeps files short.
pub(crate) fn rounded(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// The times of one way to do some work, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    pub(crate) name: String,
    pub(crate) ms: Spread,
}

impl Times {
    /// Takes the one with the shortest median out.
    pub(crate) fn take_fastest(all: &mut Vec<Times>) -> Option<Times> {
        let each = all.iter().enumerate();
        let (place, _) = each.min_by(|(_, a), (_, b)| a.ms.median.total_cmp(&b.ms.median))?;
        Some(all.remove(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_rounds_are_within_the_quarters() {
        let spread = Spread::quarters((1..=9).map(f64::from).collect()).unwrap();
        assert_eq!(<[f64; 3]>::from(spread), [5.0, 3.0, 7.0]);
        assert_eq!(Spread::quarters(vec![2.0]).unwrap().high, 2.0);
        assert!(Spread::quarters(Vec::new()).is_none());
    }

    #[test]
    fn the_median_and_the_fastest_are_found() {
        let spread = Spread::extremes(vec![3.0, 1.0, 2.0]).unwrap();
        assert_eq!(<[f64; 3]>::from(spread), [2.0, 1.0, 3.0]);
        assert_eq!(Spread::extremes(Vec::new()), None);
        let times = |ms| Times { name: "name".into(), ms: spread.map(|_| ms) };
        let mut all = vec![times(3.0), times(1.0), times(2.0)];
        assert_eq!(Times::take_fastest(&mut all).unwrap().ms.median, 1.0);
        assert_eq!((all[0].ms.median, all[1].ms.median), (3.0, 2.0));
    }

    #[test]
    fn numbers_keep_five_digits_and_times_are_positive() {
        assert_eq!(rounded(0.001_234_567), 0.001_234_6);
        assert_eq!(rounded(123_456.0), 123_460.0);
        let error = serde_json::from_str::<Spread>("[1, -1, 2]").unwrap_err().to_string();
        assert!(error.contains("not a positive number"), "{error}");
    }
}
