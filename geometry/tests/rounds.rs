//! The map of nearest neighbours, compared with brute force.

mod common;

use common::{covers_once, launches_cover_once, visit};
use proptest::prelude::*;
use td_kernel_geometry::{
    Domain, FILTERED, Form, Launch, MAPS, MAX_GRID_Y, Map, NEAREST, PersistentRounds, RoundRows,
    Rounds, Shape, Space, Tile, map,
};

fn shapes() -> impl Iterator<Item = Shape> {
    let triangles = (0..40).chain([63, 64, 65, 100, 101]).map(Shape::blocks);
    let sizes = || (0..12).chain([31, 32]);
    let rectangles = sizes().flat_map(move |rows| {
        sizes().map(move |columns| Shape::blocks(rows).with_columns(columns))
    });
    triangles.chain(rectangles)
}

#[test]
fn every_pair_of_tiles_is_visited_once() {
    for shape in shapes() {
        covers_once(&Rounds, &shape, 1);
    }
}

#[test]
fn split_rounds_cover_tiles_once() {
    for shape in shapes() {
        for width in [1, 2, 3, 7] {
            for part in [1, 2, 5, u32::MAX] {
                let end = Rounds.offsets(&shape);
                let mut launches = Vec::new();
                for begin in (0..end).step_by(width as usize) {
                    for tile in (0..shape.rows).step_by(part as usize) {
                        let tiles = tile..tile.saturating_add(part).min(shape.rows);
                        launches.push(Rounds.round(&shape, begin..(begin + width).min(end), tiles));
                    }
                }
                launches_cover_once(&Rounds, &shape, &launches, 1);
            }
        }
    }
}

/// The tiles of a launch, in order.
fn sorted(map: &dyn Map, shape: &Shape, launch: &Launch) -> Vec<(u32, u32)> {
    let mut tiles = Vec::new();
    visit(map, shape, launch, 1, &mut |tile| tiles.push((tile.row, tile.col)));
    tiles.sort_unstable();
    tiles
}

/// By rows there are the same tiles in each round.
fn rows_meet_the_same_tiles(shape: &Shape, begins: impl Iterator<Item = u32>, widths: &[u32]) {
    let (end, map) = (Rounds.offsets(shape), RoundRows::of(shape).on(10));
    let tiles = match shape.columns {
        Some(_) => shape.rows / 3..shape.rows,
        None => 0..shape.rows,
    };
    for begin in begins {
        for width in widths.iter().filter(|width| begin + *width <= end) {
            let offsets = begin..begin + width;
            let expected = Rounds.round(shape, offsets.clone(), tiles.clone());
            let found = sorted(&map, shape, &map.round(shape, offsets.clone(), tiles.clone()));
            assert_eq!(found, sorted(&Rounds, shape, &expected), "{shape:?} {offsets:?}");
        }
    }
}

#[test]
fn few_rows_meet_the_same_tiles() {
    for shape in shapes() {
        rows_meet_the_same_tiles(&shape, 0..Rounds.offsets(&shape), &[1, 2, 4, 5, 9, 23]);
        let launches = |map: &dyn Map| {
            let launches = map.launches(&shape).into_iter();
            launches.map(|launch| sorted(map, &shape, &launch)).collect::<Vec<_>>()
        };
        assert_eq!(launches(&RoundRows::of(&shape)), launches(&Rounds));
    }
}

/// Persistent blocks meet the same tiles in each round.
#[test]
fn persistent_blocks_meet_the_same_tiles() {
    for shape in shapes() {
        let tiles = match shape.columns {
            Some(_) => shape.rows / 3..shape.rows,
            None => 0..shape.rows,
        };
        let end = Rounds.offsets(&shape);
        for (begin, width) in (0..end).flat_map(|begin| [1, 2, 5, 23].map(|width| (begin, width))) {
            let offsets = begin..end.min(begin + width);
            let expected =
                sorted(&Rounds, &shape, &Rounds.round(&shape, offsets.clone(), tiles.clone()));
            for resident in [1, 7, 1000] {
                let shape = shape.with_resident(resident);
                let round = PersistentRounds.round(&shape, offsets.clone(), tiles.clone());
                assert!(round.grid.x <= u64::from(resident));
                let found = sorted(&PersistentRounds, &shape, &round);
                assert_eq!(found, expected, "{shape:?} {offsets:?}");
            }
        }
    }
}

