//! The tiles of many sets, against brute force.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::BTreeSet;

use td_kernel_geometry::sets::tiles::{BAND_ROWS, BANDS_OF_PART, TiledSets};
use td_kernel_geometry::{SetTileTable, Tile};

const SIZES: [&[u32]; 6] =
    [&[], &[0], &[2, 0, 1], &[1; 40], &[33, 32, 31, 0, 1, 64, 65], &[300, 2, 1100]];

fn offsets(sizes: &[u32]) -> Vec<u32> {
    common::offsets(sizes.iter().copied())
}

/// The number of pairs before each set of a table is that of the sets before it.
fn check_sets(table: &SetTileTable, rows: &[u32], columns: Option<&[u32]>) {
    let (firsts, of_columns) = (offsets(rows), offsets(columns.unwrap_or(rows)));
    let mut start = 0;
    for [[low, high, row, height], [column, width, set, _]] in &table.sets {
        assert_eq!(u64::from(*high) << 32 | u64::from(*low), start);
        if *height == 0 {
            continue;
        }
        let set = *set as usize;
        assert_eq!((*row, *height), (firsts[set], rows[set]));
        assert_eq!((*column, *width), (of_columns[set], columns.unwrap_or(rows)[set]));
        let (rows, width) = (u64::from(*height), u64::from(*width));
        start += if columns.is_some() { rows * width } else { rows * (rows - 1) / 2 };
    }
}

#[test]
fn every_tile_is_visited_once() {
    for (sizes, side) in SIZES.iter().flat_map(|sizes| [32, 64, 128].map(|side| (sizes, side))) {
        let widths: Vec<_> = sizes.iter().rev().copied().collect();
        for columns in [None, Some(&widths[..])] {
            let ends = columns.map(offsets);
            let starts = offsets(sizes);
            let all = TiledSets::new(&starts, ends.as_deref());
            let table = SetTileTable::new(&all, side).unwrap();
            check_sets(&table, sizes, columns);
            let count = all.tile_count(side);
            assert_eq!(table.tiles.len() as u64, count);
            let mut seen = Vec::new();
            (0..count).for_each(|x| table.visit(x, &mut |set, tile| seen.push((set, tile))));
            table.visit(count, &mut |_, _| panic!("there is no such block"));
            seen.sort_unstable();
            let of_columns = columns.unwrap_or(sizes);
            let expected = (0..).zip(sizes.iter().zip(of_columns)).flat_map(
                |(set, (rows, width))| -> BTreeSet<_> {
                    let pairs = (0..*rows).flat_map(|i| {
                        let end = if columns.is_some() { *width } else { i };
                        (0..end).map(move |j| [i, j].map(|index| index / side))
                    });
                    pairs.map(|[row, col]| (set, Tile::new(row, col))).collect()
                },
            );
            // A tile of the last row and column alone, on the diagonal, has no pair.
            let mut expected: Vec<_> = expected.collect();
            if columns.is_none() {
                let lone = (0..).zip(*sizes).filter(|(_, size)| **size > 1 && **size % side == 1);
                expected.extend(lone.map(|(set, size)| {
                    let last = size / side;
                    (set, Tile::new(last, last))
                }));
            }
            expected.sort_unstable();
            assert_eq!(seen, expected, "{sizes:?} {side}");
        }
    }
}

/// A part of bands, as the rows of sets.
fn parts(table: &SetTileTable) -> Vec<Vec<(u32, std::ops::Range<u32>)>> {
    let rows_of = |[at, band, ..]: &[u32; 4]| {
        let [[_, _, _, rows], [_, _, set, _]] = table.sets[*at as usize];
        (set, band * BAND_ROWS..rows.min((band + 1) * BAND_ROWS))
    };
    let filled = |part: &[[u32; 4]]| {
        let end = part.iter().position(|[at, ..]| table.sets[*at as usize][0][3] == 0);
        part[..end.unwrap_or(part.len())].iter().map(rows_of).collect()
    };
    table.tiles.chunks_exact(BANDS_OF_PART as usize).map(filled).collect()
}

