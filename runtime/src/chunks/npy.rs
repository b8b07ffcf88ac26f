//! NumPy's array format: a short header, then the values as they are in memory.

use crate::DeviceType;

/// A value of a NumPy array: a number, or a vector, which adds a dimension to the array.
///
/// ```
/// use td_kernel::NpyValue;
///
/// assert_eq!((<[f32; 3]>::DESCR, <[f32; 3]>::DIMENSIONS), (f32::DESCR, &[3][..]));
/// ```
///
/// # Safety
///
/// No byte of a value is padding. A value is as many numbers of NumPy's type `DESCR` as `DIMENSIONS` requires.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of a NumPy array",
    label = "not a number, nor an array of 2, 3 or 4 numbers",
    note = "to identify work by structs, pass their fields: `points.iter().flat_map(|p| [p.x, p.y]).collect::<Vec<_>>()`"
)]
pub unsafe trait NpyValue: DeviceType {
    /// NumPy's name for the number's type, with its byte order: `<f4`.
    const DESCR: &'static str;
    /// The lengths of a value's own dimensions; empty for a number.
    const DIMENSIONS: &'static [usize] = &[];
}

macro_rules! numbers {
    ($($number:ty: $name:literal;)*) => {$(
        // SAFETY: a number, whose bytes are in the machine's order.
        unsafe impl NpyValue for $number {
            const DESCR: &'static str = match (size_of::<$number>(), cfg!(target_endian = "little")) {
                (1, _) => concat!("|", $name),
                (_, true) => concat!("<", $name),
                (_, false) => concat!(">", $name),
            };
        }

        numbers!(@vector $number, 2, 3, 4);
    )*};
    (@vector $number:ty, $($length:literal),*) => {$(
        // SAFETY: the numbers are contiguous.
        unsafe impl NpyValue for [$number; $length] {
            const DESCR: &'static str = <$number as NpyValue>::DESCR;
            const DIMENSIONS: &'static [usize] = &[$length];
        }
    )*};
}

numbers! {
    f32: "f4"; f64: "f8";
    i8: "i1"; i16: "i2"; i32: "i4"; i64: "i8";
    u8: "u1"; u16: "u2"; u32: "u4"; u64: "u8";
}
#[cfg(feature = "half")]
numbers! { ::half::f16: "f2"; }

/// The header of an array of this shape, in row-major order.
pub(super) fn header<T: NpyValue>(shape: &[usize]) -> Vec<u8> {
    // Values begin at a multiple of this.
    const ALIGNMENT: usize = 64;
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let lengths = shape.iter().chain(T::DIMENSIONS);
    let lengths: Vec<_> = lengths.map(usize::to_string).collect();
    let shape = match &lengths[..] {
        // As Python writes a tuple of one.
        [one] => format!("{one},"),
        all => all.join(", "),
    };
    let descr = T::DESCR;
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Two bytes hold the length of the text, which ends with a line break.
    let before = MAGIC.len() + 2;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    let told = u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    let mut header = [MAGIC, &told, text.as_bytes()].concat();
    header.resize(before + length - 1, b' ');
    header.push(b'\n');
    header
}

/// The bytes of values, as they are in a file.
pub(super) fn bytes<T: NpyValue>(values: &[T]) -> &[u8] {
    // SAFETY: the slice has this many bytes, borrowed for the same lifetime, and none of them is padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The bytes of values, for writing.
pub(super) fn bytes_mut<T: NpyValue>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: the slice has this many bytes, mutably borrowed for the same lifetime. None of them is padding, and any bytes
    // written there are values of a DeviceType.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_matches_numpy() {
        let text = |shape: &[usize]| {
            let header = header::<f32>(shape);
            assert!(header.len().is_multiple_of(64));
            assert_eq!(usize::from(header[8]) + 256 * usize::from(header[9]), header.len() - 10);
            String::from_utf8(header[10..].to_vec()).unwrap()
        };
        let little = "{'descr': '<f4', 'fortran_order': False, 'shape': (44999850000,), }";
        assert_eq!(text(&[44_999_850_000]).trim_end_matches(' ').trim_end(), little);
        assert!(text(&[3, 5]).contains("'shape': (3, 5), }"));
        let vectors = String::from_utf8_lossy(&header::<[u8; 2]>(&[0])).into_owned();
        assert!(vectors.contains("'descr': '|u1'") && vectors.contains("(0, 2), }"), "{vectors}");
    }
}
