//! Rows of features as some metrics compare them.

use crate::memory::{collected, reserved};
use crate::{Result, Vectors};

/// All features as bits, of which the same number always has the same.
///
/// # Errors
///
/// There is not enough memory.
pub fn bits(rows: &Vectors) -> Result<Vec<u64>> {
    // There are two zeros; adding one makes both positive.
    collected(rows.values.len(), rows.values.iter().map(|value| (value + 0.0).to_bits()))
}

/// The rows as vectors of length 1 in double precision, each less its mean before where `centred` says so; zeros where a row
/// has no direction.
///
/// # Errors
///
/// There is not enough memory.
pub fn unit_rows(rows: &Vectors, centred: bool) -> Result<Vec<f64>> {
    let mut values = reserved(rows.values.len())?;
    for row in rows.values.chunks(rows.features) {
        let (first, mean) = if centred { middle(row) } else { (0.0, 0.0) };
        let parts = row.iter().map(|value| value - first - mean);
        let norm = parts.clone().map(|part| part * part).sum::<f64>().sqrt();
        values.extend(parts.map(|part| if norm == 0.0 { 0.0 } else { part / norm }));
    }
    Ok(values)
}

/// A row's first value, and the mean of what the values are more than that. Where all values are near each other, these are
/// small numbers, which a sum rounds little; where all are equal, they are zero, and so is what is left of the row.
fn middle(row: &[f64]) -> (f64, f64) {
    let first = row.first().copied().unwrap_or_default();
    let more: f64 = row.iter().map(|value| value - first).sum();
    (first, more / row.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units<const N: usize>(rows: &[[f64; N]], centred: bool) -> Vec<[f64; N]> {
        let (count, values) = (rows.len(), rows.concat());
        let origin = String::new();
        let rows = Vectors {
            values,
            count,
            features: N,
            labels: None,
            origin,
            left_out: Vec::new(),
            taken: None,
        };
        unit_rows(&rows, centred).unwrap().as_chunks().0.to_vec()
    }

    #[test]
    fn rows_have_length_one() {
        let found = units(&[[3.0, -4.0], [3e-40, 4e-40], [0.0, 0.0], [3e14, 4e14]], false);
        assert_eq!((found[0], found[2], found[3]), ([0.6, -0.8], [0.0, 0.0], [0.6, 0.8]));
        assert!((found[1][0] - 0.6).abs() < 1e-15 && (found[1][1] - 0.8).abs() < 1e-15);
    }

    #[test]
    fn equal_values_have_no_direction_and_nearly_equal_ones_have() {
        let close = 1.0 + f64::EPSILON;
        let found = units(&[[0.1; 3], [1.0, close, 1.0], [1e15, 1e15 + 1.0, 1e15]], true);
        assert_eq!(found[0], [0.0; 3]);
        for [a, b, c] in &found[1..] {
            assert_eq!(a, c);
            assert!((b / a + 2.0).abs() < 1e-3, "{a}, {b}");
        }
    }
}
