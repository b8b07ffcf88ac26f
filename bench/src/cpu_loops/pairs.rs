//! Works over pairs alone: distances of few coordinates, overlapping spheres counted and listed, forces, nearest neighbours.

use std::path::Path;

use td_kernel::{Device, td_kernel};

use super::{Row, Work, compiled, row};
use crate::Failure;

#[td_kernel]
unsafe fn lines(#[each] p: &[f32], distance: &mut Packed<f32>) {
    r#" float x = p.i - p.j; distance = sqrtf(x * x); "#
}

#[td_kernel]
unsafe fn planes(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#" float x = p.i.x - p.j.x, y = p.i.y - p.j.y; distance = sqrtf(x * x + y * y); "#
}

#[td_kernel]
unsafe fn spaces(#[each] p: &[[f32; 3]], distance: &mut Packed<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    distance = sqrtf(x * x + y * y + z * z);
    "#
}

#[td_kernel]
unsafe fn fours(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    distance = sqrtf(x * x + y * y + z * z + w * w);
    "#
}

#[td_kernel]
unsafe fn counted(#[each] p: &[[f32; 4]], found: &mut Sum<u32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    float reach = 0.05f * (p.i.w + p.j.w);
    if (x * x + y * y + z * z < reach * reach)
        found += 1;
    "#
}

#[td_kernel]
unsafe fn listed(#[each] p: &[[f32; 4]], found: &mut Pairs) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    float reach = 0.05f * (p.i.w + p.j.w);
    if (x * x + y * y + z * z >= reach * reach)
        return;
    found.push();
    "#
}

#[td_kernel]
unsafe fn forces(#[each] p: &[[f32; 3]], #[each] force: &mut Sum<[f32; 3]>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    float square = x * x + y * y + z * z + 0.001f;
    float strength = 1 / (square * sqrtf(square));
    float3 own = make_float3(strength * x, strength * y, strength * z);
    force.i += own;
    force.j -= own;
    "#
}

#[td_kernel]
unsafe fn nearest(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    near.push(x * x + y * y + z * z);
    "#
}

/// Numbers of elements.
const SIZES: [usize; 2] = [2000, 4000];

/// Runs of each in a turn.
const ROUNDS: usize = 20;

/// The points: as many numbers of the program by hand as there are, `N` for each point.
fn points<const N: usize>(n: usize) -> Vec<[f32; N]> {
    let number = |k: usize| (k * 7919 % 10007) as f32 * (1.0 / 10007.0);
    (0..n).map(|point| std::array::from_fn(|d| number(point * N + d))).collect()
}

/// Distances of points with `N` coordinates: a row of the table.
macro_rules! distances {
    ($device:expr, $program:expr, $n:expr, $kernel:ident, $coordinates:literal, $points:expr) => {{
        let (device, n): (&Device, usize) = ($device, $n);
        let points = device.upload(&$points)?;
        let mut distance = device.packed::<f32>(n)?;
        let kernel = $kernel::load(device)?;
        kernel.launch(&points, &mut distance)?;
        let result = sum(distance.download()?.as_slice());
        let launch = || Ok(device.timed(|| kernel.launch(&points, &mut distance))?.1);
        let name = concat!("distances of ", $coordinates, " coordinates");
        row(work(name, $coordinates, n, result, Box::new(launch)), $program)?
    }};
}

fn sum(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum()
}

fn work<'a>(
    name: &str,
    argument: &str,
    n: usize,
    result: f64,
    launch: Box<super::Launch<'a>>,
) -> Work<'a> {
    let arguments = [argument.into(), n.to_string()];
    Work { name: name.into(), n, rounds: ROUNDS, arguments, result, launch }
}

/// The rows of the table.
pub(super) fn measured(device: &Device, folder: &Path) -> Result<Vec<Row>, Failure> {
    let program = &compiled(folder, "pairs_by_hand", include_str!("../../host/pairs_by_hand.cpp"))?;
    let mut rows = Vec::new();
    for n in SIZES {
        let numbers: Vec<f32> = points::<1>(n).into_iter().flatten().collect();
        rows.push(distances!(device, program, n, lines, "1", numbers));
        rows.push(distances!(device, program, n, planes, "2", points::<2>(n)));
        rows.push(distances!(device, program, n, spaces, "3", points::<3>(n)));
        rows.push(distances!(device, program, n, fours, "4", points::<4>(n)));
        let spheres = device.upload(&points::<4>(n))?;
        let count = count(device, &spheres)?;
        rows.push(row(count_work(device, &spheres, n, count)?, program)?);
        rows.push(row(list_work(device, &spheres, n, count)?, program)?);
        rows.push(row(force_work(device, n)?, program)?);
        rows.push(row(nearest_work(device, n)?, program)?);
    }
    Ok(rows)
}

type Spheres = td_kernel::Buffer<[f32; 4]>;

/// How many spheres overlap.
fn count(device: &Device, spheres: &Spheres) -> Result<u32, Failure> {
    let mut found = device.sum::<u32>()?;
    counted::load(device)?.launch(spheres, &mut found)?;
    Ok(found.download()?)
}

fn count_work<'a>(
    device: &'a Device,
    spheres: &'a Spheres,
    n: usize,
    count: u32,
) -> Result<Work<'a>, Failure> {
    let mut found = device.sum::<u32>()?;
    let kernel = counted::load(device)?;
    let launch = move || {
        found.clear()?;
        Ok(device.timed(|| kernel.launch(spheres, &mut found))?.1)
    };
    Ok(work("collisions counted", "count", n, f64::from(count), Box::new(launch)))
}

fn list_work<'a>(
    device: &'a Device,
    spheres: &'a Spheres,
    n: usize,
    count: u32,
) -> Result<Work<'a>, Failure> {
    let mut found = device.pairs(count as usize)?;
    let kernel = listed::load(device)?;
    let launch = move || {
        found.clear()?;
        Ok(device.timed(|| kernel.launch(spheres, &mut found))?.1)
    };
    Ok(work("collisions listed", "list", n, f64::from(count), Box::new(launch)))
}

fn force_work(device: &Device, n: usize) -> Result<Work<'_>, Failure> {
    let points = device.upload(&points::<3>(n))?;
    let mut force = device.sums::<[f32; 3]>(n)?;
    let kernel = forces::load(device)?;
    kernel.launch(&points, &mut force)?;
    let components = force.download()?.into_iter().flatten();
    let result = components.map(|each| f64::from(each.abs())).sum();
    let launch = move || {
        force.clear()?;
        Ok(device.timed(|| kernel.launch(&points, &mut force))?.1)
    };
    Ok(work("forces", "forces", n, result, Box::new(launch)))
}

fn nearest_work(device: &Device, n: usize) -> Result<Work<'_>, Failure> {
    let points = device.upload(&points::<3>(n))?;
    let mut near = device.nearest::<f32, 10>(n)?;
    let kernel = nearest::load(device)?;
    kernel.launch(&points, &mut near)?;
    let result = sum(near.download()?.values());
    let launch = move || {
        near.clear()?;
        Ok(device.timed(|| kernel.launch(&points, &mut near))?.1)
    };
    Ok(work("ten nearest neighbours", "nearest", n, result, Box::new(launch)))
}
