//! The times of one way to do some work.

/// The times of one way to do some work, in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Times {
    pub(crate) name: String,
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Times {
    /// Of at least one sample.
    pub(crate) fn of(name: impl Into<String>, mut samples: Vec<f64>) -> Option<Times> {
        samples.sort_unstable_by(f64::total_cmp);
        let (low, high) = (*samples.first()?, *samples.last()?);
        Some(Times { name: name.into(), median: samples[samples.len() / 2], low, high })
    }

    /// The one with the shortest median, and the others in their order.
    pub(crate) fn split_fastest(mut all: Vec<Times>) -> Option<(Times, Vec<Times>)> {
        let (place, _) =
            all.iter().enumerate().min_by(|(_, a), (_, b)| a.median.total_cmp(&b.median))?;
        let fastest = all.remove(place);
        Some((fastest, all))
    }
}
