//! The inputs of a fold's two bodies: scalars, slices and numbers in both, start values, several folds, vectors, and other
//! elements beside features.

use td_kernel::{Device, Maxima, Minima, Result, Sums, td_kernel};

/// Two parameters of features, two folds, and everything that both bodies can read.
#[td_kernel]
pub unsafe fn several(
    #[each] p: &Features<i32>,
    scale: i32,
    #[each] q: &Features<f32>,
    weights: &[i16],
    #[fold(start = "-7")] a: i32,
    #[each] label: &[u32],
    #[fold(start = "make_float2(1, -2)")] b: [f32; 2],
    out: &mut Packed<i64>,
    #[each] largest: &mut Maxima<(i32, u32)>,
    total: &mut Sum<f64>,
    above: &mut Pairs<f32>,
) {
    let feature = r#"
    a += scale * weights[k] * (p.i - p.j) + (k + 1 == features);
    b.x += q.i;
    b.y += q.i * p.j + (float)weights_length;
    "#;
    let pair = r#"
    out = (long long)a * features + (label.i << 8 | label.j) + weights[0];
    largest.offer(a);
    total += b.y - 2 * b.x;
    if (b.x > scale * (int)weights_length)
        above.push(b.x);
    "#;
}

/// The smallest product, starting at infinity, beside features of other types; and a count that starts at a number.
#[td_kernel]
pub unsafe fn least(
    #[row] a: &Features<u8>,
    #[column] b: &Features<i8>,
    first: f32,
    #[fold(start = "INFINITY")] low: f32,
    #[fold(start = "2.5f + 1")] count: f32,
    #[row] height: &[f32],
    #[column] depth: &[[f32; 3]],
    out: &mut Matrix<[f32; 2]>,
    #[row] nearest: &mut Minima<(f32, u32)>,
    #[column] sum: &mut Sums<i64>,
) {
    let feature = r#" low = fminf(low, a * b); count += a > b; "#;
    let pair = r#"
    out.x = low;
    out.y = count + first + height - depth.z;
    nearest.offer(low);
    sum += (long long)low;
    "#;
}

/// Features of rows alone: each row's own sums, in a vector of 32 bytes.
#[td_kernel]
pub unsafe fn of_rows(
    #[row] p: &Features<i16>,
    #[column] shift: &[f64],
    #[fold] s: [f64; 4],
    out: &mut Matrix<f64>,
) {
    let feature = r#" s.x += p; s.y = max(s.y, (double)p); s.w = k; "#;
    let pair = r#" out = s.x + 1000 * s.y + s.z + s.w + shift; "#;
}

/// Features of columns alone, and no other parameter with the number of rows.
#[td_kernel]
pub unsafe fn of_columns(#[column] p: &Features<u64>, #[fold] s: u64, out: &mut Matrix<u64>) {
    let feature = r#" s = s * 3 + p; "#;
    let pair = r#" out = s ^ i; "#;
}

/// A fold of features that are vectors, with the diagonal, in the order of another map.
#[td_kernel(map = "rb", diagonal = true)]
pub unsafe fn with_diagonal(
    #[each] p: &Features<[i16; 2]>,
    #[fold(start = "{1, -2}")] s: [i32; 2],
    out: &mut Square<[i32; 2]>,
) {
    let feature = r#" s.x += p.i.x * p.j.x; s.y += p.i.y - p.j.y + (int)k; "#;
    let pair = r#" out = s; "#;
}

/// Deterministic sums.
#[td_kernel(deterministic = true)]
pub unsafe fn exact(
    #[each] p: &Features<f32>,
    #[fold] s: f32,
    energy: &mut Sum<f32>,
    #[each] force: &mut Sums<[f64; 2]>,
) {
    let feature = r#" const float d = p.i - p.j; s += d * d; "#;
    let pair = r#"
    energy += 1 / (s + 1e-3f);
    force.i.x += s;
    force.j.y -= 1.0 / (s + 1e-6);
    "#;
}

/// A number for feature k of an element, between -50 and 50.
fn number(element: usize, k: usize) -> i32 {
    ((element * 7919 + k * 104_729) % 101) as i32 - 50
}

/// The features of some elements.
fn numbers<T>(count: usize, width: usize, of: impl Fn(i32) -> T) -> Vec<T> {
    (0..count).flat_map(|e| (0..width).map(move |k| number(e, k))).map(of).collect()
}

/// The kernel with each of its variants alone, in turn.
macro_rules! variants {
    ($kernel:ident, $device:expr) => {
        (0..$kernel::SOURCES.len()).map(|variant| {
            $kernel::load($device).map(|each| $kernel { kernel: each.kernel.pin(variant) })
        })
    };
}

