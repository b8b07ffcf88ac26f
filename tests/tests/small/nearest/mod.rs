//! Nearest neighbours: consecutive launches, the ends of types, errors of launches; and, bit for bit, kernels with lower bounds.

pub(crate) mod lower_bound;

use td_kernel::{Device, Devices, ErrorKind, HostNearest, PartialResult, Result, td_kernel};

use super::{IS_GPU, IS_LARGE, devices, simt};

/// An element's expected neighbours: those for which `value` returns a number, sorted by value and then by index.
pub(crate) fn expected<T: Copy + PartialOrd>(
    candidates: usize,
    k: usize,
    value: impl Fn(usize) -> Option<T>,
) -> (Vec<u32>, Vec<T>) {
    let is_number = |value: &T| value.partial_cmp(value).is_some();
    let all = (0..candidates).filter_map(|at| Some((value(at).filter(is_number)?, at as u32)));
    let mut all: Vec<(T, u32)> = all.collect();
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let (values, indices) = all.into_iter().take(k).unzip();
    (indices, values)
}

/// Compares the neighbours of `n` elements, of one set.
pub(crate) fn check<T: Copy + PartialOrd + std::fmt::Debug>(
    what: &str,
    near: &HostNearest<T>,
    n: usize,
    value: impl Fn(usize, usize) -> Option<T>,
) {
    assert_eq!((near.len(), near.indices().len()), (n, n * near.k()), "{what}");
    for (i, indices, values) in near.rows() {
        // The larger index comes first.
        let of = |j: usize| if i > j { value(i, j) } else { value(j, i) };
        let (expected_indices, expected_values) = expected(n, near.k(), of);
        assert_eq!(indices, expected_indices, "{what}, n = {n}, element {i}: {values:?}");
        assert_eq!(values, expected_values, "{what}, n = {n}, element {i}");
        let rest = &near.indices()[i * near.k() + indices.len()..][..near.k() - indices.len()];
        assert!(rest.iter().all(|index| *index == u32::MAX), "{what}, n = {n}, element {i}");
    }
}

/// Pseudorandom numbers below `end`.
pub(crate) fn random(seed: u32, end: u32) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) % end
    })
}

#[td_kernel]
pub(crate) unsafe fn of_large_tiles(#[each] x: &[i32], #[each] near: &mut Nearest<i32, 10>) {
    r#" near.push(abs(x.i - x.j)); "#
}

macro_rules! of_two {
    ($($name:ident: $keys:tt;)*) => {$(
        #[td_kernel $keys]
        pub(crate) unsafe fn $name(#[row] a: &[i32], #[column] b: &[i32], order: i32, #[row] near: &mut Nearest<i32, 7>) {
            r#" near.push(order == 0 ? abs(a - b) : order == 1 ? -(int)j : 3); "#
        }
    )*};
}

of_two! {
    queries: ();
    queries_of_small_tiles: (tile = 32);
    queries_one_by_one: (block = 16);
}

