//! The logarithm of a sum of exponentials for each row of two sets, compared with adding up the exponentials. The mean and the
//! variance of the distances of all pairs, compared with adding up the distances and their squares.

use td_kernel::td_kernel;

use super::issue::beside_fastest;
use super::{Measured, Setting};
use crate::subject::{LogSum, LogSums, Moments, PairMoments, Subject};

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

/// Joins means and squares of differences by their counts.
#[td_kernel(
    fmad = true,
    prelude = r#"
    __device__ Moments join(Moments a, Moments b)
    {
        float count = a.count + b.count, share = count > 0 ? b.count / count : 0;
        float difference = b.mean - a.mean;
        return {
            count,
            a.mean + share * difference,
            a.squares + b.squares + a.count * share * difference * difference,
        };
    }
    "#
)]
pub(super) unsafe fn moments(#[each] p: &[[f32; 3]], out: &mut Reduce<Moments>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    out.join({1, sqrtf(x * x + y * y + z * z), 0});
    "#
}

/// Adds up the distances and their squares.
#[td_kernel(fmad = true)]
pub(super) unsafe fn powers(#[each] p: &[[f32; 3]], sum: &mut Sum<f32>, squares: &mut Sum<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    float square = x * x + y * y + z * z;
    sum += sqrtf(square);
    squares += square;
    "#
}

pub(super) fn moments_beside_sums(Setting { gpu, n, .. }: &Setting) -> Measured {
    let subject = PairMoments::new(gpu, *n)?;
    let kernels = vec![subject.generated::<moments>()?, subject.summing::<powers>()?];
    beside_fastest(&subject, kernels, 4)
}
