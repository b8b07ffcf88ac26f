//! The table of many sets, and the pairs that blocks visit, against brute force.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::offsets;
use td_kernel_geometry::sets::{self, RUN, WARPS, rows};
use td_kernel_geometry::{
    Map, NoTable, RectangleTable, SetRowTable, SetRows, SetTable, Sets, Shape, Tile, triangle,
};

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
    let offsets = offsets(sizes.iter().copied());
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

/// All pairs of rectangles with these rows and columns.
fn check_rectangles(sizes: &[[u32; 2]]) {
    let offsets = [0, 1].map(|side| offsets(sizes.iter().map(|size| size[side])));
    let table = RectangleTable::new(&offsets[0], &offsets[1]).unwrap();
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for (set, [rows, columns]) in (0..).zip(sizes) {
        let pairs = (0..*rows).flat_map(|i| (0..*columns).map(move |j| (set, Tile::new(i, j))));
        expected.extend(pairs);
    }
    assert_eq!(table.pairs, expected.len() as u64);
    assert_eq!(table.runs.len() as u32 % sets::RUNS_OF_PART, 0);
    for block in 0..table.blocks() {
        table.visit(block, &mut |set, pair| found.push((set, pair)));
    }
    found.sort_unstable();
    assert_eq!(found, expected, "{sizes:?}");
    table.visit(table.blocks(), &mut |_, _| panic!("there is no such block"));
}

#[test]
fn every_pair_of_rectangles_is_visited_once() {
    for sizes in [
        &[][..],
        &[[0, 5]],
        &[[5, 0], [1, 1], [0, 0], [3, 2]],
        &[[1, 1000], [1000, 1]],
        &[[256, 1], [1, 256], [16, 16], [2, 128]],
        &[[300, 301], [2, 7], [33, 31]],
    ] {
        check_rectangles(sizes);
    }
    check_rectangles(&[[1, 1]; 3000]);
    let sizes: Vec<_> = (0..200).map(|at| [at * 37 % 61, at * 23 % 47]).collect();
    check_rectangles(&sizes);
}

#[test]
fn pairs_of_large_rectangles_are_counted_in_64_bits() {
    // More than 2^32 pairs, and a set after them.
    let [rows, columns] = [8193, 524_287];
    let table = RectangleTable::new(&[0, rows, rows + 2], &[0, columns, columns + 1]).unwrap();
    let all = u64::from(rows) * u64::from(columns);
    assert_eq!(table.pairs, all + 2);
    let mut last = Vec::new();
    let block = all / u64::from(RUN * WARPS);
    for block in block..block + 2 {
        table.visit(block, &mut |set, pair| last.push((set, pair)));
    }
    last.sort_unstable();
    let end = [(0, Tile::new(rows - 1, columns - 1)), (1, Tile::new(0, 0)), (1, Tile::new(1, 0))];
    assert_eq!(last[last.len() - 3..], end);
}

/// The arithmetic of the CUDA source: all columns up to 2,000, and the longest rows.
#[test]
fn rows_of_a_run_are_exact() {
    let check = |columns: u32, col: u32| {
        for pair in 0..RUN {
            let at = u64::from(col) + u64::from(pair);
            let expected = [at / u64::from(columns), at % u64::from(columns)].map(|at| at as u32);
            assert_eq!(sets::pair_after([0, col], pair, columns), expected, "{columns}: {col}");
        }
    };
    for columns in 1..=2000_u32 {
        // In an earlier column, the pairs of a run are all in this row.
        (columns.saturating_sub(RUN + 1)..columns).for_each(|col| check(columns, col));
    }
    for columns in (11..32).flat_map(|bit| [(1_u32 << bit) - 1, 1 << bit, (1 << bit) + 1]) {
        (columns - RUN - 1..columns).for_each(|col| check(columns, col));
        check(columns, 0);
    }
    for col in [0, u32::MAX - RUN - 1, u32::MAX - RUN, u32::MAX - 2, u32::MAX - 1] {
        check(u32::MAX, col);
    }
}

/// Sizes of sets, in an order without a pattern.
fn mixed(count: u32, most: u32) -> Vec<u32> {
    (0..count).map(|at| at.wrapping_mul(0x9e37_79b9) >> 7).map(|at| at % (most + 1)).collect()
}

