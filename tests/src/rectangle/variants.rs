//! The variants of the default keys.

use std::ops::Range;

use td_kernel::{Device, Result, Shape, td_kernel};

/// A key for each pair, in the variants of the default keys.
#[td_kernel]
pub unsafe fn keys(#[row] x: &[u32], #[column] y: &[u32], key: &mut Matrix<u64>) {
    r#" key = (unsigned long long)x << 32 | y; "#
}

/// Pairs counted and listed, in the variants of the default keys.
#[td_kernel]
pub unsafe fn listed(
    #[row] x: &[u32],
    #[column] y: &[f64],
    count: &mut Sum<u64>,
    list: &mut Pairs,
) {
    r#" if ((x + (unsigned int)y) % 3 == 0) { count += 1; list.push(); } "#
}

/// Runs every variant of kernels with the default keys at every size, for all rows and for some.
pub fn check_variants(device: &Device, sizes: &[[usize; 2]]) -> Result<()> {
    for &[rows, columns] in sizes {
        let x = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
        let y = device.upload(&(0..columns as u32).collect::<Vec<_>>())?;
        let z = device.upload(&(0..columns).map(|k| k as f64).collect::<Vec<_>>())?;
        let pairs = |rows: Range<usize>| {
            rows.flat_map(move |i| (0..columns).map(move |j| [i as u32, j as u32]))
        };
        for chunk in [0..rows, rows / 3..rows - rows / 4] {
            for variant in 0..keys::SOURCES.len() {
                let kernel = keys { kernel: keys::load(device)?.kernel.pin(variant) };
                let mut key =
                    device.matrix(Shape::rectangle(rows, columns).of_rows(chunk.clone()))?;
                kernel.rows(chunk.clone()).launch(&x, &y, &mut key)?;
                let expected: Vec<u64> =
                    pairs(chunk.clone()).map(|[i, j]| u64::from(i) << 32 | u64::from(j)).collect();
                let found = key.download()?;
                assert_eq!(found.as_slice(), expected, "{variant}, {rows} x {columns}, {chunk:?}");
            }
            for variant in 0..listed::SOURCES.len() {
                let kernel = listed { kernel: listed::load(device)?.kernel.pin(variant) };
                let (mut count, mut list) = (device.sum()?, device.pairs(rows * columns)?);
                kernel.rows(chunk.clone()).launch(&x, &z, &mut count, &mut list)?;
                let expected: Vec<_> =
                    pairs(chunk.clone()).filter(|[i, j]| (i + j) % 3 == 0).collect();
                let found = list.download()?.sorted()?;
                assert_eq!(found.pairs(), expected, "{variant}, {rows} x {columns}, {chunk:?}");
                assert_eq!(count.download()?, expected.len() as u64);
            }
        }
    }
    Ok(())
}
