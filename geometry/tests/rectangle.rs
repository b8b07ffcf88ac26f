//! The map of rectangles, compared with brute force.

mod common;

use std::collections::HashSet;

use common::covers_once;
use proptest::prelude::*;
use td_kernel_geometry::{
    Full, Grid, MAPS, MAX_GRID_X, MAX_GRID_Y, Map, RECTANGLE, Shape, Space, Strips, Walk, largest,
    map,
};

/// The maps that have rectangles.
const ALL: [&dyn Map; 3] = [&Full, &Strips, &Walk];

fn rectangle(rows: u32, columns: u32) -> Shape {
    Shape::blocks(rows).with_columns(columns)
}

/// Checks that the launches of each map give each tile of the shape once, and no other tile.
fn all_cover_once(shape: &Shape) {
    ALL.iter().for_each(|map| covers_once(*map, shape, 1));
}

#[test]
fn every_rectangle_is_covered_once() {
    for rows in 0..24 {
        for columns in 0..24 {
            for first in 0..=rows {
                all_cover_once(&rectangle(rows, columns).with_first(first));
            }
        }
    }
    for (rows, columns) in [(1, 5000), (5000, 1), (257, 3), (2, 1021), (97, 89)] {
        all_cover_once(&rectangle(rows, columns));
    }
}

/// Rectangles that are higher than a grid: with exactly as many rows, one more, and several times as many.
#[test]
fn high_rectangles_are_split() {
    let most = MAX_GRID_Y as u32;
    for (first, rows, columns, pieces) in [
        (0, most, 2, 1),
        (0, most + 1, 3, 2),
        (7, most + 7, 2, 1),
        (7, most + 8, 2, 2),
        (0, 2 * most, 1, 2),
        (1000, 4 * most + 17, 2, 4),
    ] {
        // A strip has eight rows.
        let strips = rectangle(8 * rows, columns).with_first(8 * first);
        let Grid { x, y, .. } = Strips.launches(&strips)[0].grid;
        assert_eq!(x, pieces * 8 * u64::from(columns), "{strips:?}");
        assert!(y <= MAX_GRID_Y, "{strips:?}");
        covers_once(&Strips, &strips, 1);
        let shape = rectangle(rows, columns).with_first(first);
        let Grid { x, y, .. } = Full.launches(&shape)[0].grid;
        assert_eq!(x, pieces * u64::from(columns), "{shape:?}");
        assert!(y <= MAX_GRID_Y, "{shape:?}");
        all_cover_once(&shape);
    }
}

#[test]
fn splits_waste_few_rows() {
    for rows in (1..3_000_000).step_by(997) {
        let shape = rectangle(rows, 3);
        let Grid { x, y, .. } = Full.launches(&shape)[0].grid;
        let spare = x * y - shape.units();
        assert!(spare.is_multiple_of(3) && spare / 3 < x / 3, "{rows} rows: {spare} spare blocks");
    }
}

#[test]
fn empty_rectangle_has_no_launches() {
    for (first, rows, columns) in [(0, 0, 5), (0, 5, 0), (0, 0, 0), (5, 5, 5), (6, 5, 5)] {
        let shape = rectangle(rows, columns).with_first(first);
        assert!(ALL.iter().all(|map| map.launches(&shape).is_empty()));
    }
    // It is no map of triangles, and none of theirs.
    assert!(Full.launches(&Shape::blocks(5)).is_empty());
    assert!(MAPS.iter().all(|map| map.name() != Full.name()));
    assert_eq!(map("full").map(Map::summary), Some(RECTANGLE.summary()));
}

/// How far one launch goes: 2^32 rows against few columns, and the other way round.
#[test]
fn one_launch_covers_long_sides() {
    // Features are folded in tiles of 32 elements a side and more.
    for (map, side) in ALL.into_iter().zip([8, 32]) {
        let most = u32::MAX / side;
        for (rows, columns) in
            [(most, 1), (most, 1 << 17), (1, most), (1 << 17, most), (1 << 23, 1 << 23)]
        {
            let shape = rectangle(rows, columns);
            let grid = map.launches(&shape)[0].grid;
            assert!(grid.blocks(Space::Block, side).is_some(), "{} {shape:?}", map.name());
            assert!(largest(map, &shape, Space::Block, side) >= rows);
        }
    }
    // 2^62 tiles are more than any grid has blocks.
    let shape = rectangle(1 << 31, 1 << 31);
    assert_eq!(Full.launches(&shape)[0].grid.blocks(Space::Block, 8), None);
    let reached = largest(&Full, &shape, Space::Block, 8);
    assert!(u64::from(reached) * (1 << 31) <= MAX_GRID_X * MAX_GRID_Y, "{reached}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any units of a large rectangle: tiles inside, and different ones for different units.
    #[test]
    fn large_rectangles_stay_inside(
        which in 0..2_usize, first: u32, height: u32, columns: u32, shift in 0..32_u32,
        places in prop::collection::vec((0.0_f64..1.0, 0.0_f64..1.0), 50),
    ) {
        let rows = first.saturating_add(height >> shift);
        let shape = rectangle(rows, columns >> (31 - shift)).with_first(first);
        let map = ALL[which];
        let launches = map.launches(&shape);
        prop_assert_eq!(launches.is_empty(), shape.units() == 0);
        let (mut units, mut tiles) = (HashSet::new(), HashSet::new());
        for launch in &launches {
            prop_assert!(launch.grid.units() >= shape.units() && launch.grid.y <= MAX_GRID_Y);
            let mut count = 0;
            for &(x, y) in &places {
                let at = [(launch.grid.x as f64 * x) as u64, (launch.grid.y as f64 * y) as u64];
                if units.insert(at) {
                    map.tiles(&shape, launch, at, &mut |tile| {
                        assert!((first..rows).contains(&tile.row) && Some(tile.col) < shape.columns, "{tile:?}");
                        tiles.insert(tile);
                        count += 1;
                    });
                }
            }
            prop_assert_eq!(tiles.len(), count);
        }
    }
}