/// Consecutive shares that have every pair once, about as many each; and the same table as all pairs have.
fn check_shares(sizes: &[u32], large: u32, count: u32) {
    let offsets = offsets(sizes.iter().copied());
    let table = SetTable::new(&offsets, large).unwrap();
    let mut start = 0;
    let mut larges = Vec::new();
    for (set, size) in (0..).zip(sizes) {
        if *size > 1 && *size >= large {
            larges.push(sets::LargeSet { set, elements: *size, start });
        }
        start += triangle(size.saturating_sub(1));
    }
    let shares = sets::shares(table.pairs, &larges, count);
    assert_eq!(shares.len(), count as usize);
    let goal = table.pairs as f64 / f64::from(count);
    let row = sizes.iter().filter(|size| **size >= large).max().map_or(0, |size| size * 256);
    let unit = f64::from(row.max(RUN * sets::RUNS_OF_PART));
    let (mut found, mut pair, mut run) = (Vec::new(), 0, 0);
    let mut rows_of = std::collections::HashMap::<u32, u32>::new();
    for share in &shares {
        assert_eq!((share.pairs.start, share.runs.start), (pair, run));
        (pair, run) = (share.pairs.end, share.runs.end);
        let pairs = (share.pairs.end - share.pairs.start) as f64;
        assert!((pairs - goal).abs() <= unit, "{share:?} of {goal}");
        let part = table.of_share(share).unwrap();
        assert_eq!(part.pairs, share.pairs.end - share.pairs.start);
        let begin = found.len();
        for block in 0..part.blocks() {
            part.visit(block, &mut |set, pair| found.push((set, pair)));
        }
        for (set, rows) in &share.large {
            let end = rows_of.insert(*set, rows.end).unwrap_or(0);
            assert_eq!(end, rows.start);
            found.extend(rows.clone().flat_map(|i| (0..i).map(move |j| (*set, Tile::new(i, j)))));
        }
        assert_eq!((found.len() - begin) as u64, part.pairs);
    }
    assert_eq!((pair, run), (table.pairs, table.runs.len()));
    found.sort_unstable();
    assert!(found == expected(sizes, u32::MAX), "{sizes:?} in {count}");
    if count == 1 {
        let part = table.of_share(&shares[0]).unwrap();
        assert_eq!((&part.runs, &part.large), (&table.runs, &table.large));
    }
    let mut other = shares[0].clone();
    other.runs.end = table.runs.len() + 1;
    assert_eq!(table.of_share(&other).err(), Some(NoTable::NotThisShare));
}

#[test]
fn shares_of_sets_have_every_pair_once() {
    for count in [1, 2, 3, 7] {
        for (sizes, large) in [
            (vec![], 2),
            (vec![1, 0], 2),
            (vec![2], 100),
            (vec![300; 3], 300),
            (vec![5, 700, 0, 3, 600, 1000, 2], 500),
            (mixed(400, 60), u32::MAX),
            (mixed(1500, 60), 55),
            (mixed(100, 300), 200),
        ] {
            check_shares(&sizes, large, count);
        }
    }
}

#[test]
fn shares_of_rectangles_have_every_pair_once() {
    for (rows, columns) in [
        (vec![], vec![]),
        (vec![3, 0], vec![0, 4]),
        (vec![700, 3], vec![300, 9]),
        (mixed(300, 40), mixed(301, 50).split_off(1)),
    ] {
        let offsets = [&rows, &columns].map(|sizes| offsets(sizes.iter().copied()));
        let table = RectangleTable::new(&offsets[0], &offsets[1]).unwrap();
        let expected: Vec<(u32, Tile)> = (0..)
            .zip(rows.iter().zip(&columns))
            .flat_map(|(set, (rows, columns))| {
                let columns = 0..*columns;
                (0..*rows).flat_map(move |i| columns.clone().map(move |j| (set, Tile::new(i, j))))
            })
            .collect();
        let mut other = sets::shares(table.pairs, &[], 1).remove(0);
        other.runs.end = table.runs.len() + 1;
        assert_eq!(table.of_share(&other).err(), Some(NoTable::NotThisShare));
        for count in [1, 2, 3, 7] {
            let (mut found, mut pair, mut run) = (Vec::new(), 0, 0);
            for share in sets::shares(table.pairs, &[], count) {
                assert_eq!((share.pairs.start, share.runs.start), (pair, run));
                (pair, run) = (share.pairs.end, share.runs.end);
                let part = table.of_share(&share).unwrap();
                for block in 0..part.blocks() {
                    part.visit(block, &mut |set, pair| found.push((set, pair)));
                }
                assert_eq!(found.len() as u64, pair);
                let pairs = (share.pairs.end - share.pairs.start) as f64;
                let goal = table.pairs as f64 / f64::from(count);
                assert!((pairs - goal).abs() <= f64::from(RUN * sets::RUNS_OF_PART));
            }
            assert_eq!((pair, run), (table.pairs, table.runs.len()));
            found.sort_unstable();
            assert!(found == expected, "{rows:?} x {columns:?} in {count}");
        }
    }
}

/// The pairs of a map's blocks, in order.
fn of_map(map: &dyn Map, shape: &Shape) -> Vec<Tile> {
    let mut found = Vec::new();
    for launch in &map.launches(shape) {
        (0..launch.grid.x)
            .for_each(|x| map.tiles(shape, launch, [x, 0], &mut |pair| found.push(pair)));
    }
    found
}

/// As maps, both have the pairs of a single set, as its table orders them.
#[test]
fn map_has_the_pairs_of_its_table() {
    for n in [0, 1, 2, 100, 300, 1000] {
        let (table, mut found) = (SetTable::new(&[0, n], u32::MAX).unwrap(), Vec::new());
        (0..table.blocks()).for_each(|x| table.visit(x, &mut |_, pair| found.push(pair)));
        assert_eq!(of_map(&Sets, &Shape::blocks(n)), found, "{n}");
        for columns in [0, 1, 3, 90] {
            let shape = Shape::blocks(n).with_columns(columns);
            let (sets, ends) = ([0, n], [0, columns]);
            let (table, mut found) = (RectangleTable::new(&sets, &ends).unwrap(), Vec::new());
            (0..table.blocks()).for_each(|x| table.visit(x, &mut |_, pair| found.push(pair)));
            assert_eq!(of_map(&Sets, &shape), found, "{n} {columns}");
            let (table, mut found) = (SetRowTable::new(&sets, &ends).unwrap(), Vec::new());
            (0..rows::blocks(n)).for_each(|x| table.visit(x, &mut |_, pair| found.push(pair)));
            assert_eq!(of_map(&SetRows, &shape), found, "{n} {columns}");
        }
    }
}
