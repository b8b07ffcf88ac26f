//! The types that Rust and a GPU share.

mod constant;
mod decimal;
mod definition;
mod half;
mod word;

pub use self::constant::Constant;
pub use self::definition::{Definition, Parts, Piece, Text, concatenate, definition, length, text};
pub use self::half::{td_bf16, td_f16};

/// A type with the same layout in Rust and in CUDA C++.
///
/// [Derive](derive@crate::DeviceType) it for a struct whose fields are numbers, arrays of numbers, or such structs.
///
/// ```
/// use td_kernel::DeviceType;
///
/// #[derive(Clone, Copy, DeviceType)]
/// #[repr(C)]
/// struct Sphere {
///     center: [f32; 3],
///     radius: f32,
/// }
/// ```
///
/// A pair body then reads `s.i.center[0]` and `s.i.radius`. Arrays inside structs are C arrays, because CUDA's vector types
/// have a stricter alignment than Rust's arrays.
///
/// # Safety
///
/// The C++ type has the size and the layout of the Rust type, every bit pattern is a value of it, and `ALIGNMENT` is at least
/// the alignment that C++ assumes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no definition in CUDA C++",
    label = "not a type that a GPU shares with Rust",
    note = "for a struct, write `#[repr(C)]` and `#[derive(Clone, Copy, DeviceType)]` above it; other types are f32, f64, i8 to i64, u8 to u64, `f16` or `bf16` of the crate half (with the feature `half`), arrays of 2, 3 or 4 of these, and arrays of up to 64 `f32` or 32 `f64`"
)]
pub unsafe trait DeviceType: Copy + Send + Sync + 'static {
    /// The alignment that CUDA C++ assumes for the type, in bytes.
    const ALIGNMENT: usize;
    /// The C++ definition of a user's struct.
    #[doc(hidden)]
    const DEFINITION: Option<&'static Definition> = None;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        // SAFETY: CUDA C++ has the same number with the same size and alignment, built in or defined in the kernel source.
        unsafe impl DeviceType for $number {
            const ALIGNMENT: usize = size_of::<$number>();
        }

        numbers!(@vector $number, 2, 3, 4);
    )*};
    (@vector $number:ty, $($length:literal),*) => {$(
        // SAFETY: a CUDA vector has its components in order, without padding between or after them.
        unsafe impl DeviceType for [$number; $length] {
            const ALIGNMENT: usize = vector_alignment(size_of::<$number>(), $length);
        }
    )*};
}

/// Arrays of more than four floats: as elements of pairs, and as sums of elements.
macro_rules! arrays {
    ($number:ty, $($length:literal)*) => {$(
        // SAFETY: `td_wide` in the kernel source has its numbers in order, and the same alignment.
        #[doc(hidden)]
        unsafe impl DeviceType for [$number; $length] {
            const ALIGNMENT: usize = array_alignment(size_of::<[$number; $length]>());
        }
    )*};
}

arrays!(f32, 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
arrays!(f32, 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60);
arrays!(f32, 61 62 63 64);
arrays!(f64, 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

/// The largest power of two that divides the size, and at most 16 bytes.
const fn array_alignment(size: usize) -> usize {
    match size.trailing_zeros() {
        zeros @ 0..4 => 1 << zeros,
        _ => 16,
    }
}

numbers!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64);
#[cfg(feature = "half")]
numbers!(::half::f16, ::half::bf16);

/// CUDA aligns vectors of 2 and 4 components to their size, but at most to 16 bytes, the most that one instruction loads;
/// vectors of 3 components like one component.
const fn vector_alignment(size: usize, length: usize) -> usize {
    match length {
        3 => size,
        _ if size * length > 16 => 16,
        _ => size * length,
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::{Pod, Zeroable};

    use crate::{Device, DeviceType};

    /// The derive is compatible with the traits that many GPU crates require of a struct.
    #[test]
    fn struct_can_be_pod_too() {
        #[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
        #[repr(C)]
        struct Point {
            x: f32,
            y: f32,
        }
        // SAFETY: two numbers without padding, which `#[derive(Pod, Zeroable)]` accepts, too.
        unsafe impl Zeroable for Point {}
        // SAFETY: as above.
        unsafe impl Pod for Point {}

        let device = Device::cpu().unwrap();
        let points: &[Point] = bytemuck::cast_slice(&[1.0_f32, 2.0, 3.0, 4.0]);
        let buffer = device.upload(points).unwrap();
        assert_eq!(buffer.download().unwrap(), points);
        assert_eq!(device.square::<Point>(1).unwrap().download().unwrap()[(0, 0)], Point::zeroed());
    }
}
