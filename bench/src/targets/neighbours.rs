//! The nearest neighbours of each row, compared with the time to issue a term's instructions, torch, and fewer neighbours.

use anyhow::{Context, Result, bail, ensure};
use td_kernel::{Features, LaunchWith, Nearest, Slice, td_kernel};

use super::issue::way_beside_issue;
use super::others::{self, around};
use super::{Measured, Setting};
use crate::kernels::nearest_rows;
use crate::measure::by_hand::{Mix, rounding};
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::{rows_of_two, with_norms};
use crate::subject::{GENERATED, pairs};

/// The nearest hundred.
#[td_kernel]
pub(super) unsafe fn nearest_hundred(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 100>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
}

/// By products and norms, as `torch.cdist` computes squared distances.
#[td_kernel]
pub(super) unsafe fn by_products(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum = fmaf(p.i, p.j, sum); "#;
    let pair = r#" near.push(fmaf(-2.0f, sum, norm.i + norm.j)); "#;
}

/// The same, with a lower bound from tensor cores that excludes most pairs.
#[td_kernel]
pub(super) unsafe fn by_products_with_lower(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" sum = fmaf(p.i, p.j, sum); "#;
    let pair = r#" near.push(fmaf(-2.0f, sum, norm.i + norm.j)); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) "#;
}

/// By products from tensor cores.
#[td_kernel]
pub(super) unsafe fn by_dot(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    #[dot] dot: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    r#" near.push(fmaf(-2.0f, dot, norm.i + norm.j)); "#
}

/// A search takes at least a few milliseconds.
const ROUNDS: usize = 5;

/// The number of rows whose neighbours are compared with those in double precision.
const CHECKED: usize = 10;

/// Rows of features, also on the host.
struct Rows<'a> {
    gpu: &'a Gpu,
    values: Vec<f32>,
    features: usize,
}

impl<'a> Rows<'a> {
    fn new(gpu: &'a Gpu, n: usize, features: usize) -> Self {
        let [values, _] = rows_of_two(n, 0, features);
        Rows { gpu, values, features }
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.features..][..self.features]
    }

    fn n(&self) -> usize {
        self.values.len() / self.features
    }

    /// A squared distance, and the sum of both norms, to which a product's rounding error is proportional.
    fn square(&self, i: usize, j: usize) -> (f64, f64) {
        let pairs = self.row(i).iter().zip(self.row(j));
        pairs.fold((0.0, 0.0), |(square, norms), (&a, &b)| {
            let (a, b) = (f64::from(a), f64::from(b));
            (square + (a - b) * (a - b), norms + a * a + b * b)
        })
    }

    /// An error if a row's neighbours differ from those in double precision by more than rounding.
    fn check<const K: usize>(&self, near: &Nearest<f32, K>) -> Result<()> {
        let found = near.download()?;
        let (n, few) = (self.n(), rounding(self.features));
        for row in (0..n).step_by((n / CHECKED).max(1)) {
            let others = (0..n).filter(|&other| other != row);
            let mut squares: Vec<f64> = others.map(|other| self.square(row, other).0).collect();
            squares.sort_unstable_by(f64::total_cmp);
            let (indices, values) = found.row(row).context("there is a row without neighbours")?;
            let count = indices.len();
            ensure!(count == K.min(n - 1), "row {row} has {count} neighbours");
            for ((&index, &value), least) in indices.iter().zip(values).zip(squares) {
                let (square, norms) = self.square(row, index as usize);
                let bound = 4.0 * few * norms;
                let off = (f64::from(value) - square).abs().max((square - least).abs());
                if off.is_nan() || off > bound || index as usize == row {
                    bail!(
                        "row {row}: index {index} with value {value}, but in double precision its value is {square}, and {least} belongs at this position"
                    );
                }
            }
        }
        Ok(())
    }
}

/// A search from empty neighbours.
pub(crate) fn search<'a, const K: usize>(
    name: &str,
    near: &'a mut Nearest<f32, K>,
    mut launch: impl FnMut(&mut Nearest<f32, K>) -> td_kernel::Result<()> + 'a,
) -> Way<'a> {
    Way::new(name, move || {
        near.clear()?;
        Ok(launch(near)?)
    })
}

