//! What is near.

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
    /// The cosine of the angle between two rows, of which the largest are nearest. A row of zeros has none, and no
    /// neighbours. (SciPy's distance is 1 minus this)
    Cosine,
    /// Pearson's correlation: the cosine of two rows less their means. A row of equal values has none, and no neighbours.
    /// (SciPy's distance is 1 minus this)
    #[value(alias = "pearson")]
    Correlation,
    /// The share of features that differ, from 0 to 1
    Hamming,
}

impl Metric {
    /// The metric's value where a kernel found this one, among rows of which distances are multiplied by `unit`.
    pub(crate) fn value(self, found: f32, unit: f32) -> f32 {
        let (found, unit) = (f64::from(found), f64::from(unit));
        let value = match self {
            Metric::Euclidean | Metric::Manhattan => found * unit,
            Metric::Squared => found * unit * unit,
            // Rounding may take it a little past the end.
            Metric::Cosine | Metric::Correlation => (1.0 - 0.5 * found * unit * unit).max(-1.0),
            Metric::Hamming => found,
        };
        value as f32
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
        })
    }
}
