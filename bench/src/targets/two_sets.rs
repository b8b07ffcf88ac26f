//! Rectangles: the distances of two sets, and for each row the nearest column.

use td_kernel::{LaunchWith, MatrixSlots, Minima, Slice, td_kernel};

use super::Setting;
use super::issue::{beside_fill, beside_issue};
use super::others::{self, elements};
use crate::Failure;
use crate::measure::by_hand::Mix;
use crate::measure::points::Point;
use crate::measure::times::Times;
use crate::subject::{Contest, Least, Nearest, Rectangle, Subject};

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

/// As many columns as rows, beside a fill of the same bytes.
pub(super) fn distances<T: Point, K>(
    setting: &Setting,
    n: usize,
    _: usize,
) -> Result<Vec<Times>, Failure>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut dyn MatrixSlots<f32>)>,
{
    measure::<T, K>(setting, [n, n])
}

/// Fewer columns, so that rows start anywhere in a sector of memory and never at a vector.
pub(super) fn odd<T: Point, K>(setting: &Setting, n: usize, _: usize) -> Result<Vec<Times>, Failure>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut dyn MatrixSlots<f32>)>,
{
    measure::<T, K>(setting, [n, n - 3])
}

fn measure<T: Point, K>(
    Setting { gpu, .. }: &Setting,
    [rows, columns]: [usize; 2],
) -> Result<Vec<Times>, Failure>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut dyn MatrixSlots<f32>)>,
{
    let subject = Rectangle::<T>::new(gpu, rows, columns)?;
    let kernels = vec![subject.generated::<K>()?];
    beside_fill(&subject, subject.bytes(), kernels)
}

macro_rules! nearest {
    ($($name:ident $with_partner:ident: $point:ty, $body:literal;)+) => {$(
        #[td_kernel]
        pub(super) unsafe fn $name(
            #[row] p: &[$point],
            #[column] q: &[$point],
            #[row] nearest: &mut Min<f32>,
        ) {
            $body
        }

        #[td_kernel]
        pub(super) unsafe fn $with_partner(
            #[row] p: &[$point],
            #[column] q: &[$point],
            #[row] nearest: &mut Min<(f32, u32)>,
        ) {
            $body
        }
    )+};
}

nearest! {
    least_2 partner_2: [f32; 2], r#"
    float dx = p.x - q.x, dy = p.y - q.y;
    nearest.offer(fmaf(dy, dy, dx * dx));
    "#;
    least_3 partner_3: [f32; 3], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    nearest.offer(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    least_4 partner_4: [f32; 4], r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
    nearest.offer(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

/// With the index of the nearest column.
pub(super) type Partner = (f32, u32);

/// As many columns as rows, beside the issue of the instructions of a least square of a distance, and kernels by hand.
pub(super) fn nearest<T: Point, L: Least, K>(
    Setting { gpu, .. }: &Setting,
    n: usize,
    _: usize,
) -> Result<Vec<Times>, Failure>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<L>)>,
{
    let subject = Nearest::<T, L>::new(gpu, n, n)?;
    let mut kernels = vec![subject.generated::<K>()?];
    kernels.extend(subject.all_by_hand()?);
    beside_issue(&subject, (Mix::minimum(T::FEATURES), n * n), kernels, 4)
}

/// Beside torch.compile of the broadcast form.
pub(super) fn nearest_compiled(
    setting: &Setting,
    n: usize,
    _: usize,
) -> Result<Vec<Times>, Failure> {
    nearest_beside(setting, n, "torch.compile")
}

/// Beside torch.cdist and its minimum.
pub(super) fn nearest_cdist(setting: &Setting, n: usize, _: usize) -> Result<Vec<Times>, Failure> {
    nearest_beside(setting, n, "torch.cdist and min")
}

pub(super) fn nearest_keops(setting: &Setting, n: usize, _: usize) -> Result<Vec<Times>, Failure> {
    nearest_beside(setting, n, "KeOps")
}

fn nearest_beside(setting: &Setting, n: usize, other: &'static str) -> Result<Vec<Times>, Failure> {
    let subject = Nearest::<[f32; 3], Partner>::new(&setting.gpu, n, n)?;
    let contest = Contest::new(&subject, vec![subject.generated::<partner_3>()?])?;
    others::beside(setting, &contest, 4, elements(other, "minima", n))
}
