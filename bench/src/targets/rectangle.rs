//! Distances of two sets, against a fill of the same bytes.

use td_kernel::{LaunchWith, MatrixSlots, Slice, td_kernel};

use super::Setting;
use super::beside::beside_fill;
use super::target::Outcome;
use crate::Failure;
use crate::measure::points::Point;
use crate::subject::{Rectangle, Subject};

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

/// The kernels that write a distance for each pair of two sets.
pub(super) trait Distances<T: Point>:
    for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut dyn MatrixSlots<f32>)>
{
}

impl<T: Point, K> Distances<T> for K where
    K: for<'a> LaunchWith<(&'a dyn Slice<T>, &'a dyn Slice<T>, &'a mut dyn MatrixSlots<f32>)>
{
}

/// A rectangle whose rows start anywhere in a sector of memory, and never at a vector.
pub(super) const ODD: &str = "rectangle EDM, 3 columns fewer";

/// As many columns as rows.
pub(super) fn distances<T: Point, K: Distances<T>>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    measure::<T, K>(setting, n, n)
}

/// A number of columns that is odd where the number of rows is even.
pub(super) fn odd<T: Point, K: Distances<T>>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    measure::<T, K>(setting, n, n - 3)
}

fn measure<T: Point, K: Distances<T>>(
    Setting { gpu, .. }: &Setting,
    rows: usize,
    columns: usize,
) -> Result<Outcome, Failure> {
    let subject = Rectangle::<T>::new(gpu, rows, columns)?;
    let kernels = vec![subject.generated::<K>()?];
    beside_fill(&subject, subject.bytes(), kernels)
}
