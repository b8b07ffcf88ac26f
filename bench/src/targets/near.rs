//! Pairs of near elements, compared with fixed times: those of kernels by hand on an H100, and a little more.

use td_kernel::{Buffer, td_kernel};

use super::{Measured, Setting};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::points;
use crate::measure::times::Spread;
use crate::subject::GENERATED;

/// Counts touching balls: a center, and a radius.
#[td_kernel(fmad = true)]
pub(super) unsafe fn touching(#[each] p: &[[f32; 4]], count: &mut Sum<u64>) {
    let pair = r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, r = p.i.w + p.j.w;
    if (x * x + y * y + z * z <= r * r)
        count += 1;
    "#;
    let lower_bound = r#" box_square(p.i, p.j) - (p.i.hi.w + p.j.hi.w) * (p.i.hi.w + p.j.hi.w) "#;
}

/// Lists touching balls with their squared distances.
#[td_kernel(fmad = true)]
pub(super) unsafe fn contacts(#[each] p: &[[f32; 4]], list: &mut Pairs<f32>) {
    let pair = r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, r = p.i.w + p.j.w;
    const float square = x * x + y * y + z * z;
    if (square <= r * r)
        list.push(square);
    "#;
    let lower_bound = r#" box_square(p.i, p.j) - (p.i.hi.w + p.j.hi.w) * (p.i.hi.w + p.j.hi.w) "#;
}

/// Lennard-Jones forces in a periodic cell, softened so that random positions have finite forces.
#[td_kernel(fmad = true)]
pub(super) unsafe fn forces(
    #[each] p: &[[f32; 3]],
    edge: f32,
    cutoff: f32,
    #[each] force: &mut Sums<[f32; 3]>,
) {
    let pair = r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    x -= edge * rintf(x / edge);
    y -= edge * rintf(y / edge);
    z -= edge * rintf(z / edge);
    const float square = x * x + y * y + z * z;
    if (square > cutoff * cutoff)
        return;
    const float u = 1 / (0.1f + square * square * square), us = u * square;
    const float factor = 24 * (2 * u - 1) * us * us;
    const float3 f = make_float3(factor * x, factor * y, factor * z);
    force.i += f;
    force.j -= f;
    "#;
    let lower_bound = r#" periodic_distance(p.i, p.j, edge, edge, edge) - cutoff "#;
}

/// The neighbours of a ball, on average.
const NEIGHBOURS: f64 = 30.0;

/// The particles in a unit of volume, as in a liquid, and the cutoff, in units of sigma.
const DENSITY: f64 = 0.8;
const CUTOFF: f32 = 2.5;

/// The most elements for which all pairs are counted as a check.
const CHECKED: usize = 1_000_000;

/// Rounds: a launch with ten million elements takes some tens of milliseconds.
const ROUNDS: usize = 11;

/// Balls in the unit cube.
fn balls(gpu: &Gpu, n: usize) -> Result<Buffer<[f32; 4]>, Failure> {
    let volume = NEIGHBOURS / n as f64;
    let radius = (0.5 * (3.0 * volume / (4.0 * std::f64::consts::PI)).cbrt()) as f32;
    let balls: Vec<_> =
        points::<[f32; 3]>(n).into_iter().map(|[x, y, z]| [x, y, z, radius]).collect();
    Ok(gpu.device.upload(&balls)?)
}

/// Our time, and a fixed one.
fn beside(gpu: &Gpu, limit: f64, run: impl FnMut() -> Result<(), Failure>) -> Measured {
    let mut times = gpu.time(ROUNDS, 1, vec![Way::new(GENERATED, run)])?;
    times.push((format!("{limit} ms"), Spread { median: limit, low: limit, high: limit }));
    Ok(times)
}

pub(super) fn counted(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (p, kernel) = (balls(gpu, *n)?, touching::load(&gpu.device)?);
    if *n <= CHECKED {
        let all = touching { kernel: kernel.kernel.pin(0) };
        let [mut near, mut expected] = [gpu.device.sum()?, gpu.device.sum()?];
        kernel.launch(&p, &mut near)?;
        all.launch(&p, &mut expected)?;
        let [near, expected] = [near.download()?, expected.download()?];
        if near != expected {
            return Err(format!("{near} touching balls instead of {expected}").into());
        }
    }
    let mut count = gpu.device.sum()?;
    let limit = if *n <= CHECKED { 1.6 } else { 20.0 };
    beside(gpu, limit, || Ok(kernel.launch(&p, &mut count)?))
}

pub(super) fn listed(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (p, kernel) = (balls(gpu, *n)?, contacts::load(&gpu.device)?);
    let mut list = gpu.device.pairs(*n * NEIGHBOURS as usize)?;
    beside(gpu, 3.5, || {
        list.clear()?;
        Ok(kernel.launch(&p, &mut list)?)
    })
}

pub(super) fn forced(Setting { gpu, n, .. }: &Setting) -> Measured {
    let edge = (*n as f64 / DENSITY).cbrt() as f32;
    let p: Vec<_> =
        points::<[f32; 3]>(*n).into_iter().map(|p| p.map(|coordinate| coordinate * edge)).collect();
    let (p, kernel) = (gpu.device.upload(&p)?, forces::load(&gpu.device)?);
    let mut force = gpu.device.sums(*n)?;
    beside(gpu, 2.5, || Ok(kernel.launch(&p, edge, CUTOFF, &mut force)?))
}
