//! Converts coordinates to single precision for kernels.

use std::array;

use crate::Result;

/// The single-precision coordinates of kernels.
///
/// In double precision, each column's median is subtracted and all columns are multiplied by one power of two. Then they are
/// rounded. Except for that factor, the differences between rows stay the same: the median is exact, and squares stay in range.
#[derive(Clone, Debug)]
pub struct Frame {
    origin: Vec<f64>,
    /// The factor of all coordinates: the largest number becomes about 2^30. Sums of a million of such squares are in range,
    /// and so are the squares of numbers 2^90 times smaller.
    pub scale: f64,
    /// The factor that converts distances back to the unit of the rows.
    pub unit: f32,
    /// The number of values that rounding makes equal to another value of their column.
    pub merged: usize,
}

impl Frame {
    /// The frame of rows with `columns` columns, and of `lengths` in the same unit, such as radii. NaN is ignored. An error if
    /// single precision cannot hold distances of this size.
    pub fn of(values: &[f64], columns: usize, lengths: &[f64]) -> Result<Frame> {
        let mut largest = lengths.iter().copied().fold(0.0, f64::max);
        let (mut origin, mut merged) = (Vec::new(), 0);
        for column in 0..columns {
            let mut all: Vec<f64> = values.iter().skip(column).step_by(columns).copied().collect();
            all.retain(|value| !value.is_nan());
            all.sort_unstable_by(f64::total_cmp);
            let median = all.get(all.len() / 2).copied().unwrap_or_default();
            origin.push(median);
            for end in [all.first(), all.last()].into_iter().flatten() {
                largest = largest.max((end - median).abs());
            }
            all.dedup();
            let distinct = all.len();
            all.dedup_by_key(|value| (*value - median) as f32);
            merged += distinct - all.len();
        }
        if largest != 0.0 && !(1e-28..1e30).contains(&largest) {
            let limits = "single precision can only square differences of 1e-28 to 1e30";
            let problem = format!("values differ by up to {largest:e}, but {limits}");
            return Err((problem + ": use another unit").into());
        }
        let exponent = if largest == 0.0 { 0 } else { 30 - largest.log2().floor() as i32 };
        Ok(Frame { origin, scale: 2_f64.powi(exponent), unit: 2_f32.powi(-exponent), merged })
    }

    /// The coordinates of rows, rounded.
    pub fn singles(&self, values: &[f64]) -> Vec<f32> {
        self.scaled(values).map(|value| value as f32).collect()
    }

    /// The rows as points of `N` coordinates, in two parts. Missing coordinates are zero, which changes no distance.
    pub fn points<const N: usize>(&self, values: &[f64]) -> [Vec<[f32; N]>; 2] {
        let scaled: Vec<f64> = self.scaled(values).collect();
        let rows = scaled.chunks(self.origin.len());
        split(rows.map(|row| array::from_fn(|at| row.get(at).copied().unwrap_or(0.0))))
    }

    fn scaled(&self, values: &[f64]) -> impl Iterator<Item = f64> {
        let pairs = values.iter().zip(self.origin.iter().cycle());
        pairs.map(|(value, origin)| (value - origin) * self.scale)
    }
}

/// Points in two parts: the rounded values and the rounding errors. Their sum has twice the digits of single precision.
pub fn split<const N: usize>(points: impl Iterator<Item = [f64; N]>) -> [Vec<[f32; N]>; 2] {
    let low = |value: f64| (value - f64::from(value as f32)) as f32;
    let (rounded, errors) = points.map(|it| (it.map(|value| value as f32), it.map(low))).unzip();
    [rounded, errors]
}
