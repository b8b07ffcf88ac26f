//! The plain loops of the CPU do what the GPU's text does, thread by thread on the emulator, where elements have features:
//! over domains, outputs, numbers of elements and widths of features. Those of other kernels: `pairs.rs`.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::{Device, DeviceType, ErrorKind, Features, td_kernel};

/// Numbers of elements, around the sides of blocks and such that there are several parts, with widths around those of rows
/// in memory, and such that features are folded in one chunk or in several. The emulator is slow: few are large.
const CASES: &[(usize, usize)] =
    &[(1, 1), (2, 3), (5, 16), (31, 3), (32, 1), (33, 300), (65, 17), (130, 5), (300, 2)];

/// The same on the CPU and on the emulator.
fn both<R>(run: impl Fn(&Device) -> td_kernel::Result<R>) -> [R; 2] {
    [Device::cpu(), Device::emulator()].map(|device| run(&device.unwrap()).unwrap())
}

/// Numbers that look random, from 0 to 99.
fn numbers(count: usize, seed: usize) -> impl Iterator<Item = u8> {
    (0..count).map(move |k| {
        let k = (k + seed) as u64;
        (k.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
            >> 32) as u8
            % 100
    })
}

fn features<T: DeviceType + From<u8>>(
    device: &Device,
    n: usize,
    width: usize,
    seed: usize,
) -> td_kernel::Result<Features<T>> {
    let values: Vec<T> = numbers(n * width, seed).map(T::from).collect();
    device.features(&values, width)
}

#[td_kernel]
unsafe fn products(
    #[each] p: &Features<i32>,
    #[fold] sum: i32,
    #[fold(start = "7")] last: u32,
    product: &mut Packed<i32>,
    other: &mut Packed<[u16; 3]>,
) {
    let feature = r#" sum += p.i * p.j; if (p.i > p.j) last = k; "#;
    let pair = r#"
    product = sum + n;
    other = make_ushort3(last, i, features);
    "#;
}

#[test]
fn packed() {
    for &(n, width) in CASES {
        let [cpu, emulator] = both(|device| {
            let p = features(device, n, width, 1)?;
            let (mut product, mut other) = (device.packed(n)?, device.packed(n)?);
            products::load(device)?.launch(&p, &mut product, &mut other)?;
            Ok((product.download()?, other.download()?))
        });
        assert_eq!(cpu, emulator, "{n} {width}");
    }
}

#[td_kernel(diagonal = true)]
unsafe fn gathered(
    #[each] p: &Features<u8>,
    #[each] own: &[i32],
    #[fold] sum: u32,
    total: &mut Sum<i64>,
    close: &mut Pairs,
    valued: &mut Pairs<i32>,
    seen: &mut [u32],
    #[each] degree: &mut Sum<u32>,
    #[each] nearest: &mut Min<(i32, u32)>,
    #[each] most: &mut Max<[u16; 2]>,
) {
    let feature = r#" sum += p.i ^ p.j; "#;
    let pair = r#"
    total += own.i - own.j + (int)sum;
    if (sum % 5 == 0)
        close.push();
    if (sum % 7 == 0)
        valued.push(sum);
    atomicAdd(&seen[sum % seen_length], 1u);
    degree.i += sum % 3;
    degree.j += 1;
    nearest.offer(sum % 50);
    most.i.offer(make_ushort2(sum, j));
    "#;
}

#[test]
fn everything_gathered() {
    for &(n, width) in CASES {
        let [cpu, emulator] = both(|device| {
            let p = features(device, n, width, 2)?;
            let own = device.upload(&numbers(n, 5).map(i32::from).collect::<Vec<_>>())?;
            let (mut total, mut close, mut valued) =
                (device.sum()?, device.pairs(n * n)?, device.pairs(n * n)?);
            let mut seen = device.zeroed(13)?;
            let (mut degree, mut nearest, mut most) =
                (device.sums(n)?, device.minima(n)?, device.maxima(n)?);
            gathered::load(device)?.launch(
                &p,
                &own,
                &mut total,
                &mut close,
                &mut valued,
                &mut seen,
                &mut degree,
                &mut nearest,
                &mut most,
            )?;
            let mut listed = close.download()?;
            listed.sort_unstable();
            let valued = valued.download()?;
            let mut values: Vec<_> = valued.iter().collect();
            values.sort_unstable();
            Ok((
                (total.download()?, listed, format!("{values:?}"), seen.download()?),
                (degree.download()?, nearest.download()?, most.download()?),
            ))
        });
        assert_eq!(cpu, emulator, "{n} {width}");
    }
}

