//! The elements of pairs.

use td_kernel::cudarc::driver::DeviceRepr;
use td_kernel::{Buffer, Device, DeviceType, Features};

/// A type that cudarc's memory and this crate's kernels support.
pub(crate) trait Value: DeviceType + DeviceRepr {}

impl<T: DeviceType + DeviceRepr> Value for T {}

/// A point of 1 to 4 features.
pub(crate) trait Point: Value {
    const FEATURES: u32;

    fn of(numbers: &mut impl Iterator<Item = f32>) -> Self;

    /// The square of the distance to another point, in double precision.
    fn square_to(&self, other: &Self) -> f64;
}

impl Point for f32 {
    const FEATURES: u32 = 1;

    fn of(numbers: &mut impl Iterator<Item = f32>) -> Self {
        numbers.next().unwrap_or_default()
    }

    fn square_to(&self, other: &Self) -> f64 {
        (f64::from(*self) - f64::from(*other)).powi(2)
    }
}

impl<const N: usize> Point for [f32; N]
where
    [f32; N]: Value,
{
    const FEATURES: u32 = N as u32;

    fn of(numbers: &mut impl Iterator<Item = f32>) -> Self {
        std::array::from_fn(|_| f32::of(numbers))
    }

    fn square_to(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| a.square_to(b)).sum()
    }
}

/// Points distributed uniformly in the unit cube, the same on every machine.
pub(crate) fn points<T: Point>(n: usize) -> Vec<T> {
    let mut numbers = unit_numbers();
    (0..n).map(|_| T::of(&mut numbers)).collect()
}

/// Rows of two sets: numbers in [0, 1), `features` for each row.
pub(crate) fn rows_of_two(rows: usize, columns: usize, features: usize) -> [Vec<f32>; 2] {
    let mut numbers = unit_numbers();
    [rows, columns].map(|count| numbers.by_ref().take(count * features).collect())
}

/// The square of the norm of each row.
pub(crate) fn square_norms(values: &[f32], features: usize) -> Vec<f32> {
    let square = |row: &[f32]| row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() as f32;
    values.chunks(features).map(square).collect()
}

/// Rows of features, and the square of each row's norm.
pub(crate) fn with_norms(
    device: &Device,
    values: &[f32],
    features: usize,
) -> td_kernel::Result<(Features<f32>, Buffer<f32>)> {
    let norms = device.upload(&square_norms(values, features))?;
    Ok((device.features(values, features)?, norms))
}

/// Two sets of points, the rows and the columns of a rectangle.
pub(crate) fn two_sets<T: Point>(rows: usize, columns: usize) -> [Vec<T>; 2] {
    let mut all = points(rows + columns);
    let of_columns = all.split_off(rows);
    [all, of_columns]
}

/// Bodies in the unit cube, the last number their mass: 0.5 to 1.5.
pub(crate) fn bodies(n: usize) -> Vec<[f32; 4]> {
    let points = points::<[f32; 4]>(n).into_iter();
    points.map(|[x, y, z, mass]| [x, y, z, 0.5 + mass]).collect()
}

/// Spheres in the unit cube. Of 30,720, a few hundred pairs touch.
pub(crate) fn spheres(n: usize) -> Vec<[f32; 4]> {
    let points = points::<[f32; 4]>(n).into_iter();
    points.map(|[x, y, z, radius]| [x, y, z, 0.003 + 0.001 * radius]).collect()
}

/// Segments on the unit line, as the middle and half the length. Of 30,720, about ten thousand pairs touch.
pub(crate) fn segments(n: usize) -> Vec<[f32; 2]> {
    let points = points::<[f32; 2]>(n).into_iter();
    points.map(|[x, radius]| [x, 1e-5 + 1e-5 * radius]).collect()
}

/// Numbers in [0, 1), by splitmix64.
fn unit_numbers() -> impl Iterator<Item = f32> {
    let mut state = 0_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The uppermost 24 bits, as many as the significand of an f32 has.
        ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1 << 24) as f32
    })
}
