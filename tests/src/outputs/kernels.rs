//! The kernels with slots, and with slices, of every type.

use td_kernel::half::{bf16, f16};
use td_kernel::{Device, Shape, td_kernel};

use super::samples::*;
use super::{Case, Outcome, compare_packed, compare_square, inputs, pairs};

/// The value of a square's diagonal.
fn diagonal<T: Sample>() -> T {
    T::sample(77_777)
}

macro_rules! packed {
    ($type:ty) => {
        kernel! {
            () packed(#[each] x: &[$type], pool: &[$type], out: &mut Packed<$type>) r#"
            const unsigned int way = (i + j) % 3;
            if (way == 0) out = x.i;
            else if (way == 1) out = x.j;
            else out = pool[(37 * i + j) % pool_length];
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let mut out = device.packed(n)?;
                kernel.launch(&x, &pool, &mut out)?;
                compare_packed(&what, out.download()?.as_slice(), n, false)?;
            }
        }
    };
}

macro_rules! square {
    ($type:ty) => {
        kernel! {
            () square(#[each] x: &[$type], pool: &[$type], out: &mut Square<$type>) r#"
            const unsigned int way = (i + j) % 3;
            if (way == 0) out = x.i;
            else if (way == 1) out = x.j;
            else out = pool[(37 * i + j) % pool_length];
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let mut out = device.square(n)?.with_diagonal(diagonal());
                kernel.launch(&x, &pool, &mut out)?;
                compare_square(&what, out.download()?.as_slice(), n, diagonal())?;
            }
        }
    };
}

/// The smallest tiles, with the diagonal, and a slice in addition to the slots.
macro_rules! rows {
    ($type:ty) => {
        kernel! {
            (tile = 32, diagonal = true)
            rows(#[each] x: &[$type], pool: &[$type], out: &mut Packed<$type>, raw: &mut [$type]) r#"
            const unsigned int way = (i + j) % 3;
            if (way == 0) out = x.i;
            else if (way == 1) out = x.j;
            else out = pool[(37 * i + j) % pool_length];
            raw[(unsigned long long)i * (i + 1) / 2 + j] = out;
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let mut out = device.packed(Shape::triangle(n).with_diagonal())?;
                let mut raw = device.zeroed(pairs(n, true).count())?;
                kernel.launch(&x, &pool, &mut out, &mut raw)?;
                compare_packed(&what, out.download()?.as_slice(), n, true)?;
                compare_packed(&format!("{what}, slice"), &raw.download()?, n, true)?;
            }
        }
    };
}

macro_rules! columns {
    ($type:ty) => {
        kernel! {
            (tile = 32, sweep = "columns")
            columns(#[each] x: &[$type], pool: &[$type], raw: &mut [$type], count: &mut Sum<u64>) r#"
            const unsigned int way = (i + j) % 3;
            const unsigned long long slot = (unsigned long long)i * (i - 1) / 2 + j;
            if (way == 0) raw[slot] = x.i;
            else if (way == 1) raw[slot] = x.j;
            else raw[slot] = pool[(37 * i + j) % pool_length];
            count += 1;
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let (mut raw, mut count) = (device.zeroed(pairs(n, false).count())?, device.sum()?);
                kernel.launch(&x, &pool, &mut raw, &mut count)?;
                compare_packed(&what, &raw.download()?, n, false)?;
                if count.download()? != pairs(n, false).count() as u64 {
                    return Err(format!("{what}, n = {n}: a wrong count").into());
                }
            }
        }
    };
}

/// One thread for each pair, and every output at once.
macro_rules! classic {
    ($type:ty) => {
        kernel! {
            (block = 8, tile = 0)
            classic(
                #[each] x: &[$type],
                pool: &[$type],
                out: &mut Packed<$type>,
                both: &mut Square<$type>,
                raw: &mut [$type],
            ) r#"
            const unsigned int way = (i + j) % 3;
            if (way == 0) out = x.i;
            else if (way == 1) out = x.j;
            else out = pool[(37 * i + j) % pool_length];
            both = out;
            raw[(unsigned long long)i * (i - 1) / 2 + j] = out;
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let (mut out, mut raw) = (device.packed(n)?, device.zeroed(pairs(n, false).count())?);
                let mut both = device.square(n)?.with_diagonal(diagonal());
                kernel.launch(&x, &pool, &mut out, &mut both, &mut raw)?;
                compare_packed(&what, out.download()?.as_slice(), n, false)?;
                compare_square(&what, both.download()?.as_slice(), n, diagonal())?;
                compare_packed(&format!("{what}, slice"), &raw.download()?, n, false)?;
            }
        }
    };
}

