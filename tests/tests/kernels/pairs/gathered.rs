//! Sums, lists and results of elements.

use td_kernel::{Device, ErrorKind, td_kernel};
use td_kernel_tests::both::{both, whole};

use super::{Body, SIZES, floats, points};

#[td_kernel(diagonal = true)]
unsafe fn gathered(
    #[each] p: &[i32],
    #[each] v: &[[i16; 4]],
    count: &mut Sum<u32>,
    total: &mut Sum<i64>,
    small: &mut Sum<i32>,
    close: &mut Pairs,
    valued: &mut Pairs<[f32; 2]>,
    own: &mut Pairs<Body>,
    seen: &mut [u32],
    #[each] degree: &mut Sum<u32>,
    #[each] nearest: &mut Min<(i32, u32)>,
    #[each] most: &mut Max<[u16; 2]>,
    #[each] least: &mut Min<f32>,
) {
    r#"
    const int difference = p.i - p.j;
    total += difference + v.i.x * v.j.w;
    small -= difference;
    nearest.offer(difference * difference);
    most.i.offer(make_ushort2(p.i + p.j, j));
    least.j.offer(0.5f * difference);
    atomicAdd(&seen[(p.i + p.j) % seen_length], 1u);
    if (difference % 3)
        return;
    count += 1;
    degree.i += 2;
    degree.j += p.i;
    close.push();
    if (p.i > p.j)
        valued.push(make_float2(p.i, j));
    if (p.i == p.j) {
        Body body{};
        body.kind = i;
        own.push(body);
    }
    "#
}

#[test]
fn everything_gathered_is_the_same() {
    for &n in SIZES {
        let [cpu, emulator] = both(|device| {
            let p = device.upload(&whole(n, 8).map(i32::from).collect::<Vec<_>>())?;
            let v: Vec<i16> = whole(4 * n, 9).map(i16::from).collect();
            let v: Vec<[i16; 4]> = v.as_chunks().0.to_vec();
            let v = device.upload(&v)?;
            let (mut count, mut total, mut small) = (device.sum()?, device.sum()?, device.sum()?);
            let most = n * (n + 1) / 2 + 1;
            let (mut close, mut valued, mut own) =
                (device.pairs(most)?, device.pairs(most)?, device.pairs(most)?);
            let mut seen = device.zeroed(13)?;
            let (mut degree, mut nearest) = (device.sums(n)?, device.minima(n)?);
            let (mut greatest, mut least) = (device.maxima(n)?, device.minima(n)?);
            gathered::load(device)?.launch(
                &p,
                &v,
                &mut count,
                &mut total,
                &mut small,
                &mut close,
                &mut valued,
                &mut own,
                &mut seen,
                &mut degree,
                &mut nearest,
                &mut greatest,
                &mut least,
            )?;
            let mut listed = close.download()?;
            listed.sort_unstable();
            let of = |text: String| text;
            let (valued, own) = (valued.download()?, own.download()?);
            let mut values: Vec<_> = valued.iter().map(|each| of(format!("{each:?}"))).collect();
            values.sort_unstable();
            let mut bodies: Vec<_> = own.iter().map(|each| of(format!("{each:?}"))).collect();
            bodies.sort_unstable();
            Ok((
                (count.download()?, total.download()?, small.download()?, seen.download()?),
                (listed, values, bodies),
                (degree.download()?, nearest.download()?, greatest.download()?, least.download()?),
            ))
        });
        assert_eq!(cpu, emulator, "{n}");
    }
}

#[td_kernel]
unsafe fn crowded(#[each] p: &[f32], close: &mut Pairs, valued: &mut Pairs<f32>) {
    r#" close.push(); valued.push(p.i - p.j); "#
}

