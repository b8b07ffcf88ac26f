//! The sweeps: how the threads of a block share its pairs.
//!
//! Each fact about a sweep is stated here once, for the code generator, which writes the texts, and for the runtime,
//! which launches them: the threads of a block, their shared memory, the pairs of a thread.

use std::fmt;

/// How the threads of a block visit its pairs.
///
/// ```
/// use td_kernel_maps::{SWEEPS, Sweep};
///
/// assert_eq!(Sweep::of("rows"), Some(Sweep::Rows));
/// assert!(SWEEPS.iter().all(|sweep| Sweep::of(sweep.name()) == Some(*sweep)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sweep {
    /// One thread for each pair, in blocks of threads.
    Classic,
    /// Each thread keeps rows of a tile, and all threads go along its columns.
    Columns,
    /// Each thread keeps rows of a tile, and the columns go around among the threads of a warp, with their results.
    Rotate,
    /// Threads lie along the rows of a tile. For a square, both halves are computed.
    Rows,
    /// Each pair of a tile is computed once, and its value is stored in both halves of a square.
    Mirror,
    /// For elements with features: each thread keeps the folds of some rows and columns of a tile, and all threads go
    /// along the features together, chunk by chunk.
    Fold,
}

/// Every sweep, in the order in which messages list them.
pub const SWEEPS: &[Sweep] =
    &[Sweep::Classic, Sweep::Columns, Sweep::Rotate, Sweep::Rows, Sweep::Mirror, Sweep::Fold];

impl Sweep {
    /// The word in the attribute: `sweep = "rows"`.
    pub const fn name(self) -> &'static str {
        match self {
            Sweep::Classic => "classic",
            Sweep::Columns => "columns",
            Sweep::Rotate => "rotate",
            Sweep::Rows => "rows",
            Sweep::Mirror => "mirror",
            Sweep::Fold => "fold",
        }
    }

    /// What it does, as a phrase that fits after its name.
    pub const fn summary(self) -> &'static str {
        match self {
            Sweep::Classic => "one thread a pair, as in the papers",
            Sweep::Columns => {
                "for kernels that only sum or list: each thread keeps rows of a tile, and all go along its columns"
            }
            Sweep::Rotate => {
                "for results of each element: each thread keeps rows of a tile, and the columns go around among the threads \
                 of a warp, with their results"
            }
            Sweep::Rows => {
                "for packed slots, squares and matrices: threads lie along the rows of a tile, and store whole sectors of \
                 memory; of a square both halves are computed"
            }
            Sweep::Mirror => {
                "for squares: each pair of a tile once, and the tile goes to both halves"
            }
            Sweep::Fold => {
                "for elements with features: each thread keeps the folds of some pairs of a tile, and all go along the \
                 features, chunk by chunk"
            }
        }
    }

    /// The sweep of this name, if there is one.
    pub fn of(name: &str) -> Option<Sweep> {
        SWEEPS.iter().copied().find(|sweep| sweep.name() == name)
    }

    /// Whether each thread keeps rows of a tile.
    pub const fn keeps_rows(self) -> bool {
        matches!(self, Sweep::Columns | Sweep::Rotate)
    }

    /// Whether it stores values of neighbouring pairs together, along the rows of a tile.
    pub const fn stores_vectors(self) -> bool {
        matches!(self, Sweep::Rows | Sweep::Mirror)
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The size of a tile in a sweep, and how the threads of a block share it.
///
/// ```
/// use td_kernel_maps::{Sweep, Tiling};
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
    /// How many columns a thread has of each of its rows, where values are stored as vectors. More columns mean less
    /// work for each pair; fewer columns mean more threads for a tile.
    pub columns: u32,
    /// How many of these columns are adjacent, so that their values are stored together.
    pub neighbours: u32,
    /// How many rows the threads of a block cover at a time.
    pub height: u32,
    /// How many rows of a thread the compiler is asked to interleave.
    pub unroll: u32,
}

