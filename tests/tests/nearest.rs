//! Nearest neighbours, compared with brute force: every type, sweep and number of neighbours, data in which every pair is
//! nearer than those before it, ties, and values that are no number.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::half::{self, bf16};
use td_kernel::{Device, Devices, ErrorKind, Neighbours, Result, td_kernel};

/// What an element's neighbours should be: those that `value` has a number for, by value and then by index.
fn expected<T: Copy + PartialOrd>(
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
fn check<T: Copy + PartialOrd + std::fmt::Debug>(
    what: &str,
    near: &Neighbours<T>,
    n: usize,
    value: impl Fn(usize, usize) -> Option<T>,
) {
    assert_eq!((near.len(), near.indices().len()), (n, n * near.neighbours()), "{what}");
    for (i, indices, values) in near.rows() {
        // The larger index comes first.
        let of = |j: usize| if i > j { value(i, j) } else { value(j, i) };
        let (expected_indices, expected_values) = expected(n, near.neighbours(), of);
        assert_eq!(indices, expected_indices, "{what}, n = {n}, element {i}: {values:?}");
        assert_eq!(values, expected_values, "{what}, n = {n}, element {i}");
        let rest = &near.indices()[i * near.neighbours() + indices.len()..]
            [..near.neighbours() - indices.len()];
        assert!(rest.iter().all(|index| *index == u32::MAX), "{what}, n = {n}, element {i}");
    }
}

/// Numbers from 0 to below `end`.
fn random(seed: u32, end: u32) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) % end
    })
}

/// The numbers of elements around those where something changes.
const COUNTS: &[usize] = &[0, 1, 2, 3, 10, 11, 32, 33, 64, 65, 100, 129, 257, 300];

/// Kernels of points with other keys and other numbers of neighbours.
macro_rules! points {
    ($($name:ident: $keys:tt, $k:literal;)*) => {$(
        mod $name {
            use super::*;

            #[td_kernel $keys]
            unsafe fn kernel(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, $k>) {
                r#"
                float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
                near.push(dx * dx + dy * dy + dz * dz);
                "#
            }

            #[test]
            fn points() -> Result<()> {
                let device = Device::emulator()?;
                let kernel = kernel::load(&device)?;
                let diagonal = stringify!($keys).contains("diagonal = true");
                for &n in COUNTS.iter().chain(&[$k, $k + 1]) {
                    // A small lattice, in which there are many ties, and points that are all different.
                    for end in [4, 1 << 20] {
                        let p: Vec<[f32; 3]> = random(n as u32, end).map(|x| x as f32)
                            .zip(random(n as u32 + 7, end).map(|y| y as f32))
                            .map(|(x, y)| [x, y, (x * 3.7 + y) % 5.3]).take(n).collect();
                        let mut near = device.nearest(n)?;
                        kernel.launch(&device.upload(&p)?, &mut near)?;
                        let what = format!("{} of {end}", stringify!($name));
                        check(&what, &near.download()?, n, |i, j| {
                            let [dx, dy, dz] = [0, 1, 2].map(|at| p[i][at] - p[j][at]);
                            (i != j || diagonal).then_some(dx * dx + dy * dy + dz * dz)
                        });
                    }
                }
                Ok(())
            }
        }
    )*};
}

points! {
    usual: (), 10;
    one: (tile = 32), 1;
    with_diagonal: (tile = 64, diagonal = true), 10;
    tile_96: (tile = 96), 33;
    many: (tile = 32), 100;
    most: (tile = 32, diagonal = true), 256;
    classic: (block = 8), 10;
    classic_with_diagonal: (tile = 0, diagonal = true), 5;
}

