//! How kernels get coordinates in single precision.

use crate::Result;
use crate::memory::{collected, reserved};

/// The coordinates that kernels compute with in single precision.
///
/// Single precision cannot tell apart numbers that are far from zero and near each other, and squares of very small or large
/// numbers leave its range. So each column is counted from its median in double precision, and all columns are multiplied by
/// one power of two, before they are rounded. This changes no difference of two rows but for that factor.
///
/// The median is a value of the column. So it lies among most of the values even if a few are far away, and whole numbers
/// stay whole numbers, whose differences are exact.
#[derive(Clone, Debug)]
pub struct Frame {
    origin: Vec<f64>,
    /// The largest absolute value of any coordinate or length.
    largest: f64,
}

impl Frame {
    /// The frame of several sets of rows with so many columns.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn of(sets: &[&[f64]], columns: usize) -> Result<Frame> {
        let mut frame = Frame { origin: reserved(columns)?, largest: 0.0 };
        let rows = sets.iter().map(|set| set.len() / columns.max(1)).sum();
        let mut values = reserved(rows)?;
        for column in 0..columns {
            values.clear();
            values.extend(sets.iter().flat_map(|set| set.iter().skip(column).step_by(columns)));
            let Some(middle) = values.len().checked_sub(1).map(|last| last / 2) else {
                frame.origin.push(0.0);
                continue;
            };
            let (_, &mut median, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
            frame.origin.push(median);
            let far = values.iter().map(|value| (value - median).abs());
            frame.largest = far.fold(frame.largest, f64::max);
        }
        Ok(frame)
    }

    /// The same frame, in which these lengths also fit.
    #[must_use]
    pub fn with_lengths(mut self, lengths: impl IntoIterator<Item = f64>) -> Frame {
        self.largest = lengths.into_iter().fold(self.largest, f64::max);
        self
    }

    /// By what everything is multiplied: a power of two that takes the largest number to about 2^30. Sums of the squares of a
    /// million such numbers are in range, and so are the squares of numbers 2^90 times smaller.
    pub fn scale(&self) -> f64 {
        /// The exponent of the largest number.
        const EXPONENT: i32 = 30;

        if self.largest == 0.0 {
            return 1.0;
        }
        // The factor and its inverse are normal numbers in single precision.
        let [least, most] = [-126, 126].map(|exponent| 2_f64.powi(exponent));
        (2_f64.powi(EXPONENT) * power_of_two(self.largest)).clamp(least, most)
    }

    /// What each column is counted from.
    pub fn origin(&self) -> &[f64] {
        &self.origin
    }

    /// The largest absolute value of any coordinate, counted from the origin, or length.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// By what a distance that a kernel has computed is multiplied.
    pub fn unit(&self) -> f32 {
        self.scale().recip() as f32
    }

    /// The coordinates of rows, as the kernels get them.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn singles(&self, values: &[f64]) -> Result<Vec<f32>> {
        let scale = self.scale();
        let pairs = values.iter().zip(self.origin.iter().cycle());
        collected(values.len(), pairs.map(|(value, origin)| ((value - origin) * scale) as f32))
    }
}

/// A power of two that takes this number to between 1 and 2; 1 for zero.
pub fn power_of_two(largest: f64) -> f64 {
    match largest == 0.0 {
        true => 1.0,
        // Numbers that are read are above 1e-46 in size, and differences of two above 1e-61: the exponent is in range.
        false => 2_f64.powi(-(largest.log2().floor() as i32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_get_coordinates_near_zero() {
        // A row far from the others is no reason to lose what tells them apart.
        let times = [1_700_000_003.5, 3.0, 1_700_000_000.0, -4.0, 0.0, 1e9];
        let others = [1_700_000_060.0, 5.0];
        let frame = Frame::of(&[&times, &others], 2).unwrap();
        let unit = frame.unit();
        let of = |values: &[f64]| -> Vec<f32> {
            frame.singles(values).unwrap().iter().map(|value| unit * value).collect()
        };
        assert_eq!(of(&times)[..4], [3.5, 0.0, 0.0, -7.0]);
        assert_eq!(of(&others), [60.0, 2.0]);
        assert!(Frame::of(&[&[]], 3).unwrap().singles(&[]).unwrap().is_empty());
    }

    #[test]
    fn squares_of_coordinates_are_in_range() {
        for largest in [1e-45, 1.7e-27, 1.0, 3e7, 1e15] {
            let frame = Frame::of(&[&[0.0, largest]], 1).unwrap();
            let found = frame.singles(&[0.0, largest]).unwrap();
            let square = found[1] * found[1];
            assert!(square.is_normal() && square < 1e20, "{largest}: {found:?}");
            assert_eq!(found[1] * frame.unit(), largest as f32);
        }
        assert_eq!(Frame::of(&[&[7.0]], 1).unwrap().unit(), 1.0);
        // Radii count too.
        let spheres = Frame::of(&[&[7.0]], 1).unwrap().with_lengths([1e-25, 2e-25]);
        assert!((2e-25 * spheres.scale()).log2() > 29.0);
    }
}