/// The threads of a warp.
const WARP: u32 = 32;

/// The warps of a block that folds features. Its 256 threads are a square of 16 x 16 over the pairs of a tile.
const WARPS_OF_FOLDS: u32 = 8;

/// The threads of that square along a side.
const SIDE_OF_FOLDS: u32 = 16;

/// The bytes that a thread loads at once.
const WORD: u32 = 16;

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

    /// This tiling with `height` rows at a time, of which the compiler interleaves `unroll`.
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
            Sweep::Fold => [WARP, WARPS_OF_FOLDS],
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

    /// The number of warps that share a tile whose rows threads keep, each with the same number of columns. With one
    /// warp for each block, many GPUs reach their limit of blocks long before their limit of warps.
    const fn warps_of_columns(&self) -> u32 {
        if self.side.is_multiple_of(64) { 4 } else { 1 }
    }

    /// Where threads keep rows: how many columns of a tile one warp has.
    pub const fn columns_of_warp(&self) -> u32 {
        self.side / self.warps_of_columns()
    }

    /// In the rotation: how many columns go around together, one for each thread of a warp, or for each two.
    pub const fn window(&self) -> u32 {
        if self.columns_of_warp().is_multiple_of(WARP) { WARP } else { WARP / 2 }
    }

    /// Where threads keep rows: how many rows of a tile one thread has. In the fold: as many columns, too.
    pub const fn rows_of_thread(&self) -> u32 {
        match self.sweep {
            Sweep::Fold => self.side / SIDE_OF_FOLDS,
            _ => self.side / WARP,
        }
    }

    /// In the fold: how many features of `size` bytes a thread loads at once.
    pub const fn word(&self, size: u32) -> u32 {
        WORD / size
    }

    /// In the fold: how many such words a chunk has of each element. Each thread brings one of them.
    pub const fn words(&self) -> u32 {
        self.thread_count() / self.side
    }

    /// In the fold: how many features of `size` bytes a chunk has.
    pub const fn chunk(&self, size: u32) -> u32 {
        self.words() * self.word(size)
    }

    /// In the fold: by how many places the features of a word are moved from those of the word before it, so that the
    /// threads of a warp, which have several words of some elements, put them in different banks.
    pub const fn shift(&self, size: u32) -> u32 {
        let elements = WARP / self.words();
        // Two threads fill a bank of shared memory with 8 bytes each in turns.
        if size == 8 { elements / 2 } else { elements }
    }

    /// In the fold: the places in shared memory of a chunk of one parameter's rows, or of its columns.
    pub const fn chunk_memory(&self, size: u32) -> u32 {
        self.chunk(size) * self.side + self.words() * self.shift(size)
    }

    /// In the fold: how many rows of pairs each warp hands over to shared memory at a time, after the last feature.
    pub const fn lines(&self) -> u32 {
        4
    }

    /// In the fold: the pairs of such a row.
    pub const fn line(&self) -> u32 {
        8 * self.rows_of_thread()
    }

    /// The pairs of a thread, in a tile off the diagonal.
    pub const fn pairs_of_thread(&self) -> u32 {
        self.side * self.side / self.thread_count()
    }

    /// Whether each warp adds its sums to the totals by itself, without shared memory: where threads keep rows, a warp
    /// has so many pairs that the extra atomics cost less than waiting for other warps.
    pub const fn adds_by_warp(&self) -> bool {
        self.keeps_rows() || matches!(self.sweep, Sweep::Fold)
    }

    /// The number of warps whose sums are added up in shared memory before they go to a total.
    pub const fn warps_of_sums(&self) -> u32 {
        self.thread_count() / WARP
    }

    /// In the sweep over rows: the number of slots to a multiple of which segments are moved. From one row of a thread
    /// to its next, the start of packed rows grows by a multiple of half the height, and the start of the rows of a square
    /// or a matrix by a multiple of the height. So all rows of a thread are moved by the same distance. (A matrix is
    /// moved like packed rows: the smaller multiple is whole sectors, and more numbers of columns are multiples of it.)
    pub const fn alignment(&self, is_square: bool) -> u32 {
        if is_square { self.height } else { self.height / 2 }
    }

    /// The shared memory of a block, in bytes, for its parameters, without the padding that a compiler adds.
    pub const fn shared(&self, is_square: bool, kept: &[Kept]) -> usize {
        let mut bytes = 0;
        let (mut chunks, mut folded) = (0, 0);
        let mut at = 0;
        while at < kept.len() {
            match kept[at] {
                Kept::Features { sides, size } => {
                    let memory = self.chunk_memory(size) * size;
                    chunks += sides * (BUFFERS * memory as usize).next_multiple_of(WORD as usize);
                }
                Kept::Folded { size } => {
                    let lines = (WARPS_OF_FOLDS * self.lines() * self.line()) as usize * size;
                    folded += lines.next_multiple_of(WORD as usize);
                }
                other => bytes += self.bytes(is_square, other),
            }
            at += 1;
        }
        // The folds take the chunks' place, once all features are folded.
        bytes + if chunks > folded { chunks } else { folded }
    }

    /// The shared memory of one parameter.
    const fn bytes(&self, is_square: bool, kept: Kept) -> usize {
        let side = self.side as usize;
        match kept {
            // Each thread reads the elements of its pairs directly, once for all of their features.
            Kept::Element { .. } | Kept::Row { .. } | Kept::Column { .. } | Kept::Result { .. }
                if matches!(self.sweep, Sweep::Fold) =>
            {
                0
            }
            // These two share their memory.
            Kept::Features { .. } | Kept::Folded { .. } => 0,
            Kept::Element { size } => {
                let moved = 2 * side + self.alignment(is_square) as usize;
                size * match self.sweep {
                    Sweep::Classic | Sweep::Mirror => 2 * side,
                    Sweep::Columns => side,
                    // A lane begins anywhere in a window, and goes on at its start.
                    Sweep::Rotate => 2 * side,
                    Sweep::Rows if is_square => 2 * moved,
                    Sweep::Rows => moved,
                    Sweep::Fold => 0,
                }
            }
            Kept::Row { size } => match self.sweep {
                // Each thread has those of its rows in registers.
                Sweep::Columns | Sweep::Rotate => 0,
                _ => size * side,
            },
            Kept::Column { size } => match self.sweep {
                Sweep::Rows => size * (side + self.alignment(is_square) as usize),
                Sweep::Rotate => 2 * size * side,
                _ => size * side,
            },
            Kept::Result { size } if self.keeps_rows() && self.warps_of_columns() > 1 => {
                size * side * self.warps_of_columns() as usize
            }
            Kept::Result { .. } => 0,
            Kept::Sum { .. } if self.adds_by_warp() => 0,
            Kept::Sum { size } => size * self.warps_of_sums() as usize,
            Kept::Segment { size } => {
                let [width, height] = self.threads();
                let own = self.neighbours as usize;
                height as usize * segment(width as usize * own, own, size)
            }
            Kept::Mirror { size } => mirror(side, size),
        }
    }
}

