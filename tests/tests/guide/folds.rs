//! The chapter on folds.

use td_kernel::{Device, Result, td_kernel};

// ANCHOR: correlation
/// The correlation of every pair of rows, whose means are zero and whose norms are given.
#[td_kernel]
unsafe fn correlation(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    #[fold] dot: f32,
    correlation: &mut Packed<f32>,
) {
    let feature = r#" dot = fmaf(p.i, p.j, dot); "#;
    let pair = r#" correlation = dot / (norm.i * norm.j); "#;
}
// ANCHOR_END: correlation

// ANCHOR: correlation_launch
#[test]
fn correlations() -> Result<()> {
    let device = Device::cpu()?;
    // Three rows of four features.
    let rows = [1.0, -1.0, 1.0, -1.0, 2.0, -2.0, 2.0, -2.0, 1.0, 1.0, -1.0, -1.0];
    let p = device.features(&rows, 4)?;
    let norm = device.upload(&[2.0, 4.0, 2.0])?;
    let mut found = device.packed(p.len())?;
    correlation::load(&device)?.launch(&p, &norm, &mut found)?;
    assert_eq!(found.download()?.as_slice(), [1.0, 0.0, 0.0]);
    Ok(())
}
// ANCHOR_END: correlation_launch

// ANCHOR: dot
/// The same from tensor cores.
#[td_kernel]
unsafe fn multiplied(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    #[dot] dot: f32,
    correlation: &mut Packed<f32>,
) {
    r#" correlation = dot / (norm.i * norm.j); "#
}
// ANCHOR_END: dot

#[test]
fn correlations_by_products() -> Result<()> {
    for device in [Device::cpu()?, Device::emulator()?] {
        let rows = [1.0, -1.0, 1.0, -1.0, 2.0, -2.0, 2.0, -2.0, 1.0, 1.0, -1.0, -1.0];
        let (p, norm) = (device.features(&rows, 4)?, device.upload(&[2.0, 4.0, 2.0])?);
        let mut found = device.packed(p.len())?;
        multiplied::load(&device)?.launch(&p, &norm, &mut found)?;
        assert_eq!(found.download()?.as_slice(), [1.0, 0.0, 0.0]);
    }
    Ok(())
}

// ANCHOR: quick
/// Distances whose relative error is at most 0.0001, or that of `feature` and `pair`. The norms are |p|².
#[td_kernel]
unsafe fn distances(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    #[dot] dot: f32,
    #[fold] sum: f32,
    distance: &mut Packed<f32>,
) {
    let quick = r#"
    float square = fmaf(-2.0f, dot, norm.i + norm.j);
    if (2.05f * dot_error > 1.9e-4f * square) exact();
    distance = sqrtf(square);
    "#;
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" distance = sqrtf(sum); "#;
}
// ANCHOR_END: quick

#[test]
fn distances_of_near_and_far_rows() -> Result<()> {
    for device in [Device::cpu()?, Device::emulator()?] {
        let p = device.features(&[3000.0, 0.0, 3000.0, 0.25, 0.0, 4000.0], 2)?;
        let norm = device.upload(&[9e6, 9e6 + 0.0625, 16e6])?;
        let mut found = device.packed(p.len())?;
        distances::load(&device)?.launch(&p, &norm, &mut found)?;
        let found = found.download()?;
        assert_eq!(found[(1, 0)], 0.25);
        assert!((found[(2, 0)] - 5000.0).abs() <= 0.5 && (found[(2, 1)] - 4999.8).abs() <= 0.5);
    }
    Ok(())
}

// ANCHOR: gap
/// The feature in which two rows are closest, and the gap there.
#[td_kernel]
unsafe fn gap(
    #[each] p: &Features<f32>,
    #[fold(start = "INFINITY")] least: f32,
    #[fold] place: u32,
    gap: &mut Packed<f32>,
    feature_of: &mut Packed<u32>,
) {
    let feature = r#"
    float d = fabsf(p.i - p.j);
    if (d < least) {
        least = d;
        place = k;
    }
    "#;
    let pair = r#"
    gap = least;
    feature_of = place;
    "#;
}
// ANCHOR_END: gap

#[test]
fn gaps() -> Result<()> {
    let device = Device::cpu()?;
    let p = device.features(&[0.0, 5.0, 9.0, 4.0, 4.0, 2.0, 1.0, 8.0, 2.5], 3)?;
    let (mut gap_of, mut feature_of) = (device.packed(3)?, device.packed(3)?);
    gap::load(&device)?.launch(&p, &mut gap_of, &mut feature_of)?;
    assert_eq!(gap_of.download()?.as_slice(), [1.0, 1.0, 0.5]);
    assert_eq!(feature_of.download()?.as_slice(), [1, 0, 2]);
    Ok(())
}

// ANCHOR: two
/// The Manhattan distance of every row of one table from every row of another.
#[td_kernel]
unsafe fn manhattan(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[fold] sum: f32,
    distance: &mut Matrix<f32>,
) {
    let feature = r#" sum += fabsf(a - b); "#;
    let pair = r#" distance = sum; "#;
}
// ANCHOR_END: two

// ANCHOR: two_launch
#[test]
fn distances_of_two_tables() -> Result<()> {
    let device = Device::cpu()?;
    let queries = device.features_from_rows([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])?;
    let data = device.features_from_rows(vec![vec![1.0, 1.0, 1.0], vec![0.0, 2.0, 5.0]])?;
    let mut found = device.matrix((queries.len(), data.len()))?;
    manhattan::load(&device)?.launch(&queries, &data, &mut found)?;
    assert_eq!(found.download()?.as_slice(), [3.0, 7.0, 3.0, 3.0]);
    Ok(())
}
// ANCHOR_END: two_launch
