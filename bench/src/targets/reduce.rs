//! The logarithm of a sum of exponentials for each row of two sets, compared with adding up the exponentials. The mean and the
//! variance of the distances of all pairs, compared with adding up the distances and their squares.

use td_kernel::{DeviceType, td_kernel};

use super::{Measured, Setting};
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::points::{Point, points};
use crate::measure::{expect, some};
use crate::subject::{GENERATED, pairs};

/// A sum of exponentials: `sum` times exp(max).
#[repr(C)]
#[derive(Clone, Copy, Debug, DeviceType)]
pub(super) struct LogSum {
    max: f32,
    sum: f32,
}

/// The number of some values, their mean, and the sum of the squares of their differences from it.
#[repr(C)]
#[derive(Clone, Copy, Debug, DeviceType)]
pub(super) struct Moments {
    count: f32,
    mean: f32,
    squares: f32,
}

/// The tolerance of a logarithm, a mean and a variance.
const ROUNDING: f64 = 1e-4;

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
    let (device, points) = (&gpu.device, points::<[f32; 3]>(*n));
    let p = device.upload(&points)?;
    let (kernel, adding) = (log_sum::load(device)?, sum::load(device)?);
    let start = LogSum { max: f32::NEG_INFINITY, sum: 0.0 };
    let (mut states, mut sums) = (device.reduce(*n, start)?, device.sums(*n)?);
    kernel.launch(&p, &p, &mut states)?;
    adding.launch(&p, &p, &mut sums)?;
    let (found, added) = (states.download()?, sums.download()?);
    for i in some(*n) {
        let terms = points.iter().map(|point| (-points[i].square_to(point)).exp());
        let expected = terms.sum::<f64>().ln();
        let LogSum { max, sum } = found[i];
        for found in [f64::from(max) + f64::from(sum).ln(), f64::from(added[i]).ln()] {
            expect(format!("logarithm of row {i}"), found, expected, ROUNDING)?;
        }
    }
    let own = Way::new(GENERATED, || Ok(kernel.launch(&p, &p, &mut states)?));
    let other = Way::new("sums", || Ok(adding.launch(&p, &p, &mut sums)?));
    gpu.time(ROUNDS, if *n > 65_536 { 1 } else { 4 }, vec![own, other])
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
    let (device, points) = (&gpu.device, points::<[f32; 3]>(*n));
    let p = device.upload(&points)?;
    let (kernel, adding) = (moments::load(device)?, powers::load(device)?);
    let start = Moments { count: 0.0, mean: 0.0, squares: 0.0 };
    let (mut state, mut sum, mut squares) =
        (device.reduce(1, start)?, device.sum()?, device.sum()?);
    kernel.launch(&p, &mut state)?;
    adding.launch(&p, &mut sum, &mut squares)?;
    let count = pairs(*n) as f64;
    let of_sums = |sum: f64, squares: f64| {
        let mean = sum / count;
        [mean, squares / count - mean * mean]
    };
    let all = points.iter().enumerate().flat_map(|(i, a)| points[..i].iter().map(move |b| (a, b)));
    let (sum_of_all, squares_of_all) = all.fold((0.0, 0.0), |(sum, squares), (a, b)| {
        let square = a.square_to(b);
        (sum + square.sqrt(), squares + square)
    });
    let (joined, expected) = (state.download()?[0], of_sums(sum_of_all, squares_of_all));
    let joined = [joined.mean, joined.squares / joined.count].map(f64::from);
    let added = of_sums(sum.download()?.into(), squares.download()?.into());
    for found in [joined, added] {
        expect("mean", found[0], expected[0], ROUNDING)?;
        expect("variance", found[1], expected[1], ROUNDING)?;
    }
    let own = Way::new(GENERATED, || Ok(kernel.launch(&p, &mut state)?));
    let other = Way::new("sums", || Ok(adding.launch(&p, &mut sum, &mut squares)?));
    gpu.time(ROUNDS, 4, vec![own, other])
}