/// What a parameter keeps in a block's shared memory, with the bytes of one value.
///
/// ```
/// use td_kernel_maps::{Kept, Sweep, Tiling};
///
/// // The elements of 16 rows and 16 columns.
/// let elements = [Kept::Element { size: 8 }];
/// assert_eq!(Tiling::new(Sweep::Classic, 16).shared(false, &elements), 256);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// The elements of a tile's rows and columns.
    Element {
        /// The bytes of one.
        size: usize,
    },
    /// The elements of a tile's rows, where rows and columns are for two sets.
    Row {
        /// The bytes of one.
        size: usize,
    },
    /// The elements of a tile's columns, where rows and columns are for two sets.
    Column {
        /// The bytes of one.
        size: usize,
    },
    /// The results of a tile's rows, which the block's warps put together.
    Result {
        /// The bytes of one row's.
        size: usize,
    },
    /// One value of a sum for each warp of a block that adds its warps' sums up.
    Sum {
        /// The bytes of a total.
        size: usize,
    },
    /// Values of neighbouring pairs that do not form a vector for one thread (`td_segment`).
    Segment {
        /// The bytes of one.
        size: usize,
    },
    /// Chunks of the features of a tile's rows and columns.
    Features {
        /// Of both: 2; of one of them: 1.
        sides: usize,
        /// The bytes of one.
        size: u32,
    },
    /// What the features of some rows of pairs are folded to.
    Folded {
        /// The bytes of one.
        size: usize,
    },
    /// A mirrored tile (`td_mirror`).
    Mirror {
        /// The bytes of one value.
        size: usize,
    },
}

