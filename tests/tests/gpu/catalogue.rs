//! The kernels of the catalogue at sizes that need a GPU's speed, and on all GPUs. `small` runs them at small sizes.

use rayon::prelude::*;
use td_kernel::__private::NearTiles;
use td_kernel::{Device, Devices};
use td_kernel_tests::catalogue::{self, Domain, Entry, Run, Sizes, some};
use td_kernel_tests::parallel::CheckEach;

use crate::SHARED;

/// Sizes of sets, many of them small.
fn sizes(seed: usize, count: usize, most: usize) -> Vec<usize> {
    let random = |at: usize| (seed + at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    (0..count).map(|at| random(at) % (1 + random(at + count) % most)).collect()
}

/// Large sizes, a long side of either set, many small sets, and large ones among small ones. Some kernels have results of 16 bits, of
/// an index or a sum of indices.
fn large(entry: &Entry) -> Vec<Sizes> {
    let huge = [vec![5; 1000], vec![2500], vec![7; 1000]].concat();
    match entry.domain {
        // Large squares have tiles that no smaller one has.
        Domain::One if entry.item.contains("Square<") => vec![Sizes::One(2001), Sizes::One(4097)],
        Domain::One => vec![Sizes::One(2001)],
        Domain::Two => vec![Sizes::Two(1501, 1009), Sizes::Two(1, 16_001), Sizes::Two(30_011, 1)],
        Domain::Sets => vec![Sizes::Sets(sizes(1, 20_000, 30)), Sizes::Sets(huge)],
        Domain::Rectangles => {
            let pairs = |a: Vec<usize>, b: Vec<usize>| a.into_iter().zip(b).map(|(a, b)| [a, b]);
            let small = pairs(sizes(3, 20_000, 20), sizes(4, 20_000, 30)).collect();
            // Rows of 2^k - 1, 2^k and 2^k + 1 columns, which depend on the GPU's floor of a product.
            let columns: Vec<_> = (1..12).flat_map(|bit| (1 << bit) - 1..(1 << bit) + 2).collect();
            let powers = pairs(vec![100; columns.len()], columns).collect();
            let long = vec![[1, 30_000], [32_000, 1], [2, 3], [1500, 1001], [4, 0]];
            [small, powers, long].map(Sizes::Rectangles).into()
        }
    }
}

fn check(entry: &Entry, run: &Run) {
    if let Err(problem) = entry.check_variants(run) {
        // The sizes of many sets would fill pages.
        panic!("{}", problem.chars().filter(|each| *each != '\n').collect::<String>());
    }
}

#[test]
fn large_sizes() {
    catalogue::all().par_iter().check_each(|entry| {
        for (seed, sizes) in (0..).zip(large(entry)) {
            let all = Run::new(&SHARED, sizes, seed);
            if let Sizes::One(n) | Sizes::Two(n, _) = all.sizes {
                for rows in [0..n / 3, n / 3..n] {
                    check(entry, &Run { rows: Some(rows), ..all.clone() });
                }
            }
            if entry.has_bound {
                check(entry, &Run { near: NearTiles::Always, ..all.clone() });
            }
            check(entry, &all);
        }
    });
}

/// Values of every type.
#[test]
fn outputs_of_every_type() {
    catalogue::of_types().par_iter().check_each(|entry| {
        for n in [33, 130, 512, 1000] {
            let is_two = entry.domain == Domain::Two;
            let sizes = if is_two { Sizes::Two(n, n + 7) } else { Sizes::One(n) };
            check(entry, &Run::new(&SHARED, sizes, 1));
        }
    });
}

/// So many elements of few pairs that two threads share each, whose weights fit 64 bits; and lists that are visited by element, with many pairs of each.
#[test]
fn long_lists() {
    // `small` has the errors of the others; a square of so many elements would fill the host's memory.
    let visits_lists = |entry: &&Entry| (entry.kernel)(&SHARED).unwrap().info().entries.is_ok();
    let of_one_set = |entry: &&Entry| entry.domain == Domain::One;
    catalogue::all().par_iter().filter(of_one_set).filter(visits_lists).check_each(|entry| {
        for (n, reach) in [(32_003_u32, 24), (2000, 2000)] {
            let pairs = (0..n).flat_map(|i| (i.saturating_sub(reach)..i).map(move |j| [i, j]));
            let list = pairs.filter(|[i, j]| (i * 7 + j * 3) % 5 < 2).collect();
            let run = Run::new(&SHARED, Sizes::One(n as usize), 2);
            check(entry, &Run { list: Some(list), launches: 3, ..run });
        }
    });
}

/// A grid is at most 65,535 blocks high: more rows of tiles lie in pieces side by side. This many columns need no pieces.
#[test]
fn rectangles_higher_than_a_grid() {
    let tiles = Sizes::Two(2 * 65_535 * 32 + 33, 2);
    for (name, sizes) in [
        ("two_sets_in_blocks", Sizes::Two(600_000, 8)),
        ("matrices_in_blocks", Sizes::Two(8, 600_000)),
        ("matrices_in_tiles", tiles.clone()),
        ("rows_in_order", tiles),
    ] {
        let all = catalogue::all();
        let entry = all.iter().find(|entry| entry.name == name).unwrap();
        check(entry, &Run::new(&SHARED, sizes, 1));
    }
}

/// Two, and more GPUs than there are; a single one is used several times.
#[test]
fn several_gpus() {
    let gpus: Vec<Device> = Devices::all().unwrap().iter().cloned().collect();
    check_on(&gpus, &[2, 2 * gpus.len() + 1]);
}

/// Two different GPUs, in either order.
#[test]
#[ignore = "needs two GPUs"]
fn two_gpus() {
    let gpus = [0, 1].map(|ordinal| Device::cuda(ordinal).unwrap());
    check_on(&gpus, &[2, 3]);
    check_on(&[gpus[1].clone(), gpus[0].clone()], &[2, 3]);
}

/// Each number of GPUs with one of the sizes, by turns. `small` has every number with every size.
fn check_on(gpus: &[Device], counts: &[usize]) {
    catalogue::all().par_iter().enumerate().check_each(|(turn, entry)| {
        let sizes = large(entry).into_iter().cycle().skip(turn % 3);
        for ((seed, sizes), count) in (0..).zip(sizes).zip(counts) {
            let target = some(gpus, *count).unwrap();
            let run = Run::new(&gpus[0], sizes, seed);
            check(entry, &Run { target, is_several: true, ..run });
        }
    });
}
