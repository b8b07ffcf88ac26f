//! The types, and values of each that differ from pair to pair.

use std::fmt::Debug;

use td_kernel::DeviceType;
use td_kernel::half::{bf16, f16};

/// A type with many different values.
pub(super) trait Sample: DeviceType + PartialEq + Debug {
    /// The value for this number.
    fn sample(number: u32) -> Self;
}

macro_rules! integers {
    ($($number:ident)*) => {$(
        impl Sample for $number {
            fn sample(number: u32) -> Self {
                // The high bits of a product with an odd number: for consecutive numbers all bits change.
                let bits = u64::from(number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (bits >> (64 - $number::BITS)) as $number
            }
        }
    )*};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64);

impl Sample for f32 {
    fn sample(number: u32) -> Self {
        i32::sample(number) as f32 / 256.0
    }
}

impl Sample for f64 {
    fn sample(number: u32) -> Self {
        i64::sample(number) as f64 / 256.0
    }
}

impl Sample for f16 {
    fn sample(number: u32) -> Self {
        f16::from_f32(f32::from(i16::sample(number)) / 256.0)
    }
}

impl Sample for bf16 {
    fn sample(number: u32) -> Self {
        bf16::from_f32(f32::sample(number))
    }
}

impl<T: Sample, const LENGTH: usize> Sample for [T; LENGTH]
where
    [T; LENGTH]: DeviceType,
{
    fn sample(number: u32) -> Self {
        words(number)
    }
}

/// Several values for a number.
fn words<T: Sample, const LENGTH: usize>(number: u32) -> [T; LENGTH] {
    std::array::from_fn(|place| T::sample(number + 10_007 * place as u32))
}

/// Structs by alignment, and by size in words.
macro_rules! structs {
    ($($name:ident: align $align:tt, [$word:ident; $count:tt];)*) => {$(
        #[doc = concat!("Aligned to ", $align, " bytes.")]
        #[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
        #[repr(C, align($align))]
        pub(super) struct $name {
            words: [$word; $count],
        }

        impl Sample for $name {
            fn sample(number: u32) -> Self {
                Self { words: words(number) }
            }
        }
    )*};
}

structs! {
    A1S6: align 1, [u8; 6];
    A2S6: align 2, [u16; 3];
    A2S40: align 2, [u16; 20];
    Halves: align 2, [f16; 5];
    A4S12: align 4, [f32; 3];
    A4S20: align 4, [f32; 5];
    A4S24: align 4, [f32; 6];
    A8S24: align 8, [f64; 3];
    A8S48: align 8, [f64; 6];
    A16S16: align 16, [u8; 16];
    A16S48: align 16, [u64; 6];
    A16S64: align 16, [f64; 8];
    A32S32: align 32, [f32; 8];
    A32S64: align 32, [u8; 64];
}

#[cfg(feature = "every")]
structs! {
    A1S1: align 1, [u8; 1];
    A1S2: align 1, [u8; 2];
    A1S3: align 1, [u8; 3];
    A1S4: align 1, [u8; 4];
    A1S8: align 1, [u8; 8];
    A1S12: align 1, [u8; 12];
    A1S16: align 1, [u8; 16];
    A1S20: align 1, [u8; 20];
    A1S24: align 1, [u8; 24];
    A1S32: align 1, [u8; 32];
    A1S40: align 1, [u8; 40];
    A1S48: align 1, [u8; 48];
    A1S64: align 1, [u8; 64];
    A2S2: align 2, [u16; 1];
    A2S4: align 2, [u16; 2];
    A2S8: align 2, [u16; 4];
    A2S12: align 2, [u16; 6];
    A2S16: align 2, [u16; 8];
    A2S20: align 2, [u16; 10];
    A2S24: align 2, [u16; 12];
    A2S32: align 2, [u16; 16];
    A2S48: align 2, [u16; 24];
    A2S64: align 2, [u16; 32];
    A4S4: align 4, [f32; 1];
    A4S8: align 4, [f32; 2];
    A4S16: align 4, [f32; 4];
    A4S32: align 4, [f32; 8];
    A4S40: align 4, [f32; 10];
    A4S48: align 4, [f32; 12];
    A4S64: align 4, [f32; 16];
    A8S8: align 8, [f64; 1];
    A8S16: align 8, [f64; 2];
    A8S32: align 8, [f64; 4];
    A8S40: align 8, [f64; 5];
    A8S64: align 8, [f64; 8];
    A16S32: align 16, [f32; 8];
}
