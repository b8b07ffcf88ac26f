//! Outputs of different sizes together and with a sum, with small and large elements. These decide how the threads of a block
//! share a tile.

use td_kernel::{Device, Result, td_kernel};

/// Three bytes, with elements of 16 bytes, and a count.
#[td_kernel]
unsafe fn bytes_of_large(#[each] p: &[[f32; 4]], out: &mut Packed<[u8; 3]>, count: &mut Sum<u32>) {
    r#" out = make_uchar3(p.i.x, p.j.x, p.i.x + p.j.w); count += 1; "#
}

/// Three bytes in a square, with elements of 4 bytes.
#[td_kernel]
unsafe fn bytes_of_small(#[each] x: &[f32], out: &mut Square<[u8; 3]>, count: &mut Sum<u32>) {
    r#" out = make_uchar3(x.i, x.j, x.i + x.j); count += 1; "#
}

/// Three such squares.
#[td_kernel]
unsafe fn three_squares(
    #[each] x: &[f32],
    a: &mut Square<[u8; 3]>,
    b: &mut Square<[u8; 3]>,
    c: &mut Square<[u8; 3]>,
    count: &mut Sum<u32>,
) {
    r#"
    a = make_uchar3(x.i, x.j, 1);
    b = make_uchar3(x.j, x.i, 2);
    c = make_uchar3(x.i + x.j, 0, 3);
    count += 1;
    "#
}

/// Two squares of 6 bytes.
#[td_kernel]
unsafe fn two_squares(
    #[each] x: &[f32],
    a: &mut Square<[i16; 3]>,
    b: &mut Square<[i16; 3]>,
    count: &mut Sum<u32>,
) {
    r#" a = make_short3(x.i, x.j, 1); b = make_short3(x.j, x.i, 2); count += 1; "#
}

/// From 1 byte to 32.
#[td_kernel]
unsafe fn mixed(
    #[each] x: &[f32],
    a: &mut Packed<u8>,
    b: &mut Packed<[f32; 4]>,
    c: &mut Packed<[f64; 4]>,
    count: &mut Sum<u32>,
) {
    r#"
    a = x.i;
    b = make_float4(x.i, x.j, 1, 2);
    c.x = x.i; c.y = x.j; c.z = 3; c.w = 4;
    count += 1;
    "#
}

/// Slots beside elements of 256 bytes: two mirrored tiles do not fit a block's shared memory with these.
#[td_kernel]
unsafe fn large_rows(#[each] p: &[[f32; 64]], a: &mut Packed<[f32; 4]>, b: &mut Square<[f32; 4]>) {
    r#"
    a = make_float4(p.i[0], p.j[63], 0, 1);
    b = make_float4(p.i[63], p.j[0], 2, 3);
    "#
}

/// Nor does one, of 32 bytes.
#[td_kernel]
unsafe fn large_list(#[each] p: &[[f32; 64]], a: &mut Square<[f64; 4]>, list: &mut Pairs<f32>) {
    r#"
    a.x = p.i[0]; a.y = p.j[63]; a.z = 2; a.w = 3;
    list.push(p.i[1]);
    "#
}

/// One of 32 rows does, and none of 64.
#[td_kernel]
unsafe fn small_list(#[each] p: &[[f32; 64]], a: &mut Square<f32>, list: &mut Pairs<f32>) {
    r#" a = p.i[0] + p.j[63]; list.push(p.i[1]); "#
}

/// Checks slots beside large elements.
pub fn check_large(device: &Device, n: usize) -> Result<()> {
    let number = |k: usize| (k % 100) as f32;
    let p = device.upload(&(0..n).map(|k| [number(k); 64]).collect::<Vec<_>>())?;
    let (mut a, mut b) = (device.packed(n)?, device.square(n)?);
    large_rows::load(device)?.launch(&p, &mut a, &mut b)?;
    let (a, b) = (a.download()?, b.download()?);
    let (mut wide, mut list) = (device.square(n)?, device.pairs(n * n)?);
    large_list::load(device)?.launch(&p, &mut wide, &mut list)?;
    let (wide, list) = (wide.download()?, list.download()?);
    let (mut sums, mut other) = (device.square(n)?, device.pairs(n * n)?);
    small_list::load(device)?.launch(&p, &mut sums, &mut other)?;
    let sums = sums.download()?;
    assert_eq!([list.len(), other.download()?.len()], [n * n.saturating_sub(1) / 2; 2], "{n}");
    for i in 0..n {
        for j in 0..i {
            let (x, y) = (number(i), number(j));
            assert_eq!(a[(i, j)], [x, y, 0.0, 1.0], "({i}, {j})");
            for at in [(i, j), (j, i)] {
                assert_eq!(b[at], [x, y, 2.0, 3.0], "{at:?}");
                assert_eq!(wide[at], [x, y, 2.0, 3.0].map(f64::from), "{at:?}");
                assert_eq!(sums[at], x + y, "{at:?}");
            }
        }
    }
    Ok(())
}

