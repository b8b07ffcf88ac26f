//! The variants of a kernel that lists the pairs of rows within a distance: a filter by a lower bound, and tiles of features.

use super::{Row, named};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::rows_of_two;
use crate::targets::close::close_rows;

/// Where a filter begins to be faster.
const SIZES: &[usize] = &[512, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 16_384];

/// Features, and squares of distances within which few pairs of uniform numbers are.
const LIMITS: [(usize, f32); 2] = [(32, 1.8), (128, 13.0)];

/// Squares of distances within which few to many pairs are, with 128 features: what is left by the filter is evaluated more slowly
/// than by tiles.
const LOOSE: [f32; 4] = [13.0, 14.5, 16.5, 18.5];
const MANY: usize = 16_384;

/// How often each variant is timed.
const ROUNDS: usize = 5;

pub(super) fn measure(gpu: &Gpu, rows: &mut Vec<Row>) -> Result<(), Failure> {
    for (&n, (features, limit)) in SIZES.iter().flat_map(|n| LIMITS.map(|limit| (n, limit))) {
        eprintln!("the close pairs of {n}, {features} features");
        rows.push(row(gpu, n, features, limit)?);
    }
    for limit in LOOSE {
        eprintln!("the pairs of {MANY} within {limit}");
        rows.push(row(gpu, MANY, 128, limit)?);
    }
    Ok(())
}

/// The times of all variants, the fastest first.
fn row(gpu: &Gpu, n: usize, features: usize, limit: f32) -> Result<Row, Failure> {
    let [values, _] = rows_of_two(n, 0, features);
    let (p, norm) = gpu.with_norms(&values, features)?;
    let kernel = close_rows::load(&gpu.device)?;
    let mut near = gpu.device.pairs::<f32>(n * n / 8)?;
    kernel.launch(&p, &norm, limit, &mut near)?;
    // It has room for all that are found.
    let found = near.download()?.len();
    let near = std::cell::RefCell::new(near);
    let rule = named(kernel.report(n)?);
    let variants: Vec<_> = (0..close_rows::SOURCES.len()).map(|at| kernel.pinned(at)).collect();
    let names: Vec<_> =
        variants.iter().map(|each| Ok(named(each.report(n)?))).collect::<Result<_, Failure>>()?;
    let ways = names.iter().zip(&variants).map(|(name, variant)| {
        let (near, p, norm) = (&near, &p, &norm);
        Way::new(name, move || {
            let mut near = near.borrow_mut();
            near.clear()?;
            Ok(variant.launch(p, norm, limit, &mut near)?)
        })
    });
    let samples = gpu.samples(ROUNDS, 3, ways.collect())?;
    let share = (n * (n - 1) / 2) as f64 / found.max(1) as f64;
    let work = format!("pairs within {limit}, one of {share:.0}, {features} features, with lower");
    Row::timed((work, n, rule), names, samples)
}
