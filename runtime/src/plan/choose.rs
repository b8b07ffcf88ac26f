//! Chooses the variant of a kernel for n elements, or for some of their rows.
//!
//! Large tiles do more work per staged element and per block. But a small n has few large tiles, which leaves multiprocessors
//! with few threads. So each variant has a least number of blocks per multiprocessor, and a launch takes the first variant that
//! reaches its own. The numbers are where the times of two variants crossed on an H200: for distances and squares of them (the
//! sweeps `rows` and `mirror`), collisions that are counted and listed (`columns`), distances over 1024 features, and nearest
//! neighbours. Those of the sweep `rotate` are from trials that were not recorded. Other kernels may cross elsewhere, which
//! [`Kernel::tune`](crate::Kernel::tune) finds.
//!
//! Tiles of features are few, and each takes long: one more than there are multiprocessors takes as long as twice as many. So
//! folds take the variant with the least time, computed from the tiles of the busiest multiprocessor; for nearest neighbours in
//! each round, since a round waits for the one before it.

use td_kernel_maps::{NEAR_ROWS, NEAREST, RUNS, Sweep};

use crate::plan::extent::Extent;
use crate::types::info::Variant;

/// The index of the variant for these pairs, on a device with this many multiprocessors. It can visit them, if any variant can.
pub(crate) fn variant(
    variants: &[Variant],
    extent: &Extent,
    multiprocessors: u32,
    supports: &dyn Fn(&Variant) -> bool,
) -> usize {
    let can_visit = |variant: &Variant| extent.has(variant);
    let first = |sweep: Sweep| {
        let is_first =
            |each: &Variant| each.tiling.sweep == sweep && can_visit(each) && supports(each);
        variants.iter().position(is_first)
    };
    if let Some(at) = first(Sweep::Filter)
        && extent.rows().len() >= least_rows(&variants[at])
        && extent.equivalent_n() >= least_filtered(&variants[at])
    {
        return at;
    }
    if let Some(at) = first(Sweep::Near)
        && extent.equivalent_n() >= least_near(&variants[at])
        && extent.rows().len() >= LEAST_ROWS
        && extent.largest_count() <= MOST_NEAR
    {
        return at;
    }
    // A pair has the same bits at every n, so products are always from tensor cores or never.
    if let Some(at) = first(Sweep::Product) {
        return at;
    }
    let sweep = sweep(variants.iter().filter(|each| can_visit(each)), extent.n);
    let of_sweep = || {
        let all = variants.iter().enumerate();
        all.filter(|(_, variant)| variant.tiling.sweep == sweep && can_visit(variant))
    };
    let is_enough = |variant: &Variant| {
        extent.tiles(variant.tiling.side) >= u64::from(multiprocessors) * least(variant)
    };
    // The last variant has the smallest tiles. With `map = "auto"` several maps share that tile: the first one is chosen,
    // unless tuning has found a better one.
    let smallest = || {
        let (_, last) = of_sweep().next_back()?;
        of_sweep().find(|(_, each)| each.tiling == last.tiling)
    };
    let chosen = match sweep {
        Sweep::Fold => {
            let time = |variant: &Variant| {
                let of_busiest = |tiles: u64| tiles.div_ceil(multiprocessors.max(1).into());
                let tiles = match variant.map == NEAREST.name() {
                    true => {
                        let rounds = NEAREST.launches(&extent.shape(variant, false)).into_iter();
                        rounds.map(|round| of_busiest(round.grid.x * round.grid.y)).sum()
                    }
                    false => of_busiest(extent.tiles(variant.tiling.side)),
                };
                tiles.saturating_mul(time_of_fold(variant))
            };
            // Of two variants with equal times, the one with smaller tiles; of several maps with these, the first.
            of_sweep().min_by_key(|(_, variant)| (time(variant), variant.tiling.side))
        }
        _ => of_sweep().find(|(_, variant)| is_enough(variant)).or_else(smallest),
    };
    chosen.map_or(0, |(at, _)| at)
}

