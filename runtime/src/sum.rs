//! A total over all pairs.

use std::fmt;

use crate::memory::Memory;
use crate::{DeviceType, Error, Result};

/// A total on a device, from [`Device::sum`](crate::Device::sum). It starts at zero, and each
/// launch adds to it.
///
/// Integers of 32 bits are added up in 64, and a total that does not fit 32 is an error when it is
/// downloaded. Totals of 64-bit integers wrap around. Totals of floats are added up in an order that changes
/// from launch to launch, and so may their last digits.
pub struct Sum<T: Summand> {
    pub(crate) memory: Memory<T::Total>,
}

/// A number that a [`Sum`] adds up: `f32`, `f64`, `i32`, `u32`, `i64` or `u64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of a `Sum`",
    label = "not a number that CUDA adds atomically",
    note = "write `f32`, `f64`, `i32`, `u32`, `i64` or `u64`"
)]
pub trait Summand: DeviceType + private::Total<Total: DeviceType> {}

/// What a sum of `T` is added up in.
pub type Total<T> = <T as private::Total>::Total;

mod private {
    use crate::{Error, Result};

    /// What a sum is added up in, on the device; out of reach, since the kernels are generated for these.
    pub trait Total: Sized {
        type Total;
        fn from_total(total: Self::Total) -> Result<Self>;
    }

    macro_rules! totals {
        ($($number:ty),*) => {$(
            impl Total for $number {
                type Total = $number;
                fn from_total(total: $number) -> Result<$number> {
                    Ok(total)
                }
            }
        )*};
        ($($number:ty => $total:ty),*) => {$(
            impl Total for $number {
                type Total = $total;
                fn from_total(total: $total) -> Result<$number> {
                    <$number>::try_from(total).map_err(|_| Error::SumOverflow {
                        total: total.into(),
                        summand: stringify!($number),
                        wider: stringify!($total),
                    })
                }
            }
        )*};
    }

    totals!(f32, f64, i64, u64);
    totals!(i32 => i64, u32 => u64);
}

impl<T: DeviceType + private::Total<Total: DeviceType>> Summand for T {}

impl<T: Summand> Sum<T> {
    /// The total, once the kernels launched so far have ended.
    ///
    /// # Errors
    ///
    /// The total does not fit the type; or the device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<T> {
        let total = self.memory.download()?;
        // A Sum is made with one element and keeps it.
        let total = total.first().copied();
        T::from_total(total.ok_or(Error::TooLarge { elements: 1, size: size_of::<T>() })?)
    }

    /// Sets the total back to zero.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn clear(&mut self) -> Result<()> {
        self.memory.clear()
    }
}

impl<T: Summand> fmt::Debug for Sum<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sum").finish_non_exhaustive()
    }
}
