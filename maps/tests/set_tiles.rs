//! The tiles of many sets, against brute force.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use td_kernel_maps::sets::tiles::{BAND_ROWS, BANDS_OF_PART, tile_count};
use td_kernel_maps::{SetTileTable, Tile};

const SIZES: [&[u32]; 6] =
    [&[], &[0], &[2, 0, 1], &[1; 40], &[33, 32, 31, 0, 1, 64, 65], &[300, 2, 1100]];

fn offsets(sizes: &[u32]) -> Vec<u32> {
    let mut offsets = vec![0];
    offsets.extend(sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    }));
    offsets
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
            let table = SetTileTable::new(&offsets(sizes), ends.as_deref(), side).unwrap();
            check_sets(&table, sizes, columns);
            let count = tile_count(&offsets(sizes), ends.as_deref(), side);
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

#[test]
fn bands_have_every_row() {
    for sizes in SIZES {
        let table = SetTileTable::of_bands(&offsets(sizes), None).unwrap();
        check_sets(&table, sizes, None);
        assert!(table.tiles.len().is_multiple_of(BANDS_OF_PART as usize));
        let mut seen = vec![0; sizes.len()];
        for [at, band, ..] in &table.tiles {
            let [[_, _, _, rows], [_, _, set, _]] = table.sets[*at as usize];
            if rows > 0 {
                seen[set as usize] += (rows - band * BAND_ROWS).min(BAND_ROWS);
            }
        }
        let expected = sizes.iter().map(|size| if *size > 1 { *size } else { 0 });
        assert_eq!(seen, expected.collect::<Vec<_>>());
    }
}
