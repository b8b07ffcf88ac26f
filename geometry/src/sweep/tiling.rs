//! Tiles, and how the threads of a block share them.

use super::Sweep;
use crate::sets::rows::ROW_WARPS;
use crate::sets::{RUN, WARPS};

/// The size of a tile in a sweep, and how the threads of a block share it.
///
/// ```
/// use td_kernel_geometry::{Sweep, Tiling};
///
/// const ROWS: Tiling = Tiling::new(Sweep::Rows, 64).with_columns(4, 4).with_height(16, 1);
/// assert_eq!((ROWS.threads(), ROWS.pairs_of_thread()), ([16, 16], 16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Tiling {
    /// How the threads visit the pairs.
    pub sweep: Sweep,
    /// Elements per side of a tile; in the classic sweep, threads per side of a block.
    pub side: u32,
    /// The columns of a thread in each of its rows, if values are stored as vectors. More columns mean less work per pair;
    /// fewer columns mean more threads for a tile.
    pub columns: u32,
    /// The number of these columns that are adjacent, so that their values are stored together.
    pub neighbours: u32,
    /// The number of rows that the threads of a block cover at a time.
    pub height: u32,
    /// The number of rows of a thread that the compiler is asked to interleave.
    pub unroll: u32,
}

/// The threads of a warp.
const WARP: u32 = 32;

/// The warps of a block in the sweep `fold`. Its 256 threads form a square of 16 x 16 over the pairs of a tile.
pub(super) const WARPS_OF_FOLDS: u32 = 8;

/// The threads along a side of that square.
const SIDE_OF_FOLDS: u32 = 16;

/// The 16-byte words of an element's part in the sweeps `filter` and `product`. In `product` these are 32 features, each as the
/// sum of two 16-bit floats, 64 features of 16 bits, or 128 of 8 bits.
const WORDS_OF_PART: u32 = 8;

/// In `product`: the warps that multiply. One more fills shared memory.
const WARPS_OF_PRODUCTS: u32 = 8;

/// The warps of a block in the sweep `near`, each with a row of tiles.
const WARPS_OF_NEAR: u32 = 4;

/// The warps of a block in the sweep `reduce`, which share the columns.
pub(super) const WARPS_OF_STATES: u32 = 8;

/// In `product`: the parts of rows and of columns in shared memory, one being multiplied and the others on their way. Only sm_90
/// copies several parts ahead.
const STAGES: u32 = 2;
const STAGES_ON_SM_90: u32 = 4;

/// In `product`: the rows of products that a warp passes through shared memory at a time.
const STAGED_ROWS: u32 = 8;

/// In `product`: the padding of such a row, in floats, against bank conflicts.
const PADDING_OF_ROWS: u32 = 8;

/// The threads of a block in the sweeps `entries` and `partners`.
const THREADS_OF_ENTRIES: u32 = 256;

/// The bytes that a thread loads at once.
pub(super) const WORD: u32 = 16;

impl Tiling {
    /// A tile of a sweep that stores no vectors, or a block of the classic sweep.
    pub const fn new(sweep: Sweep, side: u32) -> Tiling {
        Tiling { sweep, side, columns: 1, neighbours: 1, height: 1, unroll: 1 }
    }

    /// This tiling with `columns` for each thread, `neighbours` of them adjacent.
    #[must_use]
    pub const fn with_columns(self, columns: u32, neighbours: u32) -> Tiling {
        Tiling { columns, neighbours, ..self }
    }

    /// This tiling with `height` rows at a time, `unroll` of them interleaved by the compiler.
    #[must_use]
    pub const fn with_height(self, height: u32, unroll: u32) -> Tiling {
        Tiling { height, unroll, ..self }
    }

    /// The threads of a block, along x and y.
    pub const fn threads(&self) -> [u32; 2] {
        match self.sweep {
            Sweep::Classic => [self.side, self.side],
            Sweep::Columns | Sweep::Rotate => [WARP, self.warps_of_columns()],
            Sweep::Rows | Sweep::Mirror => [self.side / self.columns, self.height],
            Sweep::Fold | Sweep::Filter => [WARP, WARPS_OF_FOLDS],
            Sweep::Product => [WARP, WARPS_OF_PRODUCTS + 1],
            Sweep::Near => [WARP, WARPS_OF_NEAR],
            Sweep::Entries | Sweep::Partners => [THREADS_OF_ENTRIES, 1],
            Sweep::Sets => [WARP, WARPS],
            Sweep::SetRows => [WARP, ROW_WARPS],
            Sweep::Reduce => [WARP, WARPS_OF_STATES],
        }
    }