/// The index of the variant for elements with features of many sets, whose tiles of each side `tiles` counts.
pub(crate) fn of_set_tiles(
    variants: &[Variant],
    multiprocessors: u32,
    tiles: &mut dyn FnMut(u32) -> u64,
) -> usize {
    let mut time = |variant: &Variant| {
        let of_busiest = tiles(variant.tiling.side).div_ceil(multiprocessors.max(1).into());
        of_busiest.saturating_mul(time_of_fold(variant))
    };
    let all = variants.iter().enumerate();
    let chosen = all.min_by_key(|(_, variant)| (time(variant), variant.tiling.side));
    chosen.map_or(0, |(at, _)| at)
}

/// The least number of elements from which pairs are filtered; a rectangle counts as the triangle with as many pairs. Measured
/// for lists and sums that few pairs enter: 1100 with 128 features, 2300 with 32. For nearest neighbours: 4500 and 5500; with
/// fewer elements most pairs are in a few rounds in which many pass.
fn least_filtered(variant: &Variant) -> usize {
    if variant.map == RUNS.name() { 2048 } else { 5120 }
}

/// The least number of elements that are sorted, so that only near tiles are visited. With 30 neighbours each, near tiles are faster
/// from 32,768 elements on. But a test of some pairs takes 30 microseconds, which is 4 % of the time of all pairs of 65,536 elements
/// and 7 % of those of 49,152. For nearest neighbours the number has not been measured.
fn least_near(variant: &Variant) -> usize {
    if variant.map == NEAR_ROWS.name() { 16_384 } else { 65_536 }
}

/// The least number of rows of a rectangle whose elements are sorted: those of a block. It has not been measured.
const LEAST_ROWS: usize = 128;

/// The most elements that are sorted: the first key of each warp is counted in 32 bits.
const MOST_NEAR: usize = 1 << 31;

/// The least number of rows of a rectangle or a range from which pairs are filtered: tensor cores need a copy of all elements,
/// which for few rows takes longer to make than folding the features. Measured for nearest neighbours: some 200 with 128
/// features, 400 with 32. For lists and sums it is the rows of a tile; fewer were not timed.
fn least_rows(variant: &Variant) -> usize {
    if variant.map == RUNS.name() { 128 } else { 256 }
}

/// The time of a tile of features on a multiprocessor: 163, 46 and 17 microseconds for distances over 1024 features. Only the
/// ratio between variants counts. A smaller tile reads more per pair. For nearest neighbours over 32 and 128 features, the
/// largest tiles take longer than these numbers: tiles of 64 are faster up to n = 12,288.
fn time_of_fold(variant: &Variant) -> u64 {
    match variant.tiling.side {
        128.. if variant.map == NEAREST.name() => 178,
        128.. => 163,
        64.. => 46,
        _ => 17,
    }
}

/// The sweep. If there are two, the mirror is for squares whose rows start at memory sectors: in other squares it cannot write
/// whole sectors.
fn sweep<'a>(variants: impl Iterator<Item = &'a Variant> + Clone, n: usize) -> Sweep {
    let has = |sweep| variants.clone().any(|variant| variant.tiling.sweep == sweep);
    match variants.clone().next() {
        Some(first) if first.tiling.sweep == Sweep::Mirror => {
            let starts_at_sectors = n.is_multiple_of(first.sector);
            if starts_at_sectors || !has(Sweep::Rows) { Sweep::Mirror } else { Sweep::Rows }
        }
        first => first.map_or(Sweep::Classic, |first| first.tiling.sweep),
    }
}

