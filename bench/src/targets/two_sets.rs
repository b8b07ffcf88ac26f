//! Rectangles: the distances of two sets, and for each row the nearest column.

use anyhow::Result;
use td_kernel::{LaunchWith, Minima, Slice, td_kernel};

use super::issue::way_beside_issue;
use super::{Measured, Setting};
use crate::measure::by_hand::Mix;
use crate::measure::gpu::Way;
use crate::measure::points::{Point, two_sets};
use crate::measure::{expect, some};
use crate::subject::GENERATED;

macro_rules! of_two_sets {
    ($($name:ident ($($output:tt)+): $point:ty, $body:literal;)+) => {$(
        #[td_kernel]
        pub(super) unsafe fn $name(#[row] p: &[$point], #[column] q: &[$point], $($output)+) {
            $body
        }
    )+};
}

of_two_sets! {
    edm_1 (distance: &mut Matrix<f32>): f32, r#"
    float dx = p - q;
    distance = sqrtf(dx * dx);
    "#;
    edm_2 (distance: &mut Matrix<f32>): [f32; 2], r#"
    float dx = p.x - q.x, dy = p.y - q.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    edm_3 (distance: &mut Matrix<f32>): [f32; 3], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    edm_4 (distance: &mut Matrix<f32>): [f32; 4], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
    least_2 (#[row] nearest: &mut Minima<f32>): [f32; 2], r#"
    float dx = p.x - q.x, dy = p.y - q.y;
    nearest.offer(fmaf(dy, dy, dx * dx));
    "#;
    least_3 (#[row] nearest: &mut Minima<f32>): [f32; 3], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    nearest.offer(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    least_4 (#[row] nearest: &mut Minima<f32>): [f32; 4], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
    nearest.offer(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

/// An error if some minima differ from those in double precision.
fn check<T: Point>([rows, columns]: &[Vec<T>; 2], found: &[f32]) -> Result<()> {
    for i in some(rows.len()) {
        let squares = columns.iter().map(|column| rows[i].square_to(column));
        let expected = squares.fold(f64::INFINITY, f64::min);
        expect(format!("row {i}"), found[i].into(), expected, 1e-6 * expected)?;
    }
    Ok(())
}

/// The same number of columns as rows, compared with the issue of the instructions of a smallest squared distance.
pub(super) fn nearest<T: Point, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<f32>)>,
{
    let (device, points) = (&gpu.device, two_sets::<T>(*n, *n));
    let (p, q) = (device.upload(&points[0])?, device.upload(&points[1])?);
    let (kernel, mut minima) = (K::load(device)?, device.minima::<f32>(*n)?);
    kernel.launch_with((&p, &q, &mut minima))?;
    check(&points, &minima.download()?)?;
    let own = Way::new(GENERATED, || Ok(kernel.launch_with((&p, &q, &mut minima))?));
    way_beside_issue(gpu, Mix::minimum(T::FEATURES), n * n, 4, own)
}

#[cfg(test)]
mod tests {
    use td_kernel::Device;

    use super::*;

    #[test]
    fn minima_are_checked() {
        let device = Device::cpu().unwrap();
        let points = two_sets::<[f32; 3]>(200, 200);
        let [p, q] = points.each_ref().map(|side| device.upload(side).unwrap());
        let mut minima = device.minima::<f32>(200).unwrap();
        least_3::load(&device).unwrap().launch(&p, &q, &mut minima).unwrap();
        let mut found = minima.download().unwrap();
        check(&points, &found).unwrap();
        found[0] *= 1.1;
        assert!(check(&points, &found).is_err());
    }
}
