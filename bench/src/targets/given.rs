//! Forces over a given list of near pairs, compared with reading the list and the elements, and with searching in each step.

use td_kernel::{Buffer, GivenPairs, td_kernel};

use super::{Measured, Setting, near};
use crate::Failure;
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

/// Lists the pairs within a distance in a periodic cell.
#[td_kernel(fmad = true)]
pub(super) unsafe fn listed(#[each] p: &[[f32; 3]], edge: f32, distance: f32, list: &mut Pairs) {
    let pair = r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    x -= edge * rintf(x / edge);
    y -= edge * rintf(y / edge);
    z -= edge * rintf(z / edge);
    if (x * x + y * y + z * z <= distance * distance)
        list.push();
    "#;
    let lower_bound = r#" periodic_distance(p.i, p.j, edge, edge, edge) - distance "#;
}

/// The square of the farthest that a particle has moved: the body runs once for each row.
#[td_kernel(fmad = true)]
pub(super) unsafe fn moved(
    #[row] p: &[[f32; 3]],
    #[row] start: &[[f32; 3]],
    #[column] _one: &[u8],
    edge: f32,
    farthest: &mut Max<f32>,
) {
    r#"
    float x = p.x - start.x, y = p.y - start.y, z = p.z - start.z;
    x -= edge * rintf(x / edge);
    y -= edge * rintf(y / edge);
    z -= edge * rintf(z / edge);
    farthest.offer(x * x + y * y + z * z);
    "#
}

/// The cells along an edge by which elements are sorted, as in a simulation.
const CELLS: f32 = 64.0;

/// How much farther apart than the cutoff a list has pairs, in units of sigma, and the room for these pairs for each particle: on
/// average there are 37.
const SKIN: f32 = 0.3;
const ROOM: usize = 40;

/// The points of a cube in the order of their cells.
fn by_cells<const N: usize>(mut points: Vec<[f32; N]>, edge: f32) -> Vec<[f32; N]> {
    points.sort_by_key(|point| [2, 1, 0].map(|axis: usize| (point[axis] / edge * CELLS) as u32));
    points
}

/// Balls in the order of their cells, and the list of those that touch, in the order of rows.
fn list(gpu: &Gpu, n: usize) -> Result<(Buffer<[f32; 4]>, GivenPairs), Failure> {
    let p = gpu.device.upload(&by_cells(near::balls(n), 1.0))?;
    let mut list = gpu.device.pairs(n * near::NEIGHBOURS as usize)?;
    near::contacts::load(&gpu.device)?.launch(&p, &mut list)?;
    let (list, _) = list.download()?.sorted()?.into_vecs();
    Ok((p, gpu.device.given_pairs(&list)?))
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
    let times = gpu.time(
        20,
        1,
        vec![
            Way::new(GENERATED, || Ok(kernel.launch(&p, &mut force)?)),
            Way::new("reading the list", || Ok(read.launch(&p, &mut sum)?)),
        ],
    )?;
    force.clear()?;
    kernel.launch(&p, &mut force)?;
    let mut expected = gpu.device.sums(*n)?;
    all.launch(&p, &mut expected)?;
    match near::are_near(&force.download()?, &expected.download()?) {
        true => Ok(times),
        false => Err("forces over the list and over near pairs differ".into()),
    }
}

/// A time step over a list with a skin, with the check that no particle has moved too far for it, compared with a launch that
/// sorts and searches.
pub(super) fn kept(Setting { gpu, n, .. }: &Setting) -> Measured {
    let device = &gpu.device;
    let (p, edge) = near::particles(*n);
    let p = device.upload(&by_cells(p, edge))?;
    let one = device.upload(&[0])?;
    let mut pairs = device.pairs(n * ROOM)?;
    listed::load(device)?.launch(&p, edge, near::CUTOFF + SKIN, &mut pairs)?;
    let list = device.given_pairs(pairs)?;
    let (moved, all) = (moved::load(device)?, near::forces::load(device)?);
    let kernel = all.pairs(&list);
    let (mut farthest, mut force, mut expected) =
        (device.max()?, device.sums(*n)?, device.sums(*n)?);
    // The second launch stores the list by element, once for all steps.
    for _ in 0..2 {
        kernel.launch(&p, edge, near::CUTOFF, &mut force)?;
    }
    let times = gpu.time(
        20,
        1,
        vec![
            Way::new(GENERATED, || {
                farthest.clear()?;
                moved.launch(&p, &p, &one, edge, &mut farthest)?;
                force.clear()?;
                Ok(kernel.launch(&p, edge, near::CUTOFF, &mut force)?)
            }),
            Way::new("sorting and searching", || {
                expected.clear()?;
                Ok(all.launch(&p, edge, near::CUTOFF, &mut expected)?)
            }),
        ],
    )?;
    match near::are_near(&force.download()?, &expected.download()?) {
        true => Ok(times),
        false => Err("forces over the list and over near pairs differ".into()),
    }
}
