//! Kernels with the default keys, whose launches choose a variant by n. Here every variant runs at every n.

use td_kernel::{Device, Result, td_kernel};

/// A key for each pair.
#[td_kernel]
pub unsafe fn packed(#[each] x: &[u32], key: &mut Packed<u64>) {
    r#" key = (unsigned long long)x.i << 32 | x.j; "#
}

/// The keys in both halves of a square.
#[td_kernel]
pub unsafe fn square(#[each] x: &[u32], key: &mut Square<u64>) {
    r#" key = (unsigned long long)x.i << 32 | x.j; "#
}

/// Pairs counted and listed, with every map of `map = "auto"`.
#[td_kernel(map = "auto", diagonal = true)]
pub unsafe fn listed(#[each] x: &[u32], count: &mut Sum<u64>, list: &mut Pairs) {
    r#" if ((x.i + x.j) % 3 == 0) { count += 1; list.push(); } "#
}

/// Runs every variant at every size, and compares the results with the expected ones.
pub fn check(device: &Device, sizes: &[usize]) -> Result<()> {
    let key = |i: usize, j: usize| (i as u64) << 32 | j as u64;
    for &n in sizes {
        let numbers: Vec<u32> = (0..n as u32).collect();
        let x = device.upload(&numbers)?;
        for variant in 0..packed::SOURCES.len() {
            let kernel = packed { kernel: packed::load(device)?.kernel.pin(variant) };
            let mut keys = device.packed(n)?;
            kernel.launch(&x, &mut keys)?;
            let expected: Vec<u64> = (0..n).flat_map(|i| (0..i).map(move |j| key(i, j))).collect();
            assert_eq!(keys.download()?.as_slice(), expected, "packed, variant {variant}, n = {n}");
        }
        for variant in 0..square::SOURCES.len() {
            let kernel = square { kernel: square::load(device)?.kernel.pin(variant) };
            let mut keys = device.square(n)?.with_diagonal(1);
            kernel.launch(&x, &mut keys)?;
            let at = |i: usize, j: usize| if i == j { 1 } else { key(i.max(j), i.min(j)) };
            let expected: Vec<u64> = (0..n).flat_map(|i| (0..n).map(move |j| at(i, j))).collect();
            assert_eq!(keys.download()?.as_slice(), expected, "square, variant {variant}, n = {n}");
        }
        for variant in 0..listed::SOURCES.len() {
            let kernel = listed { kernel: listed::load(device)?.kernel.pin(variant) };
            let all = (0..n as u32).flat_map(|i| (0..=i).map(move |j| [i, j]));
            let expected: Vec<_> = all.filter(|[i, j]| (i + j) % 3 == 0).collect();
            let (mut count, mut list) = (device.sum()?, device.pairs(expected.len())?);
            kernel.launch(&x, &mut count, &mut list)?;
            let found = list.download()?.sorted()?;
            assert_eq!(found.pairs(), expected, "listed, variant {variant}, n = {n}");
            assert_eq!(
                count.download()?,
                expected.len() as u64,
                "listed, variant {variant}, n = {n}"
            );
        }
    }
    Ok(())
}
