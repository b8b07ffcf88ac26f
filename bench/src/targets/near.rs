//! Pairs of near elements, compared with the variant of the same kernel that visits all pairs.

use td_kernel::{Buffer, td_kernel};

use super::{Measured, Setting};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::points;
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

/// The ten nearest others of each point, by squared distance.
#[td_kernel(fmad = true)]
pub(super) unsafe fn nearest(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>) {
    let pair = r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    near.push(fmaf(x, x, fmaf(y, y, z * z)));
    "#;
    let lower_bound = r#" box_square(p.i, p.j) "#;
}

/// Counts the balls of two sets that touch.
#[td_kernel(fmad = true)]
pub(super) unsafe fn touching_two(
    #[row] a: &[[f32; 4]],
    #[column] b: &[[f32; 4]],
    count: &mut Sum<u64>,
) {
    let pair = r#"
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, r = a.w + b.w;
    if (x * x + y * y + z * z <= r * r)
        count += 1;
    "#;
    let lower_bound = r#" box_square(a, b) - (a.hi.w + b.hi.w) * (a.hi.w + b.hi.w) "#;
}

/// The neighbours of a ball, on average.
const NEIGHBOURS: f64 = 30.0;

/// The particles in a unit of volume, as in a liquid, and the cutoff, in units of sigma.
const DENSITY: f64 = 0.8;
const CUTOFF: f32 = 2.5;

/// The rounds: all pairs of ten million elements take 18 s.
const fn rounds(n: usize) -> usize {
    if n > 1_000_000 { 1 } else { 5 }
}

/// Balls in the unit cube.
fn balls(gpu: &Gpu, n: usize) -> Result<Buffer<[f32; 4]>, Failure> {
    let volume = NEIGHBOURS / n as f64;
    let radius = (0.5 * (3.0 * volume / (4.0 * std::f64::consts::PI)).cbrt()) as f32;
    let balls: Vec<_> =
        points::<[f32; 3]>(n).into_iter().map(|[x, y, z]| [x, y, z, radius]).collect();
    Ok(gpu.device.upload(&balls)?)
}

/// Compared with all pairs.
fn beside_all(
    Setting { gpu, n, .. }: &Setting,
    run: impl FnMut() -> Result<(), Failure>,
    all: impl FnMut() -> Result<(), Failure>,
) -> Measured {
    gpu.time(rounds(*n), 1, vec![Way::new(GENERATED, run), Way::new("all pairs", all)])
}

/// An error if near tiles and all pairs differ.
fn expect<T: PartialEq>(what: &str, found: &T, expected: &T) -> Result<(), Failure> {
    let is_same = found == expected;
    is_same.then_some(()).ok_or_else(|| format!("{what}: near tiles and all pairs differ").into())
}

pub(super) fn counted(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let (p, kernel) = (balls(gpu, *n)?, touching::load(&gpu.device)?);
    let all = touching { kernel: kernel.kernel.pin(0) };
    let [mut near, mut expected] = [gpu.device.sum()?, gpu.device.sum()?];
    // Both add up the counts of as many launches.
    let times = beside_all(
        setting,
        || Ok(kernel.launch(&p, &mut near)?),
        || Ok(all.launch(&p, &mut expected)?),
    )?;
    expect("counts", &near.download()?, &expected.download()?)?;
    Ok(times)
}

/// The same set twice, so each ball touches itself and each pair counts twice.
pub(super) fn counted_of_two(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let (p, kernel) = (balls(gpu, *n)?, touching_two::load(&gpu.device)?);
    let all = touching_two { kernel: kernel.kernel.pin(0) };
    let [mut near, mut expected] = [gpu.device.sum()?, gpu.device.sum()?];
    let times = beside_all(
        setting,
        || Ok(kernel.launch(&p, &p, &mut near)?),
        || Ok(all.launch(&p, &p, &mut expected)?),
    )?;
    expect("counts", &near.download()?, &expected.download()?)?;
    Ok(times)
}

pub(super) fn listed(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let (p, kernel) = (balls(gpu, *n)?, contacts::load(&gpu.device)?);
    let all = contacts { kernel: kernel.kernel.pin(0) };
    let room = *n * NEIGHBOURS as usize;
    let [mut near, mut expected] = [gpu.device.pairs(room)?, gpu.device.pairs(room)?];
    let times = beside_all(
        setting,
        || {
            near.clear()?;
            Ok(kernel.launch(&p, &mut near)?)
        },
        || {
            expected.clear()?;
            Ok(all.launch(&p, &mut expected)?)
        },
    )?;
    let [near, expected] = [near.download()?.sorted()?, expected.download()?.sorted()?];
    expect("lists", &near.into_vecs(), &expected.into_vecs())?;
    Ok(times)
}

/// Each has its own neighbours, and each launch finds them again.
pub(super) fn searched(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let (p, kernel) = (gpu.device.upload(&points::<[f32; 3]>(*n))?, nearest::load(&gpu.device)?);
    let all = nearest { kernel: kernel.kernel.pin(0) };
    let [mut near, mut expected] = [gpu.device.nearest(*n)?, gpu.device.nearest(*n)?];
    let times = beside_all(
        setting,
        || {
            near.clear()?;
            Ok(kernel.launch(&p, &mut near)?)
        },
        || {
            expected.clear()?;
            Ok(all.launch(&p, &mut expected)?)
        },
    )?;
    expect("neighbours", &near.download()?, &expected.download()?)?;
    Ok(times)
}

pub(super) fn forced(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let edge = (*n as f64 / DENSITY).cbrt() as f32;
    let p: Vec<_> =
        points::<[f32; 3]>(*n).into_iter().map(|p| p.map(|coordinate| coordinate * edge)).collect();
    let (p, kernel) = (gpu.device.upload(&p)?, forces::load(&gpu.device)?);
    let all = forces { kernel: kernel.kernel.pin(0) };
    let [mut near, mut expected] = [gpu.device.sums(*n)?, gpu.device.sums(*n)?];
    let times = beside_all(
        setting,
        || Ok(kernel.launch(&p, edge, CUTOFF, &mut near)?),
        || Ok(all.launch(&p, edge, CUTOFF, &mut expected)?),
    )?;
    let (near, expected) = (near.download()?, expected.download()?);
    let parts = |all: &[[f32; 3]]| all.concat();
    let (near, expected) = (parts(&near), parts(&expected));
    let greatest = expected.iter().fold(0.0_f32, |most, part| most.max(part.abs()));
    let is_near = |(found, part): (&f32, &f32)| (found - part).abs() <= 1e-5 * greatest;
    expect("forces", &near.iter().zip(&expected).all(is_near), &true)?;
    Ok(times)
}
