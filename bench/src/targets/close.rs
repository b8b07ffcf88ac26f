//! The pairs of rows within a distance, of which products of tensor cores rule most out. Beside torch.

use td_kernel::{Pairs, td_kernel};

use super::Setting;
use super::others::{self, around};
use crate::Failure;
use crate::measure::by_hand::rounding;
use crate::measure::gpu::Way;
use crate::measure::points::rows_of_two;
use crate::measure::times::Times;
use crate::subject::GENERATED;

/// The pairs whose squared distance is at most this.
#[td_kernel]
pub(super) unsafe fn close_rows(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    limit: f32,
    #[fold] sum: f32,
    near: &mut Pairs<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#"
    if (sum <= limit)
        near.push(sum);
    "#;
    let lower = r#" fmaf(-2.0f, dot + dot_error, norm.i + norm.j) - limit "#;
}

/// The square of a distance within which each of 102,400 rows of uniform numbers has about two others. The same number stands in
/// `torch_folds.py`.
const LIMIT: f32 = 13.0;

/// Rows that are compared with double precision.
const CHECKED: usize = 20;

const ROUNDS: usize = 5;

pub(super) fn beside_torch(
    setting: &Setting,
    n: usize,
    features: usize,
) -> Result<Vec<Times>, Failure> {
    let gpu = &setting.gpu;
    let [values, _] = rows_of_two(n, 0, features);
    let (p, norms) = gpu.with_norms(&values, features)?;
    let kernel = close_rows::load(&gpu.device)?;
    let mut near = gpu.device.pairs::<f32>(100 * n)?;
    kernel.launch(&p, &norms, LIMIT, &mut near)?;
    check(&values, features, &near)?;
    around(setting, others::rows("torch.cdist and nonzero", "close", n, features), || {
        let near = &mut near;
        let way = Way::new(GENERATED, || {
            near.clear()?;
            Ok(kernel.launch(&p, &norms, LIMIT, near)?)
        });
        gpu.samples(ROUNDS, 1, vec![way])
    })
}

/// An error where some rows have other pairs than double precision finds, but for those at the limit.
fn check(values: &[f32], features: usize, near: &Pairs<f32>) -> Result<(), Failure> {
    let n = values.len() / features;
    let list = near.download()?;
    let row = |row: usize| &values[row * features..][..features];
    let off = f64::from(LIMIT) * rounding(features);
    for i in (n / CHECKED..n).step_by((n / CHECKED).max(1)) {
        let squares = (0..i).map(|j| {
            let terms = row(i).iter().zip(row(j)).map(|(&a, &b)| f64::from(a) - f64::from(b));
            terms.map(|d| d * d).sum::<f64>()
        });
        let within = |limit: f64| squares.clone().filter(|square| *square <= limit).count();
        let [least, most] = [within(f64::from(LIMIT) - off), within(f64::from(LIMIT) + off)];
        let found = list.iter().filter(|(pair, _)| pair[0] as usize == i).count();
        if !(least..=most).contains(&found) {
            let text =
                format!("row {i} has {found} pairs, where double precision has {least} to {most}");
            return Err(text.into());
        }
    }
    Ok(())
}