/// A kernel whose body is given, of numbers of a type.
macro_rules! numbers {
    ($($name:ident: $number:ty, $k:literal, $body:literal;)*) => {
        $(
            #[td_kernel(tile = 32)]
            unsafe fn $name(#[each] x: &[$number], #[each] near: &mut Nearest<$number, $k>) { $body }
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
    let device = Device::emulator()?;
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
    // NaN is taken nowhere, infinity is a value, and -0 counts as 0.
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
    let device = Device::emulator()?;
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

/// Values of a pair's indices alone, in several orders: each is nearer than those before, or farther, or all are alike.
#[td_kernel(tile = 32)]
unsafe fn orders(order: i32, #[each] near: &mut Nearest<i32, 10>) {
    r#"
    int sum = i + j, apart = i - j;
    near.push(order == 0 ? 7 : order == 1 ? sum : order == 2 ? -sum : order == 3 ? apart : order == 4 ? -apart : i % 2 ? -sum : sum);
    "#
}

fn of_order(order: i32, i: usize, j: usize) -> i32 {
    let (i, j) = (i as i32, j as i32);
    match order {
        0 => 7,
        1 => i + j,
        2 => -i - j,
        3 => i - j,
        4 => j - i,
        _ if i % 2 == 1 => -i - j,
        _ => i + j,
    }
}

/// Nothing is lost where queues are full, and few pairs are visited again.
#[test]
fn data_in_the_worst_order() -> Result<()> {
    let device = Device::emulator()?;
    let kernel = orders::load(&device)?;
    for order in 0..6 {
        for n in [40, 300, 700] {
            let mut near = device.nearest(n)?;
            let before = device.progress().blocks;
            kernel.launch(order, &mut near)?;
            let blocks = (device.progress().blocks - before) as usize;
            let of = |i: usize, j: usize| (i != j).then(|| of_order(order, i, j));
            check(&format!("order {order}"), &near.download()?, n, of);
            // A block for each tile and some surplus ones, and after each round those that merge: at worst each round has
            // one offset, and one in eight is visited twice.
            let tiles = n.div_ceil(32);
            let (pairs, merge) = (tiles * (tiles / 2 + 1), n.div_ceil(4));
            let most = 2 * pairs + (2 * tiles + 10) * merge;
            assert!(blocks <= most, "order {order}, n = {n}: {blocks} blocks, more than {most}");
        }
    }
    Ok(())
}

/// In data without an order rounds double, and none is repeated.
#[test]
fn few_rounds_in_data_without_an_order() -> Result<()> {
    let device = Device::emulator()?;
    let n = 3000;
    let x: Vec<u32> = random(1, u32::MAX).take(n).collect();
    let mut near = device.nearest(n)?;
    let kernel = of_u32::load(&device)?;
    let before = device.progress().blocks;
    kernel.launch(&device.upload(&x)?, &mut near)?;
    let blocks = (device.progress().blocks - before) as usize;
    check("without an order", &near.download()?, n, |i, j| (i != j).then(|| x[i] ^ x[j]));
    // 94 tiles and 48 offsets: 0, 1, 2.., 4.., 8.., 16.. and 32..; and before them the bounds are made.
    assert_eq!(blocks, 94 * 48 + 8 * n.div_ceil(4));
    Ok(())
}

#[td_kernel(tile = 32)]
unsafe fn some(#[each] x: &[f32], limit: f32, #[each] near: &mut Nearest<f32, 3>) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d > limit)
        return;
    near.push(d + 1);
    near.push(NAN);
    near.push(d);
    near.push(d + 2);
    "#
}

/// A pair that is not pushed is no neighbour, and the least of several values counts.
#[test]
fn bodies_push_never_or_often() -> Result<()> {
    let device = Device::emulator()?;
    let kernel = some::load(&device)?;
    let x: Vec<f32> = random(2, 200).map(|x| x as f32).take(90).collect();
    for limit in [-1.0, 0.0, 3.0, 500.0] {
        let mut near = device.nearest(x.len())?;
        kernel.launch(&device.upload(&x)?, limit, &mut near)?;
        let of = |i: usize, j: usize| {
            let d = (x[i] - x[j]).abs();
            (i != j && d <= limit).then_some(d)
        };
        check("some", &near.download()?, x.len(), of);
    }
    Ok(())
}

/// A launch goes on with what those before have found; what is found again is there once.
#[test]
fn launches_go_on() -> Result<()> {
    let device = Device::emulator()?;
    let kernel = orders::load(&device)?;
    let mut near = device.nearest(70)?;
    let of = |order| move |i: usize, j: usize| (i != j).then(|| of_order(order, i, j));
    for _ in 0..3 {
        kernel.launch(3, &mut near)?;
        check("again", &near.download()?, 70, of(3));
    }
    // Farther pairs change nothing, and nearer ones all.
    kernel.launch(0, &mut near)?;
    let mixed = near.download()?;
    for (i, indices, values) in mixed.rows() {
        let one = expected(70, 10, |j| (i != j).then(|| (i as i32 - j as i32).abs()));
        let both = one.0.iter().zip(&one.1).map(|(index, value)| (*value, *index));
        let mut all: Vec<_> =
            both.chain((0..70).filter(|j| *j != i as u32).map(|j| (7, j))).collect();
        all.sort_unstable();
        all.dedup();
        let found: Vec<_> = values.iter().copied().zip(indices.iter().copied()).collect();
        assert_eq!(found, all[..10], "element {i}");
    }
    kernel.launch(4, &mut near)?;
    check("nearer", &near.download()?, 70, of(4));
    near.clear()?;
    assert_eq!(near.download()?.counts(), [0; 70]);
    kernel.launch(0, &mut near)?;
    check("anew", &near.download()?, 70, of(0));
    Ok(())
}

#[td_kernel]
unsafe fn of_large_tiles(#[each] x: &[i32], #[each] near: &mut Nearest<i32, 10>) {
    r#" near.push(abs(x.i - x.j)); "#
}

/// Several kernels take the same neighbours, each with the room that its tiles need.
#[test]
fn kernels_share_neighbours() -> Result<()> {
    let device = Device::emulator()?;
    let mut near = device.nearest(200)?;
    let x: Vec<i32> = (0..200).map(|at| at * at % 97).collect();
    orders::load(&device)?.launch(0, &mut near)?;
    near.clear()?;
    of_large_tiles::load(&device)?.launch(&device.upload(&x)?, &mut near)?;
    let of = |i: usize, j: usize| (i != j).then(|| (x[i] - x[j]).abs());
    check("large", &near.download()?, 200, of);
    orders::load(&device)?.launch(4, &mut near)?;
    check("small", &near.download()?, 200, |i, j| (i != j).then(|| of_order(4, i, j)));
    Ok(())
}

#[td_kernel]
unsafe fn folded(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 10>) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" near.push(sum); "#;
}

#[td_kernel(tile = 32, diagonal = true)]
unsafe fn folded_small(
    #[each] p: &Features<i8>,
    #[fold] sum: i32,
    #[each] near: &mut Nearest<i32, 40>,
) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" near.push(-sum); "#;
}

#[td_kernel(tile = 64)]
unsafe fn folded_of_two(
    #[row] p: &Features<i32>,
    #[column] q: &Features<i32>,
    #[fold] sum: i32,
    #[row] near: &mut Nearest<i32, 7>,
) {
    let feature = r#" sum += abs(p - q); "#;
    let pair = r#" near.push(sum); "#;
}

/// Elements with features, on the CPU and on its emulator.
#[test]
fn features() -> Result<()> {
    for device in [Device::emulator()?, Device::cpu()?] {
        for n in [0, 1, 5, 33, 140, 300] {
            let width = 5;
            let numbers: Vec<i32> =
                random(n as u32, 16).map(|x| x as i32 - 8).take(n * width).collect();
            let sum = |i: usize, j: usize, term: fn(i32, i32) -> i32| -> i32 {
                (0..width).map(|k| term(numbers[i * width + k], numbers[j * width + k])).sum()
            };
            let floats: Vec<f32> = numbers.iter().map(|x| *x as f32).collect();
            let mut near = device.nearest(n)?;
            folded::load(&device)?.launch(&device.features(&floats, width)?, &mut near)?;
            check("folded", &near.download()?, n, |i, j| {
                (i != j).then(|| sum(i, j, |a, b| (a - b) * (a - b)) as f32)
            });
            let bytes: Vec<i8> = numbers.iter().map(|x| *x as i8).collect();
            let mut near = device.nearest(n)?;
            folded_small::load(&device)?.launch(&device.features(&bytes, width)?, &mut near)?;
            let of = |i, j| Some(-sum(i, j, |a, b| a * b));
            check("folded_small", &near.download()?, n, of);
            for rows in [0, 1, 70] {
                let queries: Vec<i32> = random(3, 9).map(|x| x as i32).take(rows * width).collect();
                let mut near = device.nearest(rows)?;
                folded_of_two::load(&device)?.launch(
                    &device.features(&queries, width)?,
                    &device.features(&numbers, width)?,
                    &mut near,
                )?;
                let near = near.download()?;
                let of = |i: usize, j: usize| -> i32 {
                    let of = |k| queries[i * width + k] - numbers[j * width + k];
                    (0..width).map(|k| of(k).abs()).sum()
                };
                check_of_two(&near, rows, n, of);
            }
        }
    }
    Ok(())
}

/// Compares the nearest columns of each row.
fn check_of_two(
    near: &Neighbours<i32>,
    rows: usize,
    columns: usize,
    value: impl Fn(usize, usize) -> i32,
) {
    assert_eq!(near.len(), rows);
    for (i, indices, values) in near.rows() {
        let (expected_indices, expected_values) =
            expected(columns, near.neighbours(), |j| Some(value(i, j)));
        assert_eq!(indices, expected_indices, "{rows} rows, {columns} columns: row {i}");
        assert_eq!(values, expected_values, "{rows} rows, {columns} columns: row {i}");
    }
    let graph = near.to_csr_of_two(columns).unwrap();
    assert_eq!(graph.offsets().len(), rows + 1);
    assert_eq!(graph.len(), near.counts().iter().map(|count| *count as usize).sum::<usize>());
}

macro_rules! of_two {
    ($($name:ident: $keys:tt;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(#[row] a: &[i32], #[column] b: &[i32], order: i32, #[row] near: &mut Nearest<i32, 7>) {
            r#" near.push(order == 0 ? abs(a - b) : order == 1 ? -(int)j : 3); "#
        }
    )*};
}

of_two! {
    queries: ();
    queries_of_small_tiles: (tile = 32);
    queries_one_by_one: (block = 16);
}

#[test]
fn rectangles() -> Result<()> {
    let device = Device::emulator()?;
    for (rows, columns) in [(0, 5), (5, 0), (1, 1), (3, 200), (200, 3), (65, 130), (300, 300)] {
        let a: Vec<i32> = random(rows as u32, 500).map(|x| x as i32).take(rows).collect();
        let b: Vec<i32> = random(columns as u32 + 9, 500).map(|x| x as i32).take(columns).collect();
        let (on_a, on_b) = (device.upload(&a)?, device.upload(&b)?);
        for order in 0..3 {
            let of = |i: usize, j: usize| match order {
                0 => (a[i] - b[j]).abs(),
                1 => -(j as i32),
                _ => 3,
            };
            for text in 0..3 {
                let mut near = device.nearest(rows)?;
                match text {
                    0 => queries::load(&device)?.launch(&on_a, &on_b, order, &mut near)?,
                    1 => queries_of_small_tiles::load(&device)?
                        .launch(&on_a, &on_b, order, &mut near)?,
                    _ => {
                        queries_one_by_one::load(&device)?
                            .launch(&on_a, &on_b, order, &mut near)?;
                    }
                }
                check_of_two(&near.download()?, rows, columns, of);
            }
        }
    }
    Ok(())
}

/// The same bits in every tile, though the products of a sum could be fused in different ways.
#[test]
fn values_are_the_same_in_every_tile() -> Result<()> {
    let device = Device::emulator()?;
    let x: Vec<[f32; 3]> =
        (0..200).map(|at| [0.1, 0.37, 1.7].map(|by| by * at as f32 % 1.0)).collect();
    let x = device.upload(&x)?;
    let mut all = Vec::new();
    let mut near = device.nearest(200)?;
    usual_points::load(&device)?.launch(&x, &mut near)?;
    all.push(near.download()?);
    near.clear()?;
    small_points::load(&device)?.launch(&x, &mut near)?;
    all.push(near.download()?);
    near.clear()?;
    single_points::load(&device)?.launch(&x, &mut near)?;
    all.push(near.download()?);
    assert!(all.iter().all(|each| *each == all[0]));
    // The option is in the text: a GPU's compiler would fuse them.
    for source in [usual_points::SOURCE, small_points::SOURCE, single_points::SOURCE] {
        assert!(source.contains("// NVRTC option: --fmad=false"));
    }
    Ok(())
}

macro_rules! same {
    ($($name:ident: $keys:tt;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 6>) {
            r#"
            float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
            near.push(dx * dx + dy * dy + dz * dz);
            "#
        }
    )*};
}

same! {
    usual_points: ();
    small_points: (tile = 32);
    single_points: (tile = 0);
}

#[test]
fn what_a_launch_refuses() -> Result<()> {
    let device = Device::emulator()?;
    let x = device.upload(&[1, 2, 3])?;
    let kernel = of_large_tiles::load(&device)?;
    let mut near = device.nearest(4)?;
    let error = kernel.launch(&x, &mut near).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `of_large_tiles`: `near` has 4 elements, but `x` says that there are 3"
    );
    let mut near = device.nearest(3)?;
    let error = kernel.rows(0..2).launch(&x, &mut near).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoRows);
    assert!(
        error
            .to_string()
            .contains("the nearest of an element may be in any row: launch it over all of them"),
        "{error}"
    );
    let (a, b) = (device.upload(&[1, 2])?, device.upload(&[3])?);
    let error = queries::load(&device)?.launch(&a, &b, 0, &mut device.nearest(1)?).unwrap_err();
    assert!(
        error.to_string().contains("`near` is for 1 rows, but `a` says that there are 2"),
        "{error}"
    );
    assert!(near.download()?.to_csr_of_two(0).is_ok());
    kernel.launch(&x, &mut near)?;
    assert!(near.download()?.to_csr_of_two(1).is_err());
    Ok(())
}

