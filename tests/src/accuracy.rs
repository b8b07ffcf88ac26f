//! The error of float sums, for any number of terms.

use td_kernel::{Device, Result, Sum, td_kernel};

/// The terms: all equal, tenths, growing with i, and of both signs. Each kernel here adds them up in a different way.
macro_rules! kernels {
    ($($(#[$attribute:meta])* $name:ident),*) => {$(
        $(#[$attribute])*
        unsafe fn $name(
            ones: &mut Sum<f32>,
            tenths: &mut Sum<f32>,
            growing: &mut Sum<f32>,
            mixed: &mut Sum<f32>,
            wide: &mut Sum<f64>,
        ) {
            r#"
            ones += 1;
            tenths += 0.1f;
            growing += 0.1f * i;
            mixed += j % 2 ? -0.3f : 0.7f;
            wide += 0.1;
            "#
        }
    )*};
}

kernels! {
    /// Many small blocks, each of which adds little to the totals.
    #[td_kernel(block = 8)]
    classic,
    /// In whole tiles, with 512 pairs for each thread.
    #[td_kernel(tile = 128)]
    tiles,
    /// Few threads, each with many pairs.
    #[td_kernel(map = "walk", block = 8)]
    walk_classic,
    /// Few threads, in tiles.
    #[td_kernel(map = "walk", tile = 64)]
    walk_tiles
}

/// Adds several terms for each pair, in a loop.
#[td_kernel(map = "walk", tile = 64)]
unsafe fn repeated(tenths: &mut Sum<f32>) {
    r#"
    for (int k = 0; k < 8; ++k)
        tenths += 0.1f;
    "#
}

/// Sums beside slots, along rows.
#[td_kernel(map = "walk")]
unsafe fn rows(#[each] x: &[f32], slots: &mut Packed<u8>, tenths: &mut Sum<f32>) {
    r#"
    slots = x.i < x.j;
    tenths += 0.1f;
    "#
}

/// Sums beside a square.
#[td_kernel(map = "walk")]
unsafe fn mirror(#[each] x: &[f32], slots: &mut Square<u8>, tenths: &mut Sum<f32>) {
    r#"
    slots = x.i < x.j;
    tenths += 0.1f;
    "#
}

/// Checks sums over n elements.
pub fn check(device: &Device, n: usize) -> Result<()> {
    let pairs = (n * (n - 1) / 2) as f64;
    let rows = (0..n).map(|i| i as f64 * f64::from(0.1_f32 * i as f32));
    // Column j has n - 1 - j pairs.
    let of_columns =
        |odd: usize| -> f64 { (0..n).filter(|j| j % 2 == odd).map(|j| (n - 1 - j) as f64).sum() };
    let (positive, negative) =
        (f64::from(0.7_f32) * of_columns(0), f64::from(-0.3_f32) * of_columns(1));
    // Each sum of terms, with the sum of their absolute values.
    let expected = [
        (pairs, pairs),
        (pairs * f64::from(0.1_f32), pairs * f64::from(0.1_f32)),
        (rows.clone().sum(), rows.sum()),
        (positive + negative, positive - negative),
    ];
    let mut wrong = Vec::new();
    let mut check = |kernel: &str, terms: &str, total: f64, expected: (f64, f64), most: f64| {
        let error = (total - expected.0).abs() / expected.1;
        if error.is_nan() || error > most {
            wrong.push(format!("{kernel}, n = {n}: {terms} off by {error:.1e}"));
        }
    };
    macro_rules! check_each {
        ($($kernel:ident)*) => {$(
            let mut sums = [device.sum()?, device.sum()?, device.sum()?, device.sum()?];
            let mut wide = device.sum()?;
            let [ones, tenths, growing, mixed] = &mut sums;
            $kernel::load(device)?.launch(n, ones, tenths, growing, mixed, &mut wide)?;
            let name = stringify!($kernel);
            for ((sum, expected), terms) in
                sums.iter().zip(expected).zip(["ones", "tenths", "growing", "mixed"])
            {
                check(name, terms, sum.download()?.into(), expected, 1e-6);
            }
            check(name, "f64", wide.download()?, (0.1 * pairs, 0.1 * pairs), 1e-9);
        )*};
    }
    check_each!(classic tiles walk_classic walk_tiles);
    let mut tenths = device.sum::<f32>()?;
    repeated::load(device)?.launch(n, &mut tenths)?;
    let expected = 8.0 * pairs * f64::from(0.1_f32);
    check("repeated", "tenths", tenths.download()?.into(), (expected, expected), 1e-6);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// Checks sums in kernels that also store a slot for each pair.
pub fn check_beside_slots(device: &Device, n: usize) -> Result<()> {
    let x = device.upload(&vec![0.0_f32; n])?;
    let (mut along_rows, mut mirrored): (Sum<f32>, Sum<f32>) = (device.sum()?, device.sum()?);
    rows::load(device)?.launch(&x, &mut device.packed(n)?, &mut along_rows)?;
    mirror::load(device)?.launch(&x, &mut device.square(n)?, &mut mirrored)?;
    let expected = (n * (n - 1) / 2) as f64 * f64::from(0.1_f32);
    for (sum, name) in [(along_rows, "rows"), (mirrored, "mirror")] {
        let error = f64::from(sum.download()?) / expected - 1.0;
        assert!(error.abs() <= 1e-6, "{name}, n = {n}: off by {error:.1e}");
    }
    Ok(())
}

/// Adds small terms to a large total, and more terms to an infinite one.
pub fn check_large_total(device: &Device) -> Result<()> {
    #[td_kernel(block = 8)]
    unsafe fn add(term: f32, total: &mut Sum<f32>) {
        r#" total += term; "#
    }
    #[td_kernel]
    unsafe fn alternating(term: f32, is_mixed: u32, total: &mut Sum<f32>) {
        r#" total += is_mixed && (i + j) % 2 == 0 ? -term : term; "#
    }
    #[td_kernel(map = "walk", tile = 32)]
    unsafe fn infinite(total: &mut Sum<f32>) {
        r#" total += j == 0 ? __int_as_float(0x7f800000) : 1; "#
    }
    let kernel = add::load(device)?;
    let mut total = device.sum::<f32>()?;
    kernel.launch(2, 16_777_216.0, &mut total)?;
    kernel.launch(1000, 0.1, &mut total)?;
    let expected = 16_777_216.0 + 499_500.0 * f64::from(0.1_f32);
    let error = f64::from(total.download()?) / expected - 1.0;
    assert!(error.abs() <= 1e-6, "off by {error:.1e}");
    total.clear()?;
    assert!(total.download()? == 0.0, "a cleared total is zero");
    // Without their signs, the terms would barely fit the type.
    let kernel = alternating::load(device)?;
    for n in [10_usize, 300] {
        let term = f32::MAX / (n * (n - 1) / 2) as f32 * 0.999;
        for (is_mixed, count) in [(0_u32, n * (n - 1) / 2), (1, n / 2)] {
            total.clear()?;
            kernel.launch(n, term, is_mixed, &mut total)?;
            let error = f64::from(total.download()?) - count as f64 * f64::from(term);
            assert!(error.abs() <= 1e-6 * f64::from(f32::MAX), "n = {n}: off by {error:.1e}");
        }
    }
    total.clear()?;
    infinite::load(device)?.launch(300, &mut total)?;
    assert!(total.download()? == f32::INFINITY, "an infinite total stays infinite");
    Ok(())
}