/// Runs every variant of each kernel at every size, and compares all results.
pub fn check(device: &Device, sizes: &[usize]) -> Result<()> {
    for &n in sizes {
        let width = [1, 6, 17, 40][n % 4];
        check_several(device, n, width)?;
        check_least(device, [n, (3 * n + 5) % 140], width)?;
        check_one_side(device, [n, (5 * n + 3) % 130], width)?;
        check_with_diagonal(device, n, width)?;
        check_exact(device, n, width)?;
    }
    Ok(())
}

fn check_several(device: &Device, n: usize, width: usize) -> Result<()> {
    let p = device.features(&numbers(n, width, |x| x), width)?;
    let q = device.features(&numbers(n, width, |x| (x * x % 64) as f32), width)?;
    let weights: Vec<i16> = (0..width as i16 + 3).map(|k| k % 5 - 2).collect();
    let labels: Vec<u32> = (0..n as u32).map(|e| e * 13 % 251).collect();
    let (weight, label) = (device.upload(&weights)?, device.upload(&labels)?);
    let (scale, length) = (3, weights.len());
    let fold = |i: usize, j: usize| {
        let mut folds = (-7, 1.0_f32, -2.0_f32);
        for (k, weight) in weights.iter().enumerate().take(width) {
            let (a, b) = (number(i, k), number(j, k));
            folds.0 += scale * i32::from(*weight) * (a - b) + i32::from(k + 1 == width);
            let q = (a * a % 64) as f32;
            folds.1 += q;
            folds.2 += q * b as f32 + length as f32;
        }
        folds
    };
    let pairs: Vec<_> = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    for kernel in variants!(several, device) {
        let mut out = device.packed(n)?;
        let mut largest: Maxima<(i32, u32)> = device.maxima(n)?;
        let (mut total, mut above) = (device.sum::<f64>()?, device.pairs::<f32>(pairs.len())?);
        let kernel = kernel?;
        kernel.launch(
            &p, scale, &q, &weight, &label, &mut out, &mut largest, &mut total, &mut above,
        )?;
        let mut expected_largest: Vec<Option<(i32, u32)>> = vec![None; n];
        let (mut expected_total, mut expected_above) = (0.0, Vec::new());
        for (&found, &(i, j)) in out.download()?.as_slice().iter().zip(&pairs) {
            let (a, x, y) = fold(i, j);
            let expected = i64::from(a) * width as i64
                + i64::from(labels[i] << 8 | labels[j])
                + i64::from(weights[0]);
            assert_eq!(found, expected, "n = {n}, width {width}: ({i}, {j})");
            for (element, other) in [(i, j as u32), (j, i as u32)] {
                let kept = &mut expected_largest[element];
                if kept.is_none_or(|kept| a > kept.0 || (a == kept.0 && other < kept.1)) {
                    *kept = Some((a, other));
                }
            }
            expected_total += f64::from(y - 2.0 * x);
            if x > (scale * length as i32) as f32 {
                expected_above.push(([i as u32, j as u32], x));
            }
        }
        assert_eq!(largest.download()?, expected_largest, "n = {n}, width {width}: largest");
        assert_eq!(total.download()?, expected_total, "n = {n}, width {width}: total");
        let above = above.download()?.sorted()?;
        let found: Vec<_> = above.iter().map(|(pair, value)| (pair, *value)).collect();
        assert_eq!(found, expected_above, "n = {n}, width {width}: list");
    }
    Ok(())
}

fn check_least(device: &Device, [rows, columns]: [usize; 2], width: usize) -> Result<()> {
    let byte = |x: i32| (x + 50) as u8;
    let a = device.features(&numbers(rows, width, byte), width)?;
    let b = device.features(&numbers(columns, width, |x| x as i8), width)?;
    let heights: Vec<f32> = (0..rows).map(|i| i as f32 / 2.0).collect();
    let depths: Vec<[f32; 3]> = (0..columns).map(|j| [-1.0, 99.0, j as f32]).collect();
    let (height, depth) = (device.upload(&heights)?, device.upload(&depths)?);
    for kernel in variants!(least, device) {
        let mut out = device.matrix((rows, columns))?;
        let mut nearest: Minima<(f32, u32)> = device.minima(rows)?;
        let mut sum: Sums<i64> = device.sums(columns)?;
        kernel?.launch(&a, &b, 0.25, &height, &depth, &mut out, &mut nearest, &mut sum)?;
        let place = format!("{rows} x {columns}, width {width}");
        let mut expected_nearest: Vec<Option<(f32, u32)>> = vec![None; rows];
        let mut expected_sums = vec![0; columns];
        for ((i, j), found) in out.download()? {
            let (mut low, mut count) = (f32::INFINITY, 3.5_f32);
            for k in 0..width {
                let (a, b) = (number(i, k) + 50, number(j, k));
                low = low.min((a * b) as f32);
                count += f32::from(u8::from(a > b));
            }
            assert_eq!(
                found,
                [low, count + 0.25 + heights[i] - depths[j][2]],
                "{place}: ({i}, {j})"
            );
            if expected_nearest[i].is_none_or(|near| low < near.0) {
                expected_nearest[i] = Some((low, j as u32));
            }
            expected_sums[j] += low as i64;
        }
        assert_eq!(nearest.download()?, expected_nearest, "{place}: nearest");
        assert_eq!(sum.download()?, expected_sums, "{place}: sums");
    }
    Ok(())
}

