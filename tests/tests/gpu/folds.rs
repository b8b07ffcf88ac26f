//! Folds over features on a GPU at large sizes.

use td_kernel::{Device, Result, Sum, Sums, td_kernel};

use crate::{gpu, share_memory};

/// A GPU does not read host memory.
#[test]
fn small_features_of_another_device() {
    let (gpu, cpu) = (gpu(), Device::cpu().unwrap());
    let kernel = products_of_sets::load(&gpu).unwrap();
    let (a, b) = (gpu.features(&[1; 4], 4).unwrap(), cpu.features(&[1; 4], 4).unwrap());
    let (mut of_row, mut of_column) = (gpu.sums(1).unwrap(), gpu.sums(1).unwrap());
    assert_errors! { kernel.launch(&a, &b, &mut of_row, &mut of_column) => "", WrongDevice "b"; }
}

/// The products of all pairs, as a total and for each element.
#[td_kernel]
unsafe fn products(
    #[each] p: &Features<u32>,
    #[fold] s: u32,
    total: &mut Sum<u64>,
    #[each] of_each: &mut Sums<u64>,
) {
    let feature = r#" s += p.i * p.j; "#;
    let pair = r#" total += s; of_each.i += s; of_each.j += s; "#;
}

/// The same for two sets, with the total alone.
#[td_kernel]
unsafe fn products_of_sets(
    #[row] a: &Features<u32>,
    #[column] b: &Features<u32>,
    #[fold] s: u32,
    #[row] of_row: &mut Sums<u64>,
    #[column] of_column: &mut Sums<u64>,
) {
    let feature = r#" s += a * b; "#;
    let pair = r#" of_row += s; of_column += s; "#;
}

/// Small features of many elements, by rows.
fn numbers(count: usize, width: usize) -> Vec<u32> {
    (0..count * width).map(|at| ((at * 7919) % 97) as u32).collect()
}

/// For each feature, its sum over all elements.
fn columns(values: &[u32], width: usize) -> Vec<u64> {
    let mut sums = vec![0; width];
    for (at, value) in values.iter().enumerate() {
        sums[at % width] += u64::from(*value);
    }
    sums
}

/// Past 2^32 pairs, in every tile: each element has one pair with every other one.
#[test]
fn large_triangles_have_all_pairs() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    for (n, width) in [(1000, 700), (30_721, 33), (131_101, 3)] {
        let values = numbers(n, width);
        let (p, all) = (device.features(&values, width)?, columns(&values, width));
        for variant in 0..products::SOURCES.len() {
            let kernel = products { kernel: products::load(&device)?.kernel.pin(variant) };
            let (mut total, mut of_each): (Sum<u64>, Sums<u64>) = (device.sum()?, device.sums(n)?);
            kernel.launch(&p, &mut total, &mut of_each)?;
            let mut twice = 0;
            for (element, found) in of_each.download()?.into_iter().enumerate() {
                let own = &values[element * width..][..width];
                let others = own.iter().zip(&all).map(|(own, all)| {
                    let own = u64::from(*own);
                    own * (all - own)
                });
                let expected: u64 = others.sum();
                assert_eq!(found, expected, "variant {variant}, n = {n}: {element}");
                twice += expected;
            }
            assert_eq!(2 * total.download()?, twice, "variant {variant}, n = {n}");
        }
    }
    Ok(())
}

/// Past 2^32 pairs of two sets, one much larger than the other.
#[test]
fn large_rectangles_have_all_pairs() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    for (rows, others, width) in [(70_001, 65_537, 2), (3, 40_000_003, 5), (5_000_011, 900, 4)] {
        let (a, b) = (numbers(rows, width), numbers(others, width));
        let (p, q) = (device.features(&a, width)?, device.features(&b, width)?);
        let (of_a, of_b) = (columns(&a, width), columns(&b, width));
        for variant in 0..products_of_sets::SOURCES.len() {
            let kernel = products_of_sets::load(&device)?.kernel.pin(variant);
            let kernel = products_of_sets { kernel };
            let (mut of_row, mut of_column): (Sums<u64>, Sums<u64>) =
                (device.sums(rows)?, device.sums(others)?);
            kernel.launch(&p, &q, &mut of_row, &mut of_column)?;
            for (found, values, all) in [(of_row, &a, &of_b), (of_column, &b, &of_a)] {
                for (element, found) in found.download()?.into_iter().enumerate() {
                    let own = &values[element * width..][..width];
                    let expected: u64 = own.iter().zip(all).map(|(a, b)| u64::from(*a) * b).sum();
                    let place = format!("variant {variant}, {rows} x {others}: {element}");
                    assert_eq!(found, expected, "{place}");
                }
            }
        }
    }
    Ok(())
}
