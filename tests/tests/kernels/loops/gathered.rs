//! Sums, lists and results of elements: integers exactly, floats within their bounds.

use td_kernel::{Device, td_kernel};

use super::{CASES, both, features, whole};

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
            let own = device.upload(&whole(n, 5).map(i32::from).collect::<Vec<_>>())?;
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
fn floats_are_near_and_reproducible() {
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