#[td_kernel]
unsafe fn folded_pairs(
    #[each] p: &Features<i32>,
    #[fold] sum: i32,
    #[each] near: &mut Nearest<i32, 3>,
) {
    let feature = r#" sum += abs(p.i - p.j); "#;
    let pair = r#" near.push(sum); "#;
}

/// Rounds are for one device, with a text of the GPU's and in plain loops.
#[test]
fn several_devices_are_refused() -> Result<()> {
    let devices = Devices::new([Device::cpu()?, Device::emulator()?])?;
    let one = Devices::cpu(1)?;
    let loaded = [
        ("of_large_tiles", of_large_tiles::load(&devices).map(drop)),
        ("queries", queries::load(&devices).map(drop)),
        ("folded_pairs", folded_pairs::load(&devices).map(drop)),
        ("folded_pairs", folded_pairs::load(&one).map(drop)),
    ];
    for (name, loaded) in loaded {
        let error = loaded.unwrap_err();
        assert_eq!((error.kind(), error.kernel()), (ErrorKind::Arguments, Some(name)));
        assert!(error.to_string().contains("load it for one of "), "{error}");
    }
    let error = devices.nearest::<f32, 3>(5).unwrap_err();
    assert_eq!((error.kind(), error.kernel()), (ErrorKind::Arguments, None));
    assert!(error.to_string().contains("a `Nearest` is on one device"), "{error}");
    // What the messages say to do.
    for device in devices.iter() {
        let (query, data) = (device.upload(&[5, 1, 9])?, device.upload(&[2, 4, 8])?);
        let mut near = device.nearest(2)?;
        queries::load(device)?.launch(&query.slice(1..3)?, &data, 0, &mut near)?;
        let near = near.download()?;
        assert_eq!(near.row(0), Some((&[0, 1, 2][..], &[1, 3, 7][..])));
        assert_eq!(near.row(1), Some((&[2, 1, 0][..], &[1, 5, 7][..])));
    }
    Ok(())
}

