//! The ten nearest of each point in its set, compared with a loop of single launches, and with torch.

use anyhow::{Result, ensure};
use td_kernel::{Nearest, td_kernel};

use super::neighbours::search;
use super::others::{self, around};
use super::sets::sets;
use super::{Measured, Setting};
use crate::measure::gpu::{Gpu, Way};
use crate::subject::GENERATED;

/// The ten nearest points of the same set.
#[td_kernel]
pub(super) unsafe fn nearest(#[each] p: &Sets<[f32; 3]>, #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    near.push(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// The same for one set.
#[td_kernel]
unsafe fn nearest_of_one(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    near.push(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// The points of a set.
const SIZE: usize = 2000;

/// A search takes at least a few milliseconds.
const ROUNDS: usize = 5;

/// An error if the neighbours in some of the sets are not those of a launch for the set.
fn check(gpu: &Gpu, elements: &[[f32; 3]], found: &Nearest<f32, 10>) -> Result<()> {
    let (found, one) = (found.download()?, nearest_of_one::load(&gpu.device)?);
    for (set, own) in elements.chunks(SIZE).enumerate().step_by(97) {
        let mut expected = gpu.device.nearest(own.len())?;
        one.launch(&gpu.device.upload(own)?, &mut expected)?;
        for (i, indices, values) in expected.download()?.rows() {
            let is_same = found.row(set * SIZE + i) == Some((indices, values));
            ensure!(is_same, "neighbours of point {i} of set {set} are wrong");
        }
    }
    Ok(())
}

pub(super) fn single(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (elements, sets) = sets(&gpu.device, &vec![SIZE; *n])?;
    let mut near = gpu.device.nearest(elements.len())?;
    // Each launch replaces the neighbours of the one before: the memory of all would be several gigabytes.
    let (p, mut of_one) = (gpu.device.upload(&elements)?, gpu.device.nearest(SIZE)?);
    let (kernel, one) = (nearest::load(&gpu.device)?, nearest_of_one::load(&gpu.device)?);
    let launches = Way::new("single launches", || {
        for set in 0..*n {
            of_one.clear()?;
            one.launch(&p.slice(set * SIZE..(set + 1) * SIZE)?, &mut of_one)?;
        }
        Ok(())
    });
    let own = search(GENERATED, &mut near, |near| kernel.launch(&sets, near));
    let times = gpu.time(ROUNDS, 1, vec![own, launches])?;
    check(gpu, &elements, &near)?;
    Ok(times)
}

pub(super) fn topk(setting: &Setting) -> Measured {
    let (gpu, n) = (&setting.gpu, setting.n);
    let (elements, sets) = sets(&gpu.device, &vec![SIZE; n])?;
    let mut near = gpu.device.nearest(elements.len())?;
    let kernel = nearest::load(&gpu.device)?;
    let step = others::rows("torch.cdist and topk", "neighbours in sets", n, 3);
    let times = around(setting, step, || {
        let own = search(GENERATED, &mut near, |near| kernel.launch(&sets, near));
        gpu.samples(ROUNDS, 1, vec![own])
    })?;
    check(gpu, &elements, &near)?;
    Ok(times)
}
