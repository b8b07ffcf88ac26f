//! Ranges of the triangle's rows, compared with brute force.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashSet;

use common::{covers_once, form, shapes};
use proptest::prelude::*;
use td_kernel_geometry::{
    Bb, Domain, Grid, Ltm, MAPS, MAX_GRID_X, Map, Rb, Root, Shape, Space, Table, Tile, WIDE, Walk,
    largest, triangle,
};

/// The maps that have ranges of rows.
fn maps() -> Vec<&'static dyn Map> {
    MAPS.iter().copied().filter(|map| map.has_row_ranges()).collect()
}

#[test]
fn maps_with_ranges() {
    let names: Vec<_> = maps().iter().map(|map| map.name()).collect();
    assert_eq!(names, ["bb", "ltm", "rb", "walk", "table", "strips"]);
}

#[test]
fn every_range_is_covered_once() {
    for map in maps() {
        for rows in 0..=70 {
            for shape in shapes(map, rows) {
                for first in 0..=rows {
                    covers_once(map, &shape.with_first(first), 1);
                }
            }
        }
    }
}

/// A map without ranges ignores the first row, whatever it is.
#[test]
fn other_maps_ignore_ranges() {
    for map in MAPS.iter().filter(|map| !map.has_row_ranges()) {
        let whole = Shape::blocks(70);
        assert_eq!(map.launches(&whole.with_first(33)), map.launches(&whole));
        let triangle = form(&whole);
        let rows = triangle.with_domain(Domain::Rows);
        if map.name() != "rec" {
            let renamed = map.prologue(&triangle).open.replace("(n + TILE", "(row_end + TILE");
            assert_eq!(map.prologue(&rows).open, renamed, "{}", map.name());
        }
    }
}

#[test]
fn empty_range_has_no_launches() {
    for map in maps() {
        for (first, rows) in [(0, 0), (5, 5), (6, 5), (u32::MAX, 5), (u32::MAX, u32::MAX), (9, 0)] {
            for shape in shapes(map, rows) {
                let shape = shape.with_first(first);
                assert_eq!(shape.units(), 0);
                assert!(map.launches(&shape).is_empty(), "{} {shape:?}", map.name());
            }
        }
    }
}

/// Rows of tiles that a whole triangle can launch can be launched in ranges too.
#[test]
fn ranges_reach_as_far_as_triangles() {
    for map in maps() {
        for linear in [false, true] {
            let whole = Shape::blocks(1).with_linear(linear);
            let most = largest(map, &whole, Space::Block, 16);
            for first in [1, 1000, most / 2, most - 1] {
                let shape = whole.with_first(first);
                let reached = largest(map, &shape, Space::Block, 16);
                assert!(reached >= most, "{} from row {first}: {reached}, not {most}", map.name());
            }
        }
    }
    // The table's entries end before its grid does.
    let last = Shape::blocks(65_536).with_first(65_535);
    assert_eq!(Table.launches(&last)[0].grid, Grid::new(65_536, 1));
    assert!(Table.launches(&last.with_rows(65_537))[0].grid.x > MAX_GRID_X);
}

#[test]
fn rb_wastes_less_than_a_row() {
    for rows in 0..300 {
        for first in 0..rows {
            let shape = Shape::blocks(rows).with_first(first);
            let spare = Rb.launches(&shape)[0].grid.units() - shape.units();
            let expected = if (rows - first) % 2 == 0 { u64::from(first) } else { 0 };
            assert_eq!(spare, expected, "rows {first}..{rows}");
        }
    }
}

