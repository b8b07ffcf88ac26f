//! Every 16-bit float as a float, and floats of all kinds as 16-bit floats, against the crate half.

use td_kernel::half::{bf16, f16};
use td_kernel::{Device, Result, td_kernel};

use crate::covering::EVERY;

/// The columns of the matrices of conversions, with a value at each place.
const COLUMNS: usize = 1024;

macro_rules! conversions {
    ($half:ident, $up:ident, $down:ident, $check:ident) => {
        #[td_kernel]
        unsafe fn $up(x: &[$half], out: &mut Matrix<f32>) {
            r#" out = x[i * columns + j]; "#
        }

        #[td_kernel]
        unsafe fn $down(x: &[f32], out: &mut Matrix<$half>) {
            r#" out = x[i * columns + j]; "#
        }

        fn $check(device: &Device) -> Result<()> {
            let all: Vec<_> = (0..=u16::MAX).map($half::from_bits).collect();
            let mut out = device.matrix((all.len() / COLUMNS, COLUMNS))?;
            $up::load(device)?.launch(&device.upload(&all)?, &mut out)?;
            for (found, half) in out.download()?.as_slice().iter().zip(&all) {
                let expected = half.to_f32();
                let is_right =
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(is_right, "{half:?} ({:#06x}): {found}", half.to_bits());
            }

            let floats = floats(all.iter().map(|half| half.to_f32()));
            let rows = floats.len() / COLUMNS;
            let mut out = device.matrix((rows, COLUMNS))?;
            $down::load(device)?.launch(&device.upload(&floats[..rows * COLUMNS])?, &mut out)?;
            for (found, &float) in out.download()?.as_slice().iter().zip(&floats) {
                let expected = $half::from_f32(float);
                let is_right =
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(is_right, "{float} ({:#010x}): {found:?}", float.to_bits());
            }
            Ok(())
        }
    };
}

conversions!(f16, up_f16, down_f16, check_f16);
conversions!(bf16, up_bf16, down_bf16, check_bf16);

/// Floats to be rounded to one of `values`: these, their midpoints, the neighbours of both, and floats of all kinds.
fn floats(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut floats = Vec::new();
    let mut before = 0.0_f32;
    for value in values {
        // The bits of floats of one sign have the same order as the floats.
        let halfway = before.to_bits().midpoint(value.to_bits());
        for bits in [value.to_bits(), halfway] {
            let beside = [bits.wrapping_sub(1), bits, bits.wrapping_add(1)];
            floats.extend(beside.map(f32::from_bits));
        }
        before = value;
    }
    // From the largest 16-bit number to the smallest that becomes infinite, and below the smallest ones.
    let ends = [65_504.0_f32, 65_520.0, 65_536.0, f32::MAX, 3.38953e38, 2.98e-8, 5.96e-8, 4.6e-41];
    floats.extend(ends.iter().flat_map(|end| [*end, -end, end.next_up(), end.next_down()]));
    // The high bits of a product with an odd number: for consecutive numbers all bits change.
    let any = |number: u32| f32::from_bits(number.wrapping_mul(0x9e37_79b1));
    floats.extend((0..if EVERY { 1 << 19 } else { 1 << 17 }).map(any));
    floats.resize(floats.len().next_multiple_of(COLUMNS), 0.0);
    floats
}

/// The sources of these kernels, with their names.
const SOURCES: [(&str, &[&str]); 4] = [
    ("up_f16", up_f16::SOURCES),
    ("down_f16", down_f16::SOURCES),
    ("up_bf16", up_bf16::SOURCES),
    ("down_bf16", down_bf16::SOURCES),
];

/// Every source of these kernels, with the kernel's name.
pub fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    SOURCES
        .into_iter()
        .flat_map(|(name, sources)| sources.iter().map(move |source| (name, *source)))
}

/// Converts all values and compares the results.
pub fn check(device: &Device) -> Result<()> {
    check_f16(device)?;
    check_bf16(device)
}
