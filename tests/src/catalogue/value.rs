//! The types of elements and results, as numbers in double precision.

use smallvec::smallvec;
use td_kernel::half::{bf16, f16};
use td_kernel::{DeviceType, OrderedValue};

use super::oracle::Row;

/// A number, or an array of numbers, which doubles hold exactly.
pub(crate) trait Value: DeviceType + Copy {
    /// The numbers of one value.
    const WIDTH: usize;
    /// The greatest number of its type.
    const MOST: f64;
    /// The least number of its type.
    const LEAST: f64;
    /// The relative error of an addition.
    const UNIT: f64 = 0.0;

    /// The value of these numbers, rounded to its type.
    fn from_numbers(numbers: &[f64]) -> Self;

    /// Its numbers.
    fn numbers(self) -> Row;
}

macro_rules! numbers {
    ($($number:ident: $most:expr, $least:expr, $unit:expr, $from:expr, $to:expr;)*) => {$(
        impl Value for $number {
            const WIDTH: usize = 1;
            const MOST: f64 = $most;
            const LEAST: f64 = $least;
            const UNIT: f64 = $unit;

            fn from_numbers(numbers: &[f64]) -> Self {
                $from(numbers[0])
            }

            fn numbers(self) -> Row {
                smallvec![$to(self)]
            }
        }
    )*};
}

macro_rules! integers {
    ($($number:ident)*) => {
        numbers! { $($number: $number::MAX as f64, $number::MIN as f64, 0.0, |x: f64| x as $number, |x| x as f64;)* }
    };
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64);

numbers! {
    f32: f64::INFINITY, f64::NEG_INFINITY, f32::EPSILON as f64 / 2.0, |x| x as f32, f64::from;
    f64: f64::INFINITY, f64::NEG_INFINITY, f64::EPSILON / 2.0, |x| x, |x| x;
    f16: f64::INFINITY, f64::NEG_INFINITY, 0.0, f16::from_f64, f64::from;
    bf16: f64::INFINITY, f64::NEG_INFINITY, 0.0, bf16::from_f64, f64::from;
}

impl<T: Value, const N: usize> Value for [T; N]
where
    [T; N]: DeviceType,
{
    const WIDTH: usize = N;
    const MOST: f64 = T::MOST;
    const LEAST: f64 = T::LEAST;
    const UNIT: f64 = T::UNIT;

    fn from_numbers(numbers: &[f64]) -> Self {
        std::array::from_fn(|at| T::from_numbers(&numbers[at..]))
    }

    fn numbers(self) -> Row {
        self.into_iter().flat_map(T::numbers).collect()
    }
}

/// What `Minima` and `Maxima` hold.
pub(crate) trait Offered: OrderedValue {
    /// Without an index, what an element has to which nothing was offered: the greatest number, the least number, and how many.
    /// `None` with an index.
    const EMPTY: Option<(f64, f64, usize)>;

    /// The numbers of a result, with an index the value and the index, or nothing.
    fn row(found: Self::Found) -> Row;
}

impl<T: Value + OrderedValue<Found = T>> Offered for T {
    const EMPTY: Option<(f64, f64, usize)> = Some((T::MOST, T::LEAST, T::WIDTH));

    fn row(found: T) -> Row {
        found.numbers()
    }
}

macro_rules! indexed {
    ($($number:ident)*) => {$(
        impl Offered for ($number, u32) {
            const EMPTY: Option<(f64, f64, usize)> = None;

            fn row(found: Option<($number, u32)>) -> Row {
                found.map_or(Row::new(), |(value, index)| smallvec![f64::from(value), f64::from(index)])
            }
        }
    )*};
}

indexed!(i8 u8 i16 u16 i32 u32 f32 f16 bf16);

/// A struct.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
pub(crate) struct Member {
    /// Numbers.
    pub at: [f32; 5],
    /// A kind.
    pub kind: i32,
}

impl Value for Member {
    const WIDTH: usize = 6;
    const MOST: f64 = f64::NAN;
    const LEAST: f64 = f64::NAN;

    fn from_numbers(numbers: &[f64]) -> Self {
        let at = std::array::from_fn(|at| numbers[at] as f32);
        Member { at, kind: numbers[5] as i32 }
    }

    fn numbers(self) -> Row {
        self.at.map(f64::from).into_iter().chain([self.kind.into()]).collect()
    }
}

/// A state: how many pairs were joined, and the sums of their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
pub(crate) struct Count {
    /// The number of pairs.
    pub pairs: u32,
    /// Sums.
    pub sums: [i64; 2],
}

impl Value for Count {
    const WIDTH: usize = 3;
    const MOST: f64 = f64::NAN;
    const LEAST: f64 = f64::NAN;

    fn from_numbers(numbers: &[f64]) -> Self {
        Count { pairs: numbers[0] as u32, sums: [numbers[1] as i64, numbers[2] as i64] }
    }

    fn numbers(self) -> Row {
        smallvec![f64::from(self.pairs), self.sums[0] as f64, self.sums[1] as f64]
    }
}

/// A ball.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
pub(crate) struct Ball {
    /// A weight.
    pub weight: f32,
    /// Where it is.
    pub at: [f32; 2],
}

impl Value for Ball {
    const WIDTH: usize = 3;
    const MOST: f64 = f64::NAN;
    const LEAST: f64 = f64::NAN;

    fn from_numbers(numbers: &[f64]) -> Self {
        let [weight, x, y] = std::array::from_fn(|at| numbers[at] as f32);
        Ball { weight, at: [x, y] }
    }

    fn numbers(self) -> Row {
        [self.weight, self.at[0], self.at[1]].into_iter().map(f64::from).collect()
    }
}
