//! Pairs of near elements, compared with the variant of the same kernel that visits all pairs.

use anyhow::{Result, ensure};
use td_kernel::__private::NearTiles;
use td_kernel::{Ordered, td_kernel};

use super::{Measured, Setting, others};
use crate::kernels::untyped;
use crate::measure::gpu::Way;
use crate::measure::points::points;
use crate::subject::GENERATED;

/// Counts touching balls: a center, and a radius.
#[td_kernel(fmad = true)]
pub(crate) unsafe fn touching(#[each] p: &[[f32; 4]], count: &mut Sum<u64>) {
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
pub(crate) unsafe fn nearest(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>) {
    let pair = r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    near.push(fmaf(x, x, fmaf(y, y, z * z)));
    "#;
    let lower_bound = r#" box_square(p.i, p.j) "#;
}

/// Counts the balls of two sets that touch.
#[td_kernel(fmad = true)]
pub(crate) unsafe fn touching_two(
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

untyped!(touching, touching_two, nearest);

/// The neighbours of a ball, on average: as many pairs as half of this for each ball.
pub(crate) const NEIGHBOURS: f64 = 30.0;

/// The particles in a unit of volume, as in a liquid, and the cutoff, in units of sigma.
const DENSITY: f64 = 0.8;
pub(super) const CUTOFF: f32 = 2.5;

/// Balls in the unit cube, of which each touches `NEIGHBOURS` on average.
pub(crate) fn balls(n: usize) -> Vec<[f32; 4]> {
    balls_of(n, radius(n, NEIGHBOURS))
}

/// The radius by which each of n balls touches this many others, on average.
pub(crate) fn radius(n: usize, neighbours: f64) -> f32 {
    let volume = neighbours / n as f64;
    (0.5 * (3.0 * volume / (4.0 * std::f64::consts::PI)).cbrt()) as f32
}

pub(crate) fn balls_of(n: usize, radius: f32) -> Vec<[f32; 4]> {
    points::<[f32; 3]>(n).into_iter().map(|[x, y, z]| [x, y, z, radius]).collect()
}

/// The times of a kernel and of its variant for all pairs, and what each of them found: by all launches together, or by the last
/// one if the output is cleared.
macro_rules! beside_all {
    ($setting:expr, $kernel:ident($($input:expr),*) -> $output:expr $(, $clear:ident)?) => {
        beside_all!($setting, NearTiles::Usual, $kernel($($input),*) -> $output $(, $clear)?)
    };
    ($setting:expr, $tiles:expr, $kernel:ident($($input:expr),*) -> $output:expr $(, $clear:ident)?) => {{
        let Setting { gpu, n, .. } = $setting;
        let loaded = $kernel::load(&gpu.device)?.kernel;
        let kernel = $kernel { kernel: loaded.near_tiles($tiles) };
        let all = $kernel { kernel: loaded.pin(0) };
        let [mut near, mut expected] = [$output?, $output?];
        let ways = vec![
            Way::new(GENERATED, || {
                $(near.$clear()?;)?
                Ok(kernel.launch($($input,)* &mut near)?)
            }),
            Way::new("all pairs", || {
                $(expected.$clear()?;)?
                Ok(all.launch($($input,)* &mut expected)?)
            }),
        ];
        // All pairs of ten million elements take 18 s.
        let rounds = if *n > 1_000_000 { 1 } else { 5 };
        (gpu.time(rounds, 1, ways)?, near.download()?, expected.download()?)
    }};
}

/// An error if near tiles and all pairs differ.
fn expect<T: PartialEq>(what: &str, found: &T, expected: &T) -> Result<()> {
    ensure!(found == expected, "{what}: near tiles and all pairs differ");
    Ok(())
}

pub(super) fn counted(setting: &Setting) -> Measured {
    count(setting, NearTiles::Usual, &balls(setting.n))
}

/// Without a choice: in near tiles.
pub(super) fn tiles(setting: &Setting) -> Measured {
    count(setting, NearTiles::Always, &balls(setting.n))
}

/// All balls touch each other, so near tiles skip nothing.
pub(super) fn dense(setting: &Setting) -> Measured {
    count(setting, NearTiles::Usual, &balls_of(setting.n, 1.0))
}

/// The same in near tiles.
pub(super) fn tiles_dense(setting: &Setting) -> Measured {
    count(setting, NearTiles::Always, &balls_of(setting.n, 1.0))
}

fn count(setting: &Setting, tiles: NearTiles, balls: &[[f32; 4]]) -> Measured {
    let device = &setting.gpu.device;
    let p = device.upload(balls)?;
    let (times, near, expected) = beside_all!(setting, tiles, touching(&p) -> device.sum());
    expect("counts", &near, &expected)?;
    Ok(times)
}

/// Balls whose order is kept, compared with sorting them in each launch. Both count the same pairs.
pub(super) fn in_order(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let (device, balls) = (&gpu.device, balls(*n));
    let (p, ordered) = (device.upload(&balls)?, Ordered::new(device.upload(&balls)?));
    let kernel = touching::load(device)?;
    let (mut count, mut expected) = (device.sum()?, device.sum()?);
    let ways = vec![
        Way::new(GENERATED, || Ok(kernel.launch(&ordered, &mut count)?)),
        Way::new("sorting in each launch", || Ok(kernel.launch(&p, &mut expected)?)),
    ];
    let times = gpu.time(21, 1, ways)?;
    expect("counts", &count.download()?, &expected.download()?)?;
    Ok(times)
}

/// Compared with a k-d tree on the CPU, which the script checks. The count is that of all pairs in `counted`.
pub(super) fn counted_beside_tree(setting: &Setting) -> Measured {
    let device = &setting.gpu.device;
    let (p, kernel) = (device.upload(&balls(setting.n))?, touching::load(device)?);
    let mut count = device.sum()?;
    beside_tree(setting, "count", || kernel.launch(&p, &mut count))
}

/// The same for neighbours, which `searched` compares.
pub(super) fn searched_beside_tree(setting: &Setting) -> Measured {
    let (device, n) = (&setting.gpu.device, setting.n);
    let (p, kernel) = (device.upload(&points::<[f32; 3]>(n))?, nearest::load(device)?);
    let mut near = device.nearest(n)?;
    beside_tree(setting, "nearest", || {
        near.clear()?;
        kernel.launch(&p, &mut near)
    })
}

fn beside_tree(
    setting: &Setting,
    work: &'static str,
    mut ours: impl FnMut() -> td_kernel::Result<()>,
) -> Measured {
    let mut times = setting.gpu.time(5, 1, vec![Way::new(GENERATED, || Ok(ours()?))])?;
    times.push(others::tree(work, setting.n).time(&setting.python)?);
    Ok(times)
}

/// The same set twice, so each ball touches itself and each pair counts twice.
pub(super) fn counted_of_two(setting: &Setting) -> Measured {
    let device = &setting.gpu.device;
    let p = device.upload(&balls(setting.n))?;
    let (times, near, expected) = beside_all!(setting, touching_two(&p, &p) -> device.sum());
    expect("counts", &near, &expected)?;
    Ok(times)
}

pub(super) fn listed(setting: &Setting) -> Measured {
    let device = &setting.gpu.device;
    let (p, room) = (device.upload(&balls(setting.n))?, setting.n * NEIGHBOURS as usize);
    let (times, near, expected) = beside_all!(setting, contacts(&p) -> device.pairs(room), clear);
    expect("lists", &near.sorted()?.into_vecs(), &expected.sorted()?.into_vecs())?;
    Ok(times)
}

/// Each has its own neighbours, and each launch finds them again.
pub(super) fn searched(setting: &Setting) -> Measured {
    let device = &setting.gpu.device;
    let p = device.upload(&points::<[f32; 3]>(setting.n))?;
    let (times, near, expected) =
        beside_all!(setting, nearest(&p) -> device.nearest(setting.n), clear);
    expect("neighbours", &near, &expected)?;
    Ok(times)
}

/// Particles, and the edge of their periodic cell.
pub(super) fn particles(n: usize) -> (Vec<[f32; 3]>, f32) {
    let edge = (n as f64 / DENSITY).cbrt() as f32;
    (points::<[f32; 3]>(n).into_iter().map(|p| p.map(|x| x * edge)).collect(), edge)
}

pub(super) fn forced(setting: &Setting) -> Measured {
    let (device, n) = (&setting.gpu.device, setting.n);
    let (p, edge) = particles(n);
    let p = device.upload(&p)?;
    let (times, near, expected) = beside_all!(setting, forces(&p, edge, CUTOFF) -> device.sums(n));
    expect("forces", &are_near(&near, &expected), &true)?;
    Ok(times)
}

/// Whether forces differ by rounding only.
pub(super) fn are_near(found: &[[f32; 3]], expected: &[[f32; 3]]) -> bool {
    let (found, expected) = (found.as_flattened(), expected.as_flattened());
    let greatest = expected.iter().fold(0.0_f32, |most, part| most.max(part.abs()));
    found.iter().zip(expected).all(|(found, part)| (found - part).abs() <= 1e-5 * greatest)
}
