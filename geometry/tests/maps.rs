//! Each map's reference implementation, compared with brute force.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashSet;

use common::{covers_once, form, shapes};
use proptest::prelude::*;
use td_kernel_geometry::{
    DEFAULT_EPSILON, Grid, Ltm, MAPS, Map, NoTable, Root, Shape, Space, Table, Tile, WIDE, largest,
    map, triangle,
};

#[test]
fn maps_cover_the_triangle_once() {
    for map in MAPS {
        for rows in (0..=70).chain([127, 128, 129, 255, 256, 257, 300]) {
            for shape in shapes(*map, rows) {
                covers_once(*map, &shape, 1);
                // In thread space a map with two grids has the one-dimensional one.
                if map.has_thread_space() && shape.linear == map.has_linear_grid() {
                    covers_once(*map, &shape, 16);
                }
            }
        }
    }
}

#[test]
fn names_are_found_and_unique() {
    let names: HashSet<_> = MAPS.iter().map(|map| map.name()).collect();
    assert_eq!(names.len(), MAPS.len());
    assert!(MAPS.iter().all(|each| map(each.name()).is_some()));
    assert!(map("nosuch").is_none());
    for name in Root::NAMES {
        assert_eq!(Root::new(name, 0.5).unwrap().name(), *name);
    }
}

/// Every file with a map is in the registry.
#[test]
fn registry_is_complete() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = if path.is_file() { std::fs::read_to_string(&path).unwrap() } else { continue };
        if text.contains("impl Map for ") {
            files += 1;
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(map(name).is_some(), "{name} is not a map");
        }
    }
    // All but `full`, `rounds`, `round_rows`, `row_blocks`, `runs`, `persistent`, `persistent_rounds`, `near`, `near_rows`, `entries`
    // and `sets` are maps that a key names.
    assert_eq!(files, MAPS.len() + 11);
}

/// Rows change only at the units T(r). An estimate that never decreases is right everywhere if it is right on both
/// sides of each such boundary; all small λ are tested too.
#[test]
fn exact_root_is_exact() {
    assert_eq!(Root::Exact.first_failure(0, 3_000_000), None);
    assert_eq!(Root::Exact.first_failure(WIDE - 100_000, WIDE + 100_000), None);
    let named = [1920, 2053, 3142, 4096, 4607, 8192, 10_000, 65_535, 92_681, 1 << 20, 1 << 23];
    let around = named.into_iter().flat_map(|row: u32| row - 1..=row + 1);
    let large = [46_340, 8_390_654, 16_777_086, u32::MAX - 1];
    for row in (1..=70_000).chain(around).chain(large) {
        let first = triangle(row);
        assert_eq!(Root::Exact.row(first), row);
        assert_eq!(Root::Exact.row(first - 1), row - 1);
        assert_eq!(Root::Exact.row(first + 1), row);
    }
}

/// Where each float root first fails with the papers' ε, in the arithmetic of the reference implementations.
#[test]
fn float_roots_end_as_documented() {
    let cases =
        [("sqrt", 4607, 10_619_135), ("newton", 1949, 1_900_275), ("rsqrt", 2054, 2_110_485)];
    for (name, row, lambda) in cases {
        let root = Root::new(name, DEFAULT_EPSILON).unwrap();
        let failure = root.first_failure(0, WIDE).unwrap();
        assert_eq!((Root::Exact.row(failure), failure), (row, lambda), "{name}");
    }
}

#[test]
fn bad_epsilon_fails_early() {
    assert_eq!(Root::Sqrt { epsilon: 0.5 }.first_failure(0, 100), Some(2));
    assert!(Root::Newton { epsilon: -1e-4 }.first_failure(0, 100).is_some());
}

#[test]
fn ltm_wastes_less_than_one_grid_row() {
    for rows in 1..5000 {
        let grid = Ltm.launches(&Shape::blocks(rows))[0].grid;
        let spare = grid.units() - triangle(rows);
        assert!(spare < grid.x, "{rows} rows: {spare} spare blocks");
    }
}

