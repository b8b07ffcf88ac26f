//! A Gaussian kernel matrix times one or several columns, without storing the matrix. Compared with the time to issue a pair's
//! instructions, and with other libraries.

use td_kernel::{LaunchWith, Slice, SumElement, Sums, td_kernel};

use super::issue::{beside_fastest, beside_issue};
use super::others::{self, elements};
use super::{Measured, Setting};
use crate::measure::by_hand::Mix;
use crate::subject::{Columns, Contest, MatrixTimes, MatrixTimesArrays, Subject};

macro_rules! gaussian {
    ($($name:ident: $columns:ty, $body:literal;)*) => {$(
        #[td_kernel(
            fmad = true,
            prelude = r#"
            float weight(float3 x, float3 y) {
                float a = x.x - y.x, b = x.y - y.y, c = x.z - y.z;
                return expf(-(a * a + b * b + c * c));
            }
            "#
        )]
        pub(super) unsafe fn $name(
            #[row] x: &[[f32; 3]],
            #[column] y: &[[f32; 3]],
            #[column] v: &[$columns],
            #[row] out: &mut Sums<$columns>,
        ) {
            $body
        }
    )*};
}

gaussian! {
    times_1: f32, r#"out += weight(x, y) * v;"#;
    times_4: [f32; 4],
        r#"float w = weight(x, y); out.x += w * v.x; out.y += w * v.y; out.z += w * v.z; out.w += w * v.w;"#;
    times_10: [f32; 10], r#"out += weight(x, y) * v;"#;
    times_16: [f32; 16], r#"out += weight(x, y) * v;"#;
    times_32: [f32; 32], r#"out += weight(x, y) * v;"#;
    times_64: [f32; 64], r#"out += weight(x, y) * v;"#;
}

/// The same for any number of columns.
#[td_kernel(fmad = true)]
unsafe fn times_given(
    #[row] x: &[[f32; 3]],
    #[column] y: &[[f32; 3]],
    #[column] v: &Arrays<f32>,
    #[row] out: &mut ArraySums<f32>,
) {
    r#"
    float a = x.x - y.x, b = x.y - y.y, c = x.z - y.z;
    out += expf(-(a * a + b * b + c * c)) * v;
    "#
}

/// The same over the pairs of one set.
macro_rules! of_one_set {
    ($($name:ident: $columns:ty;)*) => {$(
        #[td_kernel(fmad = true, diagonal = true)]
        pub(super) unsafe fn $name(
            #[each] x: &[[f32; 3]],
            #[each] v: &[$columns],
            #[each] out: &mut Sums<$columns>,
        ) {
            r#"
            float a = x.i.x - x.j.x, b = x.i.y - x.j.y, c = x.i.z - x.j.z;
            float w = expf(-(a * a + b * b + c * c));
            out.i += w * v.j;
            out.j += w * v.i;
            "#
        }
    )*};
}

of_one_set! {
    one_set_16: [f32; 16];
    one_set_32: [f32; 32];
    one_set_64: [f32; 64];
}

// The kernel matrix times a vector of the guide's comparison.
include!("../../../tests/tests/guide/comparison/product.rs");

/// Compared with another library.
pub(super) fn beside(setting: &Setting) -> Measured {
    let subject = MatrixTimes::<[f32; 4], f32>::new(&setting.gpu, setting.n)?;
    let contest = Contest::new(&subject, vec![subject.scaled::<product>()?])?;
    others::beside(setting, &contest, 4, elements(setting.other, "product", setting.n))
}

/// Compared with 7 FP32 instructions, a root, which takes as long as a power of two, and a multiply-add for each column.
pub(super) fn beside_floor<V: Columns, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    K: for<'a> LaunchWith<(
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<V>,
        &'a mut Sums<V>,
    )>,
{
    let subject = MatrixTimes::<[f32; 3], V>::new(gpu, *n)?;
    let repeats = if *n > 65_536 { 1 } else { 4 };
    beside_issue::<MatrixTimes<[f32; 3], V>, K>(
        &subject,
        Mix::gaussian(V::FEATURES),
        n * n,
        repeats,
    )
}

/// Pairs of one set, compared with the same set as rows and columns.
pub(super) fn beside_two_sets<V: Columns, One, Two>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    One: for<'a> LaunchWith<(&'a dyn Slice<[f32; 3]>, &'a dyn Slice<V>, &'a mut Sums<V>)>,
    Two: for<'a> LaunchWith<(
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<V>,
        &'a mut Sums<V>,
    )>,
{
    let subject = MatrixTimes::<[f32; 3], V>::new(gpu, *n)?;
    let kernels = vec![subject.of_one_set::<One>()?, subject.generated::<Two>()?];
    beside_fastest(&subject, kernels, 1)
}

/// `WIDTH` columns that a launch gives, compared with launches of a kernel for `W` columns.
pub(super) fn beside_arrays<const WIDTH: usize, const W: usize, K>(
    Setting { gpu, n, .. }: &Setting,
) -> Measured
where
    [f32; W]: SumElement,
    K: for<'a> LaunchWith<(
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<[f32; W]>,
        &'a mut Sums<[f32; W]>,
    )>,
{
    let subject = MatrixTimesArrays::<W>::new(gpu, *n, WIDTH)?;
    let kernels = vec![subject.generated::<times_given>()?, subject.in_blocks::<K>()?];
    beside_fastest(&subject, kernels, 1)
}
