//! The logarithm of a sum of exponentials for each row of two sets, compared with adding up the exponentials.

use td_kernel::td_kernel;

use super::issue::beside_fastest;
use super::{Measured, Setting};
use crate::subject::{LogSum, LogSums, Subject};

/// Joins the exponentials by their largest exponent.
#[td_kernel(
    fmad = true,
    prelude = r#"
    __device__ LogSum join(LogSum a, LogSum b)
    {
        const LogSum more = b.max > a.max ? b : a, less = b.max > a.max ? a : b;
        // A state without pairs would give NaN.
        const float factor = less.sum > 0 ? expf(less.max - more.max) : 0;
        return {more.max, more.sum + factor * less.sum};
    }
    "#
)]
pub(super) unsafe fn log_sum(
    #[row] x: &[[f32; 3]],
    #[column] y: &[[f32; 3]],
    #[row] out: &mut Reduce<LogSum>,
) {
    r#"
    float a = x.x - y.x, b = x.y - y.y, c = x.z - y.z;
    out.join({-(a * a + b * b + c * c), 1});
    "#
}

/// Adds up the exponentials.
#[td_kernel(fmad = true)]
pub(super) unsafe fn sum(
    #[row] x: &[[f32; 3]],
    #[column] y: &[[f32; 3]],
    #[row] out: &mut Sums<f32>,
) {
    r#"
    float a = x.x - y.x, b = x.y - y.y, c = x.z - y.z;
    out += expf(-(a * a + b * b + c * c));
    "#
}

pub(super) fn beside_sums(Setting { gpu, n, .. }: &Setting) -> Measured {
    let subject = LogSums::new(gpu, *n)?;
    let kernels = vec![subject.generated::<log_sum>()?, subject.summing::<sum>()?];
    beside_fastest(&subject, kernels, if *n > 65_536 { 1 } else { 4 })
}
