//! How two rows are compared.

use std::fmt;

use clap::ValueEnum;

/// The option `--metric`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    /// The root of the sum of squared differences
    #[default]
    Euclidean,
    /// The sum of squared differences
    Squared,
    /// The sum of absolute differences
    Manhattan,
    /// The cosine of the angle between two rows: 1 where they point the same way. A row of zeros has none. (SciPy's
    /// distance is 1 minus this)
    Cosine,
    /// Pearson's correlation: the cosine of two rows less their means. A row of equal values has none. (SciPy's distance is
    /// 1 minus this)
    #[value(alias = "pearson")]
    Correlation,
    /// The share of features that differ, from 0 to 1
    Hamming,
    /// The radial basis function, exp(-gamma x squared distance)
    Rbf,
}

impl Metric {
    /// Whether a larger value means that rows are more alike.
    pub(crate) fn is_similarity(self) -> bool {
        matches!(self, Metric::Cosine | Metric::Correlation | Metric::Rbf)
    }

    /// The value of a row with itself, where it has one.
    pub(crate) fn own(self) -> f32 {
        if self.is_similarity() { 1.0 } else { 0.0 }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Metric::Euclidean => "Euclidean distance",
            Metric::Squared => "squared Euclidean distance",
            Metric::Manhattan => "Manhattan distance",
            Metric::Cosine => "cosine similarity",
            Metric::Correlation => "correlation",
            Metric::Hamming => "share of features that differ",
            Metric::Rbf => "radial basis function",
        })
    }
}
