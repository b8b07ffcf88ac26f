//! The map of runs of columns, compared with brute force.

mod common;

use common::covers_once;
use td_kernel_geometry::{Domain, Form, MAPS, MAX_GRID_Y, Map, RUNS, Runs, Shape, Space, map};

/// Triangles, ranges of their rows, rectangles and ranges of theirs, on devices that run few blocks and many.
fn shapes() -> impl Iterator<Item = Shape> {
    let whole = (0..40).chain([63, 64, 65, 100]).map(Shape::blocks);
    let ranges = [(0, 1), (3, 3), (5, 17), (16, 33), (40, 64)];
    let of_rows = ranges.map(|(first, rows)| Shape::blocks(rows).with_first(first));
    let triangles = whole.chain(of_rows);
    let rectangles = (0..20).flat_map(|rows| [0, 1, 5, 16, 33].map(|columns| (rows, columns)));
    let rectangles = rectangles.flat_map(|(rows, columns)| {
        let shape = Shape::blocks(rows).with_columns(columns);
        [shape, shape.with_first(rows / 2)]
    });
    let all = triangles.chain(rectangles);
    all.flat_map(|shape| [1, 7, 264].map(|resident| shape.with_resident(resident)))
}

#[test]
fn every_tile_is_visited_once() {
    for shape in shapes() {
        covers_once(&Runs, &shape, 1);
        for launch in Runs.launches(&shape) {
            for [x, y] in (0..launch.grid.y).flat_map(|y| (0..launch.grid.x).map(move |x| [x, y])) {
                let mut met = 0;
                Runs.tiles(&shape, &launch, [x, y], &mut |_| met += 1);
                assert!(met <= launch.numbers[0] && met <= 16, "{shape:?}");
            }
        }
    }
}

#[test]
fn few_tiles_have_short_runs() {
    let run = |rows: u32| Runs.launches(&Shape::blocks(rows).with_resident(264))[0].numbers[0];
    assert_eq!([1, 40, 80, 100, 250, 260, 800].map(run), [1, 1, 1, 2, 14, 16, 16]);
}

#[test]
fn grid_height_is_bounded() {
    for columns in [1, 1 << 20, 1 << 25] {
        let launch = &Runs.launches(&Shape::blocks(3).with_columns(columns))[0];
        assert!(launch.grid.y <= MAX_GRID_Y, "{columns}: {:?}", launch.grid);
        assert!(launch.grid.y * u64::from(launch.numbers[0]) >= columns.into());
    }
    let launch = &Runs.launches(&Shape::blocks(1 << 25))[0];
    assert!(launch.grid.blocks(Space::Block, 128).is_some(), "{:?}", launch.grid);
}

#[test]
fn map_has_no_key() {
    assert!(MAPS.iter().all(|map| map.name() != Runs.name()));
    assert_eq!(map("runs").map(Map::summary), Some(RUNS.summary()));
    assert!(Runs.has_row_ranges() && !Runs.takes_root() && !Runs.has_thread_space());
}

#[test]
fn source_reads_domain_and_parameter() {
    let text = |domain| Runs.prologue(&Form::new(domain, Space::Block)).open;
    for domain in [Domain::Triangle, Domain::Rows, Domain::Rectangle, Domain::RectangleRows] {
        let open = text(domain);
        assert!(open.contains("min(run, "), "{open}");
        assert_eq!(open.contains("above the diagonal"), !domain.is_rectangle());
        assert_eq!(open.contains("row_begin / TILE + "), domain.first().is_some());
    }
    assert!(text(Domain::Rectangle).contains("(columns + TILE - 1) / TILE - begin"));
}