#[test]
fn short_list_reports_its_need() {
    let device = Device::cpu().unwrap();
    let n = 100;
    let p = device.upload(&floats(n, 1)).unwrap();
    let all = n * (n - 1) / 2;
    let (mut close, mut valued) = (device.pairs(all - 1).unwrap(), device.pairs(all).unwrap());
    crowded::load(&device).unwrap().launch(&p, &mut close, &mut valued).unwrap();
    let error = close.download().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PairsOverflow, "{error}");
    assert!(error.to_string().contains(&all.to_string()), "{error}");
    assert_eq!(valued.download().unwrap().iter().count(), all);
}

#[td_kernel]
unsafe fn forces(
    #[each] p: &[[f32; 3]],
    energy: &mut Sum<f32>,
    precise: &mut Sum<f64>,
    #[each] force: &mut Sum<[f32; 3]>,
    #[each] wide: &mut Sum<f64>,
) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, d = x * x + y * y + z * z + 1;
    if (d > 5000)
        return;
    energy += 1 / d;
    precise += 1 / d;
    force.i += make_float3(x / d, y / d, z / d);
    force.j -= make_float3(x / d, y / d, z / d);
    wide.i += 1;
    wide.j += d;
    "#
}

#[td_kernel(deterministic = true)]
unsafe fn exact_forces(
    #[each] p: &[[f32; 3]],
    energy: &mut Sum<f32>,
    #[each] force: &mut Sum<[f32; 3]>,
    #[each] wide: &mut Sum<f64>,
) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, d = x * x + y * y + z * z + 1;
    energy += 1 / d;
    force.i += make_float3(x / d, y / d, z / d);
    force.j -= make_float3(x / d, y / d, z / d);
    wide.i += 1;
    wide.j += d;
    "#
}

/// A few roundings of the sum of all terms without their signs, which for forces are at most 1/2 a pair.
fn is_near(a: f64, b: f64, terms: f64) -> bool {
    (a - b).abs() <= 4e-6 * terms
}

#[test]
fn sums_of_floats_are_within_their_bounds() {
    for &n in SIZES {
        let [cpu, emulator] = both(|device| {
            let p = device.upload(&points::<3>(n, 1))?;
            let (mut energy, mut precise) = (device.sum()?, device.sum()?);
            let (mut force, mut wide) = (device.sums(n)?, device.sums(n)?);
            forces::load(device)?.launch(&p, &mut energy, &mut precise, &mut force, &mut wide)?;
            Ok((energy.download()?, precise.download()?, force.download()?, wide.download()?))
        });
        assert!(is_near(cpu.0.into(), emulator.0.into(), emulator.1), "{n} {cpu:?}");
        assert!(is_near(cpu.1, emulator.1, 1e-6 * emulator.1), "{n}");
        for (a, b) in cpu.2.iter().flatten().zip(emulator.2.iter().flatten()) {
            assert!(is_near((*a).into(), (*b).into(), n as f64 / 2.0), "{n} {a} {b}");
        }
        for (a, b) in cpu.3.iter().zip(&emulator.3) {
            assert!(is_near(*a, *b, 1e-6 * b), "{n} {a} {b}");
        }
    }
}

#[test]
fn deterministic_sums_ignore_thread_count() {
    let n = 600;
    let run = || {
        let device = Device::cpu().unwrap();
        let p = device.upload(&points::<3>(n, 1)).unwrap();
        let (mut energy, mut force) = (device.sum().unwrap(), device.sums(n).unwrap());
        let mut wide = device.sums(n).unwrap();
        let kernel = exact_forces::load(&device).unwrap();
        kernel.launch(&p, &mut energy, &mut force, &mut wide).unwrap();
        let wide = wide.download().unwrap().into_iter().map(f64::to_bits).collect::<Vec<_>>();
        let force = force.download().unwrap().into_iter().flatten().map(f32::to_bits);
        (energy.download().unwrap().to_bits(), force.collect::<Vec<_>>(), wide)
    };
    let first = run();
    for threads in 1..=4 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(run) == first, "{threads}");
    }
}
