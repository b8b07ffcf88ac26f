//! Nearest neighbours by products of features: numbers whose products are exact, and of which many are equal.

use td_kernel::{Result, Target, td_kernel};

use super::quick::is_left;

#[td_kernel]
unsafe fn of_one_set(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    #[each] near: &mut Nearest<f32, 5>,
) {
    r#" near.push(-dot); "#
}

#[td_kernel(diagonal = true)]
unsafe fn with_diagonal(
    #[each] p: &Features<i8>,
    #[dot] dot: i32,
    #[each] near: &mut Nearest<i32, 40>,
) {
    r#" near.push(-dot); "#
}

#[td_kernel]
unsafe fn of_two_sets(
    #[row] q: &Features<f32>,
    #[column] p: &Features<f32>,
    #[dot] dot: f32,
    #[row] near: &mut Nearest<f32, 3>,
) {
    r#" near.push(dot); "#
}

/// Some pairs push the sum of absolute differences.
#[td_kernel]
unsafe fn quick(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 7>,
) {
    let quick = r#"
    near.push(-dot);
    if ((i + 3 * j) % 7 == 0 || i == 5)
        exact();
    "#;
    let feature = r#" sum += fabsf(p.i - p.j); "#;
    let pair = r#" near.push(sum); "#;
}

/// The indices and values of the nearest of each row. Of two equal values, the one with the smaller index comes first.
fn expected<V: Copy + PartialOrd>(
    [rows, columns]: [usize; 2],
    most: usize,
    value: impl Fn(usize, usize) -> Option<V>,
) -> Vec<Vec<(u32, V)>> {
    let nearest = |i: usize| {
        let mut all: Vec<_> =
            (0..columns).filter_map(|j| value(i, j).map(|value| (j as u32, value))).collect();
        // The sort is stable.
        all.sort_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        all.truncate(most);
        all
    };
    (0..rows).map(nearest).collect()
}

macro_rules! check {
    ($kernel:ident, $target:ident, [$($features:expr),*], $rows:expr, $expected:expr) => {{
        let mut near = $target.nearest($rows)?;
        let kernel = $kernel::load($target)?;
        // A second launch offers the same pairs.
        for _ in 0..2 {
            kernel.launch($($features,)* &mut near)?;
            let found: Vec<Vec<_>> = near
                .download()?
                .rows()
                .map(|(_, others, values)| others.iter().copied().zip(values.iter().copied()).collect())
                .collect();
            assert!(found == $expected, "{}, {} rows, {}", stringify!($kernel), $rows, $target.name());
        }
    }};
}

fn rows_of(count: usize, width: usize) -> Vec<Vec<f32>> {
    let number = |element: usize, k: usize| ((element * 31 + k * k * 7) % 9) as f32 - 4.0;
    (0..count).map(|element| (0..width).map(|k| number(element, k)).collect()).collect()
}

/// Every search, for these sizes of the first and the second set and this number of features.
pub(super) fn check(target: &Target, [n, columns, width]: [usize; 3]) -> Result<()> {
    let (a, b) = (rows_of(n, width), rows_of(columns, width));
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f32>();
    let p = target.features(&a.concat(), width)?;
    let others = |i: usize, j: usize| (i != j).then(|| -dot(&a[i], &a[j]));
    check!(of_one_set, target, [&p], n, expected([n, n], 5, others));

    let bytes: Vec<i8> = a.concat().into_iter().map(|value| value as i8).collect();
    let of_bytes = target.features(&bytes, width)?;
    let all = |i: usize, j: usize| Some(-dot(&a[i], &a[j]) as i32);
    check!(with_diagonal, target, [&of_bytes], n, expected([n, n], 40, all));

    let of_columns = target.features(&b.concat(), width)?;
    let of_two = |i: usize, j: usize| Some(dot(&a[i], &b[j]));
    check!(of_two_sets, target, [&p, &of_columns], n, expected([n, columns], 3, of_two));

    let is_loops = target.name().contains("CPU (");
    let value = |i: usize, j: usize| {
        let differences = || a[i].iter().zip(&a[j]).map(|(x, y)| (x - y).abs()).sum();
        let is_exact = is_loops || is_left(i.max(j), i.min(j));
        (i != j).then(|| if is_exact { differences() } else { -dot(&a[i], &a[j]) })
    };
    check!(quick, target, [&p], n, expected([n, n], 7, value));
    Ok(())
}