#[td_kernel]
unsafe fn halves(
    #[each] p: &Features<i16>,
    #[each] q: &Features<u16>,
    #[fold] a: i64,
    square: &mut Square<i64>,
    other: &mut Square<[u8; 3]>,
) {
    let feature = r#" a += (p.i - p.j) * (q.i + q.j); "#;
    let pair = r#" square = a; other = make_uchar3(a, i, j); "#;
}

#[test]
fn squares() {
    for &(n, _) in CASES {
        let [cpu, emulator] = both(|device| {
            let (p, q) = (features(device, n, 40, 3)?, features(device, n, 40, 4)?);
            let mut square = device.square(n)?.with_diagonal(-1);
            let mut other = device.square(n)?;
            halves::load(device)?.launch(&p, &q, &mut square, &mut other)?;
            Ok((square.download()?, other.download()?))
        });
        assert_eq!(cpu, emulator, "{n}");
    }
}

#[td_kernel]
unsafe fn dots(
    #[row] a: &Features<[i8; 4]>,
    #[column] b: &Features<[i8; 4]>,
    weights: &[i32],
    #[row] r: &[i32],
    #[column] c: &[u8],
    shift: i32,
    #[fold] dot: i32,
    out: &mut Matrix<i32>,
    #[row] least: &mut Min<i32>,
    #[column] far: &mut Max<(i32, u32)>,
    #[column] sum: &mut Sum<i64>,
) {
    let feature = r#" dot = __dp4a(a, b, dot) + weights[k]; "#;
    let pair = r#"
    out = dot + r - c + shift + (int)(rows - columns);
    least.offer(out);
    far.offer(out % 11);
    sum += out;
    "#;
}

#[test]
fn rectangles() {
    for [rows, columns] in [[1, 1], [3, 70], [70, 3], [129, 64], [300, 33]] {
        for width in [1, 400].into_iter().take(if rows * columns > 9000 { 1 } else { 2 }) {
            let [cpu, emulator] = both(|device| {
                let of = |n: usize, seed: usize| {
                    let values: Vec<_> =
                        numbers(4 * n * width, seed).map(|each| each as i8 - 50).collect();
                    let values: Vec<[i8; 4]> = values.as_chunks().0.to_vec();
                    device.features(&values, width)
                };
                let weights =
                    device.upload(&numbers(width, 9).map(i32::from).collect::<Vec<_>>())?;
                let r = device.upload(&numbers(rows, 10).map(i32::from).collect::<Vec<_>>())?;
                let c = device.upload(&numbers(columns, 11).collect::<Vec<_>>())?;
                let mut out = device.matrix(rows, columns)?;
                let (mut least, mut far, mut sum) =
                    (device.minima(rows)?, device.maxima(columns)?, device.sums(columns)?);
                dots::load(device)?.launch(
                    &of(rows, 6)?,
                    &of(columns, 7)?,
                    &weights,
                    &r,
                    &c,
                    -5,
                    &mut out,
                    &mut least,
                    &mut far,
                    &mut sum,
                )?;
                Ok((out.download()?, least.download()?, far.download()?, sum.download()?))
            });
            assert_eq!(cpu, emulator, "{rows} {columns} {width}");
        }
    }
}

#[td_kernel(deterministic = true)]
unsafe fn floats(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    distance: &mut Packed<f32>,
    total: &mut Sum<f32>,
    #[each] near: &mut Sum<f32>,
    #[each] wide: &mut Sum<[f64; 2]>,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#"
    distance = sqrtf(sum);
    total += distance;
    near.i += distance;
    near.j += distance;
    wide.i += make_double2(distance, 1);
    "#;
}

