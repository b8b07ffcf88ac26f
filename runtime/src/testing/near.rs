//! Compares a result with the expected one within a tolerance.

/// Values that can be compared within a tolerance: `f32`, `f64`, 16-bit floats, integers of at most 32 bits, arrays of these,
/// and the results of `Minima` and `Maxima` with an element's index, which must be equal.
///
///
/// ```
/// use td_kernel::testing::Near;
///
/// assert!([1.0_f32, 2.0].is_near(&[1.0, 2.000001], 1e-6));
/// assert!(!f64::NAN.is_near(&f64::NAN, 1e-6));
/// assert!(Some((0.5_f32, 7_u32)).is_near(&Some((0.50000001, 7)), 1e-6));
/// assert!(!Some((0.5_f32, 7_u32)).is_near(&Some((0.5, 8)), 1e-6));
/// ```
pub trait Near {
    /// Whether this differs from `expected` by at most `tolerance` times that, or by `tolerance` if that is less than 1.
    fn is_near(&self, expected: &Self, tolerance: f64) -> bool;
}

macro_rules! near {
    ($($number:ty),*) => {$(
        impl Near for $number {
            fn is_near(&self, expected: &Self, tolerance: f64) -> bool {
                is_near(f64::from(*self), f64::from(*expected), tolerance)
            }
        }
    )*};
}
near!(f32, f64, i8, u8, i16, u16, i32, u32);
#[cfg(feature = "half")]
near!(half::f16, half::bf16);

impl<T: Near, const LENGTH: usize> Near for [T; LENGTH] {
    fn is_near(&self, expected: &Self, tolerance: f64) -> bool {
        self.iter().zip(expected).all(|(found, expected)| found.is_near(expected, tolerance))
    }
}

impl<T: Near> Near for Option<(T, u32)> {
    fn is_near(&self, expected: &Self, tolerance: f64) -> bool {
        match (self, expected) {
            (Some((found, index)), Some((expected, other))) => {
                index == other && found.is_near(expected, tolerance)
            }
            (found, expected) => found.is_none() && expected.is_none(),
        }
    }
}

/// Only an infinity is near an infinity, and nothing is near a NaN.
pub(super) fn is_near(found: f64, expected: f64, tolerance: f64) -> bool {
    let is_near = || (found - expected).abs() <= tolerance * expected.abs().max(1.0);
    found == expected || (expected.is_finite() && is_near())
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn tolerance_handles_any_numbers() {
        let infinity = f64::INFINITY;
        for (found, expected) in [(1.0, 1.0), (1e6, 1e6 + 1.0), (1e-7, 0.0), (infinity, infinity)] {
            assert!(is_near(found, expected, 1e-6), "{found} {expected}");
        }
        for (found, expected) in [
            (1.0, 1.01),
            (1e6, 1e6 + 2.0),
            (1.0, infinity),
            (infinity, 1.0),
            (infinity, -infinity),
            (f64::NAN, f64::NAN),
            (f64::NAN, infinity),
            (0.0, f64::NAN),
        ] {
            assert!(!is_near(found, expected, 1e-6), "{found} {expected}");
        }
    }
}