#[test]
fn bands_have_every_row() {
    for sizes in SIZES {
        let starts = offsets(sizes);
        let sets = TiledSets::new(&starts, None);
        let table = SetTileTable::bands(&sets).unwrap();
        check_sets(&table, sizes, None);
        assert_eq!(table.tiles.len() as u64, sets.band_count());
        assert!(table.tiles.len().is_multiple_of(BANDS_OF_PART as usize));
        let mut seen = vec![0; sizes.len()];
        for (set, rows) in parts(&table).into_iter().flatten() {
            assert_eq!(rows.start, seen[set as usize]);
            seen[set as usize] = rows.end;
        }
        let expected = sizes.iter().map(|size| if *size > 1 { *size } else { 0 });
        assert_eq!(seen, expected.collect::<Vec<_>>());
    }
}

/// The tiles and the parts of all shares are those of all sets, and a share's values begin with its first pair.
#[test]
fn shares_have_whole_tiles_and_parts() {
    for sizes in SIZES {
        let (starts, widths) = (offsets(sizes), sizes.iter().rev().copied().collect::<Vec<_>>());
        let of_columns = offsets(&widths);
        for columns in [None, Some(&of_columns[..])] {
            let all = TiledSets::new(&starts, columns);
            let [tiles, bands] = tables(&all);
            for count in [1, 2, 3, 7, 50] {
                let shares = all.shares(count);
                assert_eq!(shares.len(), count as usize);
                let ends: Vec<_> = shares.iter().map(TiledSets::pairs).collect();
                assert_eq!((ends[0].start, ends.last().unwrap().end), (0, all.pairs().end));
                assert!(ends.windows(2).all(|two| two[0].end == two[1].start));
                let own: Vec<_> = shares.iter().map(tables).collect();
                let seen = |table: &SetTileTable| {
                    let mut seen = Vec::new();
                    (0..table.tiles.len() as u64)
                        .for_each(|x| table.visit(x, &mut |set, tile| seen.push((set, tile))));
                    seen
                };
                let mut found: Vec<_> = own.iter().flat_map(|[tiles, _]| seen(tiles)).collect();
                let mut expected = seen(&tiles);
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
                let found: Vec<_> = own.iter().flat_map(|[_, bands]| parts(bands)).collect();
                assert_eq!(found, parts(&bands));
                for (share, [own, _]) in shares.iter().zip(&own) {
                    assert_eq!(share.pairs().is_empty(), own.tiles.is_empty());
                    for [entry, second] in &own.sets[..own.sets.len() - 1] {
                        let is_same = |[_, other]: &&[[u32; 4]; 2]| other[2] == second[2];
                        let [of_all, _] = tiles.sets.iter().find(is_same).unwrap();
                        let start =
                            |entry: &[u32; 4]| u64::from(entry[1]) << 32 | u64::from(entry[0]);
                        let expected = start(of_all).wrapping_sub(share.pairs().start);
                        assert_eq!((start(entry), &entry[2..]), (expected, &of_all[2..]));
                    }
                }
            }
        }
    }
}

/// The tables of the tiles and of the bands.
fn tables(sets: &TiledSets<'_>) -> [SetTileTable; 2] {
    let tiles = SetTileTable::new(sets, 64).unwrap();
    assert_eq!(tiles.tiles.len() as u64, sets.tile_count(64));
    let bands = SetTileTable::bands(sets).unwrap();
    assert_eq!(bands.tiles.len() as u64, sets.band_count());
    [tiles, bands]
}

#[test]
fn shares_have_similar_pair_counts() {
    let mut sizes = vec![50; 2000];
    sizes[700] = 4000;
    let starts = offsets(&sizes);
    let all = TiledSets::new(&starts, None);
    for count in [2, 3, 8] {
        let goal = all.pairs().end as f64 / f64::from(count);
        for share in all.shares(count) {
            let pairs = share.pairs().end - share.pairs().start;
            // Either end is within half of the rows of a share's end.
            assert!((pairs as f64 - goal).abs() <= 128.0 * 4000.0, "{pairs} of {goal}");
        }
    }
}
