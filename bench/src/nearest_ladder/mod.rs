//! Nearest neighbours in a paper's way: the squared distances of a partition of all pairs at a time, from norms and
//! products; of each row and of each column of it the least K by a quick select; and these merged. Beside it, a generated
//! kernel, which stores no distance, and the same with a lower bound from tensor cores, which finds the same.

mod steps;

use std::cell::RefCell;

use serde_json::json;
use td_kernel::{Neighbours, td_kernel};

use self::steps::Steps;
use crate::Failure;
use crate::experiment::{self, Run};
use crate::measure::fold::rounding;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::rows_of_two;
use crate::measure::times::Spread;

/// The nearest rows of each, by the squares of differences.
#[td_kernel]
pub(crate) unsafe fn nearest_rows(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
}

/// The same, where products of tensor cores tell which pairs may be near.
#[td_kernel]
pub(crate) unsafe fn nearest_rows_with_lower(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" fmaf(-2.0f, dot + dot_error, norm.i + norm.j) "#;
}

impl nearest_rows_with_lower {
    /// The same kernel, whose launches take one variant.
    pub(crate) fn pinned(&self, variant: usize) -> Self {
        nearest_rows_with_lower { kernel: self.kernel.pin(variant) }
    }
}

/// The same, which also counts the pairs that are evaluated: none of them writes the counter but by atomics.
#[td_kernel]
unsafe fn counted_rows_with_lower(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    evaluated: &[u64],
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#"
    atomicAdd((unsigned long long *)evaluated, 1ull);
    near.push(sum);
    "#;
    let lower = r#" fmaf(-2.0f, dot + dot_error, norm.i + norm.j) "#;
}

/// The neighbours of each row.
const K: usize = 10;

/// Rows and features.
const SIZES: &[[usize; 2]] =
    &[[10_240, 128], [20_480, 64], [30_720, 512], [51_200, 128], [102_400, 128], [204_800, 128]];

/// The rows and columns of a partition.
const SIDE: usize = 4096;

/// How often each way is timed.
const ROUNDS: usize = 5;

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    let title =
        format!("Nearest neighbours, K = {K}, by partitions of {SIDE} x {SIDE} and generated");
    let columns = [
        "n",
        "features",
        "generated_ms",
        "with_lower_ms",
        "generated_over_with_lower",
        "evaluated_of_a_row",
        "by_hand_ms",
        "by_hand_over_generated",
        "norms_ms",
        "products_ms",
        "summation_ms",
        "selection_ms",
        "merge_ms",
        "same_neighbours",
    ];
    experiment::table_of(options, "nearest-ladder", &title, &columns, |gpu, rows| {
        for &[n, features] in SIZES {
            eprintln!("n = {n}, {features} features");
            rows.push(measure(gpu, n, features)?);
        }
        Ok(())
    })
}

fn measure(gpu: &Gpu, n: usize, features: usize) -> Result<serde_json::Value, Failure> {
    let [values, _] = rows_of_two(n, 0, features);
    let (p, norms) = gpu.with_norms(&values, features)?;
    let kernel = nearest_rows::load(&gpu.device)?;
    let mut near = gpu.device.nearest::<f32, K>(n)?;
    kernel.launch(&p, &mut near)?;
    let found = near.download()?;
    let with_lower = nearest_rows_with_lower::load(&gpu.device)?;
    near.clear()?;
    with_lower.launch(&p, &norms, &mut near)?;
    equal(&near.download()?, &found)?;
    let evaluated = gpu.device.upload(&[0_u64])?;
    near.clear()?;
    counted_rows_with_lower::load(&gpu.device)?.launch(&p, &norms, &evaluated, &mut near)?;
    equal(&near.download()?, &found)?;
    let evaluated = evaluated.download()?.iter().sum::<u64>() as f64 / n as f64;

    let mut steps = Steps::new(gpu, &values, features, K, SIDE)?;
    steps.search()?;
    let same = same(&found, &steps.found()?, features)?;

    let (steps, near) = (RefCell::new(steps), RefCell::new(near));
    let by_hand = |name: &str, run: fn(&mut Steps) -> Result<(), Failure>| {
        let steps = &steps;
        Way::new(name, move || run(&mut steps.borrow_mut()))
    };
    let generated = Way::new("generated", || {
        let mut near = near.borrow_mut();
        near.clear()?;
        Ok(kernel.launch(&p, &mut near)?)
    });
    let filtered = Way::new("with lower", || {
        let mut near = near.borrow_mut();
        near.clear()?;
        Ok(with_lower.launch(&p, &norms, &mut near)?)
    });
    let ways = vec![
        generated,
        filtered,
        by_hand("by hand", Steps::search),
        by_hand("norms", Steps::norms),
        by_hand("products", |steps| steps.each_partition(Steps::products)),
        by_hand("summation", |steps| steps.each_partition(Steps::summation)),
        by_hand("selection", |steps| steps.each_partition(Steps::selection)),
        by_hand("merge", |steps| steps.each_partition(Steps::merge)),
    ];
    let samples = gpu.samples(ROUNDS, 1, ways)?;
    let times = samples.into_iter().map(|samples| Some(Spread::quarters(samples)?.median));
    let times = times.collect::<Option<Vec<f64>>>().ok_or("nothing was timed")?;
    let [generated, filtered, by_hand, norms, products, summation, selection, merge] = times[..]
    else {
        return Err("not all ways were timed".into());
    };
    let (over, over_filtered) = (by_hand / generated, generated / filtered);
    Ok(json!([
        n,
        features,
        generated,
        filtered,
        over_filtered,
        evaluated,
        by_hand,
        over,
        norms,
        products,
        summation,
        selection,
        merge,
        same
    ]))
}

/// An error where neighbours differ, or a bit of their values.
fn equal(found: &Neighbours<f32>, expected: &Neighbours<f32>) -> Result<(), Failure> {
    for ((row, indices, values), (_, of_expected, expected)) in found.rows().zip(expected.rows()) {
        let bits = values.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits());
        if indices != of_expected || !bits {
            let text = format!(
                "with a lower bound: row {row}: {indices:?} at {values:?} instead of {of_expected:?} at {expected:?}"
            );
            return Err(text.into());
        }
    }
    Ok(())
}

/// The share of the neighbours that are the same. An error where a value is farther from the generated kernel's than
/// rounding explains: a square of a distance is what is left of two norms, each at most the number of features.
fn same(
    generated: &Neighbours<f32>,
    by_hand: &[Option<(f32, u32)>],
    features: usize,
) -> Result<f64, Failure> {
    let bound = 4.0 * rounding(features) * features as f64;
    let mut same = 0_usize;
    for ((row, indices, values), by_hand) in generated.rows().zip(by_hand.chunks(K)) {
        for (place, (value, found)) in values.iter().zip(by_hand).enumerate() {
            let off = found.map_or(f64::NAN, |(found, _)| f64::from(found) - f64::from(*value));
            if off.is_nan() || off.abs() > bound {
                let text =
                    format!("by hand: row {row}, place {place}: {found:?} instead of {value}");
                return Err(text.into());
            }
        }
        let others = by_hand.iter().flatten();
        same += others.filter(|(_, index)| indices.contains(index)).count();
    }
    Ok(same as f64 / generated.indices().len() as f64)
}

#[cfg(test)]
mod tests;