#[test]
fn table_lists_tiles_in_order() {
    let table = Table.table(300).unwrap();
    let places: Vec<u32> =
        (0..300).flat_map(|row| (0..=row).map(move |col| row << 16 | col)).collect();
    assert_eq!(table, places);
    assert!(MAPS.iter().all(|map| {
        let declares = map.parameters().iter().any(|parameter| parameter.ends_with("table"));
        declares == map.has_table() && declares == map.table(3).is_ok()
    }));
    // 32-bit entries cannot hold row 65,536.
    assert_eq!(Table.table(65_537), Err(NoTable::TooManyRows { most: 65_536 }));
    assert_eq!(Ltm.table(3), Err(NoTable::NotThisMap));
}

/// One more than the last λ that has a row of 32 bits.
const END: u64 = triangle(u32::MAX) + (1 << 32);

#[test]
fn extreme_arguments_are_handled() {
    for root in Root::NAMES.iter().map(|name| Root::new(name, DEFAULT_EPSILON).unwrap()) {
        assert_eq!(root.first_failure(u64::MAX - 1, u64::MAX), Some(u64::MAX - 1), "{root}");
        assert_eq!(root.first_failure(u64::MAX, u64::MAX), None);
        assert_eq!(root.first_failure(7, 3), None);
        assert_eq!(root.first_failure(u64::MAX, 0), None);
    }
    assert_eq!(Root::Exact.first_failure(END - 3, u64::MAX), Some(END));
    assert_eq!(Root::Exact.first_failure(END - 1000, END), None);
    for map in MAPS {
        for space in [Space::Block, Space::Thread] {
            let shape = Shape::blocks(0).with_resident(0);
            let past = Shape::blocks(7).with_first(8);
            assert!(map.launches(&past).is_empty() || !map.has_row_ranges());
            assert!(largest(*map, &shape, space, u32::MAX) > 0, "{}", map.name());
            assert_eq!(largest(*map, &shape, space, 0), 0, "no block of no threads holds anything");
        }
    }
}

