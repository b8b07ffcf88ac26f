//! Rectangles: the distances of two sets, and for each row the nearest column.

use td_kernel::{LaunchWith, Minima, Slice, td_kernel};

use super::issue::way_beside_issue;
use super::others::{around, elements};
use super::{Measured, Setting};
use crate::Failure;
use crate::measure::by_hand::Mix;
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::points::{Point, two_sets};
use crate::measure::{expect, some};
use crate::subject::GENERATED;

macro_rules! edm {
    ($($name:ident: $point:ty, $body:literal;)+) => {$(
        #[td_kernel]
        pub(super) unsafe fn $name(
            #[row] p: &[$point],
            #[column] q: &[$point],
            distance: &mut Matrix<f32>,
        ) {
            $body
        }
    )+};
}

edm! {
    edm_1: f32, r#"
    float dx = p - q;
    distance = sqrtf(dx * dx);
    "#;
    edm_2: [f32; 2], r#"
    float dx = p.x - q.x, dy = p.y - q.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    edm_3: [f32; 3], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    edm_4: [f32; 4], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

macro_rules! nearest {
    ($($name:ident $($with_partner:ident)?: $point:ty, $body:literal;)+) => {$(
        #[td_kernel]
        pub(super) unsafe fn $name(
            #[row] p: &[$point],
            #[column] q: &[$point],
            #[row] nearest: &mut Minima<f32>,
        ) {
            $body
        }

        $(#[td_kernel]
        pub(super) unsafe fn $with_partner(
            #[row] p: &[$point],
            #[column] q: &[$point],
            #[row] nearest: &mut Minima<(f32, u32)>,
        ) {
            $body
        })?
    )+};
}

nearest! {
    least_2: [f32; 2], r#"
    float dx = p.x - q.x, dy = p.y - q.y;
    nearest.offer(fmaf(dy, dy, dx * dx));
    "#;
    least_3 partner_3: [f32; 3], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    nearest.offer(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    least_4: [f32; 4], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
    nearest.offer(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

/// One of this many columns is repeated, so that some distances are equal.
const COPIED: usize = 32;

/// Points of two sets. The last columns repeat the first ones.
fn with_copies<T: Point>(n: usize) -> [Vec<T>; 2] {
    let (copies, mut points) = (n / COPIED, two_sets::<T>(n, n));
    points[1].copy_within(..copies, n - copies);
    points
}

/// An error if some minima differ from those in double precision, or a partner is not at that distance or not the first there.
fn check<T: Point>(
    [rows, columns]: &[Vec<T>; 2],
    found: impl Fn(usize) -> (f32, Option<u32>),
) -> Result<(), Failure> {
    let firsts = columns.len() - columns.len() / COPIED;
    for i in some(rows.len()) {
        let squares = columns.iter().map(|column| rows[i].square_to(column));
        let (expected, (square, partner)) = (squares.fold(f64::INFINITY, f64::min), found(i));
        expect(format!("row {i}"), square.into(), expected, 1e-6 * expected)?;
        let Some(partner) = partner else { continue };
        let columns = columns.get(..firsts).unwrap_or_default();
        let column = columns.get(partner as usize).ok_or("a partner is not the first one")?;
        expect(format!("partner of {i}"), rows[i].square_to(column), expected, 1e-6 * expected)?;
    }
    Ok(())
}

/// The same number of columns as rows, compared with the issue of the instructions of a smallest squared distance.
pub(super) fn nearest<T: Point, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<f32>)>,
{
    let (device, points) = (&gpu.device, with_copies::<T>(*n));
    let (p, q) = (device.upload(&points[0])?, device.upload(&points[1])?);
    let (kernel, mut minima) = (K::load(device)?, device.minima::<f32>(*n)?);
    kernel.launch_with((&p, &q, &mut minima))?;
    let found = minima.download()?;
    check(&points, |row| (found[row], None))?;
    let own = Way::new(GENERATED, || Ok(kernel.launch_with((&p, &q, &mut minima))?));
    way_beside_issue(gpu, Mix::minimum(T::FEATURES), n * n, 4, own)
}

/// With the index of the nearest column, compared with another library.
pub(super) fn nearest_beside(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let (device, points) = (&gpu.device, with_copies::<[f32; 3]>(*n));
    let (p, q) = (device.upload(&points[0])?, device.upload(&points[1])?);
    let (kernel, mut minima) = (partner_3::load(device)?, device.minima::<(f32, u32)>(*n)?);
    kernel.launch(&p, &q, &mut minima)?;
    let found = minima.download()?;
    check(&points, |row| {
        found[row].map_or((f32::NAN, None), |(square, column)| (square, Some(column)))
    })?;
    around(setting, elements(setting.other, "minima", *n), || {
        let own = Way::new(GENERATED, || Ok(kernel.launch(&p, &q, &mut minima)?));
        gpu.samples(ROUNDS, 4, vec![own])
    })
}

#[cfg(test)]
mod tests {
    use td_kernel::Device;

    use super::*;

    #[test]
    fn minima_are_checked() {
        let device = Device::cpu().unwrap();
        let points = with_copies::<[f32; 3]>(200);
        let [p, q] = points.each_ref().map(|side| device.upload(side).unwrap());
        let mut minima = device.minima::<(f32, u32)>(200).unwrap();
        partner_3::load(&device).unwrap().launch(&p, &q, &mut minima).unwrap();
        let found = minima.download().unwrap();
        let of =
            |row: usize| found[row].map_or((f32::NAN, None), |(square, at)| (square, Some(at)));
        check(&points, of).unwrap();
        assert!(check(&points, |row| (1.1 * of(row).0, None)).is_err());
        assert!(check(&points, |row| (of(row).0, Some(of(row).1.unwrap() + 1))).is_err());
        assert!(check(&points, |row| (of(row).0, Some(199))).is_err());
    }
}