/// A kernel with a given body, for numbers of a type.
macro_rules! numbers {
    ($($name:ident: $number:ty, $body:literal;)*) => {
        $(
            #[td_kernel(tile = 32)]
            pub(crate) unsafe fn $name(#[each] x: &[$number], #[each] near: &mut Nearest<$number, 4>) { $body }
        )*
    };
}

numbers! {
    of_f32: f32, r#" near.push(x.i * x.j); "#;
    of_i8: i8, r#" near.push(x.i - x.j); "#;
    of_u16: u16, r#" near.push(x.i ^ x.j); "#;
    of_i32: i32, r#" near.push(x.i ^ x.j); "#;
    of_u32: u32, r#" near.push(x.i ^ x.j); "#;
}

/// The largest and smallest values of every kind of type, and all signs. NaN is never stored, infinity is a value, and -0 counts as 0.
#[test]
fn ends_of_types() -> Result<()> {
    let device = simt();
    macro_rules! compare {
        ($kernel:ident, $number:ty, $ends:expr, $value:expr) => {{
            let mut x: Vec<$number> =
                random(5, 1 << 24).map(|x| (x % 100) as $number).take(150).collect();
            let ends: &[$number] = &$ends;
            x.splice(20..20 + ends.len(), ends.iter().copied());
            for x in [&x[..], ends] {
                let mut near = device.nearest(x.len())?;
                $kernel::load(&device)?.launch(&device.upload(x)?, &mut near)?;
                let value: fn($number, $number) -> $number = $value;
                let of = |i: usize, j: usize| (i != j).then(|| value(x[i], x[j]));
                check(stringify!($kernel), &near.download()?, x.len(), of);
            }
        }};
    }
    compare!(of_i8, i8, [i8::MAX, i8::MIN, -1, i8::MAX], |a, b| a.wrapping_sub(b));
    compare!(of_u16, u16, [u16::MAX, 0, u16::MAX, 1], |a, b| a ^ b);
    compare!(of_i32, i32, [i32::MAX, i32::MIN, -1, i32::MAX], |a, b| a ^ b);
    compare!(of_u32, u32, [u32::MAX, 0, u32::MAX, 1], |a, b| a ^ b);
    let ends = [f32::NAN, f32::INFINITY, -0.0, 0.0, f32::NEG_INFINITY, f32::MAX, -1.0, 1e-40];
    compare!(of_f32, f32, ends, |a, b| a * b);
    Ok(())
}

#[td_kernel]
unsafe fn of_any(#[each] x: &[u32], #[each] near: &mut Nearest<u32>) {
    r#" near.push(x.i > x.j ? x.i - x.j : x.j - x.i); "#
}

#[test]
fn invalid_launches_are_refused() -> Result<()> {
    let device = simt();
    let x = device.upload(&[1, 2, 3])?;
    let kernel = of_large_tiles::load(&device)?;
    let mut near = device.nearest(4)?;
    let words = "is for 4 elements, but `x` requires 3: write `device.nearest(3)`$";
    assert_errors! { kernel.launch(&x, &mut near) => ["^kernel `of_large_tiles`: `near` is for 4 elements", words]; }
    let mut near = device.nearest(3)?;
    let words = "the nearest neighbours of an element may be in any row: launch it over all rows";
    assert_errors! { kernel.rows(0..2).launch(&x, &mut near) => words, NoRows; }
    let (a, b) = (device.upload(&[1, 2])?, device.upload(&[3])?);
    let launched = queries::load(&device)?.launch(&a, &b, 0, &mut device.nearest(1)?);
    assert_errors! { launched => "`a` requires 2: write `device.nearest(2)`$"; }
    assert!(near.download()?.to_csr((3, 0)).is_ok());
    kernel.launch(&x, &mut near)?;
    assert!(near.download()?.to_csr((3, 1)).is_err());
    assert_errors! { near.download()?.to_csr(4) => "neighbours of 3 elements, but the shape has 4 rows"; }
    for k in [0, 257] {
        assert_errors! { device.nearest_k::<f32>(3, k) => format!("not {k}"); }
    }
    assert_errors! { device.nearest::<f32, 0>(3) => "`device.nearest_k(n, k)`"; }
    assert_eq!(device.nearest::<f32, 257>(1).unwrap_err().kind(), ErrorKind::Arguments);
    Ok(())
}

/// The type on the device and on the host.
#[test]
fn neighbours_without_a_launch() -> Result<()> {
    let device = Device::cpu()?;
    let near = device.nearest::<f32, 3>(2)?;
    assert_eq!(format!("{near:?}"), "Nearest { len: 2, neighbours: 3, .. }");
    let near = near.download()?;
    assert_eq!(near.indices(), [u32::MAX; 6]);
    assert_eq!(near.values(), [f32::INFINITY; 6]);
    assert_eq!((near.row(1), near.row(2)), (Some((&[][..], &[][..])), None));
    assert!(near.to_csr(near.len())?.is_empty());
    let (indices, values, counts) = near.into_vecs();
    assert_eq!((indices.len(), values.len(), counts), (6, 6, vec![0, 0]));
    assert!(device.nearest::<u8, 1>(0)?.is_empty());
    // A report and a tuning; only the launch changes the result.
    let device = simt();
    let kernel = of_large_tiles::load(&device)?;
    assert_eq!(kernel.report(300)?.map, "rounds");
    let mut near = device.nearest(40)?;
    let x: Vec<i32> = (0..40).collect();
    kernel.tune(&device.upload(&x)?, &mut near)?;
    check("tuned", &near.download()?, 40, |i, j| (i != j).then(|| (x[i] - x[j]).abs()));
    // Words that processes exchange.
    for device in devices() {
        let several = Devices::new(vec![device; 3])?;
        let mut near = several.nearest_k(40, 3)?;
        of_any::load(&several)?
            .launch(&several.upload(&(0..40).collect::<Vec<_>>())?, &mut near)?;
        assert_eq!(near.finish(&near.to_bits()?)?, near.download()?);
    }
    Ok(())
}
