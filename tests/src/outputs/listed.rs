//! Lists of pairs with values of every size and alignment, in every sweep that lists pairs.

use td_kernel::half::{bf16, f16};
use td_kernel::{Device, HostPairs, td_kernel};

use super::samples::{A1S6, A2S40, A4S20, A8S48, A16S64, A32S32, Halves, Sample};
use super::{Case, Outcome, expected, inputs, pairs};

/// Whether a pair is listed, as in the kernels.
fn belongs(i: usize, j: usize) -> bool {
    (3 * i + j).is_multiple_of(4)
}

/// Compares a list with the values of these pairs of n elements, or of n rows and other columns, in any order.
fn compare<T: Sample>(
    what: &str,
    found: HostPairs<T>,
    n: usize,
    pairs: impl Iterator<Item = (usize, usize)>,
) -> Outcome {
    let found = found.sorted()?;
    let pairs: Vec<_> = pairs.collect();
    if found.len() != pairs.len() {
        return Err(format!("{what}, n = {n}: {} pairs for {}", found.len(), pairs.len()).into());
    }
    for (([i, j], value), pair) in found.iter().zip(pairs) {
        let right = expected::<T>(n, pair.0, pair.1);
        if (i as usize, j as usize) != pair || *value != right {
            return Err(format!(
                "{what}, n = {n}: ({i}, {j}) with {value:?}, and not {pair:?} with {right:?}"
            )
            .into());
        }
    }
    Ok(())
}

/// The last assigned value counts, for each pair.
macro_rules! columns {
    ($type:ty) => {
        kernel! {
            () columns(#[each] x: &[$type], pool: &[$type], list: &mut Pairs<$type>) r#"
            if ((3 * i + j) % 4 != 0)
                return;
            const unsigned int way = (i + j) % 3;
            list.push(x.j);
            if (way == 0) list.push(x.i);
            if (way == 2) list.push(pool[(37 * i + j) % pool_length]);
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let listed = || pairs(n, false).filter(|(i, j)| belongs(*i, *j));
                let mut list = device.pairs(listed().count())?;
                kernel.launch(&x, &pool, &mut list)?;
                compare(&what, list.download()?, n, listed())?;
            }
        }
    };
}

macro_rules! classic {
    ($type:ty) => {
        kernel! {
            (block = 8, tile = 0, diagonal = true)
            classic(#[each] x: &[$type], pool: &[$type], list: &mut Pairs<$type>) r#"
            const unsigned int way = (i + j) % 3;
            list.push(way == 0 ? x.i : way == 1 ? x.j : pool[(37 * i + j) % pool_length]);
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let mut list = device.pairs(pairs(n, true).count())?;
                kernel.launch(&x, &pool, &mut list)?;
                compare(&what, list.download()?, n, pairs(n, true))?;
            }
        }
    };
}

macro_rules! rows {
    ($type:ty) => {
        kernel! {
            (tile = 32)
            rows(#[each] x: &[$type], pool: &[$type], out: &mut Packed<u8>, list: &mut Pairs<$type>) r#"
            const unsigned int way = (i + j) % 3;
            out = way;
            if ((3 * i + j) % 4 == 0)
                list.push(way == 0 ? x.i : way == 1 ? x.j : pool[(37 * i + j) % pool_length]);
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let listed = || pairs(n, false).filter(|(i, j)| belongs(*i, *j));
                let (mut out, mut list) = (device.packed(n)?, device.pairs(listed().count())?);
                kernel.launch(&x, &pool, &mut out, &mut list)?;
                compare(&what, list.download()?, n, listed())?;
            }
        }
    };
}

macro_rules! mirror {
    ($type:ty) => {
        kernel! {
            ()
            mirror(x: &[$type], pool: &[$type], out: &mut Square<u8>, list: &mut Pairs<$type>) r#"
            const unsigned int way = (i + j) % 3;
            out = way;
            if ((3 * i + j) % 4 == 0)
                list.push(way == 0 ? x[i] : way == 1 ? x[j] : pool[(37 * i + j) % pool_length]);
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let listed = || pairs(n, false).filter(|(i, j)| belongs(*i, *j));
                let (mut out, mut list) = (device.square(n)?, device.pairs(listed().count())?);
                kernel.launch(&x, &pool, &mut out, &mut list)?;
                compare(&what, list.download()?, n, listed())?;
            }
        }
    };
}

/// Every pair of two sets, one of which is short: at once, and in chunks of rows with one list.
macro_rules! two {
    ($type:ty) => {
        kernel! {
            ()
            two(#[row] x: &[$type], #[column] y: &[$type], pool: &[$type], list: &mut Pairs<$type>) r#"
            const unsigned int way = (i + j) % 3;
            list.push(way == 0 ? x : way == 1 ? y : pool[(37 * i + j) % pool_length]);
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                for columns in [n.min(1), n / 5, n] {
                    let y = x.slice(0..columns)?;
                    let all = || (0..n).flat_map(|i| (0..columns).map(move |j| (i, j)));
                    let mut list = device.pairs(n * columns)?;
                    kernel.launch(&x, &y, &pool, &mut list)?;
                    compare(&what, list.download()?, n, all())?;
                    list.clear()?;
                    for chunk in [n / 3..n, 0..n / 3] {
                        kernel.rows(chunk).launch(&x, &y, &pool, &mut list)?;
                    }
                    compare(&format!("{what}, in chunks"), list.download()?, n, all())?;
                }
            }
        }
    };
}

#[cfg(not(feature = "every"))]
table! {
    LISTED, "list, ";
    [columns classic rows mirror two] {
        u8_1: u8, f32_3: [f32; 3], a4s20: A4S20, a32s32: A32S32,
    }
    [columns two] {
        f32_1: f32,
    }
    [columns] {
        u8_3: [u8; 3], f16_1: f16, halves: Halves, f32_2: [f32; 2], f64_1: f64, f64_4: [f64; 4], a2s40: A2S40,
        a16s64: A16S64,
    }
    [two] {
        i16_1: i16, bf16_3: [bf16; 3], f32_4: [f32; 4], i64_3: [i64; 3], a1s6: A1S6, a8s48: A8S48,
    }
}

#[cfg(feature = "every")]
table! {
    LISTED, "list, ";
    [columns classic rows mirror two] {
        u8_1: u8, u8_3: [u8; 3], i16_1: i16, f16_1: f16, bf16_3: [bf16; 3], halves: Halves,
        f32_1: f32, f32_2: [f32; 2], f32_3: [f32; 3], f32_4: [f32; 4], f64_1: f64, i64_3: [i64; 3],
        f64_4: [f64; 4], a1s6: A1S6, a4s20: A4S20, a2s40: A2S40, a8s48: A8S48, a16s64: A16S64,
        a32s32: A32S32,
    }
}
