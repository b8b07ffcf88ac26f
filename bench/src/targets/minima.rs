//! For each row of a rectangle the nearest column. Against the issue of a pair's instructions, and what others have.

use td_kernel::{LaunchWith, Minima, Slice, td_kernel};

use super::Setting;
use super::beside::beside_issue;
use super::others::{self, Other, Work, step};
use super::target::Outcome;
use crate::Failure;
use crate::measure::mix::Mix;
use crate::measure::points::Point;
use crate::subject::{Contest, Least, Nearest, Subject};

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

/// The kernels that find the nearest column of each row.
pub(super) trait Finds<T: Point, L: Least>:
    for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<L>)>
{
}

impl<T: Point, L: Least, K> Finds<T, L> for K where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut Minima<L>)>
{
}

/// With partners.
pub(super) type Partner = (f32, u32);

/// As many columns as rows, against the issue of the instructions of a least square of a distance; kernels by hand beside it.
pub(super) fn beside_floor<T: Point, L: Least, K: Finds<T, L>>(
    Setting { gpu, .. }: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Nearest::<T, L>::new(gpu, n, n)?;
    let mut kernels = vec![subject.generated::<K>()?];
    kernels.extend(subject.all_by_hand()?);
    beside_issue(&subject, Mix::minimum(T::FEATURES), n * n, kernels, 4)
}

/// Partners in space, against torch.compile of the broadcast form.
pub(super) fn beside_compiled(setting: &Setting, n: usize) -> Result<Outcome, Failure> {
    beside_other(setting, n, Other::Compiled)
}

/// Against torch.cdist and its minimum.
pub(super) fn beside_cdist(setting: &Setting, n: usize) -> Result<Outcome, Failure> {
    beside_other(setting, n, Other::Cdist)
}

pub(super) fn beside_keops(setting: &Setting, n: usize) -> Result<Outcome, Failure> {
    beside_other(setting, n, Other::KeOps)
}

fn beside_other(setting: &Setting, n: usize, other: Other) -> Result<Outcome, Failure> {
    let subject = Nearest::<[f32; 3], Partner>::new(&setting.gpu, n, n)?;
    let contest = Contest::new(&subject, vec![subject.generated::<partner_3>()?])?;
    others::beside(setting, &contest, 4, step(other, Work::Minima, n))
}
