//! Values of pairs in double precision.

use ndarray::{Array1, Array2, ArrayView1};

/// All metrics, as the command line has them.
pub(super) const METRICS: [&str; 7] =
    ["euclidean", "squared", "manhattan", "cosine", "correlation", "hamming", "rbf"];

/// What rounding to single precision changes, relatively.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// The values of pairs of rows.
pub(super) struct Reference<'a> {
    metric: &'a str,
    /// The rows as the values of the metric follow from them.
    rows: Array2<f64>,
    /// How far rounding the features may take a distance: they are rounded after their column's median was subtracted, so that
    /// none is larger than the column's range. For angles, features are those of rows of length 1.
    input: f64,
}

impl<'a> Reference<'a> {
    pub(super) fn new(metric: &'a str, rows: &Array2<f64>) -> Reference<'a> {
        let mut rows = rows.clone();
        if metric == "correlation" {
            for mut row in rows.rows_mut() {
                // A second pass takes what the first has rounded.
                for _ in 0..2 {
                    let mean = row.mean().unwrap();
                    let is_constant = row.iter().all(|value| *value == row[0]);
                    row.mapv_inplace(|value| if is_constant { 0.0 } else { value - mean });
                }
            }
        }
        if matches!(metric, "cosine" | "correlation") {
            for mut row in rows.rows_mut() {
                let largest = row.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
                row.mapv_inplace(|part| part / largest);
                let norm = row.dot(&row).sqrt();
                row.mapv_inplace(|part| part / norm);
            }
        }
        let ranges = rows.columns().into_iter().map(|column| {
            let most = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            most - column.iter().copied().fold(f64::INFINITY, f64::min)
        });
        let errors = ranges.filter(|range| range.is_finite()).map(|range| 2.0 * ROUNDING * range);
        let input = match metric {
            "manhattan" => errors.sum(),
            _ => errors.fold(0.0, f64::hypot),
        };
        Reference { metric, rows, input }
    }

    /// Compares a value with that of the rows i and j.
    ///
    /// Each term of a sum is rounded once or twice, and each of so many additions rounds once.
    pub(super) fn check(&self, found: f32, i: usize, j: usize) {
        let (a, b) = (self.rows.row(i), self.rows.row(j));
        let (expected, bound) = self.value(a, b);
        let error = (f64::from(found) - expected).abs();
        let is_right = if expected.is_nan() { found.is_nan() } else { error <= bound };
        assert!(is_right, "{}, ({i}, {j}): {found} is not {expected} ± {bound}", self.metric);
        if i == j && !expected.is_nan() {
            let own =
                if matches!(self.metric, "cosine" | "correlation" | "rbf") { 1.0 } else { 0.0 };
            assert_eq!(found, own);
        }
    }

    /// The value, and how much the kernel's may differ.
    fn value(&self, a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> (f64, f64) {
        let difference: Array1<f64> = &a - &b;
        let features = a.len() as f64;
        let share = (features + 4.0) * ROUNDING;
        let squares = difference.dot(&difference);
        let of_squares = self.input * (2.0 * squares.sqrt() + self.input);
        match self.metric {
            "euclidean" => (squares.sqrt(), squares.sqrt() * share + self.input),
            "squared" => (squares, squares * share + of_squares),
            "manhattan" => {
                let sum: f64 = difference.iter().map(|part| part.abs()).sum();
                (sum, sum * share + self.input)
            }
            "hamming" => {
                let count = difference.iter().filter(|part| **part != 0.0).count();
                // Counts are exact, so that the quotient is rounded once.
                let value = f64::from(count as f32 / a.len() as f32);
                (value, 0.0)
            }
            "rbf" => {
                let gamma = f64::from(1.0 / a.len() as f32);
                let value = (-squares * gamma).exp();
                (value, value * (gamma * (squares * share + of_squares) + 4.0 * ROUNDING))
            }
            // Half the squared difference of rows of length 1 is what their cosine is below 1. The cosine is rounded too.
            _ => {
                let value = 1.0 - squares / 2.0;
                (value, (squares * share + of_squares) / 2.0 + ROUNDING)
            }
        }
    }
}
