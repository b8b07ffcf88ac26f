//! The listings of the chapter on products with kernel matrices, beside its program.

use td_kernel::{Device, Result, td_kernel};

// ANCHOR: columns
/// The product of a kernel matrix and 16 columns.
#[td_kernel]
unsafe fn product(
    #[row] x: &[[f32; 2]],
    #[column] y: &[[f32; 2]],
    #[column] v: &[[f32; 16]],
    #[row] product: &mut Sums<[f32; 16]>,
) {
    r#"
    float dx = x.x - y.x, dy = x.y - y.y;
    product += expf(-fmaf(dy, dy, dx * dx)) * v;
    "#
}
// ANCHOR_END: columns

// ANCHOR: wider
/// The product with any number of columns: `v` has them in blocks of 16, the last one padded with zeros.
fn wider(device: &Device, x: &[[f32; 2]], v: &[Vec<[f32; 16]>]) -> Result<Vec<Vec<[f32; 16]>>> {
    let kernel = product::load(device)?;
    let x = device.upload(x)?;
    let mut out = device.sums(x.len())?;
    let mut products = Vec::new();
    for block in v {
        out.clear()?;
        kernel.launch(&x, &x, &device.upload(block)?, &mut out)?;
        products.push(out.download()?);
    }
    Ok(products)
}
// ANCHOR_END: wider

// ANCHOR: density
/// The kernel density of each point among the others: the mean of Gaussians around them, times a constant.
#[td_kernel]
unsafe fn density(#[each] x: &[[f32; 2]], scale: f32, #[each] density: &mut Sums<f32>) {
    r#"
    float dx = x.i.x - x.j.x, dy = x.i.y - x.j.y;
    float k = expf(-scale * fmaf(dy, dy, dx * dx));
    density.i += k;
    density.j += k;
    "#
}
// ANCHOR_END: density

/// A number between -1 and 1.
fn number(k: usize) -> f32 {
    (k * 37 % 101) as f32 / 50.0 - 1.0
}

fn arrays<const W: usize>(count: usize, seed: usize) -> Vec<[f32; W]> {
    (0..count).map(|k| std::array::from_fn(|at| number(seed + k * W + at))).collect()
}

/// Whether all numbers are the same up to rounding.
fn expect_near(found: &[f32], expected: impl IntoIterator<Item = f64>) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((f64::from(*found) - expected).abs() < 1e-5, "{found} {expected}");
    }
}

fn gaussian(a: &[f32; 2], b: &[f32; 2]) -> f64 {
    let square = |axis: usize| (f64::from(a[axis]) - f64::from(b[axis])).powi(2);
    (-square(0) - square(1)).exp()
}

#[test]
fn products_of_many_columns_are_right() {
    let x = arrays::<2>(70, 0);
    let v = [arrays::<16>(70, 5), arrays::<16>(70, 11)];
    let device = Device::cpu().unwrap();
    for (found, v) in wider(&device, &x, &v).unwrap().iter().zip(&v) {
        for (x_of_row, found) in x.iter().zip(found) {
            let term = |k: usize| {
                x.iter().zip(v).map(move |(y, v)| gaussian(x_of_row, y) * f64::from(v[k])).sum()
            };
            expect_near(found, (0..16).map(term));
        }
    }
}

#[test]
fn densities_are_sums_over_others() {
    let device = Device::cpu().unwrap();
    let points = arrays::<2>(50, 0);
    let x = device.upload(&points).unwrap();
    let mut sums = device.sums(50).unwrap();
    density::load(&device).unwrap().launch(&x, 1.0, &mut sums).unwrap();
    let of = |own: &[f32; 2]| points.iter().map(|other| gaussian(own, other)).sum::<f64>() - 1.0;
    expect_near(&sums.download().unwrap(), points.iter().map(of));
}