#[test]
fn floats_are_near_and_the_same_in_every_run() {
    for &(n, width) in CASES {
        let run = |device: &Device| {
            let p = features::<f32>(device, n, width, 12)?;
            let mut distance = device.packed(n)?;
            let (mut total, mut near, mut wide) = (device.sum()?, device.sums(n)?, device.sums(n)?);
            floats::load(device)?.launch(&p, &mut distance, &mut total, &mut near, &mut wide)?;
            let distance = distance.download()?.as_slice().to_vec();
            Ok((distance, vec![total.download()?], near.download()?, wide.download()?))
        };
        let [cpu, emulator] = both(run);
        let again = run(&Device::cpu().unwrap()).unwrap();
        assert_eq!(cpu, again, "{n} {width}");
        let bound = |a: f64, b: f64, what: &str| {
            assert!((a - b).abs() <= 3e-5 * b.abs(), "{what}: {a} {b}, {n} {width}");
        };
        // The width's roundings: a sum of squares of whole numbers below 2^24 is exact.
        assert_eq!(cpu.0, emulator.0, "{n} {width}");
        for (cpu, emulator, what) in [(&cpu.1, &emulator.1, "total"), (&cpu.2, &emulator.2, "near")]
        {
            for (a, b) in cpu.iter().zip(emulator) {
                bound(f64::from(*a), f64::from(*b), what);
            }
        }
        for (a, b) in cpu.3.iter().zip(&emulator.3) {
            bound(a[0], b[0], "wide");
            assert_eq!(a[1], b[1]);
        }
    }
}

#[td_kernel]
unsafe fn sums(
    #[row] a: &Features<f64>,
    #[column] b: &Features<f64>,
    #[fold(start = "1.0")] product: f64,
    total: &mut Sum<f64>,
    ones: &mut Sum<u32>,
    #[row] of_rows: &mut Sum<f32>,
    #[column] of_columns: &mut Sum<[f32; 2]>,
    #[row] best: &mut Max<(f32, u32)>,
) {
    let feature = r#" product += a * b; "#;
    let pair = r#"
    total += product;
    ones += 1;
    of_rows += product;
    of_columns.x += product;
    of_columns.y -= 1;
    best.offer(product);
    "#;
}

#[test]
fn sums_of_floats_are_within_their_bounds() {
    for [rows, columns, width] in [[1, 1, 1], [33, 65, 7], [200, 130, 200], [3, 1000, 2]] {
        let [cpu, emulator] = both(|device| {
            let (a, b) =
                (features(device, rows, width, 13)?, features(device, columns, width, 14)?);
            let (mut total, mut ones) = (device.sum()?, device.sum()?);
            let (mut of_rows, mut of_columns, mut best) =
                (device.sums(rows)?, device.sums(columns)?, device.maxima(rows)?);
            sums::load(device)?.launch(
                &a,
                &b,
                &mut total,
                &mut ones,
                &mut of_rows,
                &mut of_columns,
                &mut best,
            )?;
            let gathered = (of_rows.download()?, of_columns.download()?, best.download()?);
            Ok((total.download()?, ones.download()?, gathered))
        });
        // Whole numbers, and few enough for doubles to be exact.
        assert_eq!((cpu.0, cpu.1, cpu.2.2), (emulator.0, emulator.1, emulator.2.2));
        let near = |a: f32, b: f32| assert!((a - b).abs() <= 2e-5 * b.abs(), "{a} {b}");
        cpu.2.0.iter().zip(&emulator.2.0).for_each(|(a, b)| near(*a, *b));
        for (a, b) in cpu.2.1.iter().zip(&emulator.2.1) {
            near(a[0], b[0]);
            assert_eq!(a[1], b[1]);
        }
    }
}

#[test]
fn bands_of_rows() {
    let (n, width) = (200, 30);
    let [cpu, emulator] = both(|device| {
        let p = features(device, n, width, 15)?;
        let kernel = products::load(device)?;
        let mut found = Vec::new();
        // Bands of their own, and rows of slots for all.
        let (mut all, mut others) = (device.packed(n)?, device.packed(n)?);
        for rows in [0..1, 1..2, 2..90, 90..91, 91..200, 17..17] {
            let (mut product, mut other) =
                (device.packed_rows(n, rows.clone())?, device.packed_rows(n, rows.clone())?);
            kernel.rows(rows.clone()).launch(&p, &mut product, &mut other)?;
            found.push((
                product.download()?.as_slice().to_vec(),
                other.download()?.as_slice().to_vec(),
            ));
            if rows.start != 2 {
                kernel.rows(rows).launch(&p, &mut all, &mut others)?;
            }
        }
        found.push((all.download()?.as_slice().to_vec(), others.download()?.as_slice().to_vec()));
        Ok(found)
    });
    assert_eq!(cpu, emulator);
}

