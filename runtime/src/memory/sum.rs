//! A total over all pairs.

use std::fmt;

use td_kernel_maps::SLOTS;

use crate::memory::Memory;
use crate::memory::exact::{Digits, Exact};
use crate::memory::gathered::{Gathered, Parted, sealed};
use crate::{DeviceType, Result, Target};

/// A total on a device, from [`Target::sum`](crate::Target::sum). It starts at zero, and each
/// launch adds to it: a body with `+=`, and with `-=` what it takes off.
///
/// Integers of 32 bits are added up in 64, and a total that does not fit 32 is an error when it is
/// downloaded. Totals of 64-bit integers wrap around, so a `u64` off which more is taken than was added is wrong: an
/// `i64` is right.
///
/// # How exact a sum of floats is
///
/// However many terms there are, the total of an `f32` is off by at most 10⁻⁶ times the sum of the terms without their
/// signs: a thread adds up at most eight terms as floats, these go into a compensated sum, and the sums of threads and
/// blocks are added up as doubles. Where all terms have one sign, six digits of the total are right.
///
/// An `f64` is added up as it is: its total is off by at most (p + b / 32 + 100) × 2⁻⁵³ times the sum of the terms without
/// their signs, where p is the number of terms of the thread that has most, and b that of blocks.
///
/// A total is right while the sum of the terms without their signs is in the range of their type: at most `f32::MAX`, about
/// 3.4 × 10³⁸, or `f64::MAX`, about 1.8 × 10³⁰⁸. Threads have partial sums of that type. Beyond the bound, a partial sum can be
/// infinite although the total is not, and two of opposite signs make the total NaN. Devices differ in that: for the same terms,
/// the CPU may give infinity and the emulator NaN. For larger terms of an `f32` write a `Sum<f64>` and add `(double)term`.
/// Subnormal terms are added like others. An infinite term makes the total infinite; infinities of both signs, and a term that is
/// NaN, make it NaN.
///
/// Sums of floats are added up in an order that changes from launch to launch, and so may their last digits;
/// those of integers are the same each time. With `#[td_kernel(deterministic = true)]`, what warps have is added up
/// exactly, and a total of floats has the same bits in every run, as [`Sums`](crate::Sums) have.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], limit: f32, count: &mut Sum<u64>) {
///     r#" if (fabsf(x.i - x.j) < limit) count += 1; "#
/// }
///
/// let device = Device::cpu()?;
/// let kernel = close::load(&device)?;
/// let x = device.upload(&[1.0, 2.0, 4.0])?;
/// let mut count = device.sum()?;
/// kernel.launch(&x, 1.5, &mut count)?;
/// assert_eq!(count.download()?, 1);
/// kernel.launch(&x, 2.5, &mut count)?; // adds the two pairs that are so close
/// assert_eq!(count.download()?, 3);
/// count.clear()?;
/// # assert_eq!(count.download()?, 0);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Sum<T: Summand> {
    /// The slots that blocks add to, whose sum the total is.
    pub(crate) memory: Memory<T::Total>,
    /// What kernels with `deterministic = true` add to, once there was one.
    pub(crate) exact: Option<Exact>,
}

/// A number that a [`Sum`] adds up: `f32`, `f64`, `i32`, `u32`, `i64` or `u64`.
///
/// ```
/// use td_kernel::{Result, Sum, Summand};
///
/// fn total<T: Summand>(parts: &[Sum<T>]) -> Result<Vec<T>> {
///     parts.iter().map(Sum::download).collect()
/// }
/// # let sum = td_kernel::Device::cpu()?.sum::<u32>()?;
/// # assert_eq!(total(&[sum])?, [0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a `Sum` cannot hold `{Self}`",
    label = "not a number that CUDA adds atomically",
    note = "write `f32`, `f64`, `i32`, `u32`, `i64` or `u64`"
)]
pub trait Summand: DeviceType + private::Total<Total: DeviceType> {}

/// What a sum of `T` is added up in.
pub type Total<T> = <T as private::Total>::Total;

/// A slot of a total, or an element's cell, and an exact sum.
pub(crate) fn plus<T: Summand>(slot: Total<T>, exact: f64) -> Total<T> {
    T::plus(slot, exact)
}

/// The total of slots, or of an element's cells.
pub(crate) fn from_slots<T: Summand>(slots: &[Total<T>]) -> Result<T> {
    T::from_slots(slots)
}

/// The cells of an element on two devices, added up.
pub(crate) fn joined<T: Summand>(one: Total<T>, other: Total<T>) -> Total<T> {
    T::joined(one, other)
}

mod private {
    use crate::error::Detail;
    use crate::host::word::Word;
    use crate::{Error, ErrorKind, Result};

    /// What a sum is added up in, on the device; out of reach, since the kernels are generated for these.
    pub trait Total: Sized {
        type Total: Copy + Word;
        fn from_slots(slots: &[Self::Total]) -> Result<Self>;
        /// A slot, and an exact sum, which only floats have.
        fn plus(slot: Self::Total, _exact: f64) -> Self::Total {
            slot
        }
        /// What two devices have added up.
        fn joined(one: Self::Total, other: Self::Total) -> Self::Total;
    }

    impl Total for f32 {
        type Total = f64;
        fn from_slots(slots: &[f64]) -> Result<f32> {
            Ok(slots.iter().sum::<f64>() as f32)
        }
        fn plus(slot: f64, exact: f64) -> f64 {
            slot + exact
        }
        fn joined(one: f64, other: f64) -> f64 {
            one + other
        }
    }

