//! The nearest of one set to each of another.

use std::cell::OnceCell;
use std::marker::PhantomData;

use td_kernel::cudarc::driver::{CudaSlice, PushKernelArg};
use td_kernel::{Comparand, Minima, Slice};

use super::{Launch, Subject};
use crate::Failure;
use crate::measure::by_hand::{SWEEPS, Source, Sweep};
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, two_sets};

/// What is kept of the nearest: the square of its distance, and perhaps its index.
pub(crate) trait Least: Comparand + 'static {
    /// Whether the index is kept.
    const PARTNER: bool;

    /// What a generated kernel has found for each row, nothing where there is nothing.
    fn found(minima: &Minima<Self>) -> td_kernel::Result<Vec<Option<Found>>>;
}

/// The square of a distance, and the index of the column where it is known.
type Found = (f32, Option<u32>);

impl Least for f32 {
    const PARTNER: bool = false;

    fn found(minima: &Minima<f32>) -> td_kernel::Result<Vec<Option<Found>>> {
        let squares = minima.download()?.into_iter();
        Ok(squares.map(|square| square.is_finite().then_some((square, None))).collect())
    }
}

impl Least for (f32, u32) {
    const PARTNER: bool = true;

    fn found(minima: &Minima<(f32, u32)>) -> td_kernel::Result<Vec<Option<Found>>> {
        let found = minima.download()?.into_iter();
        Ok(found.map(|found| found.map(|(square, column)| (square, Some(column)))).collect())
    }
}

/// Points of two sets, and for each of the first the nearest of the second. The last columns are the first ones again, so
/// that some distances are equal.
pub(crate) struct Nearest<T, L> {
    gpu: Gpu,
    rows: CudaSlice<T>,
    columns: CudaSlice<T>,
    points: [Vec<T>; 2],
    expected: OnceCell<Vec<f64>>,
    least: PhantomData<L>,
}

/// The minima of a generated kernel, and those of one written by hand: as bits, with the group of columns, and with the
/// column.
pub(crate) struct Offered<L: Least> {
    minima: Minima<L>,
    bits: CudaSlice<u32>,
    groups: CudaSlice<u64>,
    partners: CudaSlice<[u32; 2]>,
}

/// Of as many columns one is there again.
const COPIED: usize = 32;

/// How far off a square may be, as a share of it.
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

    fn counts(&self) -> [u32; 2] {
        [self.rows.len() as u32, self.columns.len() as u32]
    }

    /// In each of its sizes.
    pub(crate) fn all_by_hand(&self) -> Result<Vec<(String, Launch<Self>)>, Failure> {
        SWEEPS.iter().map(|sweep| self.by_hand(*sweep)).collect()
    }

    fn by_hand(&self, sweep: Sweep) -> Result<(String, Launch<Self>), Failure> {
        let features = T::FEATURES;
        let tile = self.gpu.load(&Source::minima(features, sweep, L::PARTNER))?;
        let partner = self.gpu.load(&Source::new("minima_partner", &[("FEATURES", features)]))?;
        let grid = sweep.grid(self.rows.len(), self.columns.len());
        // A warp has a row.
        let warps = [self.rows.len().div_ceil(8) as u32, 1];
        let launch: Launch<Self> = Box::new(move |subject, offered| {
            let (Nearest { gpu, rows, columns, .. }, counts) = (subject, subject.counts());
            let Offered { bits, groups, partners, .. } = offered;
            // SAFETY: `minima_tile` takes the numbers of rows and columns, the points of both, and for each row a number
            // of 32 bits, or of 64 where it is compiled for partners.
            unsafe {
                gpu.launch(&tile, grid, [sweep.threads, 1], |launch| {
                    launch.arg(&counts[0]).arg(&counts[1]).arg(rows).arg(columns);
                    if L::PARTNER {
                        launch.arg(&mut *groups)
                    } else {
                        launch.arg(bits)
                    };
                })
            }?;
            if !L::PARTNER {
                return Ok(());
            }
            // SAFETY: `minima_partner` takes the same, then what `minima_tile` has written, and a place for each row.
            unsafe {
                gpu.launch(&partner, warps, [256, 1], |launch| {
                    launch.arg(&counts[0]).arg(&counts[1]).arg(rows).arg(columns);
                    launch.arg(&*groups).arg(partners);
                })
            }
        });
        Ok((sweep.name(), launch))
    }

    /// What the squares are compared with. The first time, it is computed.
    fn reference(&self) -> Result<&[f64], Failure> {
        if let Some(expected) = self.expected.get() {
            return Ok(expected);
        }
        let (Nearest { gpu, rows, columns, .. }, counts) = (self, self.counts());
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

    /// What a kernel by hand has found.
    fn found(&self, offered: &Offered<L>) -> Result<Vec<Option<Found>>, Failure> {
        let found: Vec<Found> = if L::PARTNER {
            let partners = self.gpu.stream.clone_dtoh(&offered.partners)?.into_iter();
            partners.map(|[bits, column]| (f32::from_bits(bits), Some(column))).collect()
        } else {
            let bits = self.gpu.stream.clone_dtoh(&offered.bits)?.into_iter();
            bits.map(|bits| (f32::from_bits(bits), None)).collect()
        };
        Ok(found.into_iter().map(|found| found.0.is_finite().then_some(found)).collect())
    }
}

