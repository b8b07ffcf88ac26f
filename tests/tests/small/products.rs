//! Products of features, in the CPU's loops, where they are folds, and from tensor cores: rows that are hard to multiply, the ends of 8-bit
//! integers, and the operands that are kept with features.

use td_kernel::{Device, Devices, Error, Result, Target, td_kernel};
use td_kernel_tests::products;

use super::{devices, each, filtered, simt};

/// At the ends of tiles, and less than a part of features, one, and several.
#[test]
fn rows_of_every_size() {
    let uniform = [[127, 31, 63], [129, 257, 3], [257, 129, 100], [5, 70, 1000]];
    let hard = [(150, 1), (150, 2), (150, 32), (150, 77), (400, 2)];
    for device in devices() {
        each(&uniform, |size| products::check_uniform_rows(&device, &[*size]).unwrap());
        each(&hard, |&(n, width)| products::check_hard_rows(&device, n, &[width]).unwrap());
    }
}

#[test]
fn rows_that_lose_most() {
    each(&devices(), |device| products::check_worst_rows(device, &[1, 16, 32, 33, 1000]).unwrap());
}

#[td_kernel]
unsafe fn of_i8(#[each] p: &Features<i8>, #[dot] dot: i32, value: &mut Packed<i32>) {
    r#" value = dot; "#
}

#[td_kernel]
unsafe fn of_both(
    #[row] q: &Features<u8>,
    #[column] p: &Features<i8>,
    #[dot] dot: i32,
    value: &mut Matrix<i32>,
) {
    r#" value = dot; "#
}

