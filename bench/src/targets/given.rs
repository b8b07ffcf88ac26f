//! Forces over a given list of near pairs, compared with reading the list and the elements.

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

/// The cells along an edge of the unit cube by which the balls are sorted, as in a simulation.
const CELLS: f32 = 64.0;

/// Balls in the order of their cells, and the list of those that touch, in the order of rows.
fn list(gpu: &Gpu, n: usize) -> Result<(Buffer<[f32; 4]>, GivenPairs), Failure> {
    let mut balls = near::balls(n);
    balls.sort_by_key(|ball| [2, 1, 0].map(|axis: usize| (ball[axis] * CELLS) as u32));
    let p = gpu.device.upload(&balls)?;
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
