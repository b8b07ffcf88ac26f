//! Distances within many small sets, compared with a fill of their values; and a large set among small ones, compared with both
//! apart.

use td_kernel::{PackedSets, Sets, td_kernel};

use super::{Measured, Setting};
use crate::Failure;
use crate::kernels::packed_3;
use crate::measure::gpu::{Gpu, ROUNDS, Way};
use crate::measure::points::{Point, points};
use crate::subject::{GENERATED, fill};

/// The distances within molecules.
#[td_kernel]
pub(crate) unsafe fn distances(#[each] p: &Sets<[f32; 3]>, distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// The elements of the large set.
const LARGE: usize = 30_720;

/// The sizes of molecules: 20 to 60 atoms, without a pattern.
fn molecules(count: usize) -> Vec<usize> {
    (0..count).map(|at| 20 + at * 7919 % 41).collect()
}

/// Points of sets, on the host and on the device.
type Points = (Vec<[f32; 3]>, Sets<[f32; 3]>);

/// Sets of points with these sizes.
fn sets(gpu: &Gpu, sizes: &[usize]) -> Result<Points, Failure> {
    let mut offsets = vec![0];
    for size in sizes {
        offsets.push(offsets[offsets.len() - 1] + size);
    }
    let elements = points(offsets[sizes.len()]);
    let on_device = gpu.device.sets(&elements, &offsets)?;
    Ok((elements, on_device))
}

/// An error if a distance is wrong.
fn check(
    elements: &[[f32; 3]],
    sets: &Sets<[f32; 3]>,
    found: &PackedSets<f32>,
) -> Result<(), Failure> {
    let found = found.download()?;
    for set in 0..sets.len() {
        let (elements, values) =
            (sets.elements(set).and_then(|all| elements.get(all)), found.set(set));
        let (Some(elements), Some(values)) = (elements, values) else {
            return Err("a set is missing".into());
        };
        let pairs = elements
            .iter()
            .enumerate()
            .flat_map(|(i, p)| elements[..i].iter().map(move |q| p.square_to(q)));
        let is_right =
            |(square, value): (f64, &f32)| (square.sqrt() - f64::from(*value)).abs() < 1e-6;
        if !pairs.zip(values).all(is_right) {
            return Err(format!("distances of set {set} are wrong").into());
        }
    }
    Ok(())
}

/// Compared with a fill.
fn beside_fill(gpu: &Gpu, sizes: &[usize]) -> Measured {
    let (elements, sets) = sets(gpu, sizes)?;
    let mut values = gpu.device.packed_sets(&sets)?;
    let kernel = distances::load(&gpu.device)?;
    let fill = fill(gpu, "float4 fill", sets.pair_count() * size_of::<f32>())?;
    let own = Way::new(GENERATED, || Ok(kernel.launch(&sets, &mut values)?));
    let times = gpu.time(ROUNDS, 4, vec![own, fill])?;
    check(&elements, &sets, &values)?;
    Ok(times)
}

pub(super) fn of_molecules(Setting { gpu, n, .. }: &Setting) -> Measured {
    beside_fill(gpu, &molecules(*n))
}

pub(super) fn of_eight(Setting { gpu, n, .. }: &Setting) -> Measured {
    beside_fill(gpu, &vec![8; *n])
}

pub(super) fn with_a_large_one(Setting { gpu, n, .. }: &Setting) -> Measured {
    let small = molecules(*n);
    let mut all = small.clone();
    all.insert(n / 2, LARGE);
    let ((elements, all), (_, small)) = (sets(gpu, &all)?, sets(gpu, &small)?);
    let large = gpu.device.upload(&points::<[f32; 3]>(LARGE))?;
    let (mut together, mut of_small) =
        (gpu.device.packed_sets(&all)?, gpu.device.packed_sets(&small)?);
    let mut of_large = gpu.device.packed(LARGE)?;
    let (kernel, one) = (distances::load(&gpu.device)?, packed_3::load(&gpu.device)?);
    let own = Way::new(GENERATED, || Ok(kernel.launch(&all, &mut together)?));
    let apart = Way::new("both apart", || {
        kernel.launch(&small, &mut of_small)?;
        Ok(one.launch(&large, &mut of_large)?)
    });
    let times = gpu.time(ROUNDS, 4, vec![own, apart])?;
    check(&elements, &all, &together)?;
    Ok(times)
}
