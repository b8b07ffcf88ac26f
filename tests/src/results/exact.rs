//! Deterministic float sums.

use td_kernel::{Device, Result, td_kernel};

/// Terms of many magnitudes, whose rounded sum depends on their order.
#[td_kernel(deterministic = true)]
unsafe fn exact(
    #[each] x: &[f32],
    #[each] force: &mut Sums<[f32; 3]>,
    #[each] weight: &mut Sums<f64>,
    energy: &mut Sum<f32>,
    work: &mut Sum<f64>,
) {
    r#"
    const float d = x.i - x.j;
    force.i += make_float3(d, d * d, 1 / (d * d + 1e-3f));
    force.j -= make_float3(d, -d * d, 1e10f * d * d * d);
    weight.i += 1e-3 * d;
    weight.j += 1e8 / (d * d + 1e-9);
    energy += d * d * d;
    work += 1.0 / (d * d + 1e-12);
    "#
}

/// The same in blocks of one thread per pair, on another map: each pair adds to the exact sums directly.
#[td_kernel(deterministic = true, map = "rb", block = 8)]
unsafe fn single(#[each] x: &[f32], #[each] force: &mut Sums<[f32; 2]>, energy: &mut Sum<f32>) {
    r#"
    const float d = x.i - x.j;
    force.i.x += d;
    force.j.y -= 1 / (d * d + 1e-3f);
    energy += d * d * d;
    "#
}

/// The same of two sets.
#[td_kernel(deterministic = true)]
unsafe fn sets(
    #[row] a: &[f32],
    #[column] b: &[f32],
    #[row] of_row: &mut Sums<f32>,
    #[column] of_column: &mut Sums<[f64; 2]>,
) {
    r#"
    const float d = a - b;
    of_row += 1 / (d * d + 1e-6f);
    of_column -= make_double2(d, d * d);
    "#
}

/// n numbers of many magnitudes.
fn numbers(n: usize) -> Vec<f32> {
    let mut state = 1_u32;
    let number = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let exponent = (state >> 8) as i32 % 20 - 10;
        (state >> 9) as f32 / (1 << 23) as f32 * 2_f32.powi(exponent)
    };
    (0..n).map(number).collect()
}

/// The bits of all sums of `exact` over `n` elements.
pub fn bits(device: &Device, n: usize) -> Result<impl PartialEq + use<>> {
    let Sums { force, weight, energy, work } = sums(device, n, 1)?;
    let force: Vec<_> = force.into_iter().map(|each| each.map(f32::to_bits)).collect();
    let weight: Vec<_> = weight.into_iter().map(f64::to_bits).collect();
    Ok((force, weight, (energy.to_bits(), work.to_bits())))
}

/// The results of `exact`.
struct Sums {
    force: Vec<[f32; 3]>,
    weight: Vec<f64>,
    energy: f32,
    work: f64,
}

/// The sums of the last of `launches` launches. They are cleared before each.
fn sums(device: &Device, n: usize, launches: usize) -> Result<Sums> {
    let x = device.upload(&numbers(n))?;
    let (mut force, mut weight) = (device.sums(n)?, device.sums(n)?);
    let (mut energy, mut work) = (device.sum()?, device.sum()?);
    let kernel = exact::load(device)?;
    for _ in 0..launches {
        force.clear()?;
        weight.clear()?;
        energy.clear()?;
        work.clear()?;
        kernel.launch(&x, &mut force, &mut weight, &mut energy, &mut work)?;
    }
    let (force, weight) = (force.download()?, weight.download()?);
    Ok(Sums { force, weight, energy: energy.download()?, work: work.download()? })
}

