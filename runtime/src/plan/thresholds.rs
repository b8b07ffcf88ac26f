//! The numbers from which launches take one variant instead of another.
//!
//! `td-bench thresholds` times both variants side by side and prints where their times cross, in the same units. Each number is
//! such a crossing, or its comment says why not. Large tiles do more work per staged element and per block, but few large tiles
//! leave multiprocessors idle. So most numbers count tiles for each multiprocessor, and a GPU with fewer multiprocessors takes
//! large tiles from fewer elements on. The numbers of elements in the comments are those of an H200, which has 132
//! multiprocessors.

use td_kernel_geometry::{NEAR_ROWS, NEAREST, RUNS, Sweep};

use crate::plan::extent::Extent;
use crate::types::info::Variant;

/// A number from which launches take a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// What the measurement calls it.
    pub name: &'static str,
    /// The number.
    pub least: u64,
    /// What the number counts.
    pub unit: Unit,
}

/// What a threshold counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The variant's tiles, for each multiprocessor.
    Tiles,
    /// The blocks of a list by element, for each multiprocessor.
    Blocks,
    /// Elements; a rectangle counts as the triangle with as many pairs.
    Elements,
    /// Rows, of a rectangle or of a range.
    Rows,
    /// Rows of a rectangle.
    RowsOfTwo,
}

