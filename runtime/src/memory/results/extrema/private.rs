//! Converts the cells of minima and maxima to values.

use crate::host::word::Word;

/// Cells and their values. It is private, since the kernels are generated for these types. A cell holds the rank of a value, an
/// unsigned number in the order of the values, or for a minimum the rank's complement. So the largest cell wins, and 0 means
/// that nothing was offered.
pub trait Celled: Sized {
    /// The type of a cell for one component.
    type Cell: Copy + Ord + Word;
    /// The downloaded result for an element.
    type Found;
    /// The number of components.
    const COMPONENTS: usize;
    /// Converts an element's cells to its result.
    fn of(cells: &[Self::Cell], is_least: bool) -> Self::Found;
}

/// A number with a rank among all numbers of its type.
pub trait Ranked: Copy {
    /// The type of a rank, of the size of a cell.
    type Rank: Copy + Default + Ord + Word + std::ops::Not<Output = Self::Rank>;
    /// The value if nothing was offered: the largest for a minimum, the smallest for a maximum.
    fn none(is_least: bool) -> Self;
    /// The value with this rank.
    fn from_rank(rank: Self::Rank) -> Self;
}

macro_rules! floats {
    ($($float:ty, $rank:ty;)*) => {$(
        impl Ranked for $float {
            type Rank = $rank;
            fn none(is_least: bool) -> Self {
                if is_least { <$float>::INFINITY } else { <$float>::NEG_INFINITY }
            }
            fn from_rank(rank: $rank) -> Self {
                let sign = 1 << (<$rank>::BITS - 1);
                <$float>::from_bits(if rank & sign == 0 { !rank } else { rank ^ sign })
            }
        }
    )*};
}
floats! { f32, u32; f64, u64; }

/// 16-bit floats are compared as floats.
macro_rules! halves {
    ($($half:ty),*) => {$(
        #[cfg(feature = "half")]
        impl Ranked for $half {
            type Rank = u32;
            fn none(is_least: bool) -> Self {
                <$half>::from_f32(f32::none(is_least))
            }
            fn from_rank(rank: u32) -> Self {
                <$half>::from_f32(f32::from_rank(rank))
            }
        }
        #[cfg(feature = "half")]
        impl Small for $half {}
    )*};
}
halves!(half::f16, half::bf16);

macro_rules! integers {
    ($($number:ty, $rank:ty, $flip:expr;)*) => {$(
        impl Ranked for $number {
            type Rank = $rank;
            fn none(is_least: bool) -> Self {
                if is_least { <$number>::MAX } else { <$number>::MIN }
            }
            fn from_rank(rank: $rank) -> Self {
                // The cast drops the bits above the number's own, which are copies of its sign.
                (rank ^ $flip) as $number
            }
        }
    )*};
}
integers! {
    u8, u32, 0; u16, u32, 0; u32, u32, 0; u64, u64, 0;
    i8, u32, 1 << 31; i16, u32, 1 << 31; i32, u32, 1 << 31; i64, u64, 1 << 63;
}

fn value<T: Ranked>(cell: Option<&T::Rank>, is_least: bool) -> T {
    match cell {
        Some(cell) if *cell != T::Rank::default() => {
            T::from_rank(if is_least { !*cell } else { *cell })
        }
        _ => T::none(is_least),
    }
}

macro_rules! gathered {
    ($($number:ty),*) => {$(
        impl Celled for $number {
            type Cell = <$number as Ranked>::Rank;
            type Found = $number;
            const COMPONENTS: usize = 1;
            fn of(cells: &[Self::Cell], is_least: bool) -> $number {
                value(cells.first(), is_least)
            }
        }
    )*};
}
gathered!(f32, f64, i8, u8, i16, u16, i32, u32, i64, u64);
#[cfg(feature = "half")]
gathered!(half::f16, half::bf16);

impl<T: Ranked, const LENGTH: usize> Celled for [T; LENGTH]
where
    [T; LENGTH]: crate::DeviceType,
{
    type Cell = T::Rank;
    type Found = [T; LENGTH];
    const COMPONENTS: usize = LENGTH;
    fn of(cells: &[T::Rank], is_least: bool) -> [T; LENGTH] {
        std::array::from_fn(|component| value(cells.get(component), is_least))
    }
}

/// A number that fits into a 64-bit word together with an index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored with an index",
    label = "not a number of at most 32 bits",
    note = "write `f32`, or an integer of at most 32 bits: the value and the index share a 64-bit word"
)]
pub trait Small: Ranked<Rank = u32> {}
impl Small for f32 {}
impl Small for i8 {}
impl Small for u8 {}
impl Small for i16 {}
impl Small for u16 {}
impl Small for i32 {}
impl Small for u32 {}

impl<T: Small> Celled for (T, u32) {
    type Cell = u64;
    type Found = Option<(T, u32)>;
    const COMPONENTS: usize = 1;
    fn of(cells: &[u64], is_least: bool) -> Option<(T, u32)> {
        let cell = cells.first().copied().filter(|cell| *cell != 0)?;
        let rank = (cell >> 32) as u32;
        // The index is stored complemented, so that the smaller index wins.
        Some((T::from_rank(if is_least { !rank } else { rank }), !(cell as u32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_decode_to_values() {
        assert_eq!(f32::of(&[0], true), f32::INFINITY);
        assert_eq!(f64::of(&[0], false), f64::NEG_INFINITY);
        for value in [0.0_f32, 1.5, -2.25, f32::MIN, f32::MAX, f32::INFINITY] {
            let bits = value.to_bits();
            let rank = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
            assert_eq!((f32::of(&[rank], false), f32::of(&[!rank], true)), (value, value));
            let cell = u64::from(!rank) << 32 | u64::from(!7_u32);
            assert_eq!(<(f32, u32)>::of(&[cell], true), Some((value, 7)));
        }
        assert_eq!(i8::of(&[!((-3_i32 as u32) ^ 1 << 31)], true), -3);
        assert_eq!((i8::of(&[0], false), u16::of(&[0], true)), (i8::MIN, u16::MAX));
        assert_eq!(<[u8; 3]>::of(&[1, 2, 0], false), [1, 2, 0]);
        assert_eq!(<(i32, u32)>::of(&[0], false), None);
    }
}