/// Compares the outputs of each variant of each kernel with the expected values.
pub fn check(device: &Device, sizes: &[usize]) -> Result<()> {
    for &n in sizes {
        let numbers: Vec<f32> = (0..n).map(|k| (k % 100) as f32).collect();
        let points: Vec<[f32; 4]> = numbers.iter().map(|&k| [k, 0.0, 0.0, k]).collect();
        let (x, p) = (device.upload(&numbers)?, device.upload(&points)?);
        let number = |k: usize| k % 100;
        let pairs: Vec<(usize, usize)> =
            (0..n).flat_map(|i| (0..i).map(move |j| (number(i), number(j)))).collect();
        let expected = pairs.len() as u32;
        for text in 0..bytes_of_large::SOURCES.len() {
            let kernel = bytes_of_large { kernel: bytes_of_large::load(device)?.kernel.pin(text) };
            let (mut out, mut count) = (device.packed(n)?, device.sum()?);
            kernel.launch(&p, &mut out, &mut count)?;
            let bytes: Vec<[u8; 3]> =
                pairs.iter().map(|&(i, j)| [i as u8, j as u8, (i + j) as u8]).collect();
            assert_eq!(out.download()?.as_slice(), bytes, "bytes_of_large {text}, n = {n}");
            assert_eq!(count.download()?, expected, "bytes_of_large {text}, n = {n}");
        }
        for text in 0..bytes_of_small::SOURCES.len() {
            let kernel = bytes_of_small { kernel: bytes_of_small::load(device)?.kernel.pin(text) };
            let (mut out, mut count) = (device.square(n)?, device.sum()?);
            kernel.launch(&x, &mut out, &mut count)?;
            let bytes = square(n, |i, j| [i as u8, j as u8, (i + j) as u8]);
            assert_eq!(out.download()?.as_slice(), bytes, "bytes_of_small {text}, n = {n}");
            assert_eq!(count.download()?, expected, "bytes_of_small {text}, n = {n}");
        }
        for text in 0..three_squares::SOURCES.len() {
            let kernel = three_squares { kernel: three_squares::load(device)?.kernel.pin(text) };
            let (mut a, mut b, mut c) = (device.square(n)?, device.square(n)?, device.square(n)?);
            let mut count = device.sum()?;
            kernel.launch(&x, &mut a, &mut b, &mut c, &mut count)?;
            let what = format!("three_squares {text}, n = {n}");
            let of_a = square(n, |i, j| [i as u8, j as u8, 1]);
            let of_b = square(n, |i, j| [j as u8, i as u8, 2]);
            let of_c = square(n, |i, j| [(i + j) as u8, 0, 3]);
            assert_eq!(a.download()?.as_slice(), of_a, "{what}");
            assert_eq!(b.download()?.as_slice(), of_b, "{what}");
            assert_eq!(c.download()?.as_slice(), of_c, "{what}");
            assert_eq!(count.download()?, expected, "{what}");
        }
        for text in 0..two_squares::SOURCES.len() {
            let kernel = two_squares { kernel: two_squares::load(device)?.kernel.pin(text) };
            let (mut a, mut b, mut count) = (device.square(n)?, device.square(n)?, device.sum()?);
            kernel.launch(&x, &mut a, &mut b, &mut count)?;
            let what = format!("two_squares {text}, n = {n}");
            assert_eq!(
                a.download()?.as_slice(),
                square(n, |i, j| [i as i16, j as i16, 1]),
                "{what}"
            );
            assert_eq!(
                b.download()?.as_slice(),
                square(n, |i, j| [j as i16, i as i16, 2]),
                "{what}"
            );
            assert_eq!(count.download()?, expected, "{what}");
        }
        for text in 0..mixed::SOURCES.len() {
            let kernel = mixed { kernel: mixed::load(device)?.kernel.pin(text) };
            let (mut a, mut b, mut c) = (device.packed(n)?, device.packed(n)?, device.packed(n)?);
            let mut count = device.sum()?;
            kernel.launch(&x, &mut a, &mut b, &mut c, &mut count)?;
            let what = format!("mixed {text}, n = {n}");
            let of_a: Vec<u8> = pairs.iter().map(|&(i, _)| i as u8).collect();
            let of_b: Vec<[f32; 4]> =
                pairs.iter().map(|&(i, j)| [i as f32, j as f32, 1.0, 2.0]).collect();
            let of_c: Vec<[f64; 4]> =
                pairs.iter().map(|&(i, j)| [i as f64, j as f64, 3.0, 4.0]).collect();
            assert_eq!(a.download()?.as_slice(), of_a, "{what}");
            assert_eq!(b.download()?.as_slice(), of_b, "{what}");
            assert_eq!(c.download()?.as_slice(), of_c, "{what}");
            assert_eq!(count.download()?, expected, "{what}");
        }
    }
    Ok(())
}

/// A square of the values of pairs, the larger index first; its diagonal is zero.
fn square<const L: usize, T: Copy + Default>(
    n: usize,
    value: impl Fn(usize, usize) -> [T; L],
) -> Vec<[T; L]> {
    let at = |i: usize, j: usize| match i == j {
        true => [T::default(); L],
        false => value(i.max(j) % 100, i.min(j) % 100),
    };
    (0..n).flat_map(|i| (0..n).map(|j| at(i, j)).collect::<Vec<_>>()).collect()
}