/// Compares sums with the host's sums in doubles, within their error bound, and with those of other runs, bit for bit.
pub fn check(device: &Device, n: usize, runs: usize) -> Result<()> {
    let host = numbers(n);
    let x = device.upload(&host)?;
    let first = bits(device, n)?;
    for run in 1..runs {
        assert!(bits(device, n)? == first, "n = {n}: run {run} has other bits");
    }
    let Sums { force, weight, energy, work } = sums(device, n, 2)?;
    if n <= 1000 {
        let (mut cubes, mut works) = ([0.0_f64; 2], [0.0_f64; 2]);
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let d = host[i] - host[j];
            let cube = f64::from(d) * f64::from(d) * f64::from(d);
            let work = 1.0 / (f64::from(d * d) + 1e-12);
            cubes = [cubes[0] + cube, cubes[1] + cube.abs()];
            works = [works[0] + work, works[1] + work];
        }
        let found = f64::from(energy);
        assert!((found - cubes[0]).abs() <= 2e-6 * cubes[1], "n = {n}: {found} for {}", cubes[0]);
        assert!((work - works[0]).abs() <= 1e-6 * works[1], "n = {n}: {work} for {}", works[0]);
    }
    for element in 0..n.min(64) {
        let element = element * n / n.min(64);
        let mut sums = [[0.0_f64; 2]; 4];
        for other in (0..n).filter(|other| *other != element) {
            let (i, j) = (element.max(other), element.min(other));
            let d = host[i] - host[j];
            let (d64, square) = (f64::from(d), f64::from(d * d));
            let terms = match element == i {
                true => [d64, square, 1.0 / (square + f64::from(1e-3_f32)), 1e-3 * d64],
                false => {
                    let cube = f64::from(1e10_f32) * square * d64;
                    [-d64, square, -cube, 1e8 / (f64::from(d * d) + 1e-9)]
                }
            };
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum = [sum[0] + term, sum[1] + term.abs()];
            }
        }
        let found = [force[element][0], force[element][1], force[element][2]].map(f64::from);
        for (found, [sum, size]) in found.into_iter().zip(sums) {
            assert!((found - sum).abs() <= 2e-5 * size, "n = {n}: {found} for {sum} of {size}");
        }
        let [sum, size] = sums[3];
        assert!(
            (weight[element] - sum).abs() <= 1e-6 * size,
            "n = {n}: {} for {sum}",
            weight[element]
        );
    }
    let single = single::load(device)?;
    let mut bits = Vec::new();
    for _ in 0..runs {
        let (mut force, mut energy) = (device.sums(n)?, device.sum()?);
        single.launch(&x, &mut force, &mut energy)?;
        let force: Vec<[f32; 2]> = force.download()?;
        let force: Vec<_> = force.iter().map(|each| each.map(f32::to_bits)).collect();
        bits.push((force, energy.download()?.to_bits()));
    }
    if let (Some((force, _)), true) = (bits.first(), n > 1) {
        // The last element is i in all of its pairs, and the first is j.
        let sum: f64 = host[..n - 1].iter().map(|x| f64::from(host[n - 1] - x)).sum();
        let size: f64 = host[..n - 1].iter().map(|x| f64::from((host[n - 1] - x).abs())).sum();
        let found = f64::from(f32::from_bits(force[n - 1][0]));
        assert!((found - sum).abs() <= 2e-7 * size, "n = {n}: {found} for {sum}");
        assert_eq!(f32::from_bits(force[0][0]), 0.0, "n = {n}: the first element is no i");
        assert!(f32::from_bits(force[0][1]) < 0.0, "n = {n}");
    }
    assert!(bits.windows(2).all(|runs| runs[0] == runs[1]), "n = {n}: single pairs");
    let sets = sets::load(device)?;
    let second = numbers(n / 2 + 1);
    let y = device.upload(&second)?;
    let mut bits = Vec::new();
    for _ in 0..runs {
        let (mut rows, mut columns) = (device.sums(n)?, device.sums(y.len())?);
        sets.launch(&x, &y, &mut rows, &mut columns)?;
        let (rows, columns): (Vec<f32>, Vec<[f64; 2]>) = (rows.download()?, columns.download()?);
        let rows: Vec<_> = rows.into_iter().map(f32::to_bits).collect();
        let d = |i: usize, j: usize| f64::from(host[i] - second[j]);
        let root = |j: usize| f64::from((host[0] - second[j]).powi(2));
        let sum: f64 = (0..y.len()).map(|j| 1.0 / (root(j) + 1e-6)).sum();
        let found = f64::from(f32::from_bits(rows[0]));
        assert!((found - sum).abs() <= 3e-5 * sum, "n = {n}: {found} for {sum}");
        let sum: f64 = (0..n).map(|i| d(i, 0)).sum();
        let size: f64 = (0..n).map(|i| d(i, 0).abs()).sum();
        assert!((columns[0][0] + sum).abs() <= 1e-9 * size, "n = {n}: {:?}", columns[0]);
        bits.push((
            rows,
            columns.into_iter().map(|each| each.map(f64::to_bits)).collect::<Vec<_>>(),
        ));
    }
    assert!(bits.windows(2).all(|runs| runs[0] == runs[1]), "n = {n}: two sets");
    Ok(())
}
