//! The map of persistent blocks, compared with brute force.

mod common;

use common::covers_once;
use td_kernel_geometry::{Domain, Form, MAPS, Map, PRODUCTS, Persistent, Shape, Space, map};

/// With fewer blocks than tiles, as many and more.
#[test]
fn every_tile_is_visited_once() {
    let triangles = (0..40).map(Shape::blocks);
    let ranges =
        [(0, 1), (3, 3), (3, 20), (5, 17), (7, 33), (8, 16), (16, 17), (40, 64), (40, 100)];
    let of_rows = ranges.map(|(first, rows)| Shape::blocks(rows).with_first(first));
    let rectangles = (0..20).flat_map(|rows| {
        [0, 1, 5, 33].map(|columns| Shape::blocks(rows).with_columns(columns).with_first(rows / 2))
    });
    let rectangles = rectangles.chain(of_rows.map(|shape| shape.with_columns(13)));
    for shape in triangles.chain(of_rows).chain(rectangles) {
        for resident in [0, 1, 5, 7, 36, 264, 10_000] {
            let shape = shape.with_resident(resident);
            covers_once(&Persistent, &shape, 1);
            let blocks = Persistent.launches(&shape).first().map_or(0, |launch| launch.grid.x);
            assert_eq!(blocks, shape.units().min(resident.max(1).into()), "{shape:?}");
        }
    }
}

#[test]
fn map_has_no_key() {
    assert!(MAPS.iter().all(|map| map.name() != Persistent.name()));
    assert_eq!(map("persistent").map(Map::summary), Some(PRODUCTS.summary()));
    assert!(Persistent.has_row_ranges() && !Persistent.takes_root());
    assert!(!Persistent.has_thread_space() && !Persistent.has_linear_grid());
}

#[test]
fn source_reads_domain() {
    for domain in [Domain::Triangle, Domain::Rows, Domain::Rectangle, Domain::RectangleRows] {
        let open = Persistent.prologue(&Form::new(domain, Space::Block)).open;
        assert_eq!(open.contains("sqrt("), !domain.is_rectangle(), "{open}");
        assert_eq!(open.contains("columns"), domain.is_rectangle(), "{open}");
        assert_eq!(open.contains("row_begin / TILE"), domain.first().is_some(), "{open}");
    }
}
