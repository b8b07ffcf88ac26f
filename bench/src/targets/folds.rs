//! Sums over many features of each pair: distances and products of rows, compared with the time to issue a term's instructions,
//! and with other libraries.

use td_kernel::{LaunchWith, td_kernel};

use super::issue::{beside_fastest, beside_issue};
use super::others::{self, rows};
use super::{Measured, Setting};
use crate::kernels::{square_of_distance, untyped};
use crate::measure::by_hand::Fold;
use crate::subject::{
    Contest, Folds, OneSet, OneSetWithNorms, Sets, Subject, TwoSets, TwoSetsWithNorms,
};

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

/// A kernel of sums over features: the sets that it takes, and what it adds up.
pub(super) trait Folded:
    for<'a> LaunchWith<<<Self as Folded>::Of as Sets>::Arguments<'a>>
{
    type Of: Sets;
    const FOLD: Fold;
}

macro_rules! folded {
    ($($kernel:ident: $sets:ty, $fold:ident;)+) => {$(
        impl Folded for $kernel {
            type Of = $sets;
            const FOLD: Fold = Fold::$fold;
        }
    )+};
}

folded! {
    packed_distance: OneSet, Distance;
    packed_product: OneSet, Products;
    packed_dot: OneSet, Products;
    cosine: OneSetWithNorms, Cosine;
    quick_distance: OneSetWithNorms, Distance;
    square_of_distance: TwoSets, Squares;
    product: TwoSets, Products;
    dot: TwoSets, Products;
    quick_square: TwoSetsWithNorms, Squares;
}

/// Compared with the issue of all terms' instructions.
pub(super) fn floor<K: Folded>(Setting { gpu, n, features, .. }: &Setting) -> Measured {
    let subject = Folds::<K::Of>::new(gpu, K::FOLD, *n, *features)?;
    beside_issue::<Folds<K::Of>, K>(&subject, K::FOLD.mix(), subject.terms(), repeats(*n))
}

/// Compared with torch, which computes each pair of one set twice. It takes roots of the squares of two sets, which cost little
/// compared with the sums.
pub(super) fn torch<K: Folded>(setting: &Setting) -> Measured {
    let Setting { gpu, n, features, other, .. } = setting;
    let subject = Folds::<K::Of>::new(gpu, K::FOLD, *n, *features)?;
    let contest = Contest::new(&subject, vec![subject.generated::<K>()?])?;
    let work = if K::Of::PACKED { "one-set" } else { "two-sets" };
    others::beside(setting, &contest, repeats(*n), rows(other, work, *n, *features))
}

/// Rows of 307 kinds, so that each tile has about fifty pairs of near duplicates. Compared with folds of differences.
pub(super) fn near_duplicates(setting: &Setting) -> Measured {
    let Setting { gpu, n, features, .. } = setting;
    let subject = Folds::near_duplicates(gpu, Fold::Distance, [*n, *features], 307)?;
    let (name, folded) = subject.generated::<folded_distance>()?;
    let kernels = vec![subject.generated::<quick_distance>()?, (format!("{name}, folds"), folded)];
    beside_fastest::<Folds<OneSetWithNorms>>(&subject, kernels, repeats(*n))
}

pub(super) fn cosines(setting: &Setting) -> Measured {
    torch::<cosine>(setting)
}
