//! The listings of the chapter on products with kernel matrices, beside its program.

use td_kernel::{Device, HostMatrix, Result, td_kernel};

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
/// The product with any number of columns.
#[td_kernel]
unsafe fn wide_product(
    #[row] x: &[[f32; 2]],
    #[column] y: &[[f32; 2]],
    #[column] v: &Arrays<f32>,
    #[row] product: &mut ArraySums<f32>,
) {
    r#"
    float dx = x.x - y.x, dy = x.y - y.y;
    product += expf(-fmaf(dy, dy, dx * dx)) * v;
    "#
}

/// K v, where each `width` numbers of `v` are a row.
fn wider(device: &Device, x: &[[f32; 2]], v: &[f32], width: usize) -> Result<HostMatrix<f32>> {
    let (x, v) = (device.upload(x)?, device.arrays(v, width)?);
    let mut product = device.array_sums(x.len(), width)?;
    wide_product::load(device)?.launch(&x, &x, &v, &mut product)?;
    product.download()
}
// ANCHOR_END: wider

// ANCHOR: features
/// The product of 16 columns and a kernel matrix over features.
#[td_kernel]
unsafe fn product_over_features(
    #[row] x: &Features<f32>,
    #[column] y: &Features<f32>,
    #[fold] square: f32,
    scale: f32,
    #[column] v: &[[f32; 16]],
    #[row] product: &mut Sums<[f32; 16]>,
) {
    let feature = r#" float d = x - y; square = fmaf(d, d, square); "#;
    let pair = r#" product += expf(-scale * square) * v; "#;
}
// ANCHOR_END: features

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
    let (x, v) = (arrays::<2>(70, 0), arrays::<16>(70, 5));
    let device = Device::cpu().unwrap();
    let there = device.upload(&x).unwrap();
    let mut of_16 = device.sums(70).unwrap();
    let v_there = device.upload(&v).unwrap();
    product::load(&device).unwrap().launch(&there, &there, &v_there, &mut of_16).unwrap();
    let any = wider(&device, &x, v.as_flattened(), 16).unwrap();
    for ((x_of_row, found), (_, any)) in x.iter().zip(of_16.download().unwrap()).zip(any.rows()) {
        let term = |k: usize| {
            x.iter().zip(&v).map(move |(y, v)| gaussian(x_of_row, y) * f64::from(v[k])).sum()
        };
        expect_near(&found, (0..16).map(term));
        expect_near(any, (0..16).map(term));
    }
}

#[test]
fn products_over_features_are_right() {
    let (x, v) = (arrays::<130>(40, 0), arrays::<16>(40, 5));
    let device = Device::cpu().unwrap();
    let there = device.features(x.as_flattened(), 130).unwrap();
    let mut product = device.sums(40).unwrap();
    let kernel = product_over_features::load(&device).unwrap();
    kernel.launch(&there, &there, 0.01, &device.upload(&v).unwrap(), &mut product).unwrap();
    for (x_of_row, found) in x.iter().zip(product.download().unwrap()) {
        let gaussian = |y: &[f32; 130]| {
            let squares = x_of_row.iter().zip(y).map(|(a, b)| f64::from(a - b).powi(2));
            (-0.01 * squares.sum::<f64>()).exp()
        };
        let term = |k: usize| x.iter().zip(&v).map(|(y, v)| gaussian(y) * f64::from(v[k])).sum();
        expect_near(&found, (0..16).map(term));
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
