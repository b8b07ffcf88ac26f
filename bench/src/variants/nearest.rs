//! The variants of kernels with nearest neighbours, each from nothing known: a filter by a lower bound, and tiles of features.

use std::cell::RefCell;

use td_kernel::{Nearest, td_kernel};

use super::{Row, named};
use crate::Failure;
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::rows_of_two;
use crate::nearest_ladder::nearest_rows_with_lower;

/// Of queries among points.
#[td_kernel]
unsafe fn nearest_of_queries(
    #[row] q: &Features<f32>,
    #[column] p: &Features<f32>,
    #[fold] sum: f32,
    #[row] q_norm: &[f32],
    #[column] p_norm: &[f32],
    #[row] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = q - p; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower = r#" fmaf(-2.0f, dot + dot_error, q_norm + p_norm) "#;
}

/// Where a filter begins to be faster.
const SIZES: &[usize] = &[1024, 2048, 3072, 4096, 5120, 6144, 8192, 12_288];
const FEATURES: [usize; 2] = [32, 128];

/// Rows and columns of two sets: few queries among many points, and many among few.
const QUERIES: &[[usize; 2]] = &[
    [16, 102_400],
    [32, 102_400],
    [64, 102_400],
    [128, 102_400],
    [256, 102_400],
    [1024, 102_400],
    [4096, 1024],
    [4096, 2048],
    [4096, 4096],
    [4096, 8192],
];

/// How often each variant is timed.
const ROUNDS: usize = 5;

pub(super) fn measure(gpu: &Gpu, rows: &mut Vec<Row>) -> Result<(), Failure> {
    for (&n, features) in SIZES.iter().flat_map(|n| FEATURES.map(|features| (n, features))) {
        eprintln!("the nearest of {n}, {features} features");
        rows.push(of_all(gpu, n, features)?);
    }
    for (&of_two, features) in QUERIES.iter().flat_map(|of| FEATURES.map(|features| (of, features)))
    {
        eprintln!("the nearest of {of_two:?}, {features} features");
        rows.push(of_queries(gpu, of_two, features)?);
    }
    Ok(())
}

fn of_all(gpu: &Gpu, n: usize, features: usize) -> Result<Row, Failure> {
    let [values, _] = rows_of_two(n, 0, features);
    let (p, norm) = gpu.with_norms(&values, features)?;
    let kernel = nearest_rows_with_lower::load(&gpu.device)?;
    let variant = |kernel: nearest_rows_with_lower| {
        let (p, norm) = (&p, &norm);
        let name = named(kernel.report(n)?);
        let launch = move |near: &mut Nearest<f32, 10>| Ok(kernel.launch(p, norm, near)?);
        Ok((name, Box::new(launch) as Launch<'_>))
    };
    let rule = named(kernel.report(n)?);
    let variants = (0..nearest_rows_with_lower::SOURCES.len()).map(|at| variant(kernel.pinned(at)));
    let work = format!("ten neighbours, {features} features, with lower");
    row(gpu, (work, n, rule), variants.collect::<Result<_, Failure>>()?)
}

fn of_queries(gpu: &Gpu, [rows, columns]: [usize; 2], features: usize) -> Result<Row, Failure> {
    let [queries, points] = rows_of_two(rows, columns, features);
    let (q, q_norm) = gpu.with_norms(&queries, features)?;
    let (p, p_norm) = gpu.with_norms(&points, features)?;
    let kernel = nearest_of_queries::load(&gpu.device)?;
    let variant = |kernel: nearest_of_queries| {
        let (q, p) = ((&q, &q_norm), (&p, &p_norm));
        let name = named(kernel.report(rows, columns)?);
        let launch =
            move |near: &mut Nearest<f32, 10>| Ok(kernel.launch(q.0, p.0, q.1, p.1, near)?);
        Ok((name, Box::new(launch) as Launch<'_>))
    };
    let rule = named(kernel.report(rows, columns)?);
    let variants = (0..nearest_of_queries::SOURCES.len())
        .map(|at| variant(nearest_of_queries { kernel: kernel.kernel.pin(at) }));
    let work = format!("ten neighbours among {columns}, {features} features, with lower");
    row(gpu, (work, rows, rule), variants.collect::<Result<_, Failure>>()?)
}

/// A search by one variant.
type Launch<'a> = Box<dyn FnMut(&mut Nearest<f32, 10>) -> Result<(), Failure> + 'a>;

/// The times of all variants, the fastest first.
fn row(
    gpu: &Gpu,
    (work, n, rule): (String, usize, String),
    variants: Vec<(String, Launch<'_>)>,
) -> Result<Row, Failure> {
    let near = RefCell::new(gpu.device.nearest::<f32, 10>(n)?);
    let (names, launches): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
    let ways = names.iter().zip(launches).map(|(name, mut launch)| {
        let near = &near;
        Way::new(name, move || {
            let mut near = near.borrow_mut();
            near.clear()?;
            launch(&mut near)
        })
    });
    let samples = gpu.samples(ROUNDS, 1, ways.collect())?;
    Row::timed((work, n, rule), names, samples)
}
