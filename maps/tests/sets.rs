//! The table of many sets, and the pairs that blocks visit, against brute force.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel_maps::sets::{self, RUN, WARPS};
use td_kernel_maps::{SetTable, Tile, triangle};

/// The sets that are not large and their pairs, in the order of packed memory.
fn expected(sizes: &[u32], large: u32) -> Vec<(u32, Tile)> {
    let sets = (0..).zip(sizes).filter(|(_, size)| **size < large);
    let of_set = |(set, size): (u32, &u32)| {
        let rows = 0..*size;
        rows.flat_map(move |i| (0..i).map(move |j| (set, Tile::new(i, j))))
    };
    sets.flat_map(of_set).collect()
}

fn check(sizes: &[u32], large: u32) {
    let mut offsets = vec![0];
    offsets.extend(sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    }));
    let table = SetTable::new(&offsets, large).unwrap();
    let pairs: u64 = sizes.iter().map(|size| triangle(size.saturating_sub(1))).sum();
    assert_eq!(table.pairs, pairs);
    assert_eq!(table.sets.len(), sizes.iter().filter(|size| **size > 1).count() + 1);
    assert_eq!(table.runs.len() as u32 % sets::RUNS_OF_PART, 0);
    // Runs ascend, and none crosses a multiple of `RUN`.
    let mut last = 0;
    for [low, high, count, _] in table.runs.iter().filter(|run| run[2] > 0) {
        let begin = u64::from(*high) << 32 | u64::from(*low);
        let end = begin + u64::from(*count);
        assert!(last <= begin && (end - 1) / u64::from(RUN) == begin / u64::from(RUN), "{sizes:?}");
        last = end;
    }
    let larges = (0..).zip(sizes).filter(|(_, size)| **size >= large);
    assert_eq!(table.large, larges.map(|(set, _)| set).collect::<Vec<u32>>());
    let mut found = Vec::new();
    for block in 0..table.blocks() {
        table.visit(block, &mut |set, pair| found.push((set, pair)));
    }
    found.sort_unstable();
    assert_eq!(found, expected(sizes, large), "{sizes:?}");
    // A block past the end has no pairs.
    table.visit(table.blocks(), &mut |_, _| panic!("there is no such block"));
}

#[test]
fn every_pair_is_visited_once() {
    for sizes in
        [&[][..], &[0], &[1, 1], &[2], &[0, 2, 1, 3], &[23, 3, 0], &[64, 8, 2, 2], &[300, 1, 257]]
    {
        for large in [u32::MAX, 300, 64, 2] {
            check(sizes, large);
        }
    }
    check(&[2; 3000], u32::MAX);
    // All small sizes, in an order without a pattern.
    let sizes: Vec<_> = (0..200).map(|at| at * 37 % 61).collect();
    for large in [u32::MAX, 60, 40, 23] {
        check(&sizes, large);
    }
}

#[test]
fn pairs_of_all_sets_are_counted_in_64_bits() {
    // The last run of the largest set, and the set after it.
    let table = SetTable::new(&[0, 100_000, 100_003], u32::MAX).unwrap();
    let all = triangle(99_999);
    assert_eq!(table.pairs, all + 3);
    let mut last = Vec::new();
    let block = all / u64::from(RUN * WARPS);
    table.visit(block, &mut |set, pair| last.push((set, pair)));
    last.sort_unstable();
    assert_eq!(
        last[last.len() - 4..],
        [
            (0, Tile::new(99_999, 99_998)),
            (1, Tile::new(1, 0)),
            (1, Tile::new(2, 0)),
            (1, Tile::new(2, 1)),
        ]
    );
}

/// The arithmetic of the CUDA source, with the largest errors that `rsqrtf` may have: two units in the last place.
#[test]
fn root_is_at_most_one_row_too_high() {
    let mut pair = 0_u32;
    for row in 0..sets::LARGE - 1 {
        for _ in 0..=row {
            let x = 0.25 + 2.0 * (pair as f32);
            let inverse = ((1.0 / f64::from(x).sqrt()) as f32).to_bits();
            for inverse in [inverse - 2, inverse + 2] {
                let estimate = x.mul_add(f32::from_bits(inverse), -0.495) as u32;
                assert!(estimate == row || estimate == row + 1, "pair {pair}: {estimate}");
            }
            pair += 1;
        }
    }
}
