//! One value over all pairs, with its pair.

use std::marker::PhantomData;

use td_kernel_geometry::SLOTS;

use super::extrema::private::Ranked;
use crate::host::methods::{clear, debug};
use crate::host::word::Word;
use crate::memory::Memory;
use crate::memory::partial_result::{Parted, PartialResult, sealed};
use crate::{DeviceType, Result, Target};

/// The words of a cell: its keys and a lock. The keys are the rank of a value, within many sets the complement of its set, and the
/// complement of its pair. The greatest keys win, compared in this order.
const fn words<T: ExtremeValue>() -> usize {
    T::KEYS + 1
}

/// The greatest value over all pairs, with its pair, on a device, from [`Target::max`](crate::Target::max): the argument for
/// `far: &mut Max<T>`. It accumulates over launches.
///
/// A body offers values with `far.offer(value)`. Of equal values the smallest pair (i, j) wins, so the result is the same in
/// every run and on any number of devices. NaN is ignored, and -0 counts as 0.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The two points that are farthest apart.
/// #[td_kernel]
/// unsafe fn diameter(#[each] x: &[f32], far: &mut Max<f32>) {
///     r#" far.offer(fabsf(x.i - x.j)); "#
/// }
///
/// let device = Device::cpu()?;
/// let mut far = device.max()?;
/// assert_eq!(far.download()?, None);
/// diameter::load(&device)?.launch(&device.upload(&[3.0, -1.0, 4.0, 0.5])?, &mut far)?;
/// assert_eq!(far.download()?, Some((5.0, 2, 1)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// With two sets, i is the row and j the column.
///
/// # For many sets
///
/// Beside [`Sets`](crate::Sets), i and j count within a set, so a launch takes a `Max<(T, u32)>` for `far: &mut Max<T>`: the value has
/// the index of its set.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn diameter(#[each] x: &Sets<f32>, far: &mut Max<f32>) {
///     r#" far.offer(fabsf(x.i - x.j)); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload_sets([&[3.0, 1.0][..], &[4.0], &[2.0, 1.0, 7.0]])?;
/// let mut far = device.max()?; // a `Max<(f32, u32)>`, inferred from the launch
/// diameter::load(&device)?.launch(&x, &mut far)?;
/// assert_eq!(far.download()?, Some(((6.0, 2), 2, 1)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Max<T: ExtremeValue> {
    pub(crate) cells: Memory<u64>,
    value: PhantomData<T>,
}

/// The least value over all pairs, with its pair, on a device, from [`Target::min`](crate::Target::min): the argument for
/// `near: &mut Min<T>`. It is the counterpart of [`Max`]; of equal values, too, the smallest pair wins.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The nearest query and data point.
/// #[td_kernel]
/// unsafe fn nearest(#[row] query: &[f32], #[column] data: &[f32], near: &mut Min<f32>) {
///     r#" near.offer(fabsf(query - data)); "#
/// }
///
/// let device = Device::cpu()?;
/// let (query, data) = (device.upload(&[1.0, 5.0])?, device.upload(&[7.0, 2.5, 4.5])?);
/// let mut near = device.min()?;
/// nearest::load(&device)?.launch(&query, &data, &mut near)?;
/// assert_eq!(near.download()?, Some((0.5, 1, 2)));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Min<T: ExtremeValue> {
    pub(crate) cells: Memory<u64>,
    value: PhantomData<T>,
}

/// A value of [`Max`] and [`Min`]: `f32`, `f64`, or an integer of 8 to 64 bits; beside [`Sets`](crate::Sets) one of these with the
/// index of its set, such as `(f32, u32)`.
///
/// ```
/// use td_kernel::{ExtremeValue, Max, Result};
///
/// fn are_empty<T: ExtremeValue>(parts: &[Max<T>]) -> Result<Vec<bool>> {
///     parts.iter().map(|part| Ok(part.download()?.is_none())).collect()
/// }
/// # let far = td_kernel::Device::cpu()?.max::<i64>()?;
/// # assert_eq!(are_empty(&[far])?, [true]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`Max` and `Min` cannot hold `{Self}`",
    label = "not a number that can be compared",
    note = "write `f32`, `f64`, or an integer of 8 to 64 bits; for a kernel over `Sets`, `(f32, u32)`"
)]
pub trait ExtremeValue: private::OfCell {}

impl<T: private::OfCell> ExtremeValue for T {}

mod private {
    /// A value, from the keys of a cell. It is private, since the kernels are generated for these types.
    pub trait OfCell: Sized {
        /// The number of keys.
        const KEYS: usize;