/// Defines constants, and the list of all.
macro_rules! thresholds {
    ($($(#[$comment:meta])* $name:ident: $text:literal, $least:literal $unit:ident;)+) => {
        $($(#[$comment])*
        const $name: Threshold = Threshold { name: $text, least: $least, unit: Unit::$unit };)+

        /// Every threshold.
        pub const ALL: &[Threshold] = &[$($name),+];
    };
}

thresholds! {
    /// From n = 25,345 on.
    COLUMNS_256: "columns, tiles of 256", 38 Tiles;
    /// From n = 7041 on.
    COLUMNS_128: "columns, tiles of 128", 12 Tiles;
    /// Nearest neighbours, whose rounds have few tiles each. From n = 55,553 on.
    COLUMNS_NEAREST: "columns of neighbours, tiles of 128", 718 Tiles;
    /// From n = 26,369 on.
    ROTATE_256: "rotate, tiles of 256", 41 Tiles;
    /// From n = 6785 on.
    ROTATE_128: "rotate, tiles of 128", 11 Tiles;
    /// Tiles of 96, 128 or 256, by the bytes of a pair. From n = 5281 on with tiles of 96.
    ROWS_LARGE: "rows, tiles of 96 or more", 12 Tiles;
    /// From n = 2497 on.
    ROWS_64: "rows, tiles of 64", 6 Tiles;
    /// From n = 6145 on with tiles of 64; up to twice as many elements, the times differ by less than 2 %.
    MIRROR: "mirror, tiles of 64 or more", 36 Tiles;
    /// Lists, and sums that few pairs enter, over 32 features; over 128, from 736 elements on. The time of fewer elements is that of
    /// starting kernels, on every device. So it counts pairs, and has no number of rows: a range of a few rows with as many pairs is
    /// filtered, too.
    FILTER: "filter, lists and sums", 1056 Elements;
    /// Over 32 features; over 128, from 4064 elements on. With fewer, most pairs are in the first rounds, in which many pass, on
    /// every device.
    FILTER_NEAREST: "filter, neighbours", 5024 Elements;
    /// Over 32 features; over 128, from 33 rows on. The columns' copies for tensor cores have been made by an earlier launch.
    FILTER_ROWS_NEAREST: "rows of a filter, neighbours", 122 Rows;
    /// Sorting, and the test of some pairs before it, take several short launches. Their time hardly depends on n; that of all
    /// pairs is proportional to the pairs of each multiprocessor. From n = 65,505 on, the test takes at most 5 % where all pairs
    /// pass. Where few pass, near tiles are faster from n = 34,240 on.
    NEAR: "near tiles, lists and sums", 15_895 Tiles;
    /// The same without a test. From n = 16,353 on; with fewer, a search of all pairs takes at most 0.15 ms longer, and needs no
    /// sorted copy.
    NEAR_NEAREST: "near tiles, neighbours", 994 Tiles;
    /// Sorting all columns, here 4,194,304, pays off from this many rows on, on every device.
    ROWS_OF_NEAR: "rows of near tiles, lists and sums", 1760 Rows;
    /// Few rows are far apart, so that their tiles are near most columns, here 262,144.
    ROWS_OF_NEAREST: "rows of near tiles, neighbours", 25_843 RowsOfTwo;
    /// From 33,792 elements on. With fewer, blocks in which eight threads share an element leave fewer
    /// multiprocessors idle than those in which two do.
    BY_ELEMENT: "list by element, blocks of 128", 2 Blocks;
}

/// The thresholds of a variant, all of which a launch has to reach.
pub fn of(variant: &Variant) -> &'static [Threshold] {
    let (side, map) = (variant.tiling.side, variant.map);
    match variant.tiling.sweep {
        Sweep::Columns if map == NEAREST.name() && side >= 128 => &[COLUMNS_NEAREST],
        Sweep::Columns if side >= 256 => &[COLUMNS_256],
        Sweep::Columns if side >= 128 => &[COLUMNS_128],
        Sweep::Rotate if side >= 256 => &[ROTATE_256],
        Sweep::Rotate if side >= 128 => &[ROTATE_128],
        Sweep::Rows if side >= 96 => &[ROWS_LARGE],
        Sweep::Rows if side >= 64 => &[ROWS_64],
        Sweep::Mirror if side >= 64 => &[MIRROR],
        Sweep::Filter if map == RUNS.name() => &[FILTER],
        Sweep::Filter => &[FILTER_NEAREST, FILTER_ROWS_NEAREST],
        Sweep::Near if map == NEAR_ROWS.name() => &[NEAR_NEAREST, ROWS_OF_NEAREST],
        Sweep::Near => &[NEAR, ROWS_OF_NEAR],
        Sweep::Partners if side >= 128 => &[BY_ELEMENT],
        _ => &[],
    }
}

/// Whether a launch for these pairs has enough work for a variant.
pub(crate) fn are_reached(variant: &Variant, extent: &Extent, multiprocessors: u32) -> bool {
    of(variant).iter().all(|each| each.is_reached(variant, extent, multiprocessors))
}

impl Threshold {
    /// The count of the unit in a launch.
    fn count(&self, variant: &Variant, extent: &Extent) -> u64 {
        let side = variant.tiling.side.max(1);
        match self.unit {
            Unit::Tiles => extent.tiles(side),
            Unit::Blocks => extent.n as u64 / u64::from(side),
            Unit::Elements => extent.equivalent_n() as u64,
            Unit::RowsOfTwo if extent.columns.is_none() => u64::MAX,
            Unit::Rows | Unit::RowsOfTwo => extent.rows().len() as u64,
        }
    }

    /// Among how many multiprocessors the count is divided: 1 if it does not depend on the device.
    fn sharers(&self, multiprocessors: u32) -> u64 {
        match self.unit {
            Unit::Tiles | Unit::Blocks => multiprocessors.into(),
            Unit::Elements | Unit::Rows | Unit::RowsOfTwo => 1,
        }
    }

    fn is_reached(&self, variant: &Variant, extent: &Extent, multiprocessors: u32) -> bool {
        self.count(variant, extent) >= self.least * self.sharers(multiprocessors)
    }

    /// The number for n elements or rows: `least` where they just reach it.
    pub fn number(&self, variant: &Variant, n: usize, multiprocessors: u32) -> f64 {
        let count = self.count(variant, &self.whole(n));
        count as f64 / self.sharers(multiprocessors).max(1) as f64
    }

    /// The least number of elements, or rows, that reach it.
    pub fn first(&self, variant: &Variant, multiprocessors: u32) -> usize {
        let (mut low, mut high) = (0, u32::MAX as usize);
        while high - low > 1 {
            let middle = low.midpoint(high);
            match self.is_reached(variant, &self.whole(middle), multiprocessors) {
                true => high = middle,
                false => low = middle,
            }
        }
        high
    }

    /// All pairs of n elements, or of n rows.
    fn whole(&self, n: usize) -> Extent {
        Extent::all(n, (self.unit == Unit::RowsOfTwo).then_some(n))
    }
}

/// The time of a tile of features on a multiprocessor. Only the ratio between variants counts: `td-bench thresholds` prints the
/// times as multiples, with 46 for tiles of 64. A smaller tile reads more per pair. The largest tiles take 163 for nearest
/// neighbours, too; but there that number would choose tiles that take up to 1.13 times as long as the fastest, and with 178 the
/// fastest were chosen at every n that was timed.
pub fn time_of_fold(variant: &Variant) -> u64 {
    match variant.tiling.side {
        128.. if variant.map == NEAREST.name() => 178,
        128.. => 163,
        64.. => 46,
        _ => 17,
    }
}

/// The tiles of features that the busiest multiprocessor visits one after another; of nearest neighbours in each round, since a
/// round waits for the one before it.
pub(crate) fn tiles_of_busiest(variant: &Variant, extent: &Extent, multiprocessors: u32) -> u64 {
    let busiest_tiles = |tiles: u64| tiles.div_ceil(multiprocessors.max(1).into());
    if variant.map == NEAREST.name() {
        let rounds = NEAREST.launches(&extent.shape(variant, false)).into_iter();
        return rounds.map(|round| busiest_tiles(round.grid.x * round.grid.y)).sum();
    }
    busiest_tiles(extent.tiles(variant.tiling.side))
}

/// The same for all pairs of n elements.
pub fn turns_of_fold(variant: &Variant, n: usize, multiprocessors: u32) -> u64 {
    tiles_of_busiest(variant, &Extent::all(n, None), multiprocessors)
}
