//! Rectangles: the distances of two sets, and for each row the nearest column.

use td_kernel::{LaunchWith, Minima, Slice, td_kernel};

use super::issue::beside_issue;
use super::others::{self, elements};
use super::{Measured, Setting};
use crate::measure::by_hand::Mix;
use crate::measure::points::Point;
use crate::subject::{Contest, Nearest, Subject};

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

/// The same number of columns as rows, compared with the issue of the instructions of a smallest squared distance.
pub(super) fn nearest<T: Point, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<f32>)>,
{
    let subject = Nearest::<T, f32>::new(gpu, *n, *n)?;
    beside_issue::<Nearest<T, f32>, K>(&subject, Mix::minimum(T::FEATURES), n * n, 4)
}

/// With the index of the nearest column, compared with other libraries.
pub(super) fn nearest_beside(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let subject = Nearest::<[f32; 3], (f32, u32)>::new(gpu, *n, *n)?;
    let contest = Contest::new(&subject, vec![subject.generated::<partner_3>()?])?;
    others::beside(setting, &contest, 4, elements(setting.other, "minima", *n))
}