        fn from_keys(keys: &[u64], is_least: bool) -> Self;
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl private::OfCell for $number {
            const KEYS: usize = 2;

            fn from_keys(keys: &[u64], is_least: bool) -> $number {
                let rank = <$number as Ranked>::Rank::from_word(keys[0]);
                <$number>::from_rank(if is_least { !rank } else { rank })
            }
        }
    )*};
}
numbers!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64);

/// A number with the index of its set.
impl<T: DeviceType + private::OfCell> private::OfCell for (T, u32) {
    const KEYS: usize = 3;

    fn from_keys(keys: &[u64], is_least: bool) -> (T, u32) {
        (T::from_keys(keys, is_least), !keys[1] as u32)
    }
}

/// The best keys of cells, which have these many words each, after others; zeros without a pair.
fn best<T: ExtremeValue>(words: &[u64], each: usize) -> Vec<u64> {
    let cells = words.chunks_exact(each).map(|cell| &cell[..T::KEYS]);
    // Cells without a pair have no value, whatever their rank.
    let best = cells.filter(|keys| keys.last() != Some(&0)).max();
    best.map_or_else(|| vec![0; T::KEYS], <[u64]>::to_vec)
}

/// A value with its pair.
fn found<T: ExtremeValue>(keys: &[u64], is_least: bool) -> Option<(T, u32, u32)> {
    let pair = keys.last().filter(|pair| **pair != 0).map(|pair| !pair)?;
    Some((T::from_keys(keys, is_least), (pair >> 32) as u32, pair as u32))
}

macro_rules! extremes {
    ($($name:ident, $make:ident, $which:literal, $is_least:literal;)*) => {$(
        impl Target {
            #[doc = concat!("The ", $which, " value over all pairs, initially none.")]
            ///
            /// # Errors
            ///
            /// Not enough memory, or the device fails.
            pub fn $make<T: ExtremeValue>(&self) -> Result<$name<T>> {
                let cells = Memory::zeroed(self.backend(), SLOTS as usize * words::<T>())?;
                Ok($name { cells, value: PhantomData })
            }
        }

        impl<T: ExtremeValue> $name<T> {
            #[doc = concat!("Downloads the ", $which, " value with its pair (i, j), after the kernels launched so far; `None` if no value was offered.")]
            ///
            /// # Errors
            ///
            /// The device failed, perhaps in a kernel launched before.
            pub fn download(&self) -> Result<Option<(T, u32, u32)>> {
                Ok(found(&best::<T>(&self.cells.download_all()?, words::<T>()), $is_least))
            }

            clear!(self, "Forgets all values.", self.cells.clear());
        }

        impl<T: ExtremeValue> sealed::Output for $name<T> {}

        impl<T: ExtremeValue> PartialResult for $name<T> {
            type Output = Option<(T, u32, u32)>;

            fn to_bits(&self) -> Result<Vec<u64>> {
                Ok(best::<T>(&self.cells.download_all()?, words::<T>()))
            }

            fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
                Parted::with_cells(T::KEYS).expect(words)?;
                Parted::with_cells(T::KEYS).expect(others)?;
                words.extend(others);
                *words = best::<T>(words, T::KEYS);
                Ok(())
            }

            fn finish(&self, words: &[u64]) -> Result<Option<(T, u32, u32)>> {
                Parted::with_cells(T::KEYS).expect(words)?;
                Ok(found(words, $is_least))
            }
        }

        debug!([T: ExtremeValue] $name<T>:);
    )*};
}

extremes! {
    Max, max, "greatest", false;
    Min, min, "least", true;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_cell_has_the_smallest_pair() {
        assert_eq!(best::<u8>(&[7, 0, 1, 3, 9, 0, 3, 8, 0], 3), [3, 9]);
        assert_eq!(found::<u8>(&best::<u8>(&[0, 0, 1, 0, 0, 1], 3), false), None);
        let pair = !(5_u64 << 32 | 2);
        assert_eq!(found::<i64>(&[0, pair], false), Some((i64::MIN, 5, 2)));
        assert_eq!(found::<u16>(&[u64::from(!7_u32), pair], true), Some((7, 5, 2)));
        assert_eq!(found::<f32>(&[u64::from(!0x7f_ff_ff_ff_u32), pair], true), Some((0.0, 5, 2)));
        let in_sets = [3, !7, 9, 1, 3, !6, 8, 1, 4, 0, 0, 1];
        assert_eq!(best::<(u8, u32)>(&in_sets, 4), [3, !6, 8]);
        assert_eq!(found::<(u8, u32)>(&[3, !6, pair], false), Some(((3, 6), 5, 2)));
    }
}