/// Searches once and checks the result. It clears nothing: the next search does.
fn checked<const K: usize>(
    rows: &Rows<'_>,
    launch: &mut dyn FnMut(&mut Nearest<f32, K>) -> td_kernel::Result<()>,
) -> Result<Nearest<f32, K>> {
    let mut near = rows.gpu.device.nearest::<f32, K>(rows.n())?;
    launch(&mut near)?;
    rows.check(&near)?;
    Ok(near)
}

/// Squared distances over features, compared with the issue of their instructions.
pub(super) fn beside_floor(Setting { gpu, n, features, .. }: &Setting) -> Measured {
    let rows = Rows::new(gpu, *n, *features);
    let p = gpu.device.features(&rows.values, *features)?;
    let kernel = nearest_rows::load(&gpu.device)?;
    let mut launch = |near: &mut Nearest<f32, 10>| kernel.launch(&p, near);
    let mut near = checked(&rows, &mut launch)?;
    let own = search(GENERATED, &mut near, launch);
    way_beside_issue(gpu, Mix::SQUARE, features * pairs(*n), 1, own)
}

/// A hundred neighbours of each row compared with ten.
pub(super) fn hundred(Setting { gpu, n, features, .. }: &Setting) -> Measured {
    let rows = Rows::new(gpu, *n, *features);
    let p = gpu.device.features(&rows.values, *features)?;
    let (ten, hundred) = (nearest_rows::load(&gpu.device)?, nearest_hundred::load(&gpu.device)?);
    let mut of_ten = |near: &mut Nearest<f32, 10>| ten.launch(&p, near);
    let mut of_hundred = |near: &mut Nearest<f32, 100>| hundred.launch(&p, near);
    let mut near = checked(&rows, &mut of_hundred)?;
    let mut fewer = checked(&rows, &mut of_ten)?;
    let ways = vec![search("K = 100", &mut near, of_hundred), search("K = 10", &mut fewer, of_ten)];
    gpu.time(ROUNDS, 1, ways)
}

/// Products from tensor cores compared with folds of products.
pub(super) fn dots(Setting { gpu, n, features, .. }: &Setting) -> Measured {
    let rows = Rows::new(gpu, *n, *features);
    let (p, norms) = with_norms(&gpu.device, &rows.values, *features)?;
    let (dot, fold) = (by_dot::load(&gpu.device)?, by_products::load(&gpu.device)?);
    let mut by_dot = |near: &mut Nearest<f32, 10>| dot.launch(&p, &norms, near);
    let mut by_fold = |near: &mut Nearest<f32, 10>| fold.launch(&p, &norms, near);
    let (mut near, mut other) = (checked(&rows, &mut by_dot)?, checked(&rows, &mut by_fold)?);
    let ways = vec![search(GENERATED, &mut near, by_dot), search("folds", &mut other, by_fold)];
    gpu.time(ROUNDS, 1, ways)
}

/// Squared distances compared with torch.cdist and topk, some rows at a time.
pub(super) fn topk(setting: &Setting) -> Measured {
    let rows = Rows::new(&setting.gpu, setting.n, setting.features);
    let p = setting.gpu.device.features(&rows.values, setting.features)?;
    let kernel = nearest_rows::load(&setting.gpu.device)?;
    beside_topk(setting, &rows, |near| kernel.launch(&p, near))
}

/// Kernels that take norms, too, compared with the same.
pub(super) fn topk_of<K>(setting: &Setting) -> Measured
where
    K: for<'a> LaunchWith<(&'a Features<f32>, &'a dyn Slice<f32>, &'a mut Nearest<f32, 10>)>,
{
    let rows = Rows::new(&setting.gpu, setting.n, setting.features);
    let (p, norms) = with_norms(&setting.gpu.device, &rows.values, setting.features)?;
    let kernel = K::load(&setting.gpu.device)?;
    beside_topk(setting, &rows, |near| kernel.launch_with((&p, &norms, near)))
}

fn beside_topk(
    setting: &Setting,
    rows: &Rows<'_>,
    mut launch: impl FnMut(&mut Nearest<f32, 10>) -> td_kernel::Result<()>,
) -> Measured {
    let mut near = checked(rows, &mut launch)?;
    let step = others::rows("torch.cdist and topk", "neighbours", rows.n(), rows.features);
    around(setting, step, || {
        setting.gpu.samples(ROUNDS, 1, vec![search(GENERATED, &mut near, &mut launch)])
    })
}
