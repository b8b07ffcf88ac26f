//! Chooses the variant of a kernel for n elements, or for some of their rows.
//!
//! A launch takes the first variant for which it has enough work: one that reaches the variant's thresholds. `thresholds` has the
//! numbers, for kernels that `td-bench thresholds` times; other kernels may cross elsewhere, which
//! [`Kernel::tune`](crate::Kernel::tune) finds.
//!
//! Tiles of features are few, and each takes long: one more than there are multiprocessors takes as long as twice as many. So
//! folds take the variant with the least time, computed from the tiles of the busiest multiprocessor.

use td_kernel_geometry::Sweep;

use crate::plan::extent::Extent;
use crate::plan::thresholds::{are_reached, tiles_of_busiest, time_of_fold};
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
    let is_enough = |variant: &Variant| are_reached(variant, extent, multiprocessors);
    if let Some(at) = first(Sweep::Filter)
        && is_enough(&variants[at])
    {
        return at;
    }
    if let Some(at) = first(Sweep::Near)
        && is_enough(&variants[at])
        && extent.largest_count() <= MOST_NEAR
    {
        return at;
    }
    // A pair has the same bits at every n, so products are always from tensor cores or never.
    if let Some(at) = first(Sweep::Product) {
        return at;
    }
    let sweep = sweep(variants.iter().filter(|each| can_visit(each)), extent.n);
    let sweep_variants = || {
        let all = variants.iter().enumerate();
        all.filter(|(_, variant)| variant.tiling.sweep == sweep && can_visit(variant))
    };
    // The last variant has the smallest tiles. With `map = "auto"` several maps share that tile: the first one is chosen,
    // unless tuning has found a better one.
    let smallest = || {
        let (_, last) = sweep_variants().next_back()?;
        sweep_variants().find(|(_, each)| each.tiling == last.tiling)
    };
    let chosen = match sweep {
        Sweep::Fold => {
            let time = |variant: &Variant| {
                let tiles = tiles_of_busiest(variant, extent, multiprocessors);
                tiles.saturating_mul(time_of_fold(variant))
            };
            // Of two variants with equal times, the one with smaller tiles; of several maps with these, the first.
            sweep_variants().min_by_key(|(_, variant)| (time(variant), variant.tiling.side))
        }
        _ => sweep_variants().find(|(_, variant)| is_enough(variant)).or_else(smallest),
    };
    chosen.map_or(0, |(at, _)| at)
}

/// The index of the variant for elements with features of many sets, whose tiles of each side `tiles` counts.
pub(crate) fn set_tiles(
    variants: &[Variant],
    multiprocessors: u32,
    tiles: &mut dyn FnMut(u32) -> u64,
) -> usize {
    let mut time = |variant: &Variant| {
        let busiest_tiles = tiles(variant.tiling.side).div_ceil(multiprocessors.max(1).into());
        busiest_tiles.saturating_mul(time_of_fold(variant))
    };
    let all = variants.iter().enumerate();
    let chosen = all.min_by_key(|(_, variant)| (time(variant), variant.tiling.side));
    chosen.map_or(0, |(at, _)| at)
}

/// The most elements that are sorted: the first key of each warp is counted in 32 bits.
const MOST_NEAR: usize = 1 << 31;

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

#[cfg(test)]
mod tests {
    use td_kernel_geometry::{NEAREST, Tiling};

    use super::*;
    use crate::plan::thresholds;
    use crate::types::info::samples;

    /// Chooses for all pairs of n elements.
    fn variant(variants: &[Variant], n: usize, multiprocessors: u32) -> usize {
        super::variant(variants, &Extent::all(n, None), multiprocessors, &|_| true)
    }

