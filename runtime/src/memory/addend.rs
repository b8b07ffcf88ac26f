//! What sums add up: numbers, vectors and arrays.

use crate::DeviceType;

/// A number that a [`Sum`](crate::Sum) adds up: `f32`, `f64`, `i32`, `u32`, `i64` or `u64`. A `Sum` may also be of vectors and
/// arrays of them, see [`SumElement`].
///
/// ```
/// use td_kernel::{Result, Sum, SumScalar};
///
/// fn total<T: SumScalar>(parts: &[Sum<T>]) -> Result<Vec<T>> {
///     parts.iter().map(Sum::download).collect()
/// }
/// # let sum = td_kernel::Device::cpu()?.sum::<u32>()?;
/// # assert_eq!(total(&[sum])?, [0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that CUDA adds atomically",
    label = "not one of `f32`, `f64`, `i32`, `u32`, `i64` and `u64`"
)]
pub trait SumScalar: SumElement + private::Total<Total: DeviceType> {}

/// The type in which a sum of `T` is accumulated.
pub type Total<T> = <T as private::Total>::Total;

/// The values of [`Sum`](crate::Sum) and [`Sums`](crate::Sums): `f32`, `f64`, `i32`, `u32`, `i64`, `u64`, an array of 2, 3 or 4 of
/// them, or one of up to 64 `f32` or 32 `f64`.
///
/// ```
/// use td_kernel::{Result, SumElement, Sums};
///
/// fn all<T: SumElement>(parts: &[Sums<T>]) -> Result<Vec<Vec<T>>> {
///     parts.iter().map(Sums::download).collect()
/// }
/// # let sums = td_kernel::Device::cpu()?.sums::<u32>(2)?;
/// # assert_eq!(all(&[sums])?, [[0, 0]]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`Sum` and `Sums` cannot hold `{Self}`",
    label = "not numbers that CUDA adds atomically",
    note = "write `f32`, `f64`, `i32`, `u32`, `i64` or `u64`, an array of 2, 3 or 4 of them, or an array of up to 64 `f32` or 32 `f64`"
)]
pub trait SumElement: DeviceType + private::Addend {}

impl<T: DeviceType + private::Addend> SumElement for T {}

/// The type in which one component of a `T` is accumulated.
pub(crate) type Cell<T> = Total<<T as private::Addend>::Scalar>;

pub(crate) mod private {
    use crate::error::Detail;
    use crate::host::word::Word;
    use crate::memory::exact::Digits;
    use crate::{Error, ErrorKind, Result, SumScalar};

    /// The type in which a sum is accumulated on the device. It is private, since the kernels are generated for these types.
    pub trait Total: Sized {
        type Total: Copy + Word;
        /// The digits of an exact total, to which threads add doubles.
        const EXACT: Digits = Digits::OF_F64;
        /// The digits of an exact sum of an element; `None` for integers.
        const DIGITS: Option<Digits> = None;
        /// The sum of slots, or of an element's cells.
        fn from_slots(slots: &[Self::Total]) -> Result<Self>;
        /// Adds an exact sum to a slot of a total, or to an element's cell. Only floats have exact sums.
        fn plus(slot: Self::Total, _exact: f64) -> Self::Total {
            slot
        }
        /// Adds the cells of two devices.
        fn joined(one: Self::Total, other: Self::Total) -> Self::Total;
    }

    macro_rules! floats {
        ($($number:ty, $exact:expr, $digits:expr;)*) => {$(
            impl Total for $number {
                type Total = f64;
                const EXACT: Digits = $exact;
                const DIGITS: Option<Digits> = Some($digits);
                fn from_slots(slots: &[f64]) -> Result<$number> {
                    Ok(slots.iter().sum::<f64>() as $number)
                }
                fn plus(slot: f64, exact: f64) -> f64 {
                    slot + exact
                }
                fn joined(one: f64, other: f64) -> f64 {
                    one + other
                }
            }
        )*};
    }
    floats! {
        f32, Digits::OF_F32_TOTAL, Digits::OF_F32;
        f64, Digits::OF_F64, Digits::OF_F64;
    }

    /// The error for a total outside the range of its type.
    fn overflow(total: i128, summand: &str, wider: &str) -> Error {
        // The total may be negative: it was summed as unsigned 64 bits.
        let below_zero = match total > i64::MAX.into() {
            true => format!(
                ", or `i64` if more was subtracted than added and the total is {}",
                total - (1 << 64)
            ),
            false => String::new(),
        };
        let problem = format!(
            "the total {total} does not fit into its type `{summand}`: use `{wider}`{below_zero}"
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

    /// Cells and their sums. It is private, since the kernels are generated for these types.
    pub trait Addend: Sized {
        /// The type of one component.
        type Scalar: SumScalar;
        /// The number of components.
        const COMPONENTS: usize;
        /// Converts an element's cells to its sum.
        fn of(cells: &[super::Total<Self::Scalar>]) -> Result<Self>;
    }

    macro_rules! gathered {
        ($($number:ty),*) => {$(
            impl Addend for $number {
                type Scalar = $number;
                const COMPONENTS: usize = 1;
                fn of(cells: &[super::Total<$number>]) -> Result<$number> {
                    <$number>::from_slots(cells)
                }
            }
        )*};
    }
    gathered!(f32, f64, i32, u32, i64, u64);

    macro_rules! vectors {
        ($($length:literal),*) => {$(
            impl<T: SumScalar> Addend for [T; $length] {
                type Scalar = T;
                const COMPONENTS: usize = $length;
                fn of(cells: &[super::Total<T>]) -> Result<Self> {
                    let mut components = [T::from_slots(&[])?; $length];
                    for (component, cell) in components.iter_mut().zip(cells) {
                        *component = T::from_slots(std::slice::from_ref(cell))?;
                    }
                    Ok(components)
                }
            }
        )*};
    }
    vectors!(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24);
    vectors!(25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45);
    vectors!(46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64);
}

impl<T: SumElement + private::Total<Total: DeviceType>> SumScalar for T {}

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