/// There a block has up to 16 columns.
#[test]
fn many_rows_meet_the_same_tiles() {
    let rectangle = |rows, columns| Shape::blocks(rows).with_columns(columns);
    let shapes =
        [Shape::blocks(1500), Shape::blocks(1501), rectangle(1500, 700), rectangle(1000, 1501)];
    for shape in shapes {
        let (end, widths) = (Rounds.offsets(&shape), [2, 3, 5, 8, 16, 17, 33]);
        let begins = [0, 1, 7, 300].into_iter().chain(widths.map(|width| end - width));
        rows_meet_the_same_tiles(&shape, begins, &widths);
        let height = |of: u32| {
            let round = RoundRows::of(&shape).on(of).round(&shape, 0..40, 0..shape.rows);
            round.numbers.get(2).copied()
        };
        assert_eq!([height(10), height(10_000)], [Some(16), Some(1)]);
    }
}

/// The number of tiles that a share has.
fn tiles_of(shape: &Shape, launches: &[Launch]) -> u64 {
    let mut count = 0;
    launches.iter().for_each(|launch| visit(&Rounds, shape, launch, 1, &mut |_| count += 1));
    count
}

#[test]
fn shares_are_disjoint_and_balanced() {
    for shape in shapes() {
        for count in 1..10 {
            let shares = Rounds.shares(&shape, count);
            assert_eq!(shares.len(), count as usize);
            let each: Vec<Vec<Launch>> =
                shares.iter().map(|share| Rounds.launches_of(&shape, share)).collect();
            launches_cover_once(&Rounds, &shape, &each.concat(), 1);
            let mut work: Vec<u64> =
                each.iter().map(|launches| tiles_of(&shape, launches)).collect();
            assert!(shares.iter().zip(&work).all(|(share, work)| share.is_empty() == (*work == 0)));
            work.sort_unstable();
            let (least, most) = (work[0], work[work.len() - 1]);
            let tiles = u64::from(shape.rows);
            match shape.columns.map(u64::from) {
                // An offset more, of which the last may be half of one.
                None => assert!(most - least <= tiles + tiles / 2, "{shape:?}, {count}: {work:?}"),
                Some(columns) => {
                    let all = tiles * columns;
                    let by_offsets = columns.div_ceil(count.into()) * tiles;
                    let goal = by_offsets.min(tiles.div_ceil(count.into()) * columns);
                    assert!(most <= goal + goal / 7 && most * u64::from(count) >= all);
                }
            }
        }
    }
}

/// In a rectangle each row is one device's, unless there are few of them.
#[test]
fn rows_are_shared() {
    let shares_rows = |rows, columns, count| {
        let shares = Rounds.shares(&Shape::blocks(rows).with_columns(columns), count);
        shares.iter().all(|share| share.offsets == (0..columns))
    };
    assert!(shares_rows(100, 100, 7) && shares_rows(8, 1000, 8) && shares_rows(2, 2, 2));
    assert!(shares_rows(1, 1000, 1) && shares_rows(3000, 1, 7));
    assert!(!shares_rows(1, 1000, 2) && !shares_rows(9, 1000, 8) && !shares_rows(3, 300, 2));
}

/// A queue has room for what one offset brings: two tiles of a triangle, and one of a rectangle.
#[test]
fn offsets_meet_at_most_two_tiles() {
    for shape in shapes() {
        for offset in 0..Rounds.offsets(&shape) {
            let mut met = vec![0_u32; shape.rows as usize];
            let launch = Rounds.round(&shape, offset..offset + 1, 0..shape.rows);
            visit(&Rounds, &shape, &launch, 1, &mut |Tile { row, col, .. }| {
                met[row as usize] += 1;
                if shape.columns.is_none() && row != col {
                    met[col as usize] += 1;
                }
            });
            let most = if shape.columns.is_none() { 2 } else { 1 };
            assert!(met.iter().all(|count| *count <= most), "{shape:?}, offset {offset}: {met:?}");
            // All have met about as many.
            let least = met.iter().min().copied().unwrap_or_default();
            assert!(met.iter().all(|count| *count <= least + 1), "{shape:?}, offset {offset}");
        }
    }
}

