//! The nearest element of one set for each element of another.

use std::cell::OnceCell;
use std::marker::PhantomData;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Minima, OrderedValue, Slice};

use super::Subject;
use crate::Failure;
use crate::measure::by_hand::Source;
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, two_sets};

/// The stored nearest element: its squared distance, and possibly its index.
pub(crate) trait Least: OrderedValue + 'static {
    /// The result of each row.
    fn found(minima: &Minima<Self>) -> td_kernel::Result<Vec<Option<Found>>>;
}

/// A squared distance, and the index of the column if it is known.
type Found = (f32, Option<u32>);

impl Least for f32 {
    fn found(minima: &Minima<f32>) -> td_kernel::Result<Vec<Option<Found>>> {
        Ok(minima.download()?.into_iter().map(|square| Some((square, None))).collect())
    }
}

impl Least for (f32, u32) {
    fn found(minima: &Minima<(f32, u32)>) -> td_kernel::Result<Vec<Option<Found>>> {
        let found = minima.download()?.into_iter();
        Ok(found.map(|found| found.map(|(square, column)| (square, Some(column)))).collect())
    }
}

/// Points of two sets, and for each of the first set the nearest of the second. The last columns repeat the first ones, so that
/// some distances are equal.
pub(crate) struct Nearest<T, L> {
    gpu: Gpu,
    rows: CudaSlice<T>,
    columns: CudaSlice<T>,
    points: [Vec<T>; 2],
    expected: OnceCell<Vec<f64>>,
    least: PhantomData<L>,
}

/// One of this many columns is repeated.
const COPIED: usize = 32;

/// The relative tolerance of a squared distance.
const ROUNDING: f64 = 1e-6;

impl<T: Point, L: Least> Nearest<T, L> {
    pub(crate) fn new(gpu: &Gpu, rows: usize, columns: usize) -> Result<Self, Failure> {
        let copies = columns / COPIED;
        let mut points = two_sets::<T>(rows, columns);
        points[1].copy_within(..copies, columns - copies);
        let [rows, columns] = [gpu.upload(&points[0])?, gpu.upload(&points[1])?];
        let (gpu, expected) = (gpu.clone(), OnceCell::new());
        Ok(Nearest { gpu, rows, columns, points, expected, least: PhantomData })
    }

    /// The reference of the squared distances, computed on first use.
    fn reference(&self) -> Result<&[f64], Failure> {
        if let Some(expected) = self.expected.get() {
            return Ok(expected);
        }
        let Nearest { gpu, rows, columns, .. } = self;
        let counts = [rows.len() as u32, columns.len() as u32];
        let source = Source::new("minima_reference", &[("FEATURES", T::FEATURES)]);
        let function = gpu.load(&source)?;
        let mut squares = gpu.poisoned(rows.len())?;
        // SAFETY: `minima_reference` takes the numbers of rows and columns, the points of both, and a double for each row.
        unsafe {
            gpu.launch(&function, [counts[0].div_ceil(128), 1], [128, 1], |launch| {
                launch.arg(&counts[0]).arg(&counts[1]).arg(rows).arg(columns).arg(&mut squares);
            })
        }?;
        let squares = gpu.stream.clone_dtoh(&squares)?;
        Ok(self.expected.get_or_init(|| squares))
    }
}

impl<T: Point, L: Least> Subject for Nearest<T, L> {
    type Output = Minima<L>;
    type Arguments<'a> = (&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<L>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, minima: &'a mut Minima<L>) -> Self::Arguments<'a> {
        (&self.rows, &self.columns, minima)
    }

    fn output(&self) -> Result<Minima<L>, Failure> {
        Ok(self.gpu.device.minima(self.rows.len())?)
    }

    fn clear(&self, minima: &mut Minima<L>) -> Result<(), Failure> {
        Ok(minima.clear()?)
    }

    fn verify(&self, name: &str, minima: &Minima<L>) -> Result<(), Failure> {
        judge(name, &self.points, &L::found(minima)?, self.reference()?)
    }
}

/// An error if a row's minimum differs from the reference, or if its partner is not at that distance or not the first one
/// there.
fn judge<T: Point>(
    name: &str,
    [rows, columns]: &[Vec<T>; 2],
    found: &[Option<Found>],
    expected: &[f64],
) -> Result<(), Failure> {
    if found.len() != rows.len() {
        return Err(format!("{name}: {} minima for {} rows", found.len(), rows.len()).into());
    }
    let firsts = columns.len() - columns.len() / COPIED;
    for (i, ((row, found), expected)) in rows.iter().zip(found).zip(expected).enumerate() {
        let most = expected * (1.0 + ROUNDING);
        let is_right = found.is_some_and(|(square, column)| {
            let off = (f64::from(square) - expected).abs();
            let is_first = column.is_none_or(|column| {
                let column = column as usize;
                column < firsts && row.square_to(&columns[column]) <= most
            });
            off <= most - expected && is_first
        });
        if !is_right {
            let text = format!("{name}: row {i} has {found:?}, but the minimum is {expected}");
            return Err(text.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_minima_are_rejected() {
        // One column of 32 is repeated: the last is the first.
        let columns = (0..32).map(|number| (number % 31) as f32).collect();
        let points = [vec![0.5_f32, 2.25], columns];
        let judge = |found: &[Option<Found>]| judge("name", &points, found, &[0.25, 0.0625]);
        let right = Some((0.25, Some(0)));
        judge(&[right, Some((0.0625, Some(2)))]).unwrap();
        judge(&[Some((0.25, None)), Some((0.0625, None))]).unwrap();
        for wrong in [None, Some((0.07, Some(2))), Some((0.07, None)), Some((0.0625, Some(3)))] {
            let error = judge(&[right, wrong]).unwrap_err().to_string();
            assert!(error.starts_with("name: row 1 has "), "{error}");
        }
        assert!(judge(&[Some((0.25, Some(31))), Some((0.0625, Some(2)))]).is_err());
        assert!(judge(&[right]).is_err());
    }
}
