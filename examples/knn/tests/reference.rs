//! Values of pairs in double precision.

use ndarray::{Array2, ArrayView1};

/// All metrics, as the command line has them.
pub(super) const METRICS: [&str; 6] =
    ["euclidean", "squared", "manhattan", "cosine", "correlation", "hamming"];

/// What rounding to single precision changes, relatively.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// Whether larger values are nearer.
pub(super) fn is_similarity(metric: &str) -> bool {
    matches!(metric, "cosine" | "correlation")
}

/// The rows as the values of a metric follow from them.
pub(super) fn seen(metric: &str, rows: &Array2<f64>) -> Array2<f64> {
    let mut rows = rows.clone();
    if metric == "correlation" {
        for mut row in rows.rows_mut() {
            let mean = row.mean().unwrap();
            let is_constant = row.iter().all(|value| *value == row[0]);
            row.mapv_inplace(|value| if is_constant { 0.0 } else { value - mean });
        }
    }
    rows
}

/// How far rounding the features may take a distance: they are rounded after their column's median was subtracted, so that none
/// is larger than the column's range.
pub(super) fn input(metric: &str, [rows, queries]: [&Array2<f64>; 2]) -> f64 {
    let ranges = rows.columns().into_iter().zip(queries.columns()).map(|(one, other)| {
        let both = || one.iter().chain(other).copied();
        both().fold(f64::NEG_INFINITY, f64::max) - both().fold(f64::INFINITY, f64::min)
    });
    let errors = ranges.filter(|range| range.is_finite()).map(|range| 2.0 * ROUNDING * range);
    if metric == "manhattan" { errors.sum() } else { errors.fold(0.0, f64::hypot) }
}

/// The value of two rows, and how much the kernel's may differ; `None` where they have none.
pub(super) fn value(
    metric: &str,
    a: ArrayView1<'_, f64>,
    b: ArrayView1<'_, f64>,
    input: f64,
) -> Option<(f64, f64)> {
    let difference = &a - &b;
    // Each term of a sum is rounded once or twice, and each of so many additions rounds once.
    let share = (a.len() as f64 + 4.0) * ROUNDING;
    match metric {
        "hamming" => {
            let count = difference.iter().filter(|part| **part != 0.0).count();
            // Counts are exact, so that the quotient is rounded once.
            Some((f64::from(count as f32 / a.len() as f32), 0.0))
        }
        "cosine" | "correlation" => {
            let norms = a.dot(&a).sqrt() * b.dot(&b).sqrt();
            // Values are rounded too, and a sum may have terms of both signs.
            (norms > 0.0).then(|| (a.dot(&b) / norms, share + 4.0 * ROUNDING))
        }
        _ => {
            let value = match metric {
                "manhattan" => difference.iter().map(|part| part.abs()).sum(),
                "squared" => difference.dot(&difference),
                _ => difference.dot(&difference).sqrt(),
            };
            let input = match metric {
                "squared" => input * (2.0 * value.sqrt() + input),
                _ => input,
            };
            Some((value, value * share + input))
        }
    }
}
