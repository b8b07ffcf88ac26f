//! How kernels get coordinates in single precision.

use crate::Result;

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
    /// The factor of all values: the largest one becomes about 2^30. Sums of the squares of a million such numbers
    /// are in range, and so are the squares of numbers 2^90 times smaller.
    pub scale: f64,
    /// The factor of computed distances, which takes them back to the unit of the input.
    pub unit: f32,
}

impl Frame {
    /// The frame of rows with this many columns, and of `lengths` in the same unit, such as radii. An error if distances are
    /// out of the range of single precision.
    pub fn of(values: &[f64], columns: usize, lengths: &[f64]) -> Result<Frame> {
        let mut largest = lengths.iter().copied().fold(0.0, f64::max);
        let mut origin = vec![0.0; columns];
        for (column, origin) in origin.iter_mut().enumerate() {
            let mut all: Vec<f64> = values.iter().skip(column).step_by(columns).copied().collect();
            let Some(middle) = all.len().checked_sub(1).map(|last| last / 2) else { continue };
            *origin = *all.select_nth_unstable_by(middle, f64::total_cmp).1;
            largest = all.iter().map(|value| (value - *origin).abs()).fold(largest, f64::max);
        }
        if largest != 0.0 && !(1e-28..1e30).contains(&largest) {
            let message = "single precision holds squares of 1e-28 to 1e30: give another unit";
            return Err(format!("values differ by {largest:e}: {message}").into());
        }
        let exponent = if largest == 0.0 { 0 } else { 30 - largest.log2().floor() as i32 };
        Ok(Frame { origin, scale: 2_f64.powi(exponent), unit: 2_f32.powi(-exponent) })
    }

    /// The coordinates of rows, as kernels get them.
    pub fn singles(&self, values: &[f64]) -> Vec<f32> {
        let pairs = values.iter().zip(self.origin.iter().cycle());
        pairs.map(|(value, origin)| ((value - origin) * self.scale) as f32).collect()
    }

    /// The same as points of `N` coordinates, filled up with zeros, which change no distance.
    pub fn points<const N: usize>(&self, values: &[f64]) -> Vec<[f32; N]> {
        let point = |row: &[f32]| std::array::from_fn(|at| row.get(at).copied().unwrap_or(0.0));
        self.singles(values).chunks(self.origin.len()).map(point).collect()
    }
}
