//! The farthest pair of points, compared with counting pairs.

use anyhow::ensure;
use td_kernel::td_kernel;

use super::{Measured, Setting};
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::points::points;
use crate::subject::GENERATED;

/// Finds the farthest pair.
#[td_kernel]
pub(super) unsafe fn farthest(#[each] p: &[[f32; 4]], far: &mut Max<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    far.offer(fmaf(z, z, fmaf(y, y, x * x)));
    "#
}

/// Counts the pairs that are farther apart than most.
#[td_kernel]
pub(super) unsafe fn count(#[each] p: &[[f32; 4]], far: &mut Sum<u64>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    if (fmaf(z, z, fmaf(y, y, x * x)) > 2)
        far += 1;
    "#
}

pub(super) fn beside_count(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (device, points) = (&gpu.device, points::<[f32; 4]>(*n));
    let p = device.upload(&points)?;
    let (kernel, counting) = (farthest::load(device)?, count::load(device)?);
    let (mut far, mut counted) = (device.max::<f32>()?, device.sum()?);
    let own = Way::new(GENERATED, || Ok(kernel.launch(&p, &mut far)?));
    let count = Way::new("count", || Ok(counting.launch(&p, &mut counted)?));
    let times = gpu.time(ROUNDS, 4, vec![own, count])?;
    // Each launch offers the same pairs.
    let (found, expected) = (far.download()?, farthest_of(&points));
    ensure!(found == expected, "found {found:?} instead of {expected:?}");
    Ok(times)
}

fn farthest_of(points: &[[f32; 4]]) -> Option<(f32, u32, u32)> {
    let mut farthest: Option<(f32, u32, u32)> = None;
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points[..i].iter().enumerate() {
            let [x, y, z] = [0, 1, 2].map(|axis| a[axis] - b[axis]);
            let square = z.mul_add(z, y.mul_add(y, x * x));
            if farthest.is_none_or(|(best, ..)| square > best) {
                farthest = Some((square, i as u32, j as u32));
            }
        }
    }
    farthest
}