/// The guess of the text, in double precision: at the first and the last block of any strip it is that strip, or the
/// next one, which the text corrects.
#[test]
fn root_is_off_by_at_most_one_strip() {
    let before = |strip: u64| 4 * strip * (8 * strip + 1);
    let guess = |lambda: u64| (lambda as f64 / 32.0).sqrt() as u64;
    let most = u64::from(u32::MAX / 8);
    let dense = 0..100_000;
    for strip in dense.chain((0..=most).step_by(9973)).chain([most - 1, most]) {
        assert_eq!(guess(before(strip)), strip);
        let last = guess(before(strip + 1) - 1);
        assert!(last == strip || last == strip + 1, "strip {strip}: {last}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the numbers: launches, a largest size and a row exist, and nothing panics.
    #[test]
    fn no_argument_panics(
        map in 0..MAPS.len(), root in 0..Root::NAMES.len(), epsilon: f32, linear: bool,
        first: u32, rows: u32, resident: u32, side: u32, small in 0..40_u32, lambda: u64, count in 0..100_u64,
    ) {
        let root = Root::new(Root::NAMES[root], epsilon).unwrap();
        let (first, rows) = (first >> (small % 32), rows >> (small % 32));
        let shape = Shape::blocks(rows).with_first(first).with_root(root).with_linear(linear).with_resident(resident >> (small % 32));
        let mut launches = MAPS[map].launches(&shape);
        prop_assert!(launches.pop().is_none_or(|launch| launch.grid.units() > 0));
        for space in [Space::Block, Space::Thread] {
            for side in [side, small] {
                let _ = largest(MAPS[map], &shape, space, side);
            }
        }
        let _ = root.row(lambda);
        let found = root.first_failure(lambda, lambda.saturating_add(count));
        prop_assert!(found.is_none_or(|found| found - lambda < count));
    }

    /// The exact root gives the row of every unit that has one.
    #[test]
    fn exact_root_is_exact_for_any_row(row: u32, shift in 0..32_u32, part: u32) {
        let row = row >> shift;
        let (first, last) = (triangle(row), triangle(row) + u64::from(row));
        for lambda in [first, last, first + u64::from(part) % (u64::from(row) + 1)] {
            prop_assert_eq!(Root::Exact.row(lambda), row);
        }
        prop_assert_eq!(Root::Exact.first_failure(last, (last + 2).min(END)), None);
    }

    /// Any map, shape and rounding: each tile once, none outside.
    #[test]
    fn any_shape_is_covered_once(
        which in 0..MAPS.len(),
        rows in 1_u32..700,
        choice in any::<prop::sample::Index>(),
        round in prop::sample::select(vec![8_u64, 16, 32]),
    ) {
        let map = MAPS[which];
        let shapes = shapes(map, rows);
        let shape = choice.get(&shapes);
        covers_once(map, shape, 1);
        if map.has_thread_space() && shape.linear == map.has_linear_grid() {
            covers_once(map, shape, round);
        }
    }

    /// At sizes that brute force cannot reach: the grids fit, and cover at least the triangle.
    #[test]
    fn large_grids_fit_and_suffice(which in 0..MAPS.len(), rows in 1_u32..49_000, side in prop::sample::select(vec![8_u32, 16, 32])) {
        let map = MAPS[which];
        for shape in shapes(map, rows) {
            let launches = map.launches(&shape);
            let units: u64 = launches.iter().map(|launch| launch.grid.units()).sum();
            let walks = map.prologue(&form(&shape)).walk.is_some();
            prop_assert!(walks || units >= triangle(rows));
            // The numbers of surplus blocks that the documentation states.
            let spare = match map.name() {
                "bb" => Some(triangle(rows) - u64::from(rows)),
                "ltm" if !shape.linear => None,
                "rec" => None,
                _ => Some(0),
            };
            prop_assert!(walks || spare.is_none_or(|spare| units - triangle(rows) == spare));
            for launch in launches {
                prop_assert!(launch.grid.blocks(Space::Block, side).is_some());
                prop_assert!(!map.has_thread_space() || launch.grid.blocks(Space::Thread, side).is_some());
                prop_assert_eq!(
                    launch.numbers.len() + usize::from(map.has_table()),
                    map.parameters().len()
                );
            }
        }
    }

    /// Any unit of a large triangle gives tiles inside it, and two units give different ones.
    #[test]
    fn large_triangles_stay_inside(
        which in 0..MAPS.len(),
        rows in 1_u32..49_000,
        places in prop::collection::vec((any::<prop::sample::Index>(), 0.0_f64..1.0, 0.0_f64..1.0), 50),
    ) {
        let map = MAPS[which];
        // The walk's units are its runs; many of them make short runs.
        let shape = Shape::blocks(rows).with_resident(1 << 20);
        let launches = map.launches(&shape);
        let mut units = HashSet::new();
        let mut tiles = HashSet::new();
        let mut count = 0;
        for (which, x, y) in places {
            let which = which.index(launches.len());
            let Grid { x: width, y: height, .. } = launches[which].grid;
            let unit = [(width as f64 * x) as u64, (height as f64 * y) as u64];
            if units.insert((which, unit)) {
                map.tiles(&shape, &launches[which], unit, &mut |tile| {
                    assert!(tile.col <= tile.row && tile.row < rows, "{} {rows}: {tile:?}", map.name());
                    tiles.insert(tile);
                    count += 1;
                });
            }
        }
        prop_assert_eq!(tiles.len(), count);
    }

    /// Single tiles of large triangles, in the other direction: the unit computed by the map's inverse gives the tile.
    #[test]
    fn ltm_finds_any_tile(row in 0_u32..16_000_000, part in 0.0_f64..1.0) {
        let col = (f64::from(row) * part) as u32;
        let shape = Shape::blocks(16_777_087).with_linear(true);
        let mut found = None;
        let launch = &Ltm.launches(&shape)[0];
        Ltm.tiles(&shape, launch, [triangle(row) + u64::from(col), 0], &mut |tile| found = Some(tile));
        prop_assert_eq!(found, Some(Tile::new(row, col)));
    }
}