fn check_one_side(device: &Device, [rows, columns]: [usize; 2], width: usize) -> Result<()> {
    let place = format!("{rows} x {columns}, width {width}");
    let p = device.features(&numbers(rows, width, |x| x as i16), width)?;
    let shift = device.upload(&(0..columns).map(|j| 0.5 * j as f64).collect::<Vec<_>>())?;
    for kernel in variants!(of_rows, device) {
        let mut out = device.matrix((rows, columns))?;
        kernel?.launch(&p, &shift, &mut out)?;
        for ((i, j), found) in out.download()? {
            let all = || (0..width).map(|k| number(i, k));
            // The maximum starts at zero.
            let (sum, most) = (all().sum::<i32>(), all().fold(0, i32::max));
            let expected = f64::from(sum + 1000 * most) + (width - 1) as f64 + 0.5 * j as f64;
            assert_eq!(found, expected, "{place}: ({i}, {j})");
        }
    }
    let p = device.features(&numbers(columns, width, |x| x as u64), width)?;
    for kernel in variants!(of_columns, device) {
        let kernel = kernel?;
        let mut out = device.matrix((rows, columns))?;
        // The rows of a chunk, whose source does not read the number of all rows.
        kernel.rows(0..rows / 2).launch(&p, &mut out)?;
        kernel.rows(rows / 2..rows).launch(&p, &mut out)?;
        for ((i, j), found) in out.download()? {
            let step = |s: u64, k| s.wrapping_mul(3).wrapping_add(number(j, k) as u64);
            assert_eq!(found, (0..width).fold(0, step) ^ i as u64, "{place}: ({i}, {j})");
        }
    }
    Ok(())
}

fn check_with_diagonal(device: &Device, n: usize, width: usize) -> Result<()> {
    let p = device.features(&numbers(n, width, |x| [x as i16, (2 * x) as i16]), width)?;
    for kernel in variants!(with_diagonal, device) {
        let mut out = device.square(n)?;
        kernel?.launch(&p, &mut out)?;
        let found = out.download()?;
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let mut expected = [1, -2];
            for k in 0..width {
                let (a, b) = (number(i.max(j), k), number(i.min(j), k));
                expected = [expected[0] + a * b, expected[1] + 2 * (a - b) + k as i32];
            }
            let place = format!("n = {n}, width {width}: ({i}, {j})");
            assert_eq!(found.get(i, j), Some(&expected), "{place}");
        }
    }
    Ok(())
}

/// Compares sums with the host's sums in doubles, within their error bound, and with those of another run, bit for bit.
fn check_exact(device: &Device, n: usize, width: usize) -> Result<()> {
    let values = numbers(n, width, |x| x as f32 / 7.0);
    let p = device.features(&values, width)?;
    let kernel = exact::load(device)?;
    assert_eq!(exact::SOURCES.len(), 1, "tiles of other sizes add up other pairs");
    let mut runs = Vec::new();
    for _ in 0..3 {
        let (mut energy, mut force): (_, Sums<[f64; 2]>) = (device.sum::<f32>()?, device.sums(n)?);
        kernel.launch(&p, &mut energy, &mut force)?;
        let (energy, force) = (energy.download()?, force.download()?);
        let bits: Vec<_> = force.iter().map(|each| each.map(f64::to_bits)).collect();
        runs.push((energy.to_bits(), bits, force));
    }
    assert!(runs.iter().all(|run| run.0 == runs[0].0 && run.1 == runs[0].1), "n = {n}");
    let mut energy = 0.0;
    let mut force = vec![[0.0; 2]; n];
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let (a, b) = (&values[i * width..][..width], &values[j * width..][..width]);
        let terms = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
        let square = terms.sum::<f64>();
        energy += 1.0 / (square + f64::from(1e-3_f32));
        force[i][0] += square;
        force[j][1] -= 1.0 / (square + 1e-6);
    }
    // A square has an error of (width + 3) roundings; its reciprocal, and the sums of some of them as floats, a few more.
    let most = (width + 16) as f64 * 2_f64.powi(-24);
    let found = f64::from(f32::from_bits(runs[0].0));
    assert!((found - energy).abs() <= most * energy, "n = {n}: {found} for {energy}");
    for (found, expected) in runs[0].2.iter().zip(&force) {
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() <= most * expected.abs(),
                "n = {n}: {found}, {expected}"
            );
        }
    }
    Ok(())
}
