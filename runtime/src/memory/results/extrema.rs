//! The minimum or maximum for each element.

pub(super) mod private;

use super::{Cells, Results};
use crate::host::methods::{clear, debug, length};
use crate::memory::partial_result::{Parted, PartialResult, sealed};
use crate::{DeviceType, Result, Target};

/// The minimum for each element, on a device, from [`Target::minima`](crate::Target::minima): the argument for
/// `#[each] x: &mut Minima<T>`, for `#[row]` or `#[column]` with two sets, and for `#[set]` with many. It accumulates over launches.
///
/// With a pair of types, as in `Minima<(f32, u32)>`, the index of the other element is stored with the value, so `offer` alone
/// finds the nearest neighbour. Of equal values the one with the smaller index wins, in any order of pairs, so results are the
/// same in every run. NaN is ignored, and -0 counts as 0.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// For each query, the nearest data point.
/// #[td_kernel]
/// unsafe fn nearest(#[row] query: &[f32], #[column] data: &[f32], #[row] near: &mut Minima<(f32, u32)>) {
///     r#" near.offer(fabsf(query - data)); "#
/// }
///
/// let device = Device::cpu()?;
/// let kernel = nearest::load(&device)?;
/// let (query, data) = (device.upload(&[1.0, 5.0])?, device.upload(&[7.0, 2.5, 4.5])?);
/// let mut near = device.minima(2)?;
/// kernel.launch(&query, &data, &mut near)?;
/// assert_eq!(near.download()?, [Some((1.5, 1)), Some((0.5, 2))]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// Without an index, an element to which nothing was offered has the largest value of its type: infinity for floats, `MAX` for
/// integers.
pub struct Minima<T: OrderedValue> {
    pub(crate) cells: Cells<T::Cell>,
}

/// The maximum for each element, on a device, from [`Target::maxima`](crate::Target::maxima): the argument for
/// `#[each] x: &mut Maxima<T>`, for `#[row]` or `#[column]` with two sets, and for `#[set]` with many. It is the counterpart of
/// [`Minima`]; of equal values, too, the one with the smaller index wins.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The distance from each point to the farthest other point.
/// #[td_kernel]
/// unsafe fn eccentricity(#[each] x: &[f32], #[each] far: &mut Maxima<f32>) {
///     r#" far.offer(fabsf(x.i - x.j)); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[1.0, 2.0, 4.0])?;
/// let mut far = device.maxima(3)?;
/// eccentricity::load(&device)?.launch(&x, &mut far)?;
/// assert_eq!(far.download()?, [3.0, 2.0, 3.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// With `#[set]`, in a kernel over [`Sets`](crate::Sets), it is the maximum of each set. An index is then that of the pair in its set:
/// i (i - 1) / 2 + j, or i times the number of columns plus j, as in [`PackedSets`](crate::PackedSets) and
/// [`MatrixSets`](crate::MatrixSets).
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The largest distance within each set, and its pair.
/// #[td_kernel]
/// unsafe fn diameters(#[each] x: &Sets<f32>, #[set] far: &mut Maxima<(f32, u32)>) {
///     r#" far.offer(fabsf(x.i - x.j)); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload_sets([vec![1.0, 2.0, 4.0], vec![7.0]])?;
/// let mut far = device.maxima(x.len())?;
/// diameters::load(&device)?.launch(&x, &mut far)?;
/// // The pairs (1, 0), (2, 0) and (2, 1) have the indices 0, 1 and 2.
/// assert_eq!(far.download()?, [Some((3.0, 1)), None]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Maxima<T: OrderedValue> {
    pub(crate) cells: Cells<T::Cell>,
}

/// The values of [`Minima`] and [`Maxima`]: a number; an array of 2, 3 or 4 numbers, each compared separately; or a number of
/// at most 32 bits with the index of the other element, as in `(f32, u32)`. `Found` is the result for an element: the value
/// itself, or with an index an `Option<(T, u32)>`, which is `None` if nothing was offered.
///
/// ```
/// use td_kernel::{Minima, OrderedValue, Result};
///
/// fn least<T: OrderedValue>(parts: &[Minima<T>]) -> Result<Vec<Vec<T::Found>>> {
///     parts.iter().map(Minima::download).collect()
/// }
/// # let minima = td_kernel::Device::cpu()?.minima::<(f32, u32)>(1)?;
/// # assert_eq!(least(&[minima])?, [[None]]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`Minima` and `Maxima` cannot hold `{Self}`",
    label = "not numbers that can be compared",
    note = "write a number, an array of 2, 3 or 4 of them, or a number of at most 32 bits with an index: `(f32, u32)`"
)]
pub trait OrderedValue: private::Celled<Cell: DeviceType> {}

impl<T: private::Celled<Cell: DeviceType>> OrderedValue for T {}

impl Target {
    /// A minimum for each of `n` elements, initially empty.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn minima<T: OrderedValue>(&self, n: usize) -> Result<Minima<T>> {
        Ok(Minima { cells: Cells::new(self.backend(), n, T::COMPONENTS)? })
    }

    /// A maximum for each of `n` elements, initially empty.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn maxima<T: OrderedValue>(&self, n: usize) -> Result<Maxima<T>> {
        Ok(Maxima { cells: Cells::new(self.backend(), n, T::COMPONENTS)? })
    }
}

macro_rules! extrema {
    ($($name:ident, $which:literal, $made_by:literal, $is_least:literal;)*) => {$(
        impl<T: OrderedValue> $name<T> {
            length!(self, "elements", self.cells.elements);

            #[doc = concat!("The ", $which, " value of each element, once the kernels launched so far have ended.")]
            ///
            /// # Errors
            ///
            /// The device failed, perhaps in a kernel launched before.
            pub fn download(&self) -> Result<Vec<T::Found>> {
                // The larger cell wins, for minima too; also across devices.
                let cells = self.cells.memory.download_joined(Ord::max)?;
                self.cells.made_of(&cells, |cells| Ok(T::of(cells, $is_least)))
            }

            clear!(self, "Resets all values.", self.cells.memory.clear());

            /// The layout of its words.
            fn parts(&self) -> Parted {
                Parted::with_cells(self.len().saturating_mul(T::COMPONENTS))
            }
        }

        impl<T: OrderedValue> sealed::Output for $name<T> {}

        impl<T: OrderedValue> PartialResult for $name<T> {
            type Output = Vec<T::Found>;

            fn to_bits(&self) -> Result<Vec<u64>> {
                self.parts().words(self.cells.memory.download_joined(Ord::max)?, None)
            }

            fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
                self.parts().join::<T::Cell>(words, others, Ord::max)
            }

            fn finish(&self, words: &[u64]) -> Result<Vec<T::Found>> {
                let (cells, _) = self.parts().cells::<T::Cell>(words)?;
                self.cells.made_of(&cells, |cells| Ok(T::of(cells, $is_least)))
            }
        }

        impl<T: OrderedValue> Results for $name<T> {
            type Cell = T::Cell;

            const MADE_BY: &'static str = $made_by;

            fn cells(&mut self) -> &mut Cells<T::Cell> {
                &mut self.cells
            }
        }

        debug!([T: OrderedValue] $name<T>: len);
    )*};
}

extrema! {
    Minima, "least", "minima(n)", true;
    Maxima, "greatest", "maxima(n)", false;
}