/// The chunks in shared memory: one that is folded, and one that is on its way.
const BUFFERS: usize = 2;

/// The bytes of a mirrored tile: each of its columns is padded to a multiple of 16 bytes.
const fn mirror(side: usize, size: usize) -> usize {
    let mut padding = 1;
    while !(padding * size).is_multiple_of(16) {
        padding += 1;
    }
    side * (side + padding) * size
}

/// The bytes of a segment of `count` values, of which each thread has `own`; a placeholder where values do not go
/// through it.
const fn segment(count: usize, own: usize, size: usize) -> usize {
    let is_used = (own * size).is_multiple_of(16) && size <= 32;
    if is_used { count * size } else { 16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for &sweep in SWEEPS {
            assert_eq!(Sweep::of(sweep.name()), Some(sweep));
        }
        assert_eq!(Sweep::of("diagonal"), None);
    }

    #[test]
    fn the_threads_of_a_block_share_its_pairs() {
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
        assert_eq!([1, 2, 4, 8].map(|size| fold.chunk(size)), [32, 16, 8, 4]);
        let chunks = [128, 64, 32].map(|side| Tiling::new(Sweep::Fold, side).chunk(4));
        assert_eq!(chunks, [8, 16, 32]);
    }

    #[test]
    fn two_sets_keep_what_their_sweep_stages() {
        let kept = [Kept::Row { size: 4 }, Kept::Column { size: 8 }];
        let rows = Tiling::new(Sweep::Rows, 64).with_columns(4, 4).with_height(16, 1);
        assert_eq!(rows.shared(false, &kept), 64 * 4 + (64 + 8) * 8);
        assert_eq!(Tiling::new(Sweep::Columns, 128).shared(false, &kept), 128 * 8);
        assert_eq!(Tiling::new(Sweep::Rotate, 128).shared(false, &kept), 2 * 128 * 8);
        let result = [Kept::Result { size: 12 }];
        let bytes = [32, 128].map(|side| Tiling::new(Sweep::Rotate, side).shared(false, &result));
        assert_eq!(bytes, [0, 4 * 128 * 12]);
        assert_eq!(Tiling::new(Sweep::Classic, 16).shared(false, &kept), 16 * 4 + 16 * 8);
    }

    #[test]
    fn folds_take_the_place_of_chunks() {
        let fold = Tiling::new(Sweep::Fold, 128);
        let (features, folded) = (Kept::Features { sides: 2, size: 4 }, Kept::Folded { size: 4 });
        let element = Kept::Element { size: 4 };
        assert_eq!(
            fold.shared(false, &[features, folded, element]),
            2 * 2 * 4 * (8 * 128 + 2 * 16)
        );
        let fold = Tiling::new(Sweep::Fold, 32);
        assert_eq!(fold.shared(false, &[features, Kept::Folded { size: 64 }]), 8 * 4 * 16 * 64);
    }
}
