//! Kernels over the features of many sets on several devices give the results of one device.

use td_kernel::{Device, Devices, Result, Target, td_kernel};

use super::{check_sides, compare_gathered, compare_on, floats, rectangles};
use crate::devices::some;
use crate::sets::offsets;

/// A sum of floats that has the same bits on any number of devices.
#[td_kernel(deterministic = true)]
unsafe fn exact(#[each] p: &FeatureSets<f32>, #[fold] sum: f32, total: &mut Sum<f64>) {
    let feature = r#" sum += (p.i - p.j) * (p.i - p.j); "#;
    let pair = r#" total += 1 / (0.01f + sum); "#;
}

/// The same for rows and columns.
#[td_kernel(deterministic = true)]
unsafe fn exact_cross(
    #[row] p: &FeatureSets<f32>,
    #[column] q: &FeatureSets<f32>,
    #[fold] sum: f32,
    total: &mut Sum<f64>,
) {
    let feature = r#" sum += (p - q) * (p - q); "#;
    let pair = r#" total += 1 / (0.01f + sum); "#;
}

/// Compares the results of `counts` of these devices with those of one.
pub fn check(devices: &[Device], counts: &[usize], sizes: &[usize], width: usize) -> Result<()> {
    let of_one = sum(&devices[0], sizes, width)?;
    for &count in counts {
        let several = some(devices, count)?;
        compare_on(&several, &devices[0], sizes, width)?;
        compare_gathered(&several, sizes, width)?;
        let found = sum(&several, sizes, width)?;
        assert_eq!(found.to_bits(), of_one.to_bits(), "{sizes:?} on {count} devices");
    }
    // Three processes visit each pair once.
    let part = |first: usize| {
        let own = if first == 0 { 2 } else { 1 };
        let own = Devices::new(vec![devices[0].clone(); own])?.part_of(first, 4)?;
        sum(&own, sizes, width)
    };
    let all = part(0)? + part(2)? + part(3)?;
    assert!((all - of_one).abs() <= 1e-12 * of_one, "{sizes:?}: {all} of {of_one}");
    Ok(())
}

fn sum(target: &Target, sizes: &[usize], width: usize) -> Result<f64> {
    let offsets = offsets(sizes);
    let features = floats(offsets[sizes.len()] * width);
    let sets = target.feature_sets(&features, width, &offsets)?;
    let mut total = target.sum()?;
    exact::load(target)?.launch(&sets, &mut total)?;
    total.download()
}

/// The same for rows and columns.
pub fn check_rectangles(
    devices: &[Device],
    counts: &[usize],
    sizes: [&[usize]; 2],
    width: usize,
) -> Result<()> {
    let [rows, columns] = sizes.map(offsets);
    let count = sizes[0].len();
    let (p, q) = (floats(rows[count] * width), floats(columns[count] * width));
    let sum = |target: &Target| -> Result<f64> {
        let x = target.feature_sets(&p, width, &rows)?;
        let y = target.feature_sets(&q, width, &columns)?;
        let mut total = target.sum()?;
        exact_cross::load(target)?.launch(&x, &y, &mut total)?;
        total.download()
    };
    let of_one = sum(&devices[0])?;
    for &count in counts {
        let several = some(devices, count)?;
        rectangles::compare_on(&several, &devices[0], sizes, width)?;
        check_sides(&several, sizes, width)?;
        assert_eq!(sum(&several)?.to_bits(), of_one.to_bits(), "{sizes:?} on {count} devices");
    }
    Ok(())
}
