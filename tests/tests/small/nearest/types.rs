//! Values of every type.

use td_kernel::half::{self, bf16};
use td_kernel::{Result, td_kernel};

use super::{check, random, simt};

/// A kernel with a given body, for numbers of a type.
macro_rules! numbers {
    ($($name:ident: $number:ty, $k:literal, $body:literal;)*) => {
        $(
            #[td_kernel(tile = 32)]
            pub(crate) unsafe fn $name(#[each] x: &[$number], #[each] near: &mut Nearest<$number, $k>) { $body }
        )*
    };
}

numbers! {
    of_f32: f32, 4, r#" near.push(x.i * x.j); "#;
    of_i8: i8, 4, r#" near.push(x.i - x.j); "#;
    of_u8: u8, 4, r#" near.push(x.i ^ x.j); "#;
    of_i16: i16, 4, r#" near.push(x.i - x.j); "#;
    of_u16: u16, 4, r#" near.push(x.i ^ x.j); "#;
    of_i32: i32, 4, r#" near.push(x.i ^ x.j); "#;
    of_u32: u32, 4, r#" near.push(x.i ^ x.j); "#;
}

/// The largest and smallest values of every type, and all signs.
#[test]
fn every_type() -> Result<()> {
    let device = simt();
    macro_rules! compare {
        ($kernel:ident, $number:ty, $least:expr, $value:expr) => {{
            let n = 150;
            let mut x: Vec<$number> = random(5, 1 << 24).map(|x| x as $number).take(n).collect();
            x.splice(20..24, [<$number>::MAX, <$number>::MIN, $least, <$number>::MAX]);
            let mut near = device.nearest(n)?;
            $kernel::load(&device)?.launch(&device.upload(&x)?, &mut near)?;
            let value: fn($number, $number) -> $number = $value;
            let of = |i: usize, j: usize| (i != j).then(|| value(x[i], x[j]));
            check(stringify!($kernel), &near.download()?, n, of);
        }};
    }
    compare!(of_i8, i8, -1, |a, b| a.wrapping_sub(b));
    compare!(of_u8, u8, 0, |a, b| a ^ b);
    compare!(of_i16, i16, -1, |a, b| a.wrapping_sub(b));
    compare!(of_u16, u16, 0, |a, b| a ^ b);
    compare!(of_i32, i32, -1, |a, b| a ^ b);
    compare!(of_u32, u32, 0, |a, b| a ^ b);
    // NaN is never stored, infinity is a value, and -0 counts as 0.
    let special = [f32::NAN, f32::INFINITY, -0.0, 0.0, f32::NEG_INFINITY, f32::MAX, -1.0, 1e-40];
    let mut x: Vec<f32> = random(9, 100).map(|x| x as f32 - 50.0).take(150).collect();
    x.splice(30..38, special);
    for n in [8, 40, 150] {
        let x = &x[x.len() - n..];
        let mut near = device.nearest(n)?;
        of_f32::load(&device)?.launch(&device.upload(x)?, &mut near)?;
        check("of_f32", &near.download()?, n, |i, j| (i != j).then(|| x[i] * x[j]));
    }
    let mut near = device.nearest(8)?;
    of_f32::load(&device)?.launch(&device.upload(&special)?, &mut near)?;
    let near = near.download()?;
    check("special", &near, 8, |i, j| (i != j).then(|| special[i] * special[j]));
    assert_eq!(near.counts(), [0, 5, 4, 4, 5, 6, 6, 6].map(|count: u32| count.min(4)));
    Ok(())
}

#[td_kernel(tile = 32)]
unsafe fn halves(#[each] x: &[half::f16], #[each] near: &mut Nearest<half::f16, 3>) {
    r#" near.push(fabsf(x.i - x.j)); "#
}

#[td_kernel(tile = 32)]
unsafe fn brain(#[each] x: &[f32], #[each] near: &mut Nearest<bf16, 3>) {
    r#" near.push(x.i - x.j); "#
}

#[test]
fn floats_of_16_bits() -> Result<()> {
    let device = simt();
    let n = 70;
    let x: Vec<f32> = random(3, 40).map(|x| x as f32).take(n).collect();
    let small: Vec<_> = x.iter().map(|x| half::f16::from_f32(*x)).collect();
    let mut near = device.nearest(n)?;
    halves::load(&device)?.launch(&device.upload(&small)?, &mut near)?;
    let of = |i: usize, j: usize| (i != j).then(|| half::f16::from_f32((x[i] - x[j]).abs()));
    check("f16", &near.download()?, n, of);
    let mut near = device.nearest(n)?;
    brain::load(&device)?.launch(&device.upload(&x)?, &mut near)?;
    check("bf16", &near.download()?, n, |i, j| (i != j).then(|| bf16::from_f32(x[i] - x[j])));
    Ok(())
}
