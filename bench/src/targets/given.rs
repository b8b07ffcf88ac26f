//! Forces over a given list of near pairs, compared with reading the list and the elements, and with searching in each step.

use anyhow::{Result, ensure};
use td_kernel::{Buffer, GivenPairs, Sums, td_kernel};

use super::{Measured, Setting, near};
use crate::measure::gpu::{Gpu, Way};
use crate::subject::GENERATED;

/// Repulsion of touching balls.
#[td_kernel(fmad = true)]
unsafe fn repel(#[each] p: &[[f32; 4]], #[each] force: &mut Sums<[f32; 3]>) {
    let pair = r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, r = p.i.w + p.j.w;
    const float square = x * x + y * y + z * z;
    if (square > r * r)
        return;
    const float factor = r * rsqrtf(square + 1e-12f) - 1;
    const float3 f = make_float3(factor * x, factor * y, factor * z);
    force.i += f;
    force.j -= f;
    "#;
    let lower_bound = r#" box_square(p.i, p.j) - (p.i.hi.w + p.j.hi.w) * (p.i.hi.w + p.j.hi.w) "#;
}

/// Reads the list and both elements of each pair.
#[td_kernel(fmad = true)]
unsafe fn read(#[each] p: &[[f32; 4]], sum: &mut Sum<f32>) {
    r#" sum += (p.i.x + p.i.y + p.i.z + p.i.w) * (p.j.x + p.j.y + p.j.z + p.j.w); "#
}

/// The cells along an edge by which elements are sorted, as in a simulation.
const CELLS: f32 = 64.0;

/// How much farther apart than the cutoff a list has pairs, in units of sigma: on average 37 pairs for each particle.
const SKIN: f32 = 0.3;

/// The points of a cube in the order of their cells.
fn by_cells<const N: usize>(mut points: Vec<[f32; N]>, edge: f32) -> Vec<[f32; N]> {
    points.sort_by_key(|point| [2, 1, 0].map(|axis: usize| (point[axis] / edge * CELLS) as u32));
    points
}

/// Balls in the order of their cells, and the list of those that touch, in the order of rows.
fn list(gpu: &Gpu, n: usize) -> Result<(Buffer<[f32; 4]>, GivenPairs)> {
    let p = gpu.device.upload(&by_cells(near::balls(n), 1.0))?;
    let mut list = gpu.device.pairs(n * near::NEIGHBOURS as usize)?;
    near::contacts::load(&gpu.device)?.launch(&p, &mut list)?;
    let (list, _) = list.download()?.sorted()?.into_vecs();
    Ok((p, gpu.device.given_pairs(&list)?))
}

/// An error if forces over the list and over near pairs differ.
fn expect(force: &Sums<[f32; 3]>, expected: &Sums<[f32; 3]>) -> Result<()> {
    let are_near = near::are_near(&force.download()?, &expected.download()?);
    ensure!(are_near, "forces over the list and over near pairs differ");
    Ok(())
}

/// Compared with reading the list and both elements of each pair.
pub(super) fn forced(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (p, list) = list(gpu, *n)?;
    let (all, read) = (repel::load(&gpu.device)?, read::load(&gpu.device)?.pairs(&list));
    let kernel = all.pairs(&list);
    let (mut force, mut sum) = (gpu.device.sums(*n)?, gpu.device.sum()?);
    // The second launch stores the list by element.
    for _ in 0..2 {
        kernel.launch(&p, &mut force)?;
    }
    let own = Way::new(GENERATED, || Ok(kernel.launch(&p, &mut force)?));
    let reading = Way::new("reading the list", || Ok(read.launch(&p, &mut sum)?));
    let times = gpu.time(20, 1, vec![own, reading])?;
    force.clear()?;
    kernel.launch(&p, &mut force)?;
    let mut expected = gpu.device.sums(*n)?;
    all.launch(&p, &mut expected)?;
    expect(&force, &expected)?;
    Ok(times)
}

/// A time step over a list with a skin, compared with a launch that sorts and searches. Each step checks the list, and the host
/// waits for the answer.
pub(super) fn kept(Setting { gpu, n, .. }: &Setting) -> Measured {
    let device = &gpu.device;
    let (p, edge) = near::particles(*n);
    let p = device.upload(&by_cells(p, edge))?;
    let all = near::forces::load(device)?;
    let kernel = all.keep(SKIN);
    let (mut force, mut expected) = (device.sums(*n)?, device.sums(*n)?);
    // The second launch stores the list by element, once for all steps.
    for _ in 0..2 {
        kernel.launch(&p, edge, near::CUTOFF, &mut force)?;
    }
    let own = Way::new(GENERATED, || {
        force.clear()?;
        Ok(kernel.launch(&p, edge, near::CUTOFF, &mut force)?)
    });
    let searching = Way::new("sorting and searching", || {
        expected.clear()?;
        Ok(all.launch(&p, edge, near::CUTOFF, &mut expected)?)
    });
    let times = gpu.time(20, 1, vec![own, searching])?;
    expect(&force, &expected)?;
    Ok(times)
}