    /// The number of threads of a block.
    pub const fn thread_count(&self) -> u32 {
        let [x, y] = self.threads();
        x * y
    }

    /// Whether threads keep rows of a tile, and its warps share the columns.
    pub const fn keeps_rows(&self) -> bool {
        self.sweep.keeps_rows()
    }

    /// The number of warps that share a tile whose rows threads keep, each with the same number of columns. With one warp per
    /// block, many GPUs reach their limit of blocks long before their limit of warps.
    pub(super) const fn warps_of_columns(&self) -> u32 {
        if self.side.is_multiple_of(64) { 4 } else { 1 }
    }

    /// If threads keep rows: the columns of a tile for one warp.
    pub const fn columns_of_warp(&self) -> u32 {
        self.side / self.warps_of_columns()
    }

    /// In `rotate`: the number of columns that rotate together, one for each thread of a warp, or for every two threads.
    pub const fn window(&self) -> u32 {
        if self.columns_of_warp().is_multiple_of(WARP) { WARP } else { WARP / 2 }
    }

    /// If threads keep rows: the rows of a tile for one thread. In `fold`, also its columns.
    pub const fn rows_of_thread(&self) -> u32 {
        match self.sweep {
            Sweep::Fold | Sweep::Filter | Sweep::Product => self.side / SIDE_OF_FOLDS,
            _ => self.side / WARP,
        }
    }

    /// In `fold`: the features of `size` bytes that a thread loads at once.
    pub const fn word(&self, size: u32) -> u32 {
        WORD / size
    }

    /// In `fold`: the words of a panel for each element. Each thread loads one of them.
    pub const fn words(&self) -> u32 {
        self.thread_count() / self.side
    }

    /// In `fold`: the features of `size` bytes in a panel.
    pub const fn panel(&self, size: u32) -> u32 {
        self.words() * self.word(size)
    }

    /// In `fold`: by how many places the features of a word are shifted against those of the previous word. The threads of a
    /// warp, which have several words of some elements, then write to different banks.
    pub const fn shift(&self, size: u32) -> u32 {
        let elements = WARP / self.words();
        // Two threads take turns to fill a bank of shared memory with 8 bytes each.
        if size == 8 { elements / 2 } else { elements }
    }

    /// In `fold`: the places in shared memory of a panel of one parameter's rows, or of its columns.
    pub const fn panel_memory(&self, size: u32) -> u32 {
        self.panel(size) * self.side + self.words() * self.shift(size)
    }

    /// In `filter` and `product`: the features of each element in a part, if they have `size` bytes: in `product`, 32-bit floats
    /// are split into two 16-bit floats.
    pub const fn part(&self, size: u32) -> u32 {
        match (self.sweep, size) {
            (Sweep::Product, 4) => WORDS_OF_PART * WORD / 4,
            (Sweep::Product, 1) => WORDS_OF_PART * WORD,
            _ => WORDS_OF_PART * WORD / 2,
        }
    }

    /// In `filter` and `product`: the floats that a block reads of each element besides: its scale and its share of an error, or
    /// nothing for features of 1 byte, which are integers.
    pub const fn factors(&self, size: u32) -> u32 {
        match (self.sweep, size) {
            (Sweep::Product, 1) => 0,
            _ => 2,
        }
    }

    /// In `product`: the warps that multiply.
    pub const fn multiplying_warps(&self) -> u32 {
        WARPS_OF_PRODUCTS
    }

    /// In `product`: the parts of rows and of columns in shared memory, on a GPU of this architecture: 90 for sm_90.
    pub const fn stages(&self, architecture: u32) -> u32 {
        if architecture == 90 { STAGES_ON_SM_90 } else { STAGES }
    }

    /// In `product`: the rows of products that a warp passes through shared memory at a time, and the floats of each.
    pub const fn staged(&self) -> [u32; 2] {
        [STAGED_ROWS, self.side + PADDING_OF_ROWS]
    }

    /// In `filter` and `product`: the 16-byte words of such a part for all elements of a tile.
    pub const fn part_memory(&self) -> u32 {
        WORDS_OF_PART * self.side
    }

