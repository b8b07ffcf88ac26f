//! Kernels over many sets on several devices give the results of one device.

use td_kernel::{Device, Devices, Result, Target, td_kernel};

use super::{compare_gathered, compare_on, extremes, offsets, points, rectangles};
use crate::devices::some;

/// A sum of floats that has the same bits on any number of devices.
#[td_kernel(deterministic = true)]
unsafe fn exact(#[each] p: &Sets<[f32; 3]>, total: &mut Sum<f64>) {
    r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    total += 1 / (0.01f + x * x + y * y + z * z);
    "#
}

/// The same for rows and columns.
#[td_kernel(deterministic = true)]
unsafe fn exact_cross(
    #[row] p: &Sets<[f32; 3]>,
    #[column] q: &Sets<[f32; 3]>,
    total: &mut Sum<f64>,
) {
    r#"
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    total += 1 / (0.01f + x * x + y * y + z * z);
    "#
}

/// The number of pairs.
#[td_kernel]
unsafe fn count(#[each] _x: &Sets<f32>, count: &mut Sum<u64>) {
    r#" count += 1; "#
}

/// Compares the results of `counts` of these devices with those of one.
pub fn check(devices: &[Device], counts: &[usize], sizes: &[usize], large: u32) -> Result<()> {
    let offsets = offsets(sizes);
    let elements = points(offsets[sizes.len()]);
    let sum = |target: &Target| -> Result<f64> {
        let sets = target.sets_with_large(&elements, &offsets, large)?;
        let mut total = target.sum()?;
        exact::load(target)?.launch(&sets, &mut total)?;
        total.download()
    };
    let of_one = sum(&devices[0])?;
    for &count in counts {
        let several = some(devices, count)?;
        compare_on(&several, &devices[0], sizes, large)?;
        compare_gathered(&several, sizes, large)?;
        extremes::check(&several, sizes, large)?;
        assert_eq!(sum(&several)?.to_bits(), of_one.to_bits(), "{sizes:?} on {count} devices");
    }
    check_parts(&devices[0], sizes, large)
}

/// Three processes visit each pair once.
fn check_parts(device: &Device, sizes: &[usize], large: u32) -> Result<()> {
    let offsets = offsets(sizes);
    let x = vec![0.0; offsets[sizes.len()]];
    let mut all = 0;
    let mut pairs = 0;
    for first in [0, 2, 3] {
        let own = if first == 0 { 2 } else { 1 };
        let own = Devices::new(vec![device.clone(); own])?.part_of(first, 4)?;
        let sets = own.sets_with_large(&x, &offsets, large)?;
        let mut total = own.sum()?;
        count::load(&own)?.launch(&sets, &mut total)?;
        all += total.download()?;
        pairs = sets.pair_count();
    }
    assert_eq!(all, pairs as u64, "{sizes:?}");
    Ok(())
}

/// The same as `check`, for rows and columns.
pub fn check_rectangles(devices: &[Device], counts: &[usize], sizes: [&[usize]; 2]) -> Result<()> {
    let all = sizes.map(offsets);
    let [p, q] = [0, 1].map(|side| points(all[side][sizes[side].len()]));
    let sum = |target: &Target| -> Result<f64> {
        let (rows, columns) = (target.sets(&p, &all[0])?, target.sets(&q, &all[1])?);
        let mut total = target.sum()?;
        exact_cross::load(target)?.launch(&rows, &columns, &mut total)?;
        total.download()
    };
    let of_one = sum(&devices[0])?;
    for &count in counts {
        let several = some(devices, count)?;
        rectangles::compare_on(&several, &devices[0], sizes)?;
        rectangles::compare_gathered(&several, sizes)?;
        extremes::check_rectangles(&several, sizes)?;
        assert_eq!(sum(&several)?.to_bits(), of_one.to_bits(), "{sizes:?} on {count} devices");
    }
    Ok(())
}