#[test]
fn rounds_double_up_to_the_grid() {
    let of = |rows: u32| {
        let launches = Rounds.launches(&Shape::blocks(rows)).into_iter();
        launches.map(|launch| (launch.numbers[0], launch.grid.y)).collect::<Vec<_>>()
    };
    assert_eq!(of(1), [(0, 1)]);
    assert_eq!(of(20), [(0, 1), (1, 1), (2, 2), (4, 4), (8, 3)]);
    // 2^32 elements in tiles of 32.
    let many = of(1 << 27);
    assert!(many.iter().all(|(_, height)| *height <= MAX_GRID_Y));
    let all: u64 = many.iter().map(|(_, height)| height).sum();
    assert_eq!(all, (1 << 26) + 1);
}

#[test]
fn map_has_no_key() {
    assert!(MAPS.iter().all(|map| map.name() != Rounds.name()));
    assert_eq!(map("rounds").map(Map::summary), Some(NEAREST.summary()));
    for filtered in FILTERED {
        assert!(MAPS.iter().all(|map| map.name() != filtered.name()));
        assert_eq!(map(filtered.name()).map(Map::summary), Some(filtered.summary()));
    }
    assert!(!Rounds.has_row_ranges() && !Rounds.takes_root() && !Rounds.has_thread_space());
}

#[test]
fn source_reads_domain_and_parameters() {
    let form = Form::new(Domain::Triangle, Space::Block);
    let open = Rounds.prologue(&form).open;
    assert!(open.contains("const unsigned int tiles = (n + TILE - 1) / TILE;"), "{open}");
    assert!(open.contains("if (2 * offset == tiles && from >= offset)"), "{open}");
    let open = Rounds.prologue(&form.with_domain(Domain::Rectangle)).open;
    assert!(open.contains("const unsigned int tiles = (columns + TILE - 1) / TILE;"), "{open}");
    let by_row = RoundRows::OF_ONE_SET.prologue(&form).open;
    assert!(by_row.contains("const unsigned int tiles = (n + TILE - 1) / TILE;"), "{by_row}");
    let of_two = RoundRows::OF_TWO_SETS;
    let of_rectangle = of_two.prologue(&form.with_domain(Domain::Rectangle)).open;
    let texts =
        [(&Rounds as &dyn Map, open), (&RoundRows::OF_ONE_SET, by_row), (&of_two, of_rectangle)];
    for (map, open) in texts {
        for parameter in map.parameters() {
            let name = parameter.rsplit(' ').next().unwrap_or_default();
            assert!(open.contains(name), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any units of a large triangle are in it, and those of one offset are different tiles.
    #[test]
    fn large_triangles_stay_inside(rows in 1..1_u32 << 27, place in 0.0_f64..1.0, offset in 0.0_f64..1.0) {
        let shape = Shape::blocks(rows);
        let offset = (f64::from(Rounds.offsets(&shape)) * offset) as u32;
        let launch = Rounds.round(&shape, offset..offset + 1, 0..rows);
        let x = (f64::from(rows) * place) as u64;
        let mut tiles = Vec::new();
        for x in [x, x + 1, 0, u64::from(rows) - 1] {
            Rounds.tiles(&shape, &launch, [x, 0], &mut |tile| tiles.push((x, tile)));
        }
        for (x, Tile { row, col, .. }) in &tiles {
            prop_assert!(col <= row && *row < rows);
            let apart = row - col;
            prop_assert!(apart == offset || apart == rows - offset);
            prop_assert!(tiles.iter().all(|(other, tile)| other == x || *tile != Tile::new(*row, *col)));
        }
    }
}
