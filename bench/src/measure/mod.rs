//! Shared code of measurements on a GPU: the GPU and its clock, handwritten kernels, and elements.

pub(crate) mod by_hand;
pub(crate) mod gpu;
pub(crate) mod points;
pub(crate) mod times;

use anyhow::{Result, ensure};

/// An error if a number is farther than `most` from the expected one, or NaN.
pub(crate) fn expect(
    what: impl std::fmt::Display,
    found: f64,
    expected: f64,
    most: f64,
) -> Result<()> {
    // False for a NaN.
    let is_near = (found - expected).abs() <= most;
    ensure!(is_near, "{what}: {found} instead of {expected}");
    Ok(())
}

/// At most 64 of n elements, whose results are compared with sums in double precision.
pub(crate) fn some(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by(n.div_ceil(64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_numbers_are_rejected() {
        expect("row 1", 1.5, 1.0, 0.5).unwrap();
        let error = expect("row 1", 2.0, 1.0, 0.5).unwrap_err().to_string();
        assert_eq!(error, "row 1: 2 instead of 1");
        assert!(expect("row 1", f64::NAN, 1.0, 0.5).is_err());
        assert_eq!((some(30).count(), some(30_720).count()), (30, 64));
    }
}