    /// The dynamic shared memory of a block on a GPU of this architecture, in bytes: in `filter` two parts of the features of its
    /// row, and two of columns, on sm_90 four; in `product` one of each for each stage, and the staged products.
    pub const fn dynamic_shared(&self, architecture: u32) -> u32 {
        match self.sweep {
            Sweep::Filter if architecture == 90 => 6 * self.part_memory() * WORD,
            Sweep::Filter => 4 * self.part_memory() * WORD,
            Sweep::Product => {
                let [rows, floats] = self.staged();
                let stages = self.stages(architecture);
                stages * 2 * self.part_memory() * WORD + WARPS_OF_PRODUCTS * rows * floats * 4
            }
            _ => 0,
        }
    }

    /// In `filter`: the number of passing pairs that a block collects before it queues them.
    pub const fn found(&self) -> u32 {
        1024
    }

    /// In `fold`: the rows of pairs that each warp passes through shared memory at a time, after the last feature.
    pub const fn lines(&self) -> u32 {
        4
    }

    /// In `fold`: the pairs of such a row.
    pub const fn line(&self) -> u32 {
        8 * self.rows_of_thread()
    }

    /// The pairs of a thread, in a tile off the diagonal. In `entries`, the side is the number of a block's entries.
    pub const fn pairs_of_thread(&self) -> u32 {
        match self.sweep {
            Sweep::Entries | Sweep::Partners => self.side / self.thread_count(),
            Sweep::Sets => RUN / WARP,
            // Each warp has rows of its own.
            Sweep::SetRows => self.side,
            _ => self.side * self.side / self.thread_count(),
        }
    }

    /// Whether each warp adds its sums to the totals directly, without shared memory. If threads keep rows, a warp has so many
    /// pairs that the extra atomics cost less than waiting for other warps.
    pub const fn adds_by_warp(&self) -> bool {
        self.keeps_rows()
            || matches!(
                self.sweep,
                Sweep::Fold
                    | Sweep::Filter
                    | Sweep::Product
                    | Sweep::Near
                    | Sweep::Sets
                    | Sweep::SetRows
            )
    }

    /// The states of all pairs that a block stores: one, or one for each warp where surplus warps return early.
    pub const fn states_of_block(&self) -> u32 {
        match self.sweep {
            Sweep::Near | Sweep::SetRows => self.thread_count() / WARP,
            _ => 1,
        }
    }

    /// The number of warps whose sums are added up in shared memory before they go to a total.
    pub const fn warps_of_sums(&self) -> u32 {
        self.thread_count() / WARP
    }

    /// In `rows`: segments are moved to multiples of this number of slots. From one row of a thread to its next, the start of
    /// packed rows grows by a multiple of half the height, and the start of the rows of a square or a matrix by a multiple of
    /// the height. So all rows of a thread are moved by the same distance. (A matrix is moved like packed rows: the smaller
    /// multiple is whole sectors, and more numbers of columns are multiples of it.)
    pub const fn alignment(&self, is_square: bool) -> u32 {
        if is_square { self.height } else { self.height / 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_threads_split_its_pairs() {
        let rows = Tiling::new(Sweep::Rows, 64).with_columns(4, 4).with_height(16, 1);
        assert_eq!((rows.threads(), rows.pairs_of_thread()), ([16, 16], 16));
        let columns = Tiling::new(Sweep::Columns, 256);
        assert_eq!((columns.threads(), columns.rows_of_thread()), ([32, 4], 8));
        assert_eq!((columns.columns_of_warp(), columns.pairs_of_thread()), (64, 512));
        assert_eq!(Tiling::new(Sweep::Rotate, 256).threads(), [32, 4]);
        let windows = [32, 64, 128, 192].map(|side| Tiling::new(Sweep::Rotate, side).window());
        assert_eq!(windows, [32, 16, 32, 16]);
        assert_eq!(Tiling::new(Sweep::Classic, 16).pairs_of_thread(), 1);
        let fold = Tiling::new(Sweep::Fold, 128);
        assert_eq!(
            (fold.threads(), fold.rows_of_thread(), fold.pairs_of_thread()),
            ([32, 8], 8, 64)
        );
        // A block of sm_86, sm_89 or sm_120 can have 99 KiB, of which 1 KiB is for other uses.
        let shared = |architecture| Tiling::new(Sweep::Product, 128).dynamic_shared(architecture);
        assert_eq!([80, 89, 90].map(shared), [98 << 10, 98 << 10, 162 << 10]);
        assert_eq!([1, 2, 4, 8].map(|size| fold.panel(size)), [32, 16, 8, 4]);
        let panels = [128, 64, 32].map(|side| Tiling::new(Sweep::Fold, side).panel(4));
        assert_eq!(panels, [8, 16, 32]);
    }
}
