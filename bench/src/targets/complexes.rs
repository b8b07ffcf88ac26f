//! Distances of rows and columns of many sets, compared with a fill of their values; and of a single large set, compared with a
//! kernel over two sets, which has tiles.

use td_kernel::{Sets, td_kernel};

use super::two_sets::edm_3;
use super::{Measured, Setting};
use crate::Failure;
use crate::measure::gpu::{Gpu, ROUNDS, Way};
use crate::measure::points::{Point, points};
use crate::subject::{GENERATED, fill};

/// The distances of ligands and their proteins.
#[td_kernel]
pub(super) unsafe fn distances(
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

/// Sets of points, whose sizes are these.
fn sets(gpu: &Gpu, sizes: impl Iterator<Item = usize>) -> Result<Points, Failure> {
    let mut offsets = vec![0];
    let mut end = 0;
    for size in sizes {
        end += size;
        offsets.push(end);
    }
    let elements = points(end);
    let on_device = gpu.device.sets(&elements, &offsets)?;
    Ok((elements, on_device))
}

/// An error if a distance is wrong.
fn check([(p, rows), (q, columns)]: [&Points; 2], found: &[f32]) -> Result<(), Failure> {
    let mut found = found.iter();
    for set in 0..rows.len() {
        let p = rows.elements(set).and_then(|all| p.get(all)).unwrap_or_default();
        let q = columns.elements(set).and_then(|all| q.get(all)).unwrap_or_default();
        let pairs = p.iter().flat_map(|p| q.iter().map(move |q| p.square_to(q)));
        let is_right =
            |(square, value): (f64, &f32)| (square.sqrt() - f64::from(*value)).abs() < 1e-6;
        if !pairs.zip(found.by_ref()).all(is_right) {
            return Err(format!("distances of set {set} are wrong").into());
        }
    }
    Ok(())
}

/// Ligands of 20 to 60 atoms, and 300 to 700 atoms of their proteins.
pub(super) fn of_complexes(Setting { gpu, n, .. }: &Setting) -> Measured {
    let rows = sets(gpu, (0..*n).map(|at| 20 + at * 7919 % 41))?;
    let columns = sets(gpu, (0..*n).map(|at| 300 + at * 6007 % 401))?;
    let mut values = gpu.device.matrix_sets(&rows.1, &columns.1)?;
    let kernel = distances::load(&gpu.device)?;
    let fill = fill(gpu, "float4 fill", values.len() * size_of::<f32>())?;
    let own = Way::new(GENERATED, || Ok(kernel.launch(&rows.1, &columns.1, &mut values)?));
    let times = gpu.time(ROUNDS, 4, vec![own, fill])?;
    check([&rows, &columns], values.download()?.as_slice())?;
    Ok(times)
}

pub(super) fn of_one(Setting { gpu, n, .. }: &Setting) -> Measured {
    let (rows, columns) = (sets(gpu, [*n].into_iter())?, sets(gpu, [*n].into_iter())?);
    let mut values = gpu.device.matrix_sets(&rows.1, &columns.1)?;
    let mut matrix = gpu.device.matrix((*n, *n))?;
    let (p, q) = (gpu.device.upload(&rows.0)?, gpu.device.upload(&columns.0)?);
    let (kernel, tiled) = (distances::load(&gpu.device)?, edm_3::load(&gpu.device)?);
    let own = Way::new(GENERATED, || Ok(kernel.launch(&rows.1, &columns.1, &mut values)?));
    let tiles = Way::new("two sets", || Ok(tiled.launch(&p, &q, &mut matrix)?));
    let times = gpu.time(ROUNDS, 4, vec![own, tiles])?;
    check([&rows, &columns], values.download()?.as_slice())?;
    Ok(times)
}
