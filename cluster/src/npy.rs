//! Arrays in NumPy's format.

use td_kernel::NpyValue;

/// Values begin at a multiple of this.
const ALIGNMENT: usize = 64;
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// What precedes the values of an array of this shape, by rows.
pub(crate) fn header<T: NpyValue>(shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<_> = shape.iter().chain(T::DIMENSIONS).map(usize::to_string).collect();
    // As Python writes a tuple, which needs the comma if it has one number.
    let shape = match &lengths[..] {
        [one] => format!("{one},"),
        all => all.join(", "),
    };
    let text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", T::DESCR);
    // Two bytes tell the length of the text, which ends with a line break.
    let before = MAGIC.len() + 2;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    let told = u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    let mut header = [MAGIC, &told, text.as_bytes()].concat();
    header.resize(before + length - 1, b' ');
    header.push(b'\n');
    header
}

/// The bytes of values.
pub(crate) fn bytes<T: NpyValue>(values: &[T]) -> &[u8] {
    // SAFETY: as many bytes, borrowed for as long, and none of them is padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

#[cfg(test)]
mod tests {
    use td_kernel::{Device, td_kernel};

    use super::*;

    #[td_kernel]
    unsafe fn difference(#[each] x: &[f32], out: &mut Packed<f32>) {
        r#" out = x.i - x.j; "#
    }

    #[td_kernel]
    unsafe fn both(#[row] x: &[f32], #[column] y: &[f32], out: &mut Matrix<[f32; 2]>) {
        r#" out = make_float2(x, y); "#
    }

    /// The runtime's own file is what NumPy reads.
    #[test]
    fn a_header_is_that_of_the_runtime() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let device = Device::cpu().unwrap();
        for n in [0, 1, 2, 100] {
            let x = device.upload(&vec![0.5; n]).unwrap();
            let y = device.upload(&[1.5; 3]).unwrap();
            difference::load(&device).unwrap().bands(&x).unwrap().write_npy(&path).unwrap();
            let own = header::<f32>(&[n * n.saturating_sub(1) / 2]);
            assert_eq!(std::fs::read(&path).unwrap()[..own.len()], own);
            both::load(&device).unwrap().bands(&x, &y).unwrap().write_npy(&path).unwrap();
            let values = [0.5_f32, 1.5].repeat(3 * n);
            let own = [&header::<[f32; 2]>(&[n, 3]), bytes(&values)].concat();
            assert_eq!(std::fs::read(&path).unwrap(), own);
        }
    }
}
