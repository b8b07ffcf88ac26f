//! Nearest neighbours, compared with brute force: every type, sweep and number of neighbours, data in which every pair is
//! nearer than earlier ones, ties, and NaN.

mod at_run_time;
mod features;
mod launches;
pub(crate) mod lower_bound;
mod lower_bound_of_cosines;
pub(crate) mod lower_bound_rect;
mod points;
pub(crate) mod rectangles;
pub(crate) mod types;

use td_kernel::{HostNearest, td_kernel};

use super::{IS_GPU, IS_LARGE, and_large, devices, simt};

/// An element's expected neighbours: those for which `value` returns a number, sorted by value and then by index.
pub(crate) fn expected<T: Copy + PartialOrd>(
    candidates: usize,
    k: usize,
    value: impl Fn(usize) -> Option<T>,
) -> (Vec<u32>, Vec<T>) {
    let is_number = |value: &T| value.partial_cmp(value).is_some();
    let all = (0..candidates).filter_map(|at| Some((value(at).filter(is_number)?, at as u32)));
    let mut all: Vec<(T, u32)> = all.collect();
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let (values, indices) = all.into_iter().take(k).unzip();
    (indices, values)
}

/// Compares the neighbours of `n` elements, of one set.
pub(crate) fn check<T: Copy + PartialOrd + std::fmt::Debug>(
    what: &str,
    near: &HostNearest<T>,
    n: usize,
    value: impl Fn(usize, usize) -> Option<T>,
) {
    assert_eq!((near.len(), near.indices().len()), (n, n * near.k()), "{what}");
    for (i, indices, values) in near.rows() {
        // The larger index comes first.
        let of = |j: usize| if i > j { value(i, j) } else { value(j, i) };
        let (expected_indices, expected_values) = expected(n, near.k(), of);
        assert_eq!(indices, expected_indices, "{what}, n = {n}, element {i}: {values:?}");
        assert_eq!(values, expected_values, "{what}, n = {n}, element {i}");
        let rest = &near.indices()[i * near.k() + indices.len()..][..near.k() - indices.len()];
        assert!(rest.iter().all(|index| *index == u32::MAX), "{what}, n = {n}, element {i}");
    }
}

/// Pseudorandom numbers below `end`.
pub(crate) fn random(seed: u32, end: u32) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) % end
    })
}

/// Compares the nearest columns of each row.
pub(crate) fn check_of_two(
    near: &HostNearest<i32>,
    rows: usize,
    columns: usize,
    value: impl Fn(usize, usize) -> i32,
) {
    assert_eq!(near.len(), rows);
    for (i, indices, values) in near.rows() {
        let (expected_indices, expected_values) =
            expected(columns, near.k(), |j| Some(value(i, j)));
        assert_eq!(indices, expected_indices, "{rows} rows, {columns} columns: row {i}");
        assert_eq!(values, expected_values, "{rows} rows, {columns} columns: row {i}");
    }
    let graph = near.to_csr((rows, columns)).unwrap();
    assert_eq!(graph.offsets().len(), rows + 1);
    assert_eq!(graph.len(), near.counts().iter().map(|count| *count as usize).sum::<usize>());
}

/// Values of a pair's indices alone, in several orders: each is nearer than earlier ones, or farther, or all are equal.
#[td_kernel(tile = 32)]
pub(crate) unsafe fn orders(order: i32, #[each] near: &mut Nearest<i32, 10>) {
    r#"
    int sum = i + j, apart = i - j;
    near.push(order == 0 ? 7 : order == 1 ? sum : order == 2 ? -sum : order == 3 ? apart : order == 4 ? -apart : i % 2 ? -sum : sum);
    "#
}

pub(crate) fn of_order(order: i32, i: usize, j: usize) -> i32 {
    let (i, j) = (i as i32, j as i32);
    match order {
        0 => 7,
        1 => i + j,
        2 => -i - j,
        3 => i - j,
        4 => j - i,
        _ if i % 2 == 1 => -i - j,
        _ => i + j,
    }
}

#[td_kernel]
pub(crate) unsafe fn of_large_tiles(#[each] x: &[i32], #[each] near: &mut Nearest<i32, 10>) {
    r#" near.push(abs(x.i - x.j)); "#
}
