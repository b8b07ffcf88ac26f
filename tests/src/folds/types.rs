//! Features of every type, folded at many widths in every tile, in triangles and in rectangles, whole and in chunks.

use td_kernel::half::{bf16, f16};
use td_kernel::{Device, Result};

use super::host::{exact, near, near64};
use super::run::Run;

/// Runs a kernel of every type, and compares each value with the host's. Without a turn, it covers the pairs of one set and of
/// two, in all tiles and sizes. With one, it tests each type over the pairs of one set or of two, in one of its tiles, and the
/// smaller tiles in a third of the sizes, by turns; two consecutive turns complement each other.
pub fn check(
    device: &Device,
    turn: Option<usize>,
    sizes: &[[usize; 2]],
    sizes_of_sets: &[[usize; 3]],
) -> Result<()> {
    let run = Run { device, turn, sizes, sizes_of_sets };
    // Values whose products are rounded, and small integers.
    let float = |number: u32| number as f32 / 65_536.0 - 30_000.0;
    let small = |number: u32| (number >> 8) as i32 % 1000;
    run.of("f32", float, near(|a: f32, b| (f64::from(a) - f64::from(b)).powi(2)), |found: f32| {
        f64::from(found)
    })?;
    let double = |number: u32| f64::from(number) / 97.0 - 1e7;
    run.of("f64", double, near64(|a: f64, b: f64| [a * b, (a * b).abs()]), |found: f64| found)?;
    run.of(
        "i8",
        |x| (x >> 9) as i8,
        exact(|s: i32, a, b, _| s + i32::from(a) * i32::from(b)),
        same,
    )?;
    run.of("u8", |x| (x >> 9) as u8 % 5, exact(|s: u32, a, b, _| s + u32::from(a != b)), same)?;
    let distance = |a: i16, b: i16| (i32::from(a) - i32::from(b)).abs();
    run.of("i16", |x| (x >> 7) as i16, exact(move |s: i32, a, b, _| s + distance(a, b)), same)?;
    let weighted = |s: u32, a: u16, b: u16, k: u32| {
        let d = i32::from(a) - i32::from(b);
        s.max((d * (k % 5) as i32) as u32)
    };
    run.of("u16", |x| (x >> 7) as u16, exact(weighted), same)?;
    run.of("i32", small, exact(|s: i32, a, b, k| s + a * b - k as i32), same)?;
    run.of("u32", |x| x, exact(|s: u32, a: u32, b, _| s + (a ^ b).count_ones()), same)?;
    let wide = |number: u32| i64::from(number >> 6) - (1 << 25);
    run.of("i64", wide, exact(|s: i64, a: i64, b, _| s + a * b), same)?;
    let bits = |number: u32| u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    run.of("u64", bits, exact(|s: u32, a: u64, b: u64, _| s + (a & !b).count_ones()), same)?;
    let dot = |s: i32, a: [i8; 4], b: [i8; 4], _| {
        a.iter().zip(b).fold(s, |s, (a, b)| s + i32::from(*a) * i32::from(b))
    };
    run.of("[i8; 4]", |x| x.to_le_bytes().map(|byte| byte as i8), exact(dot), same)?;
    let dot = |s: u32, a: [u8; 4], b: [u8; 4], _| {
        a.iter().zip(b).fold(s, |s, (a, b)| s + u32::from(*a) * u32::from(b))
    };
    run.of("[u8; 4]", u32::to_le_bytes, exact(dot), same)?;
    // Small integers, whose sums are exact.
    let whole = |x: u32| ((x >> 8) % 33) as f32 - 16.0;
    let dot = |s: f32, a: f16, b: f16, _| s + a.to_f32() * b.to_f32();
    run.of("f16", move |x| f16::from_f32(whole(x)), exact(dot), same)?;
    let distance = |s: f32, a: bf16, b: bf16, _| s + (a.to_f32() - b.to_f32()).abs();
    run.of("half::bf16", move |x| bf16::from_f32(whole(x)), exact(distance), same)?;
    let crossed = |s: u32, a: [u8; 2], b: [u8; 2], _| s + u32::from(a[0]) * u32::from(b[1]);
    run.of("[u8; 2]", |x| [(x >> 3) as u8, (x >> 13) as u8], exact(crossed), same)?;
    let crossed = |s: i64, a: [i16; 2], b: [i16; 2], _| s + i64::from(a[0]) * i64::from(b[1]);
    run.of("[i16; 2]", |x| [(x >> 3) as i16, (x >> 13) as i16], exact(crossed), same)?;
    // Small multiples of a half, whose sums are exact.
    let halves = |x: u32| [(x % 64) as f32 / 2.0, (x % 31) as f32];
    let both = |s: [f64; 2], a: [f32; 2], b: [f32; 2], _| {
        [s[0] + f64::from(a[0]) * f64::from(b[1]), s[1] + f64::from(a[1] - 2.0 * b[0])]
    };
    run.of("[f32; 2]", halves, exact(both), same)
}

fn same<F>(found: F) -> F {
    found
}
