//! Distances within many small sets, and of their rows and columns, compared with a fill of their values; a large set among small
//! ones, compared with both apart; and a single large set, compared with a kernel over two sets, which has tiles.

use anyhow::Result;
use td_kernel::{Device, Sets, td_kernel};

use super::two_sets::edm_3;
use super::{Measured, Setting};
use crate::kernels::packed_3;
use crate::measure::expect;
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

/// The distances of ligands and their proteins.
#[td_kernel]
pub(super) unsafe fn matrix_distances(
    #[row] p: &Sets<[f32; 3]>,
    #[column] q: &Sets<[f32; 3]>,
    distance: &mut Matrix<f32>,
) {
    r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// Points of sets, on the host and on the device.
type Points = (Vec<[f32; 3]>, Sets<[f32; 3]>);

/// Sets of points with these sizes.
pub(super) fn sets(device: &Device, sizes: &[usize]) -> Result<Points> {
    let mut offsets = vec![0];
    for size in sizes {
        offsets.push(offsets[offsets.len() - 1] + size);
    }
    let elements = points(offsets[sizes.len()]);
    let on_device = device.sets(&elements, &offsets)?;
    Ok((elements, on_device))
}

/// The elements of a set.
fn of_set((elements, sets): &Points, set: usize) -> &[[f32; 3]] {
    sets.elements(set).and_then(|all| elements.get(all)).unwrap_or_default()
}

/// An error if a distance is wrong: the pairs of each set, or the rows and columns of two.
fn check(rows: &Points, columns: Option<&Points>, found: &[f32]) -> Result<()> {
    let mut found = found.iter();
    for set in 0..rows.1.len() {
        let (p, q) = (of_set(rows, set), of_set(columns.unwrap_or(rows), set));
        for (i, p) in p.iter().enumerate() {
            let q = if columns.is_some() { q } else { &q[..i] };
            for q in q {
                let distance = found.next().copied().unwrap_or(f32::NAN).into();
                expect(format!("set {set}, row {i}"), distance, p.square_to(q).sqrt(), 1e-6)?;
            }
        }
    }
    Ok(())
}

/// Compared with a fill.
fn beside_fill(gpu: &Gpu, sizes: &[usize]) -> Measured {
    let points = sets(&gpu.device, sizes)?;
    let sets = &points.1;
    let mut values = gpu.device.packed_sets(sets)?;
    let kernel = distances::load(&gpu.device)?;
    let fill = fill(gpu, "float4 fill", sets.pair_count() * size_of::<f32>())?;
    let own = Way::new(GENERATED, || Ok(kernel.launch(sets, &mut values)?));
    let times = gpu.time(ROUNDS, 4, vec![own, fill])?;
    check(&points, None, values.download()?.as_slice())?;
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
    let (points_of_all, (_, small)) = (sets(&gpu.device, &all)?, sets(&gpu.device, &small)?);
    let all = &points_of_all.1;
    let large = gpu.device.upload(&points::<[f32; 3]>(LARGE))?;
    let (mut together, mut of_small) =
        (gpu.device.packed_sets(all)?, gpu.device.packed_sets(&small)?);
    let mut of_large = gpu.device.packed(LARGE)?;
    let (kernel, one) = (distances::load(&gpu.device)?, packed_3::load(&gpu.device)?);
    let own = Way::new(GENERATED, || Ok(kernel.launch(all, &mut together)?));
    let apart = Way::new("both apart", || {
        kernel.launch(&small, &mut of_small)?;
        Ok(one.launch(&large, &mut of_large)?)
    });
    let times = gpu.time(ROUNDS, 4, vec![own, apart])?;
    check(&points_of_all, None, together.download()?.as_slice())?;
    Ok(times)
}

/// Ligands of 20 to 60 atoms, and 300 to 700 atoms of their proteins.
pub(super) fn of_complexes(Setting { gpu, n, .. }: &Setting) -> Measured {
    let proteins: Vec<_> = (0..*n).map(|at| 300 + at * 6007 % 401).collect();
    let (rows, columns) = (sets(&gpu.device, &molecules(*n))?, sets(&gpu.device, &proteins)?);
    let mut values = gpu.device.matrix_sets(&rows.1, &columns.1)?;
    let kernel = matrix_distances::load(&gpu.device)?;
    let fill = fill(gpu, "float4 fill", values.len() * size_of::<f32>())?;
    let own = Way::new(GENERATED, || Ok(kernel.launch(&rows.1, &columns.1, &mut values)?));
    let times = gpu.time(ROUNDS, 4, vec![own, fill])?;
    check(&rows, Some(&columns), values.download()?.as_slice())?;
    Ok(times)
}

pub(super) fn of_one(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (rows, columns) = (sets(&gpu.device, &[*n])?, sets(&gpu.device, &[*n])?);
    let mut values = gpu.device.matrix_sets(&rows.1, &columns.1)?;
    let mut matrix = gpu.device.matrix((*n, *n))?;
    let (p, q) = (gpu.device.upload(&rows.0)?, gpu.device.upload(&columns.0)?);
    let (kernel, tiled) = (matrix_distances::load(&gpu.device)?, edm_3::load(&gpu.device)?);
    let own = Way::new(GENERATED, || Ok(kernel.launch(&rows.1, &columns.1, &mut values)?));
    let tiles = Way::new("two sets", || Ok(tiled.launch(&p, &q, &mut matrix)?));
    let times = gpu.time(ROUNDS, 4, vec![own, tiles])?;
    check(&rows, Some(&columns), values.download()?.as_slice())?;
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_checked() {
        let device = Device::cpu().unwrap();
        let [rows, columns] = [[2, 0, 5], [3, 1, 4]].map(|sizes| sets(&device, &sizes).unwrap());
        let mut values = device.packed_sets(&rows.1).unwrap();
        distances::load(&device).unwrap().launch(&rows.1, &mut values).unwrap();
        check(&rows, None, values.download().unwrap().as_slice()).unwrap();
        let mut values = device.matrix_sets(&rows.1, &columns.1).unwrap();
        let kernel = matrix_distances::load(&device).unwrap();
        kernel.launch(&rows.1, &columns.1, &mut values).unwrap();
        check(&rows, Some(&columns), values.download().unwrap().as_slice()).unwrap();
        assert!(check(&rows, None, &[0.0; 11]).is_err() && check(&rows, None, &[]).is_err());
    }
}