/// A range's first and last units, and those at the ends of rows, in launches whose λ have more than 32 bits.
#[test]
fn wide_ranges_have_corner_tiles() {
    for (first, rows) in [
        (92_681, 92_683),
        (65_534, 65_537),
        (1 << 20, (1 << 20) + 3),
        (16_777_213, 16_777_215),
        (4_000_000, 8_000_000),
    ] {
        let shape = Shape::blocks(rows).with_first(first);
        assert!(triangle(rows) > WIDE);
        let mut corners: Vec<_> = [first, first + 1, rows - 2, rows - 1]
            .into_iter()
            .flat_map(|row| [0, 1, row / 2, row - 1, row].map(|col| Tile::new(row, col)))
            .collect();
        corners.dedup();
        for linear in [false, true] {
            let shape = shape.with_linear(linear);
            let Grid { x, .. } = Ltm.launches(&shape)[0].grid;
            for &tile in &corners {
                let place = triangle(tile.row) + u64::from(tile.col) - triangle(first);
                assert_eq!(unit(&Ltm, &shape, [place % x, place / x]), [tile]);
            }
            // Units that only round the grid up have no tile.
            for place in shape.units()..Ltm.launches(&shape)[0].grid.units() {
                assert_eq!(unit(&Ltm, &shape, [place % x, place / x]), []);
            }
        }
        for &tile in &corners {
            let at = [u64::from(tile.col), u64::from(tile.row - first)];
            assert_eq!(unit(&Bb, &shape, at), [tile]);
        }
        // The walk's runs of a short range, joined, cover all of it.
        if shape.units() < 40_000_000 {
            let mut next = Tile::new(first, 0);
            let launch = &Walk.launches(&shape)[0];
            for x in 0..launch.grid.x {
                Walk.tiles(&shape, launch, [x, 0], &mut |tile| {
                    assert_eq!(tile, next);
                    let is_last = tile.col == tile.row;
                    let col = if is_last { 0 } else { tile.col + 1 };
                    next = Tile::new(tile.row + u32::from(is_last), col);
                });
            }
            assert_eq!(next, Tile::new(rows, 0));
        }
    }
}

/// The tiles of one unit of the map's only launch.
fn unit(map: &dyn Map, shape: &Shape, at: [u64; 2]) -> Vec<Tile> {
    let mut tiles = Vec::new();
    map.tiles(shape, &map.launches(shape)[0], at, &mut |tile| tiles.push(tile));
    tiles
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any range and shape: each tile once, none outside.
    #[test]
    fn any_range_is_covered_once(
        which in any::<prop::sample::Index>(),
        first in 0_u32..1800,
        height in 0_u32..120,
        choice in any::<prop::sample::Index>(),
    ) {
        let map = *which.get(&maps());
        // Float roots are exact for this many rows.
        let shapes = shapes(map, first + height);
        let shape = choice.get(&shapes).with_first(first);
        covers_once(map, &shape, 1);
    }

    /// Any unit of a range of a large triangle gives tiles inside the range, and two units give different ones.
    #[test]
    fn units_of_large_ranges_stay_inside(
        which in any::<prop::sample::Index>(),
        first in 0_u32..65_535,
        part in 0.0_f64..1.0,
        linear: bool,
        places in prop::collection::vec((0.0_f64..1.0, 0.0_f64..1.0), 50),
    ) {
        let map = *which.get(&maps());
        let rows = first + 1 + (f64::from(65_534 - first) * part) as u32;
        // The walk's units are its runs; many of them make short runs.
        let shape = Shape::blocks(rows).with_first(first).with_resident(1 << 20).with_linear(linear);
        let launches = map.launches(&shape);
        let Grid { x: width, y: height, .. } = launches[0].grid;
        prop_assert!(launches[0].grid.blocks(Space::Block, 16).is_some());
        let (mut units, mut tiles, mut count) = (HashSet::new(), HashSet::new(), 0);
        for (x, y) in places {
            let at = [(width as f64 * x) as u64, (height as f64 * y) as u64];
            if units.insert(at) {
                for tile in unit(map, &shape, at) {
                    let is_inside = tile.col <= tile.row && (first..rows).contains(&tile.row);
                    prop_assert!(is_inside, "{} {first}..{rows}: {tile:?}", map.name());
                    tiles.insert(tile);
                    count += 1;
                }
            }
        }
        prop_assert_eq!(tiles.len(), count);
    }

    /// Whatever the numbers: launches of enough units, and nothing panics.
    #[test]
    fn no_range_panics(
        which in any::<prop::sample::Index>(), root in 0..Root::NAMES.len(), epsilon: f32,
        first: u32, rows: u32, shift in 0..32_u32, linear: bool, resident: u32,
        x: u64, y: u64,
    ) {
        let map = *which.get(&maps());
        let root = Root::new(Root::NAMES[root], epsilon).unwrap();
        let (first, rows) = (first >> shift, rows >> shift);
        let shape = Shape::blocks(rows).with_first(first).with_root(root).with_linear(linear).with_resident(resident);
        let launches = map.launches(&shape);
        prop_assert_eq!(launches.is_empty(), first >= rows);
        for launch in &launches {
            let Grid { x: width, y: height, .. } = launch.grid;
            prop_assert!(map.name() == "walk" || launch.grid.units() >= shape.units());
            // The reference implementation steps through a walk's run, so only short runs are tested.
            if map.name() != "walk" || shape.units() / width < 1000 {
                map.tiles(&shape, launch, [x % width, y % height], &mut |_| ());
            }
        }
        let _ = largest(map, &shape, Space::Block, 16);
    }
}
