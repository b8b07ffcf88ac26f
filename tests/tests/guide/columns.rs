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

/// Whether all numbers are this one, up to rounding.
fn expect(found: &[f32], expected: f32) {
    assert!(found.iter().all(|found| (found - expected).abs() < 1e-5), "{found:?} {expected}");
}

/// Two points at a distance of 1, and a Gaussian of this distance.
const POINTS: [[f32; 2]; 2] = [[0.0, 0.5], [1.0, 0.5]];
const GAUSSIAN: f32 = 0.367_879_44;

#[test]
fn products_of_columns_are_right() -> Result<()> {
    let (device, v) = (Device::cpu()?, [[1.0; 16], [3.0; 16]]);
    let (x, v_there) = (device.upload(&POINTS)?, device.upload(&v)?);
    let rows = [1.0 + 3.0 * GAUSSIAN, 3.0 + GAUSSIAN];
    let mut of_16 = device.sums(2)?;
    product::load(&device)?.launch(&x, &x, &v_there, &mut of_16)?;
    of_16.download()?.iter().zip(rows).for_each(|(found, row)| expect(found, row));
    let any = wider(&device, &POINTS, v.as_flattened(), 16)?;
    any.rows().zip(rows).for_each(|((_, found), row)| expect(found, row));
    let x = device.features(POINTS.as_flattened(), 2)?;
    let mut of_features = device.sums(2)?;
    product_over_features::load(&device)?.launch(&x, &x, 1.0, &v_there, &mut of_features)?;
    of_features.download()?.iter().zip(rows).for_each(|(found, row)| expect(found, row));
    Ok(())
}

#[test]
fn densities_are_sums_over_others() -> Result<()> {
    let device = Device::cpu()?;
    let mut sums = device.sums(2)?;
    density::load(&device)?.launch(&device.upload(&POINTS)?, 1.0, &mut sums)?;
    expect(&sums.download()?, GAUSSIAN);
    Ok(())
}