/// The greatest products, and features whose products could overflow.
#[test]
fn products_of_bytes_cannot_overflow() -> Result<()> {
    for device in devices() {
        let mut value = device.packed(2)?;
        let kernel = of_i8::load(&device)?;
        kernel.launch(&device.features(&[-128_i8; 2 * 131_071], 131_071)?, &mut value)?;
        assert_eq!(value.download()?.as_slice(), [131_071 << 14]);
        let refused = kernel.launch(&device.features(&[0_i8; 2 * 131_072], 131_072)?, &mut value);
        assert_errors! { refused => "`p` has 131072 features for each element"; }
        let kernel = of_both::load(&device)?;
        for (width, is_right) in [(65_793, true), (65_794, false)] {
            let q = device.features(&vec![255_u8; width], width)?;
            let p = device.features(&vec![-128_i8; width], width)?;
            let mut value = device.matrix((1, 1))?;
            let launched = kernel.launch(&q, &p, &mut value);
            assert_eq!(launched.is_ok(), is_right, "{width}");
            let expected = if is_right { width as i32 * 255 * -128 } else { 0 };
            assert_eq!(value.download()?.as_slice(), [expected]);
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn listed(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    #[each] most: &mut Maxima<(f32, u32)>,
    near: &mut Pairs<f32>,
) {
    r#" most.offer(dot); if (dot > dot_error) near.push(dot); "#
}

#[test]
fn several_devices_have_the_same_bits() -> Result<()> {
    let (one, several) = (simt(), Devices::new([0, 1, 2].map(|_| simt()))?);
    let values: Vec<f32> = (0..300 * 40).map(|at| (at * 7919 % 1009) as f32 - 504.0).collect();
    let run = |target: &Target| {
        let (p, kernel) = (target.features(&values, 40)?, listed::load(target)?);
        let (mut most, mut near) = (target.maxima(300)?, target.pairs(300 * 300)?);
        kernel.launch(&p, &mut most, &mut near)?;
        let near = near.download()?.sorted()?;
        let near: Vec<_> = near.iter().map(|(pair, value)| (pair, value.to_bits())).collect();
        Ok::<_, Error>((most.download()?, near))
    };
    let (found, expected) = (run(&several)?, run(&one)?);
    assert!(expected.1.len() > 10_000 && found == expected);
    Ok(())
}

/// Numbers whose sums are exact.
fn exact_rows(n: usize, width: usize) -> Vec<Vec<f32>> {
    let number = |element: usize, k: usize| ((element * 31 + k * 7) % 9) as f32 - 4.0;
    (0..n).map(|element| (0..width).map(|k| number(element, k)).collect()).collect()
}

fn product(rows: &[Vec<f32>], i: usize, j: usize) -> f32 {
    rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum()
}

/// A search by a lower bound and products have operands of their own, which have other parts, for the same features.
#[test]
fn operands_of_two_kernels() -> Result<()> {
    let (device, n, width) = (simt(), 140, 40);
    let rows = exact_rows(n, width);
    let norms: Vec<f32> = rows.iter().map(|row| row.iter().map(|x| x * x).sum()).collect();
    let norm = device.upload(&norms)?;
    let search = filtered::pinned(&device, true)?;
    let products = listed::load(&device)?;
    for order in [[0, 1, 0], [1, 0, 1]] {
        let p = device.features_from_rows(&rows)?;
        let (mut most, mut near) = (device.maxima(n)?, device.pairs(n * n)?);
        let (mut degree, mut evaluated) = (device.sums(n)?, device.sum()?);
        for which in order {
            near.clear()?;
            let value = |i: usize, j: usize| match which {
                0 => Some(norms[i] + norms[j] - 2.0 * product(&rows, i, j)).filter(|x| *x <= 400.0),
                _ => Some(product(&rows, i, j)).filter(|x| *x >= 1.0),
            };
            match which {
                0 => search.launch(&p, &norm, 400.0, &mut near, &mut degree, &mut evaluated)?,
                _ => products.launch(&p, &mut most, &mut near)?,
            }
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            let expected: Vec<_> =
                pairs.filter_map(|(i, j)| Some(([i as u32, j as u32], value(i, j)?))).collect();
            let found = near.download()?.sorted()?;
            let found: Vec<_> = found.iter().map(|(pair, value)| (pair, *value)).collect();
            assert!(found == expected && found.len() > 1000, "{which} of {order:?}");
        }
    }
    Ok(())
}

/// Operands are kept with features until these change.
#[test]
fn changed_features_are_multiplied_anew() -> Result<()> {
    for device in devices() {
        let rows = exact_rows(130, 5);
        let mut p = device.features_from_rows(&rows)?;
        let kernel = listed::load(&device)?;
        let (mut most, mut near) = (device.maxima(130)?, device.pairs(130 * 130)?);
        let mut counts = Vec::new();
        for factor in [1.0, 0.0, 1.0] {
            p.upload_into(&rows.concat().iter().map(|x| x * factor).collect::<Vec<_>>())?;
            for _ in 0..2 {
                near.clear()?;
                kernel.launch(&p, &mut most, &mut near)?;
                counts.push(near.download()?.len());
            }
        }
        assert!(
            counts[0] > 1000 && counts == [0, 0, 2, 2, 0, 0].map(|at| counts[at]),
            "{counts:?}"
        );
        assert_eq!(counts[2], 0);
    }
    Ok(())
}

#[td_kernel(deterministic = true)]
unsafe fn deterministic(#[each] p: &Features<f32>, #[dot] dot: f32, total: &mut Sum<f32>) {
    r#" total += dot; "#
}

/// A kernel whose products are folds on every device, and a report that says so.
#[test]
fn products_that_are_folds() -> Result<()> {
    assert!(deterministic::SOURCES.iter().all(|source| !source.contains("td_multiply_split")));
    let report = deterministic::load(&simt())?.report(300)?.to_string();
    let why = "\nthe product is folded without tensor cores: sums of floats are `deterministic`: ";
    assert!(report.contains(why), "{report}");
    assert_eq!(listed::load(&simt())?.report(300)?.folded, None);
    let folded = listed::load(&Device::cpu()?)?.report(300)?.folded;
    assert_eq!(folded, Some("a CPU has no tensor cores"));
    Ok(())
}
