//! Sums over many features of each pair: distances and products of rows, compared with the time to issue a term's instructions,
//! and with other libraries.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::td_kernel;

use super::issue::{beside_fastest, beside_issue};
use super::others::{self, rows};
use super::{Measured, Setting};
use crate::kernels::{square_of_distance, untyped};
use crate::measure::by_hand::Fold;
use crate::subject::{Contest, Folded, Folds, Side};

/// The distances of the pairs of one set.
#[td_kernel]
pub(crate) unsafe fn packed_distance(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    distance: &mut Packed<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

untyped!(packed_distance);

/// The products of the pairs of one set.
#[td_kernel]
pub(super) unsafe fn packed_product(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    product: &mut Packed<f32>,
) {
    let feature = r#" sum = fmaf(p.i, p.j, sum); "#;
    let pair = r#" product = sum; "#;
}

/// The products of two sets.
#[td_kernel]
pub(super) unsafe fn product(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[fold] sum: f32,
    product: &mut Matrix<f32>,
) {
    let feature = r#" sum = fmaf(a, b, sum); "#;
    let pair = r#" product = sum; "#;
}

/// The products of the pairs of one set, by tensor cores.
#[td_kernel]
pub(super) unsafe fn packed_dot(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    product: &mut Packed<f32>,
) {
    r#" product = dot; "#
}

// The cosines of the guide's comparison.
include!("../../../tests/tests/guide/comparison/cosine.rs");

/// The products of two sets, by tensor cores.
#[td_kernel]
pub(super) unsafe fn dot(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[dot] dot: f32,
    product: &mut Matrix<f32>,
) {
    r#" product = dot; "#
}

/// The distances of the pairs of one set, by tensor cores, with a relative error of at most 5e-5 + 2^-21.
#[td_kernel]
pub(super) unsafe fn quick_distance(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    distance: &mut Packed<f32>,
) {
    let quick = r#"
    float square = fmaf(-2.0f, dot, norm.i + norm.j);
    if (2.05f * dot_error > 1e-4f * square) exact();
    distance = square * rsqrtf(fmaxf(square, 1e-37f)); // without the branch of a correctly rounded root
    "#;
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

/// The squares of the distances of two sets, by tensor cores.
#[td_kernel]
pub(super) unsafe fn quick_square(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[dot] dot: f32,
    #[fold] sum: f32,
    #[row] norm_of_a: &[f32],
    #[column] norm_of_b: &[f32],
    square: &mut Matrix<f32>,
) {
    let quick = r#"
    square = fmaf(-2.0f, dot, norm_of_a + norm_of_b);
    if (2.05f * dot_error > 1e-4f * square) exact();
    "#;
    let feature = r#" float d = a - b; sum = fmaf(d, d, sum); "#;
    let pair = r#" square = sum; "#;
}

/// The distances of the pairs of one set, beside norms that it does not use.
#[td_kernel]
pub(super) unsafe fn folded_distance(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] _norm: &[f32],
    distance: &mut Packed<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

/// Launches in each round: enough for the events' resolution.
const fn repeats(n: usize) -> u32 {
    if n < 1024 { 20 } else { 2 }
}

/// For each kernel: whether its results are packed, what it adds up, and the inputs that it takes of the sets.
macro_rules! folded {
    ($($kernel:ident: $is_packed:literal, $fold:ident, |$sides:ident| ($($input:expr),+);)+) => {$(
        impl Folded for $kernel {
            const IS_PACKED: bool = $is_packed;
            const FOLD: Fold = Fold::$fold;

            fn launch_over(
                &self,
                $sides: &[Side],
                slots: &mut CudaSlice<f32>,
            ) -> td_kernel::Result<()> {
                self.launch($($input,)+ slots)
            }
        }
    )+};
}

folded! {
    packed_distance: true, Distance, |of| (&of[0].0);
    packed_product: true, Products, |of| (&of[0].0);
    packed_dot: true, Products, |of| (&of[0].0);
    cosine: true, Cosine, |of| (&of[0].0, &of[0].1);
    quick_distance: true, Distance, |of| (&of[0].0, &of[0].1);
    folded_distance: true, Distance, |of| (&of[0].0, &of[0].1);
    square_of_distance: false, Squares, |of| (&of[0].0, &of[1].0);
    product: false, Products, |of| (&of[0].0, &of[1].0);
    dot: false, Products, |of| (&of[0].0, &of[1].0);
    quick_square: false, Squares, |of| (&of[0].0, &of[1].0, &of[0].1, &of[1].1);
}

/// Compared with the issue of all terms' instructions.
pub(super) fn floor<K: Folded>(Setting { gpu, n, features, .. }: &Setting) -> Measured {
    let subject = Folds::new::<K>(gpu, *n, *features)?;
    let terms = subject.terms();
    beside_issue(&subject, subject.folded::<K>()?, K::FOLD.mix(), terms, repeats(*n))
}

/// Compared with torch, which computes each pair of one set twice. It takes roots of the squares of two sets, which cost little
/// compared with the sums.
pub(super) fn torch<K: Folded>(setting: &Setting) -> Measured {
    let Setting { gpu, n, features, other, .. } = setting;
    let subject = Folds::new::<K>(gpu, *n, *features)?;
    let contest = Contest::new(&subject, vec![subject.folded::<K>()?])?;
    let work = if K::IS_PACKED { "one-set" } else { "two-sets" };
    others::beside(setting, &contest, repeats(*n), rows(other, work, *n, *features))
}

/// Rows of 307 kinds, so that each tile has about fifty pairs of near duplicates. Compared with folds of differences.
pub(super) fn near_duplicates(setting: &Setting) -> Measured {
    let Setting { gpu, n, features, .. } = setting;
    let subject = Folds::near_duplicates::<quick_distance>(gpu, [*n, *features], 307)?;
    let (name, folded) = subject.folded::<folded_distance>()?;
    let kernels = vec![subject.folded::<quick_distance>()?, (format!("{name}, folds"), folded)];
    beside_fastest(&subject, kernels, repeats(*n))
}

pub(super) fn cosines(setting: &Setting) -> Measured {
    torch::<cosine>(setting)
}