impl<T: Point, L: Least> Subject for Nearest<T, L> {
    type Output = Offered<L>;
    type Arguments<'a> = (&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<L>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, offered: &'a mut Offered<L>) -> Self::Arguments<'a> {
        (&self.rows, &self.columns, &mut offered.minima)
    }

    fn output(&self) -> Result<Offered<L>, Failure> {
        let (gpu, rows) = (&self.gpu, self.rows.len());
        Ok(Offered {
            minima: gpu.device.minima(rows)?,
            bits: gpu.poisoned(rows)?,
            groups: gpu.poisoned(rows)?,
            partners: gpu.poisoned(rows)?,
        })
    }

    fn clear(&self, offered: &mut Offered<L>) -> Result<(), Failure> {
        offered.minima.clear()?;
        self.gpu.poison(&mut offered.bits)?;
        self.gpu.poison(&mut offered.groups)?;
        self.gpu.poison(&mut offered.partners)
    }

    fn verify(&self, name: &str, offered: &Offered<L>) -> Result<(), Failure> {
        let by_hand = self.found(offered)?;
        // A kernel writes to one of them.
        let found = L::found(&offered.minima)?.into_iter().zip(by_hand);
        let found: Vec<_> = found.map(|(generated, by_hand)| generated.or(by_hand)).collect();
        judge(name, &self.points, &found, self.reference()?)
    }
}

/// An error where a row has another minimum than the reference, or a partner that is not at its distance or not the first
/// one that is.
fn judge<T: Point>(
    name: &str,
    [rows, columns]: &[Vec<T>; 2],
    found: &[Option<Found>],
    expected: &[f64],
) -> Result<(), Failure> {
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
            return Err(
                format!("{name}: row {i} has {found:?}, and the least is {expected}").into()
            );
        }
    }
    if found.len() != rows.len() {
        return Err(format!("{name}: {} minima for {} rows", found.len(), rows.len()).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_minima_and_later_partners_are_wrong() {
        // One column of 32 is there again: the last is the first.
        let columns = (0..32).map(|number| (number % 31) as f32).collect();
        let points = [vec![0.5_f32, 2.25], columns];
        let expected = [0.25, 0.0625];
        let judge = |found: &[Option<Found>]| judge("name", &points, found, &expected);
        let right = Some((0.25, Some(0)));
        judge(&[right, Some((0.0625, Some(2)))]).unwrap();
        judge(&[Some((0.25, None)), Some((0.0625, None))]).unwrap();
        for wrong in [
            None,
            Some((0.07, Some(2))),
            Some((0.07, None)),
            Some((0.0625, Some(3))),
            Some((0.0625, Some(32))),
        ] {
            let error = judge(&[right, wrong]).unwrap_err().to_string();
            assert!(error.starts_with("name: row 1 has "), "{error}");
        }
        let later = judge(&[Some((0.25, Some(31))), Some((0.0625, Some(2)))]).unwrap_err();
        assert!(later.to_string().starts_with("name: row 0 has Some((0.25, Some(31)))"), "{later}");
        assert_eq!(judge(&[right]).unwrap_err().to_string(), "name: 1 minima for 2 rows");
    }
}