/// The CPU runs the rounds of kernels without features, and reports and tunes their texts.
#[test]
fn the_cpu_runs_rounds() -> Result<()> {
    assert_eq!((of_large_tiles::CPU_SOURCE, queries::CPU_SOURCE), (None, None));
    assert!(folded_pairs::CPU_SOURCE.is_some());
    let device = Device::cpu()?;
    let x: Vec<i32> = random(5, 1000).map(|x| x as i32).take(300).collect();
    let kernel = of_large_tiles::load(&device)?;
    let mut near = device.nearest(300)?;
    kernel.launch(&device.upload(&x)?, &mut near)?;
    check("rounds", &near.download()?, 300, |i, j| (i != j).then(|| (x[i] - x[j]).abs()));
    let report = kernel.report(300)?;
    assert_eq!((report.map, report.part_rows), ("rounds", None));
    let tuned = kernel.tune(&device.upload(&x)?, &mut near)?;
    assert_eq!(tuned.times.len(), of_large_tiles::SOURCES.len());
    Ok(())
}

/// What it is on the device and on the host.
#[test]
fn neighbours_of_nothing() -> Result<()> {
    let device = Device::cpu()?;
    let near = device.nearest::<f32, 3>(2)?;
    assert_eq!(format!("{near:?}"), "Nearest { len: 2, neighbours: 3, .. }");
    let near = near.download()?;
    assert_eq!(near.indices(), [u32::MAX; 6]);
    assert_eq!(near.values(), [f32::INFINITY; 6]);
    assert_eq!((near.row(1), near.row(2)), (Some((&[][..], &[][..])), None));
    assert!(near.to_csr()?.is_empty());
    let (indices, values, counts) = near.into_vecs();
    assert_eq!((indices.len(), values.len(), counts), (6, 6, vec![0, 0]));
    assert!(device.nearest::<u8, 1>(0)?.is_empty());
    for error in [device.nearest::<f32, 0>(1).err(), device.nearest::<f32, 257>(1).err()] {
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::Arguments));
    }
    // A report and a tuning, of which only the launch counts.
    let device = Device::emulator()?;
    let kernel = of_large_tiles::load(&device)?;
    assert_eq!(kernel.report(300)?.map, "rounds");
    let mut near = device.nearest(40)?;
    let x: Vec<i32> = (0..40).collect();
    kernel.tune(&device.upload(&x)?, &mut near)?;
    check("tuned", &near.download()?, 40, |i, j| (i != j).then(|| (x[i] - x[j]).abs()));
    Ok(())
}
