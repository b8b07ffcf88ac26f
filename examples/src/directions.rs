//! Rows of features as kernels want them.

use crate::memory::{collected, reserved};
use crate::{Result, Vectors, power_of_two};

/// All features as bits, of which the same number always has the same.
///
/// # Errors
///
/// There is not enough memory.
pub fn bits(rows: &Vectors) -> Result<Vec<u64>> {
    // There are two zeros; adding one makes both positive.
    collected(rows.values.len(), rows.values.iter().map(|value| (value + 0.0).to_bits()))
}

/// Rows whose angles are those of the given ones, and their norms.
#[derive(Debug)]
pub struct Directions {
    /// The features, row by row.
    pub values: Vec<f32>,
    /// The norm of each row; zero where it has no direction.
    pub norms: Vec<f32>,
}

impl Directions {
    /// Of the rows, each less its mean where `centred` says so.
    ///
    /// The means and norms are computed in double precision, and only what is left is rounded: so a row's features may be
    /// far from zero and near each other. Each row is scaled by a power of two, which rounds nothing and changes no angle,
    /// so that squares neither vanish nor go past the end of single precision.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn new(rows: &Vectors, centred: bool) -> Result<Directions> {
        let mut values: Vec<f32> = reserved(rows.values.len())?;
        let mut norms = reserved(rows.count)?;
        for row in rows.values.chunks(rows.features) {
            let (first, mean) = if centred { middle(row) } else { (0.0, 0.0) };
            let parts = row.iter().map(|value| value - first - mean);
            let scale =
                power_of_two(parts.clone().fold(0.0, |most: f64, part| most.max(part.abs())));
            let start = values.len();
            values.extend(parts.map(|part| (part * scale) as f32));
            // Of the rounded values, so that the cosine of a row with itself is 1, but for what its own sum and quotient
            // round.
            let squares = values[start..].iter().map(|value| f64::from(*value).powi(2));
            norms.push(squares.sum::<f64>().sqrt() as f32);
        }
        Ok(Directions { values, norms })
    }
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

    fn vectors(rows: &[&[f64]]) -> Vectors {
        let features = rows[0].len();
        let (count, values) = (rows.len(), rows.concat());
        let origin = String::new();
        Vectors { values, count, features, labels: None, origin, left_out: Vec::new(), taken: None }
    }

    fn directions(rows: &[&[f64]], centred: bool) -> Directions {
        Directions::new(&vectors(rows), centred).unwrap()
    }

    #[test]
    fn rows_are_scaled_by_powers_of_two() {
        let found = directions(&[&[3.0, -4.0], &[3e-40, 4e-40], &[0.0, 0.0], &[3e14, 4e14]], false);
        assert_eq!(found.values[..2], [0.75, -1.0]);
        assert_eq!((found.norms[0], found.norms[2]), (1.25, 0.0));
        for row in [1, 3] {
            let (values, norm) = (&found.values[2 * row..][..2], found.norms[row]);
            assert!((values[0] / norm - 0.6).abs() < 1e-6 && (1.0..=3.0).contains(&norm));
            assert!((1.0..=2.0).contains(&values[1]), "{values:?}");
        }
    }

    #[test]
    fn equal_values_have_no_direction_and_nearly_equal_ones_have() {
        let close = 1.0 + f64::EPSILON;
        let found = directions(&[&[0.1; 3], &[1.0, close, 1.0], &[1e15, 1e15 + 1.0, 1e15]], true);
        assert_eq!(found.norms[0], 0.0);
        for row in [1, 2] {
            let [a, b, c] = found.values[3 * row..][..3] else { panic!() };
            assert_eq!(a, c);
            assert!((b / a + 2.0).abs() < 1e-3, "{a}, {b}");
        }
    }
}