    impl Total for f64 {
        type Total = f64;
        fn from_slots(slots: &[f64]) -> Result<f64> {
            Ok(slots.iter().sum())
        }
        fn plus(slot: f64, exact: f64) -> f64 {
            slot + exact
        }
        fn joined(one: f64, other: f64) -> f64 {
            one + other
        }
    }

    /// The error for a total that its type does not hold.
    fn overflow(total: i128, summand: &str, wider: &str) -> Error {
        // What a total may be that is taken for one of 64 bits without a sign.
        let below_zero = match total > i64::MAX.into() {
            true => format!(
                ", or a `Sum<i64>` if it is {}, since more was taken off than was added",
                total - (1 << 64)
            ),
            false => String::new(),
        };
        let problem = format!(
            "the total is {total}, which a `Sum<{summand}>` does not hold: use a `Sum<{wider}>`{below_zero}"
        );
        Error::new(ErrorKind::SumOverflow, problem).with(Detail::Total(total))
    }

    macro_rules! wrapping {
        ($($number:ty),*) => {$(
            impl Total for $number {
                type Total = $number;
                fn from_slots(slots: &[$number]) -> Result<$number> {
                    Ok(slots.iter().fold(0, |sum, slot| sum.wrapping_add(*slot)))
                }
                fn joined(one: $number, other: $number) -> $number {
                    one.wrapping_add(other)
                }
            }
        )*};
    }

    macro_rules! widened {
        ($($number:ty => $total:ty),*) => {$(
            impl Total for $number {
                type Total = $total;
                fn from_slots(slots: &[$total]) -> Result<$number> {
                    let total = <$total>::from_slots(slots)?;
                    <$number>::try_from(total).map_err(|_| {
                        overflow(total.into(), stringify!($number), stringify!($total))
                    })
                }
                fn joined(one: $total, other: $total) -> $total {
                    one.wrapping_add(other)
                }
            }
        )*};
    }

    wrapping!(i64, u64);
    widened!(i32 => i64, u32 => u64);
}

impl<T: DeviceType + private::Total<Total: DeviceType>> Summand for T {}

impl Target {
    /// A total, at zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn sum<T: Summand>(&self) -> Result<Sum<T>> {
        Ok(Sum { memory: Memory::zeroed(self.backend(), SLOTS as usize)?, exact: None })
    }
}

impl<T: Summand> Sum<T> {
    /// The total, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The total does not fit the type; or the device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<T> {
        // Slot by slot: then there are no more roundings than slots and devices.
        let mut slots = self.memory.download_joined(T::joined)?;
        if let (Some(exact), Some(slot)) = (&self.exact, slots.first_mut()) {
            *slot = T::plus(*slot, exact.total()?);
        }
        T::from_slots(&slots)
    }

    /// Sets the total back to zero.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn clear(&mut self) -> Result<()> {
        if let Some(exact) = &mut self.exact {
            exact.clear()?;
        }
        self.memory.clear()
    }

    /// The exact total, of which there is one from now on.
    pub(crate) fn exact(&mut self, device: &Target) -> Result<&mut Exact> {
        let exact = match self.exact.take() {
            Some(exact) => exact,
            None => Exact::new(device.backend(), [SLOTS as usize, 1], Digits::OF_F64)?,
        };
        Ok(self.exact.insert(exact))
    }
}

impl<T: Summand> sealed::Output for Sum<T> {}

impl<T: Summand> Gathered for Sum<T> {
    type Found = T;

    fn words(&self) -> Result<Vec<u64>> {
        let slots = self.memory.download_joined(T::joined)?;
        Self::PARTS.words(slots, self.exact.as_ref())
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        Self::PARTS.join(words, others, T::joined)
    }

    fn found(&self, words: &[u64]) -> Result<T> {
        let (mut slots, exact) = Self::PARTS.cells::<Total<T>>(words)?;
        if let (Some(exact), Some(slot)) = (exact, slots.first_mut()) {
            *slot = T::plus(*slot, Self::PARTS.total(exact));
        }
        T::from_slots(&slots)
    }
}

impl<T: Summand> Sum<T> {
    /// What its words are.
    const PARTS: Parted =
        Parted { cells: SLOTS as usize, sums: SLOTS as usize, digits: Some(Digits::OF_F64) };
}

impl<T: Summand> fmt::Debug for Sum<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sum").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::private::Total;

    #[test]
    fn slots_are_added_up() {
        assert_eq!(f32::from_slots(&[16_777_216.0, 1.0, 1.0]).ok(), Some(16_777_218.0));
        assert_eq!(f64::from_slots(&[0.5; 64]).ok(), Some(32.0));
        assert_eq!(u64::from_slots(&[u64::MAX, 2]).ok(), Some(1));
        assert_eq!(i64::from_slots(&[i64::MIN, -1]).ok(), Some(i64::MAX));
        assert_eq!(u32::from_slots(&[1 << 31, (1 << 31) - 1]).ok(), Some(u32::MAX));
        assert_eq!(i32::from_slots(&[1 << 40, -(1 << 40), -7]).ok(), Some(-7));
        let error = u32::from_slots(&[1 << 31; 2]);
        assert_eq!(error.unwrap_err().total(), Some(4_294_967_296));
    }
}
