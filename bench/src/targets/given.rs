//! Forces over a given list of near pairs, compared with reading the list and the elements.

use td_kernel::{Buffer, GivenPairs, td_kernel};

use super::{Measured, Setting};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::points;
use crate::subject::GENERATED;

/// Lists touching balls.
#[td_kernel(fmad = true)]
unsafe fn touching(#[each] p: &[[f32; 4]], list: &mut Pairs) {
    let pair = r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, r = p.i.w + p.j.w;
    if (x * x + y * y + z * z <= r * r)
        list.push();
    "#;
    let lower_bound = r#" box_square(p.i, p.j) - (p.i.hi.w + p.j.hi.w) * (p.i.hi.w + p.j.hi.w) "#;
}

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

/// The neighbours of a ball, on average: as many pairs as half of this for each ball.
const NEIGHBOURS: f64 = 30.0;

/// The cells along an edge of the unit cube by which the balls are sorted, as in a simulation.
const CELLS: f32 = 64.0;

/// Balls in the order of their cells, and the list of those that touch, in the order of rows.
fn list(gpu: &Gpu, n: usize) -> Result<(Buffer<[f32; 4]>, GivenPairs), Failure> {
    let volume = NEIGHBOURS / n as f64;
    let radius = (0.5 * (3.0 * volume / (4.0 * std::f64::consts::PI)).cbrt()) as f32;
    let mut balls: Vec<_> =
        points::<[f32; 3]>(n).into_iter().map(|[x, y, z]| [x, y, z, radius]).collect();
    balls.sort_by_key(|ball| [2, 1, 0].map(|axis: usize| (ball[axis] * CELLS) as u32));
    let p = gpu.device.upload(&balls)?;
    let mut list = gpu.device.pairs(n * NEIGHBOURS as usize)?;
    touching::load(&gpu.device)?.launch(&p, &mut list)?;
    let list = list.download()?.sorted()?;
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
    let (force, expected): (Vec<[f32; 3]>, Vec<[f32; 3]>) =
        (force.download()?, expected.download()?);
    let greatest = expected.as_flattened().iter().fold(0.0_f32, |most, part| most.max(part.abs()));
    let mut both = force.as_flattened().iter().zip(expected.as_flattened());
    match both.all(|(found, part)| (found - part).abs() <= 1e-5 * greatest) {
        true => Ok(times),
        false => Err("forces over the list and over near pairs differ".into()),
    }
}
