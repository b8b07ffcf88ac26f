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

/// The rows as the kernel sees them, where rounding its input is no part of what is checked.
pub(super) fn seen(metric: &str, rows: &Array2<f64>) -> Array2<f64> {
    match metric {
        "cosine" | "hamming" => rows.clone(),
        "correlation" => {
            let mut rows = rows.clone();
            for mut row in rows.rows_mut() {
                let mean = row.mean().unwrap();
                let is_constant = row.iter().all(|value| *value == row[0]);
                row.mapv_inplace(|value| if is_constant { 0.0 } else { value - mean });
            }
            rows
        }
        // Far from zero, differences are rounded and not the numbers: those of the tests have short ones.
        _ if rows.iter().all(|value| value.abs() > 1e9) => rows.clone(),
        _ => rows.mapv(|value| f64::from(value as f32)),
    }
}

/// The value of two rows, and how much the kernel's may differ; `None` where they have none.
pub(super) fn value(
    metric: &str,
    a: ArrayView1<'_, f64>,
    b: ArrayView1<'_, f64>,
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
            Some((value, value * share))
        }
    }
}
