//! Each map's Rust twin against brute force.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use td_kernel_maps::{DEFAULT_EPSILON, MAPS, MAX_GRID_Y, Map, Root, Tile, map, triangle};

/// The roots that mean something to `map`.
fn roots(map: &dyn Map) -> Vec<Root> {
    let names = if map.takes_root() { Root::NAMES } else { &["exact"] };
    names.iter().map(|name| Root::new(name, DEFAULT_EPSILON).unwrap()).collect()
}

#[test]
fn every_map_covers_the_triangle_once() {
    for map in MAPS {
        for root in roots(*map) {
            for rows in 0..=130 {
                let mut seen = HashSet::new();
                for grid in map.grids(rows) {
                    for y in 0..grid.y {
                        for x in 0..grid.x {
                            let Some(tile) = map.tile([x, y], grid, rows, root) else {
                                continue;
                            };
                            let place = format!("{} {root}, {rows} rows: {tile:?}", map.name());
                            assert!(tile.col <= tile.row && tile.row < rows, "outside: {place}");
                            assert!(seen.insert(tile), "twice: {place}");
                        }
                    }
                }
                assert_eq!(seen.len() as u64, triangle(rows), "{} {root}, {rows}", map.name());
            }
        }
    }
}

#[test]
fn grids_fit_a_gpu_and_cover_their_blocks_at_the_largest_size() {
    for map in MAPS {
        let grids = map.grids(map.largest());
        let launched: u64 = grids.iter().map(|grid| u64::from(grid.x) * u64::from(grid.y)).sum();
        assert!(launched >= triangle(map.largest()), "{}", map.name());
        for grid in grids {
            assert!(grid.y <= MAX_GRID_Y && grid.x <= i32::MAX as u32, "{} {grid:?}", map.name());
        }
    }
}

#[test]
fn ltm_wastes_less_than_one_grid_row() {
    let ltm = map("ltm").unwrap();
    for rows in 1..5000 {
        let grid = ltm.grids(rows)[0];
        let spare = u64::from(grid.x) * u64::from(grid.y) - triangle(rows);
        assert!(spare < u64::from(grid.x), "{rows} rows: {spare} spare blocks");
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

/// The largest map has λ up to 46,341² - 1; rows change only at the blocks T(r), so both sides of
/// each such boundary, and all of the small λ, decide for an estimate that never falls.
#[test]
fn the_exact_root_is_exact_at_every_boundary() {
    assert_eq!(Root::Exact.first_failure(0, 3_000_000), None);
    for row in 1..=65_535 {
        let first = triangle(row) as u32;
        assert_eq!(Root::Exact.row(first), row);
        assert_eq!(Root::Exact.row(first - 1), row - 1);
    }
}

/// Where each float root ends with the papers' ε, in the arithmetic of the twins.
#[test]
fn float_roots_fail_first_where_the_documents_say() {
    let cases =
        [("sqrt", 4607, 10_619_135), ("newton", 1949, 1_900_275), ("rsqrt", 2054, 2_110_485)];
    for (name, row, lambda) in cases {
        let root = Root::new(name, DEFAULT_EPSILON).unwrap();
        let failure = root.first_failure(0, u32::MAX >> 1).unwrap();
        assert_eq!((Root::Exact.row(failure), failure), (row, lambda), "{name}");
    }
}

#[test]
fn a_bad_epsilon_is_seen_at_once() {
    assert_eq!(Root::Sqrt { epsilon: 0.5 }.first_failure(0, 100), Some(2));
    assert!(Root::Newton { epsilon: -1e-4 }.first_failure(0, 100).is_some());
}

#[test]
fn tiles_order_by_row_then_column() {
    assert!(Tile { row: 1, col: 1 } < Tile { row: 2, col: 0 });
}