#[test]
fn a_report_and_tuning_tell_of_the_loops() {
    let [cpu, emulator] = both(|device| {
        let kernel = products::load(device)?;
        let p = features(device, 100, 3, 1)?;
        let tuned = kernel.tune(&p, &mut device.packed(100)?, &mut device.packed(100)?)?;
        assert!(
            kernel.rows(1..5).report(10)?.grids.len() == 1 && kernel.report(1)?.grids.is_empty()
        );
        Ok((kernel.report(4000)?, tuned))
    });
    assert_eq!((cpu.0.part_rows, cpu.0.grids.as_slice()), (Some(84), &[[48, 1]][..]));
    assert_eq!(cpu.0.to_string(), "n = 4000: plain loops on the CPU, 84 rows at a time; parts: 48");
    assert_eq!((cpu.1.elements, cpu.1.times.len()), (100, 1));
    assert_eq!(emulator.0.part_rows, None);
    assert_eq!(emulator.1.times.len(), products::SOURCES.len());
}

#[td_kernel]
unsafe fn wrong(#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>) {
    let feature = r#"
    sum += nowhere;
    "#;
    let pair = r#" out = sum; "#;
}

#[test]
fn a_compiler_names_the_users_line() {
    let error = wrong::load(&Device::cpu().unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compile);
    let log = error.compiler_log().unwrap();
    let line =
        include_str!("loops.rs").lines().position(|line| line.contains("sum += nowhere")).unwrap()
            + 1;
    assert!(log.contains(&format!("tests/loops.rs:{line}:")) && log.contains("nowhere"), "{log}");
}

#[td_kernel]
unsafe fn misplaced(
    #[row] p: &Features<f32>,
    #[row] mean: &[f32],
    #[fold(start = "nothing")] low: f32,
    out: &mut Matrix<f32>,
) {
    let feature = r#"
    low += sqrtf(p + (mean));
    low += (p).i;
    "#;
    let pair = r#" out = sqrtf(p) + (k); "#;
}

/// As NVRTC's messages are.
#[test]
fn names_of_the_other_text_and_starts_are_explained() {
    let error = misplaced::load(&Device::cpu().unwrap()).unwrap_err();
    let log = error.compiler_log().unwrap();
    for part in [
        "\nnote: only parameters with `#[each]` have `.i` and `.j`",
        "\nnote: of a kernel over features, the text `feature` has one feature of each element, `k`",
        "\nnote: `low` starts at what its `#[fold(start = \"…\")]` says",
        "\nnote: `misplaced.cpp` is the generated text, which `misplaced::CPU_SOURCE` holds",
    ] {
        assert!(log.contains(part), "{part:?} in {log}");
    }
}

#[td_kernel]
unsafe fn from_vectors(
    #[each] p: &Features<f32>,
    #[fold(start = "{INFINITY, -2}")] most: [f32; 2],
    #[fold(start = "make_int2(7, -7)")] count: [i32; 2],
    out: &mut Packed<[f32; 4]>,
) {
    let feature = r#"
    most.x = fminf(most.x, p.i * p.j);
    most.y = fmaxf(most.y, p.i - p.j);
    count.x += 1;
    count.y -= 1;
    "#;
    let pair = r#" out = {most.x, most.y, (float)count.x, (float)count.y}; "#;
}

/// A vector starts at all of its members, in braces or by a call.
#[test]
fn vectors_start_where_they_say() {
    let [cpu, emulator] = both(|device| {
        let mut out = device.packed(3)?;
        let p = device.features(&[1.0, 2.0, 3.0, -1.0, 5.0, -9.0], 2)?;
        from_vectors::load(device)?.launch(&p, &mut out)?;
        out.download()
    });
    let expected = [[-2.0, 2.0, 9.0, -9.0], [-18.0, 4.0, 9.0, -9.0], [9.0, 2.0, 9.0, -9.0]];
    assert_eq!(cpu.as_slice(), expected);
    assert_eq!(emulator.as_slice(), expected);
}

#[test]
fn every_kernel_has_loops() {
    for text in [products::CPU_SOURCE, td_kernel_tests::variants::packed::CPU_SOURCE] {
        assert!(text.is_some_and(|text| !text.contains("__global__")));
    }
}
