//! Each map's Rust twin against brute force.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use td_kernel_maps::{
    DEFAULT_EPSILON, Grid, MAPS, Map, Root, Shape, Space, Tile, WIDE, largest, map, triangle,
};

/// The roots that mean something to `map`.
fn roots(map: &dyn Map) -> Vec<Root> {
    let names = if map.takes_root() { Root::NAMES } else { &["exact"] };
    names.iter().map(|name| Root::new(name, DEFAULT_EPSILON).unwrap()).collect()
}

/// Every choice of root, grid and residency that means something to `map`.
fn shapes(map: &dyn Map, rows: u32) -> Vec<Shape> {
    let grids: &[bool] = if map.has_linear_grid() { &[false, true] } else { &[false] };
    let mut shapes = Vec::new();
    for root in roots(map) {
        for &linear in grids {
            shapes.extend([1, 7, 1024].map(|resident| Shape { rows, root, linear, resident }));
        }
    }
    shapes
}

/// Visits every unit of every launch, with the units that a device adds by rounding up to blocks.
fn visit(map: &dyn Map, shape: &Shape, round: u64, each: &mut dyn FnMut(Tile)) {
    for launch in map.launches(shape) {
        let Grid { x, y } = launch.grid;
        let rounded = |units: u64| if units == 1 { 1 } else { units.next_multiple_of(round) };
        for y in 0..rounded(y) {
            for x in 0..rounded(x) {
                map.tiles(shape, &launch, [x, y], each);
            }
        }
    }
}

fn covers_once(map: &dyn Map, shape: &Shape, round: u64) {
    let mut seen = vec![0_u8; triangle(shape.rows) as usize];
    visit(map, shape, round, &mut |tile| {
        let place = format!("{} {shape:?}: {tile:?}", map.name());
        assert!(tile.col <= tile.row && tile.row < shape.rows, "outside: {place}");
        let cell = &mut seen[triangle(tile.row) as usize + tile.col as usize];
        assert_eq!(*cell, 0, "twice: {place}");
        *cell = 1;
    });
    assert!(seen.iter().all(|count| *count == 1), "missed: {} {shape:?}", map.name());
}

#[test]
fn every_map_covers_the_triangle_once() {
    for map in MAPS {
        for rows in (0..=130).chain([255, 256, 257, 300]) {
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
