//! Sums over many features of each pair: distances and products of rows, compared with the time to issue a term's instructions,
//! and with other libraries.

use td_kernel::{LaunchWith, td_kernel};

use super::issue::{beside_fastest, beside_issue};
use super::others::{self, rows};
use super::{Measured, Setting};
use crate::kernels::{square_of_distance, untyped};
use crate::measure::by_hand::{Fold, Mix};
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

fn subject<S: Sets>(setting: &Setting, fold: Fold) -> Result<Folds<S>, crate::Failure> {
    Folds::new(&setting.gpu, fold, setting.n, setting.features)
}

/// Compared with the issue of all terms' instructions.
fn beside_floor<S: Sets, K>(setting: &Setting, subject: &Folds<S>, mix: Mix) -> Measured
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    beside_issue::<Folds<S>, K>(subject, mix, subject.terms(), repeats(setting.n))
}

pub(super) fn distances(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Distance)?;
    beside_floor::<OneSet, packed_distance>(setting, &subject, Mix::SQUARE)
}

pub(super) fn products(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside_floor::<OneSet, packed_product>(setting, &subject, Mix::PRODUCT)
}

pub(super) fn squares_of_two(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Squares)?;
    beside_floor::<TwoSets, square_of_distance>(setting, &subject, Mix::SQUARE)
}

pub(super) fn products_of_two(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside_floor::<TwoSets, product>(setting, &subject, Mix::PRODUCT)
}

pub(super) fn dots(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside_floor::<OneSet, packed_dot>(setting, &subject, Mix::PRODUCT)
}

pub(super) fn dots_of_two(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside_floor::<TwoSets, dot>(setting, &subject, Mix::PRODUCT)
}

pub(super) fn quick_distances(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Distance)?;
    beside_floor::<OneSetWithNorms, quick_distance>(setting, &subject, Mix::SQUARE)
}

/// Rows of 307 kinds, so that each tile has about fifty pairs of near duplicates. Compared with folds of differences.
pub(super) fn near_duplicates(setting: &Setting) -> Measured {
    let Setting { gpu, n, features, .. } = setting;
    let subject = Folds::near_duplicates(gpu, Fold::Distance, [*n, *features], 307)?;
    let (name, folded) = subject.generated::<folded_distance>()?;
    let kernels = vec![subject.generated::<quick_distance>()?, (format!("{name}, folds"), folded)];
    beside_fastest::<Folds<OneSetWithNorms>>(&subject, kernels, repeats(*n))
}

/// Compared with torch.
fn beside<S: Sets, K>(setting: &Setting, subject: &Folds<S>, work: &'static str) -> Measured
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let contest = Contest::new(subject, vec![subject.generated::<K>()?])?;
    let step = rows(setting.other, work, setting.n, setting.features);
    others::beside(setting, &contest, repeats(setting.n), step)
}

/// `torch.cdist` writes the distances of one set twice.
pub(super) fn distances_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Distance)?;
    beside::<OneSet, packed_distance>(setting, &subject, "one-set")
}

/// The root of a sum costs little compared with the sum.
pub(super) fn squares_of_two_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Squares)?;
    beside::<TwoSets, square_of_distance>(setting, &subject, "two-sets")
}

/// `torch.mm` computes the products of one set twice.
pub(super) fn products_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside::<OneSet, packed_product>(setting, &subject, "one-set")
}

pub(super) fn products_of_two_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside::<TwoSets, product>(setting, &subject, "two-sets")
}

pub(super) fn dots_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside::<OneSet, packed_dot>(setting, &subject, "one-set")
}

/// torch computes the cosines of one set twice.
pub(super) fn cosines_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Cosine)?;
    beside::<OneSetWithNorms, cosine>(setting, &subject, "cosines")
}

pub(super) fn quick_distances_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Distance)?;
    beside::<OneSetWithNorms, quick_distance>(setting, &subject, "one-set")
}

/// The root of a sum costs little compared with the sum.
pub(super) fn quick_squares_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Squares)?;
    beside::<TwoSetsWithNorms, quick_square>(setting, &subject, "two-sets")
}

pub(super) fn dots_of_two_beside(setting: &Setting) -> Measured {
    let subject = subject(setting, Fold::Products)?;
    beside::<TwoSets, dot>(setting, &subject, "two-sets")
}
