//! Widths around the chunk in which loops fold features: 32 KiB of 32 columns, so larger types have fewer features.

use td_kernel::{Device, Result, td_kernel};

/// A module with a kernel over features, for each of some types, and the number of features in a chunk.
macro_rules! kernels {
    ($($module:ident: $number:ty, $chunk:literal;)*) => {$(
        mod $module {
            use super::*;

            #[td_kernel]
            unsafe fn weighted(
                #[each] p: &Features<$number>,
                #[fold] sum: u32,
                product: &mut Packed<u32>,
            ) {
                let feature = r#" sum += (k % 7 + 1) * (unsigned int)(p.i * p.j); "#;
                let pair = r#" product = sum; "#;
            }

            #[test]
            fn widths_around_chunks() -> Result<()> {
                let text = weighted::CPU_SOURCE;
                assert!(text.contains(&format!(" {} features of each column at a time", $chunk)), "{text}");
                let device = Device::cpu()?;
                let kernel = weighted::load(&device)?;
                // More than the columns of a block, and rows for some blocks and a part of one.
                let n = 37;
                for width in [$chunk - 1, $chunk, $chunk + 1, 2 * $chunk - 1, 2 * $chunk, 2 * $chunk + 1, 3 * $chunk] {
                    let values: Vec<u32> = (0..n * width).map(|k| (k * 7919 % 101) as u32).collect();
                    let features: Vec<_> = values.iter().map(|value| *value as $number).collect();
                    let p = device.features(&features, width)?;
                    let mut product = device.packed(n)?;
                    kernel.launch(&p, &mut product)?;
                    let rows: Vec<_> = values.chunks(width).collect();
                    for ((i, j), found) in &product.download()? {
                        let terms = rows[i].iter().zip(rows[j]).zip(0_u32..);
                        let expected: u32 = terms.map(|((x, y), k)| (k % 7 + 1) * x * y).sum();
                        assert_eq!(*found, expected, "({i}, {j}), {width} features");
                    }
                }
                Ok(())
            }
        }
    )*};
}

kernels! {
    of_one_byte: u8, 1024;
    of_two_bytes: i16, 512;
    of_four_bytes: f32, 256;
    of_eight_bytes: f64, 128;
}