    fn of(sweep: Sweep, side: u32, width: u32) -> Variant {
        let tiling = Tiling::new(sweep, side).with_columns(side / width, 1).with_height(16, 1);
        Variant { has_rows: false, tiling, sector: 8, ..samples::variant(&"", "ltm") }
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
    fn thresholds_depend_on_the_device() {
        let near = |map| Variant { map, ..of(Sweep::Near, 32, 1) };
        let filter = |map| Variant { map, ..of(Sweep::Filter, 128, 8) };
        for (variant, expected) in [
            (of(Sweep::Columns, 256, 32), [[9729, 0], [25_345, 0]]),
            (of(Sweep::Rows, 96, 24), [[2017, 0], [5281, 0]]),
            (of(Sweep::Mirror, 64, 16), [[2369, 0], [6145, 0]]),
            (near("near"), [[25_473, 1760], [65_505, 1760]]),
            (near("near_rows"), [[6337, 25_843], [16_353, 25_843]]),
            (of(Sweep::Partners, 128, 1), [[5120, 0], [33_792, 0]]),
            // These do not.
            (filter("runs"), [[1056, 0], [1056, 0]]),
            (filter("round_rows"), [[5024, 122], [5024, 122]]),
            (of(Sweep::Columns, 64, 32), [[0, 0], [0, 0]]),
        ] {
            let first = |multiprocessors| {
                let all = thresholds::of(&variant).iter();
                let mut all = all.map(|each| each.first(&variant, multiprocessors));
                [all.next().unwrap_or(0), all.next().unwrap_or(0)]
            };
            assert_eq!([first(20), first(132)], expected, "{variant}");
        }
    }

    #[test]
    fn sorted_elements_are_counted_in_32_bits() {
        let near = Variant { map: "near", ..of(Sweep::Near, 32, 1) };
        let variants = [of(Sweep::Columns, 64, 32), near];
        let chosen =
            |n, columns| super::variant(&variants, &Extent::all(n, columns), 132, &|_| true);
        let (most, more) = (MOST_NEAR, MOST_NEAR + 1);
        assert_eq!([chosen(most, None), chosen(more, None)], [1, 0]);
        assert_eq!([chosen(most, Some(most)), chosen(most, Some(more))], [1, 0]);
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
        let of_two = |(rows, columns)| {
            let extent = Extent::all(rows, Some(columns));
            folds[super::variant(&folds, &extent, 132, &|_| true)].tiling.side
        };
        let sizes =
            [(16, 102_400), (1024, 102_400), (4096, 1024), (4096, 8192), (102_400, 102_400)];
        assert_eq!(sizes.map(of_two), [32, 64, 64, 64, 128]);
    }

    #[test]
    fn few_elements_are_not_filtered() {
        let filter = |map| Variant { map, ..of(Sweep::Filter, 128, 8) };
        let (lists, near) = ("runs", "round_rows");
        let chosen = |map, n, can_filter| {
            let extent = Extent::all(n, None);
            super::variant(&[of(Sweep::Fold, 128, 8), filter(map)], &extent, 132, &|_| can_filter)
        };
        assert_eq!([1055, 1056, 100_000].map(|n| chosen(lists, n, true)), [0, 1, 1]);
        assert_eq!([2048, 5023, 5024].map(|n| chosen(near, n, true)), [0, 0, 1]);
        // Without tensor cores no pairs are filtered.
        assert_eq!(chosen(lists, 100_000, false), 0);
        // Few rows of a list, if they have enough pairs.
        let chosen_for_rows = |map, n, columns, rows| {
            let extent = Extent { n, columns, rows, compiled_for: None };
            let has_rows = |variant| Variant { has_rows: true, ..variant };
            let variants = [of(Sweep::Fold, 128, 8), filter(map)].map(has_rows);
            super::variant(&variants, &extent, 132, &|_| true)
        };
        for columns in [None, Some(100_000)] {
            let chosen_for_last = |count: usize| {
                chosen_for_rows(lists, 100_000, columns, Some(100_000 - count..100_000))
            };
            assert_eq!([5, 6].map(chosen_for_last), [0, 1], "{columns:?}");
        }
        assert_eq!([121, 122].map(|n| chosen_for_rows(near, n, Some(200_000), None)), [0, 1]);
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
