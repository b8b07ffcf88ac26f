//! What the tests of maps share.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

use td_kernel_geometry::{
    DEFAULT_EPSILON, Domain, Form, Grid, Launch, Map, Root, Shape, Space, Tile, triangle,
};

/// The roots that `map` can have.
fn roots(map: &dyn Map) -> Vec<Root> {
    let names = if map.takes_root() { Root::NAMES } else { &["exact"] };
    names.iter().map(|name| Root::new(name, DEFAULT_EPSILON).unwrap()).collect()
}

/// Every combination of root, grid and resident blocks that `map` can have.
pub fn shapes(map: &dyn Map, rows: u32) -> Vec<Shape> {
    let grids: &[bool] = if map.has_linear_grid() { &[false, true] } else { &[false] };
    let mut shapes = Vec::new();
    for root in roots(map) {
        for &linear in grids {
            let shape = Shape::blocks(rows).with_root(root).with_linear(linear);
            shapes.extend([1, 7, 1024].map(|resident| shape.with_resident(resident)));
        }
    }
    shapes
}

/// Visits every unit of a launch, and the units that a device adds by rounding up to blocks.
pub fn visit(
    map: &dyn Map,
    shape: &Shape,
    launch: &Launch,
    round: u64,
    each: &mut dyn FnMut(Tile),
) {
    let Grid { x, y, .. } = launch.grid;
    let rounded = |units: u64| if units == 1 { 1 } else { units.next_multiple_of(round) };
    for y in 0..rounded(y) {
        for x in 0..rounded(x) {
            map.tiles(shape, launch, [x, y], each);
        }
    }
}

/// Checks that the map's launches give each tile of the shape once, and no other tile.
pub fn covers_once(map: &dyn Map, shape: &Shape, round: u64) {
    launches_cover_once(map, shape, &map.launches(shape), round);
}

/// The same of these launches.
pub fn launches_cover_once(map: &dyn Map, shape: &Shape, launches: &[Launch], round: u64) {
    let mut seen = vec![0_u8; shape.units() as usize];
    let mut count = |tile: Tile| {
        let place = || format!("{} {shape:?}: {tile:?}", map.name());
        let is_inside = shape.columns.map_or(tile.col <= tile.row, |columns| tile.col < columns);
        let rows = shape.first..shape.rows;
        assert!(is_inside && rows.contains(&tile.row), "outside: {}", place());
        let first = match shape.columns {
            Some(columns) => u64::from(tile.row - shape.first) * u64::from(columns),
            None => triangle(tile.row) - triangle(shape.first),
        };
        let cell = &mut seen[first as usize + tile.col as usize];
        assert_eq!(*cell, 0, "twice: {}", place());
        *cell = 1;
    };
    for launch in launches {
        visit(map, shape, launch, round, &mut count);
    }
    assert!(seen.iter().all(|count| *count == 1), "missed: {} {shape:?}", map.name());
}

/// Where sets of these sizes start, and the end of the last one.
pub fn offsets(sizes: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let ends = sizes.into_iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// The form of the whole triangle's prologue.
pub fn form(shape: &Shape) -> Form {
    let form = Form::new(Domain::Triangle, Space::Block);
    form.with_root(shape.root).with_linear(shape.linear).with_diagonal(true)
}
