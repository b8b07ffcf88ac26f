//! Sums over many features of each pair: distances and products of rows. Against the issue of a term's instructions, and
//! what others have.

use td_kernel::{LaunchWith, td_kernel};

use super::Setting;
use super::beside::beside_terms;
use super::others::{self, Other, Work, fold};
use super::target::Outcome;
use crate::Failure;
use crate::measure::fold::Fold;
use crate::measure::mix::{Mix, PRODUCT, SQUARE};
use crate::subject::{Contest, Folds, OneSet, Sets, Subject, TwoSets};

/// The distances of the pairs of one set.
#[td_kernel]
pub(crate) unsafe fn packed_distance(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    distance: &mut Packed<f32>,
) {
    let feature = r#"
    float d = p.i - p.j;
    sum = fmaf(d, d, sum);
    "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

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

/// The squares of the distances of two sets, as the paper on vector distances has them.
#[td_kernel]
pub(crate) unsafe fn square_of_distance(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[fold] sum: f32,
    square: &mut Matrix<f32>,
) {
    let feature = r#"
    float d = a - b;
    sum = fmaf(d, d, sum);
    "#;
    let pair = r#" square = sum; "#;
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

/// Launches in each round: so many that they are seen in the clock of the events.
const fn repeats(n: usize) -> u32 {
    if n < 1024 { 20 } else { 2 }
}

/// Distances of one set.
pub(super) fn distances<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Distance, n, FEATURES)?;
    beside_floor::<OneSet, packed_distance>(&subject, SQUARE, n)
}

/// Products of one set.
pub(super) fn products<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Products, n, FEATURES)?;
    beside_floor::<OneSet, packed_product>(&subject, PRODUCT, n)
}

/// Squares of distances of two sets, with as many columns as rows.
pub(super) fn squares_of_two<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Squares, [n, n], FEATURES)?;
    beside_floor::<TwoSets, square_of_distance>(&subject, SQUARE, n)
}

/// Products of two sets, with as many columns as rows.
pub(super) fn products_of_two<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Products, [n, n], FEATURES)?;
    beside_floor::<TwoSets, product>(&subject, PRODUCT, n)
}

/// Kernels by hand beside it.
fn beside_floor<S: Sets, K>(subject: &Folds<S>, mix: Mix, n: usize) -> Result<Outcome, Failure>
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let mut kernels = vec![subject.generated::<K>()?];
    kernels.extend(subject.all_by_hand()?);
    beside_terms(subject, mix, subject.terms(), kernels, repeats(n))
}

/// Distances of one set against torch.cdist, which writes them twice: by a product of matrices.
pub(super) fn beside_cdist<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    distances_beside::<FEATURES>(setting, n, Other::ProductDistance)
}

/// Against its exact form.
pub(super) fn beside_exact_cdist<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    distances_beside::<FEATURES>(setting, n, Other::Difference)
}

pub(super) fn beside_pdist<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    distances_beside::<FEATURES>(setting, n, Other::Packed)
}

fn distances_beside<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
    other: Other,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Distance, n, FEATURES)?;
    beside_other::<OneSet, packed_distance>(setting, &subject, other, Work::OneSet, [n, FEATURES])
}

/// Distances of two sets against torch.cdist. (The root of a sum weighs nothing beside the sum.)
pub(super) fn two_beside_cdist<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Squares, [n, n], FEATURES)?;
    let (other, work) = (Other::ProductDistance, Work::TwoSets);
    beside_other::<TwoSets, square_of_distance>(setting, &subject, other, work, [n, FEATURES])
}

/// Products of one set against torch.mm, which has all of them twice.
pub(super) fn beside_mm<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Products, n, FEATURES)?;
    let (other, work) = (Other::Product, Work::OneSet);
    beside_other::<OneSet, packed_product>(setting, &subject, other, work, [n, FEATURES])
}

/// Products of two sets against torch.mm.
pub(super) fn two_beside_mm<const FEATURES: usize>(
    setting: &Setting,
    n: usize,
) -> Result<Outcome, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Products, [n, n], FEATURES)?;
    let (other, work) = (Other::Product, Work::TwoSets);
    beside_other::<TwoSets, product>(setting, &subject, other, work, [n, FEATURES])
}

fn beside_other<S: Sets, K>(
    setting: &Setting,
    subject: &Folds<S>,
    other: Other,
    work: Work,
    [n, features]: [usize; 2],
) -> Result<Outcome, Failure>
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let contest = Contest::new(subject, vec![subject.generated::<K>()?])?;
    others::beside(setting, &contest, repeats(n), fold(other, work, n, features))
}