/// The least number of blocks per multiprocessor with which the variant is faster than the next one.
fn least(variant: &Variant) -> u64 {
    match variant.tiling.sweep {
        Sweep::Columns => match variant.tiling.side {
            // From n = 20,600 on, with 132 multiprocessors.
            256.. => 25,
            // Nearest neighbours, whose rounds have few tiles each: from n = 5100 on, in trials.
            128.. if variant.map == NEAREST.name() => 6,
            // From n = 8800 on.
            128.. => 18,
            _ => 0,
        },
        Sweep::Rotate => match variant.tiling.side {
            // From n = 28,000 on, with 132 multiprocessors.
            256.. => 46,
            // From n = 5000 on.
            128.. => 6,
            _ => 0,
        },
        Sweep::Rows => match variant.tiling.side {
            96.. => 12,
            // From n = 2500 on.
            64.. => 6,
            _ => 0,
        },
        // From n = 4700 on.
        Sweep::Mirror if variant.tiling.side >= 64 => 20,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use td_kernel_maps::{Root, Space, Tiling};

    use super::*;
    use crate::types::info::Source;

    /// Chooses for all pairs of n elements.
    fn variant(variants: &[Variant], n: usize, multiprocessors: u32) -> usize {
        super::variant(
            variants,
            &Extent { n, columns: None, rows: None, compiled_for: None },
            multiprocessors,
            &|_| true,
        )
    }

    fn of(sweep: Sweep, side: u32, width: u32) -> Variant {
        let (map, root, space) = ("ltm", Root::Exact, Space::Block);
        let tiling = Tiling::new(sweep, side).with_columns(side / width, 1).with_height(16, 1);
        Variant {
            source: Source::whole(&""),
            has_rows: false,
            takes_n: true,
            map,
            root,
            space,
            linear: false,
            tiling,
            shared: 0,
            sector: 8,
        }
    }

    #[test]
    fn tiles_grow_with_n() {
        let rows = [of(Sweep::Rows, 96, 24), of(Sweep::Rows, 64, 16), of(Sweep::Rows, 32, 8)];
        let columns =
            [of(Sweep::Columns, 256, 32), of(Sweep::Columns, 128, 32), of(Sweep::Columns, 64, 32)];
        for variants in [&rows, &columns] {
            let chosen: Vec<_> = (0..40_000).map(|n| variant(variants, n, 132)).collect();
            assert_eq!((chosen[0], chosen[1], chosen[39_999]), (2, 2, 0));
            assert!(chosen.is_sorted_by(|a, b| a >= b));
        }
        // With fewer multiprocessors, a smaller n has enough blocks for the larger tiles.
        assert_eq!(variant(&rows, 1024, 132), 2);
        assert_eq!(variant(&rows, 1024, 4), 0);
    }

    #[test]
    fn folds_fill_the_device() {
        let folds = [of(Sweep::Fold, 128, 32), of(Sweep::Fold, 64, 32), of(Sweep::Fold, 32, 32)];
        let chosen = |n| variant(&folds, n, 132);
        // No elements, and one tile of each.
        assert_eq!((chosen(0), chosen(32)), (2, 2));
        // 15 rows of tiles of 64 have 120 tiles, and 16 rows 136: one multiprocessor would have two, which take as long as four
        // smaller ones.
        assert_eq!((chosen(960), chosen(1024)), (1, 2));
        // 105 large tiles, instead of four tiles of 64 one after another; and 300, which would be three large ones one after
        // another.
        assert_eq!((chosen(1792), chosen(3072)), (0, 1));
        assert!((6000..40_000).step_by(128).all(|n| chosen(n) == 0));
        // With fewer multiprocessors, a smaller n has enough tiles.
        assert_eq!(variant(&folds, 1024, 4), 0);
    }

    #[test]
    fn rounds_fill_the_device() {
        let near = |side| Variant { map: NEAREST.name(), ..of(Sweep::Fold, side, 32) };
        let folds = [near(128), near(64), near(32)];
        let sides = |n| folds[variant(&folds, n, 132)].tiling.side;
        // With 4096 elements the largest tiles would leave most multiprocessors idle in all rounds but two.
        assert_eq!([512, 2048, 4096, 12_288, 102_400].map(sides), [32, 32, 64, 64, 128]);
        let of_two = |rows, columns| {
            let extent = Extent { n: rows, columns: Some(columns), rows: None, compiled_for: None };
            folds[super::variant(&folds, &extent, 132, &|_| true)].tiling.side
        };
        let sizes =
            [(16, 102_400), (1024, 102_400), (4096, 1024), (4096, 8192), (102_400, 102_400)];
        assert_eq!(sizes.map(|(rows, columns)| of_two(rows, columns)), [32, 64, 64, 64, 128]);
    }

    #[test]
    fn few_elements_are_not_filtered() {
        let filter = |map| Variant { map, ..of(Sweep::Filter, 128, 8) };
        let (lists, near) = ("runs", "round_rows");
        let chosen = |map, n, can_filter| {
            let extent = Extent { n, columns: None, rows: None, compiled_for: None };
            super::variant(&[of(Sweep::Fold, 128, 8), filter(map)], &extent, 132, &|_| can_filter)
        };
        assert_eq!([2047, 2048, 100_000].map(|n| chosen(lists, n, true)), [0, 1, 1]);
        assert_eq!([2048, 5119, 5120].map(|n| chosen(near, n, true)), [0, 0, 1]);
        // Without tensor cores no pairs are filtered.
        assert_eq!(chosen(lists, 100_000, false), 0);
        // Few rows are not filtered either: the copies of all elements take longer than the kernel could save.
        let of_rows = |map, n, columns, rows| {
            let extent = Extent { n, columns, rows, compiled_for: None };
            let has_rows = |variant| Variant { has_rows: true, ..variant };
            let variants = [of(Sweep::Fold, 128, 8), filter(map)].map(has_rows);
            super::variant(&variants, &extent, 132, &|_| true)
        };
        for n in [100_000, 10_000_000] {
            let [few, enough] = [n - 127, n - 128];
            assert_eq!(
                [few, enough].map(|begin| of_rows(lists, n, None, Some(begin..n))),
                [0, 1],
                "{n}"
            );
            assert_eq!(
                [few, enough].map(|begin| of_rows(lists, n, Some(n), Some(begin..n))),
                [0, 1],
                "{n}"
            );
        }
        assert_eq!([127, 128].map(|n| of_rows(lists, n, Some(100_000), None)), [0, 1]);
        assert_eq!([255, 256].map(|n| of_rows(near, n, Some(100_000), None)), [0, 1]);
    }

    #[test]
    fn aligned_squares_are_mirrored() {
        let variants = [
            of(Sweep::Mirror, 64, 16),
            of(Sweep::Mirror, 32, 8),
            of(Sweep::Rows, 64, 8),
            of(Sweep::Rows, 32, 8),
        ];
        assert_eq!(variant(&variants, 30_720, 132), 0);
        assert_eq!(variant(&variants, 1000, 132), 1);
        assert_eq!(variant(&variants, 30_721, 132), 2);
        assert_eq!(variant(&variants, 1001, 132), 3);
        // Without another sweep, the mirror takes every n.
        assert_eq!(variant(&variants[..2], 30_721, 132), 0);
    }

    #[test]
    fn first_map_of_a_tile_is_chosen() {
        let other = |variant: Variant| Variant { map: "rb", ..variant };
        let (large, small) = (of(Sweep::Columns, 128, 32), of(Sweep::Columns, 64, 32));
        let variants =
            [large, other(of(Sweep::Columns, 128, 32)), other(of(Sweep::Columns, 64, 32)), small];
        assert_eq!(variant(&variants, 30_720, 132), 0);
        assert_eq!(variant(&variants, 1000, 132), 2);
        let (large, small) = (of(Sweep::Fold, 128, 8), of(Sweep::Fold, 64, 4));
        let variants =
            [large, other(of(Sweep::Fold, 128, 8)), other(of(Sweep::Fold, 64, 4)), small];
        assert_eq!(variant(&variants, 30_720, 132), 0);
        assert_eq!(variant(&variants, 1000, 132), 2);
    }

    #[test]
    fn single_variant_is_always_chosen() {
        for n in [0, 1, 1 << 31, usize::MAX] {
            assert_eq!(variant(&[of(Sweep::Classic, 16, 16)], n, 132), 0);
        }
    }

    #[test]
    fn range_counts_its_own_tiles() {
        let rows = |variant: Variant| Variant { has_rows: true, ..variant };
        let variants =
            [rows(of(Sweep::Rows, 96, 24)), of(Sweep::Rows, 64, 16), rows(of(Sweep::Rows, 32, 8))];
        let extent =
            |rows| Extent { n: 30_720, columns: None, rows: Some(rows), compiled_for: None };
        let chosen = |rows| super::variant(&variants, &extent(rows), 132, &|_| true);
        // Here a row of tiles has about 320 tiles of 96 rows.
        assert_eq!((chosen(0..30_720), chosen(30_000..30_720), chosen(30_000..30_090)), (0, 0, 2));
        // By its tiles the second variant would be chosen, but it has no ranges.
        assert_eq!((chosen(0..4000), variant(&variants, 4000, 132)), (2, 1));
        // Without any variant the index does not matter: the plan reports the error.
        assert_eq!(super::variant(&variants[1..2], &extent(0..9), 132, &|_| true), 0);
    }
}