/// The sweep `mirror`, which the default keys do not choose for structs, for types whose tiles fit a block's shared memory.
macro_rules! mirror {
    ($type:ty) => {
        kernel! {
            (sweep = "mirror")
            mirror(#[each] x: &[$type], pool: &[$type], out: &mut Square<$type>) r#"
            const unsigned int way = (i + j) % 3;
            if (way == 0) out = x.i;
            else if (way == 1) out = x.j;
            else out = pool[(37 * i + j) % pool_length];
            "#;
            |device, n, what, kernel| {
                let (x, pool) = inputs::<$type>(device, n)?;
                let mut out = device.square(n)?.with_diagonal(diagonal());
                kernel.launch(&x, &pool, &mut out)?;
                compare_square(&what, out.download()?.as_slice(), n, diagonal())?;
            }
        }
    };
}

// One type of each size and alignment: most in one of the kernels that only have slots, some in both, and unusual ones in every
// kernel.
#[cfg(not(feature = "every"))]
table! {
    CASES, "";
    [packed square rows columns classic] {
        u8_1: u8, f32_3: [f32; 3],
    }
    [packed square mirror rows columns classic] {
        a4s20: A4S20, a32s32: A32S32,
    }
    [packed square] {
        f32_1: f32, f32_4: [f32; 4], f64_1: f64,
    }
    [packed] {
        i16_1: i16, f16_2: [f16; 2], bf16_3: [bf16; 3], u8_3: [u8; 3], f64_3: [f64; 3], f64_4: [f64; 4],
        a2s40: A2S40, halves: Halves, a4s12: A4S12, a8s24: A8S24, a16s64: A16S64, a32s64: A32S64,
    }
    [square] {
        i16_3: [i16; 3], f16_1: f16, bf16_1: bf16, f32_2: [f32; 2], f64_2: [f64; 2],
        a8s48: A8S48, a16s48: A16S48,
    }
    [square mirror] {
        a1s6: A1S6, a2s6: A2S6, a4s24: A4S24, a16s16: A16S16,
    }
}

#[cfg(feature = "every")]
table! {
    CASES, "";
    [packed square rows columns classic] {
        f32_1: f32, f32_2: [f32; 2], f32_3: [f32; 3], f32_4: [f32; 4],
        f64_1: f64, f64_2: [f64; 2], f64_3: [f64; 3], f64_4: [f64; 4],
        i8_1: i8, i8_2: [i8; 2], i8_3: [i8; 3], i8_4: [i8; 4],
        u8_1: u8, u8_2: [u8; 2], u8_3: [u8; 3], u8_4: [u8; 4],
        i16_1: i16, i16_2: [i16; 2], i16_3: [i16; 3], i16_4: [i16; 4],
        u16_1: u16, u16_2: [u16; 2], u16_3: [u16; 3], u16_4: [u16; 4],
        f16_1: f16, f16_2: [f16; 2], f16_3: [f16; 3], f16_4: [f16; 4],
        bf16_1: bf16, bf16_2: [bf16; 2], bf16_3: [bf16; 3], bf16_4: [bf16; 4],
        i32_1: i32, i32_2: [i32; 2], i32_3: [i32; 3], i32_4: [i32; 4],
        u32_1: u32, u32_2: [u32; 2], u32_3: [u32; 3], u32_4: [u32; 4],
        i64_1: i64, i64_2: [i64; 2], i64_3: [i64; 3], i64_4: [i64; 4],
        u64_1: u64, u64_2: [u64; 2], u64_3: [u64; 3], u64_4: [u64; 4],
        a1s40: A1S40, a1s48: A1S48, a1s64: A1S64,
        a2s40: A2S40, a2s48: A2S48, a2s64: A2S64,
        a4s40: A4S40, a4s48: A4S48, a4s64: A4S64,
        a8s40: A8S40, a8s48: A8S48, a8s64: A8S64,
        a16s48: A16S48, a16s64: A16S64,
        a32s64: A32S64,
    }
    [packed square mirror rows columns classic] {
        a1s1: A1S1, a1s2: A1S2, a1s3: A1S3, a1s4: A1S4, a1s6: A1S6, a1s8: A1S8, a1s12: A1S12,
        a1s16: A1S16, a1s20: A1S20, a1s24: A1S24, a1s32: A1S32,
        a2s2: A2S2, a2s4: A2S4, a2s6: A2S6, a2s8: A2S8, a2s12: A2S12, a2s16: A2S16, a2s20: A2S20,
        a2s24: A2S24, a2s32: A2S32, halves: Halves,
        a4s4: A4S4, a4s8: A4S8, a4s12: A4S12, a4s16: A4S16, a4s20: A4S20, a4s24: A4S24, a4s32: A4S32,
        a8s8: A8S8, a8s16: A8S16, a8s24: A8S24, a8s32: A8S32,
        a16s16: A16S16, a16s32: A16S32,
        a32s32: A32S32,
    }
}
