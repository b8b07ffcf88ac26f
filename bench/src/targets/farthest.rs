//! The farthest pair of points, compared with counting pairs.

use td_kernel::td_kernel;

use super::issue::beside_fastest;
use super::{Measured, Setting};
use crate::subject::{Farthest, Subject};

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
    let subject = Farthest::new(gpu, *n)?;
    let kernels = vec![subject.generated::<farthest>()?, subject.counting::<count>()?];
    beside_fastest(&subject, kernels, 4)
}
