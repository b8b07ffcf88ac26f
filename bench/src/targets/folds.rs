//! Sums over many features of each pair: distances and products of rows. Against the issue of a term's instructions, and
//! what others have.

use td_kernel::{LaunchWith, td_kernel};

use super::Setting;
use super::issue::beside_issue;
use super::others::{self, rows};
use crate::Failure;
use crate::kernels::square_of_distance;
use crate::measure::by_hand::{Fold, Mix};
use crate::measure::times::Times;
use crate::python::Step;
use crate::subject::{Contest, Folds, OneSet, Sets, Subject, TwoSets};

/// The distances of the pairs of one set.
#[td_kernel]
pub(super) unsafe fn packed_distance(
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
pub(super) fn distances(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Distance, n, features)?;
    beside_floor::<OneSet, packed_distance>(&subject, Mix::SQUARE, n)
}

/// Products of one set.
pub(super) fn products(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Products, n, features)?;
    beside_floor::<OneSet, packed_product>(&subject, Mix::PRODUCT, n)
}

/// Squares of distances of two sets, with as many columns as rows.
pub(super) fn squares_of_two(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Squares, [n, n], features)?;
    beside_floor::<TwoSets, square_of_distance>(&subject, Mix::SQUARE, n)
}

/// Products of two sets, with as many columns as rows.
pub(super) fn products_of_two(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Products, [n, n], features)?;
    beside_floor::<TwoSets, product>(&subject, Mix::PRODUCT, n)
}

/// With kernels by hand.
fn beside_floor<S: Sets, K>(subject: &Folds<S>, mix: Mix, n: usize) -> Result<Vec<Times>, Failure>
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let mut kernels = vec![subject.generated::<K>()?];
    kernels.extend(subject.all_by_hand()?);
    beside_issue(subject, (mix, subject.terms()), kernels, repeats(n))
}

/// Distances of one set beside torch.cdist, which writes them twice: by a product of matrices.
pub(super) fn cdist(setting: &Setting, n: usize, features: usize) -> Result<Vec<Times>, Failure> {
    distances_beside(setting, [n, features], "torch.cdist, with a product")
}

/// Beside its exact form.
pub(super) fn exact_cdist(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    distances_beside(setting, [n, features], "torch.cdist, without")
}

pub(super) fn pdist(setting: &Setting, n: usize, features: usize) -> Result<Vec<Times>, Failure> {
    distances_beside(setting, [n, features], "torch.pdist")
}

fn distances_beside(
    setting: &Setting,
    [n, features]: [usize; 2],
    other: &'static str,
) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Distance, n, features)?;
    let step = rows(other, "one-set", n, features);
    beside_other::<OneSet, packed_distance>(setting, &subject, n, step)
}

/// Distances of two sets beside torch.cdist. (The root of a sum weighs nothing beside the sum.)
pub(super) fn cdist_of_two(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Squares, [n, n], features)?;
    let step = rows("torch.cdist, with a product", "two-sets", n, features);
    beside_other::<TwoSets, square_of_distance>(setting, &subject, n, step)
}

/// Products of one set beside torch.mm, which has all of them twice.
pub(super) fn mm(setting: &Setting, n: usize, features: usize) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_one(&setting.gpu, Fold::Products, n, features)?;
    let step = rows("torch.mm", "one-set", n, features);
    beside_other::<OneSet, packed_product>(setting, &subject, n, step)
}

/// Products of two sets beside torch.mm.
pub(super) fn mm_of_two(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    let subject = Folds::of_two(&setting.gpu, Fold::Products, [n, n], features)?;
    let step = rows("torch.mm", "two-sets", n, features);
    beside_other::<TwoSets, product>(setting, &subject, n, step)
}

fn beside_other<S: Sets, K>(
    setting: &Setting,
    subject: &Folds<S>,
    n: usize,
    step: Step,
) -> Result<Vec<Times>, Failure>
where
    K: for<'a> LaunchWith<S::Arguments<'a>>,
{
    let contest = Contest::new(subject, vec![subject.generated::<K>()?])?;
    others::beside(setting, &contest, repeats(n), step)
}
