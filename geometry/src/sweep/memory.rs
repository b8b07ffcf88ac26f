//! The shared memory of a block.

use super::Sweep;
use super::tiling::{Tiling, WARPS_OF_FOLDS, WARPS_OF_STATES, WORD};

/// A parameter's use of a block's shared memory, with the size of one value in bytes.
///
/// ```
/// use td_kernel_geometry::{SharedUse, Sweep, Tiling};
///
/// // The elements of 16 rows and 16 columns.
/// let elements = [SharedUse::Element { size: 8 }];
/// assert_eq!(Tiling::new(Sweep::Classic, 16).shared(false, &elements), 256);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SharedUse {
    /// The elements of a tile's rows and columns.
    Element {
        /// The bytes of one.
        size: usize,
    },
    /// The elements of a tile's rows, if rows and columns are of two sets.
    Row {
        /// The bytes of one.
        size: usize,
    },
    /// The elements of a tile's columns, if rows and columns are of two sets.
    Column {
        /// The bytes of one.
        size: usize,
    },
    /// The results of a tile's rows, which the block's warps combine.
    Result {
        /// The bytes of one row's.
        size: usize,
    },
    /// One value of a sum for each warp of a block that adds up its warps' sums.
    Sum {
        /// The bytes of a total.
        size: usize,
    },
    /// One state for each warp of a block, which joins them.
    State {
        /// The bytes of one.
        size: usize,
    },
    /// Values of adjacent pairs that do not form a vector for one thread (`td_segment`).
    Segment {
        /// The bytes of one.
        size: usize,
    },
    /// Panels of the features of a tile's rows and columns.
    Features {
        /// 2 for both, 1 for one of them.
        sides: usize,
        /// The bytes of one.
        size: u32,
    },
    /// The folds of some rows of pairs.
    Folded {
        /// The bytes of one.
        size: usize,
    },
    /// The counters of a histogram.
    Counters {
        /// The bytes of all.
        bytes: usize,
    },
    /// A mirrored tile (`td_mirror`).
    Mirror {
        /// The bytes of one value.
        size: usize,
    },
}

/// The panels in shared memory: one that is being folded, and one that is being loaded.
const BUFFERS: usize = 2;

impl Tiling {
    /// The shared memory of a block, in bytes, for its parameters, without the padding that a compiler adds.
    pub const fn shared(&self, is_square: bool, kept: &[SharedUse]) -> usize {
        let mut bytes = 0;
        let (mut panels, mut folded) = (0, 0);
        let mut at = 0;
        while at < kept.len() {
            match kept[at] {
                // The parts of features are in dynamic shared memory. This is a float for each column, for each one of the next
                // tile, and a zero for each; a barrier; and a list of pairs that passed, which are evaluated elsewhere.
                SharedUse::Features { sides, .. } if matches!(self.sweep, Sweep::Filter) => {
                    let floats =
                        (BUFFERS + 1) * self.side as usize * size_of::<f32>() + size_of::<u64>();
                    let found = (self.found() as usize + 1) * size_of::<u32>();
                    // With two sets, each has a half.
                    bytes += sides * (floats + found) / 2;
                }
                SharedUse::Features { .. }
                    if matches!(self.sweep, Sweep::Product | Sweep::Entries | Sweep::Reduce) => {}
                SharedUse::Folded { .. }
                    if matches!(
                        self.sweep,
                        Sweep::Filter | Sweep::Product | Sweep::Entries | Sweep::Reduce
                    ) => {}
                SharedUse::Features { sides, size } => {
                    let memory = self.panel_memory(size) * size;
                    panels += sides * (BUFFERS * memory as usize).next_multiple_of(WORD as usize);
                }
                SharedUse::Folded { size } => {
                    let lines = (WARPS_OF_FOLDS * self.lines() * self.line()) as usize * size;
                    folded += lines.next_multiple_of(WORD as usize);
                }
                other => bytes += self.bytes(is_square, other),
            }
            at += 1;
        }
        // The folds reuse the panels' memory after all features are folded.
        bytes + if panels > folded { panels } else { folded }
    }

    /// The shared memory of one parameter.
    const fn bytes(&self, is_square: bool, kept: SharedUse) -> usize {
        let side = self.side as usize;
        match kept {
            // For columns, and those of the next tile. Each thread has the elements of its rows in registers.
            SharedUse::Element { size } | SharedUse::Column { size }
                if matches!(self.sweep, Sweep::Filter) =>
            {
                BUFFERS * side * size
            }
            // Each thread reads the elements of its pairs directly, once for all of their features.
            SharedUse::Element { .. }
            | SharedUse::Row { .. }
            | SharedUse::Column { .. }
            | SharedUse::Result { .. }
                if !stages_elements(self.sweep) =>
            {
                0
            }
            // These two share their memory.
            SharedUse::Features { .. } | SharedUse::Folded { .. } => 0,
            SharedUse::Element { size } => {
                let moved = 2 * side + self.alignment(is_square) as usize;
                size * match self.sweep {
                    Sweep::Classic | Sweep::Mirror => 2 * side,
                    Sweep::Columns => side,
                    // Each warp has columns of its own.
                    Sweep::Reduce => side * WARPS_OF_STATES as usize,
                    // A lane begins anywhere in a window, and wraps around to its start.
                    Sweep::Rotate => 2 * side,
                    Sweep::Rows if is_square => 2 * moved,
                    Sweep::Rows => moved,
                    Sweep::Fold | Sweep::Filter | Sweep::Product | Sweep::Near => 0,
                    Sweep::Entries | Sweep::Partners | Sweep::Sets | Sweep::SetRows => 0,
                }
            }
            SharedUse::Row { size } => match self.sweep {
                // Each thread has the results of its rows in registers.
                Sweep::Columns | Sweep::Rotate | Sweep::Reduce => 0,
                _ => size * side,
            },
            SharedUse::Column { size } => match self.sweep {
                Sweep::Rows => size * (side + self.alignment(is_square) as usize),
                Sweep::Rotate => 2 * size * side,
                Sweep::Reduce => size * side * WARPS_OF_STATES as usize,
                _ => size * side,
            },
            SharedUse::Result { size } if self.keeps_rows() && self.warps_of_columns() > 1 => {
                size * side * self.warps_of_columns() as usize
            }
            // Those of one warp at a time.
            SharedUse::Result { size } if matches!(self.sweep, Sweep::Reduce) => size * side,
            SharedUse::Result { .. } => 0,
            SharedUse::Sum { .. } if self.adds_by_warp() => 0,
            SharedUse::Sum { size } | SharedUse::State { size } => {
                size * self.warps_of_sums() as usize
            }
            SharedUse::Segment { size } => {
                let [width, height] = self.threads();
                let own = self.neighbours as usize;
                height as usize * segment(width as usize * own, own, size)
            }
            SharedUse::Mirror { size } => mirror(side, size),
            SharedUse::Counters { bytes } => bytes,
        }
    }
}

/// Whether blocks of a sweep have the elements of their rows and columns in shared memory.
const fn stages_elements(sweep: Sweep) -> bool {
    match sweep {
        Sweep::Classic | Sweep::Columns | Sweep::Rotate => true,
        Sweep::Rows | Sweep::Mirror | Sweep::Reduce => true,
        Sweep::Fold | Sweep::Filter | Sweep::Product | Sweep::Near => false,
        Sweep::Entries | Sweep::Partners | Sweep::Sets | Sweep::SetRows => false,
    }
}

/// The bytes of a mirrored tile: each of its columns is padded to a multiple of 16 bytes.
const fn mirror(side: usize, size: usize) -> usize {
    let mut padding = 1;
    while !(padding * size).is_multiple_of(16) {
        padding += 1;
    }
    side * (side + padding) * size
}

/// The bytes of a segment of `count` values, `own` of them for each thread; a placeholder if values do not go through it.
const fn segment(count: usize, own: usize, size: usize) -> usize {
    let is_used = (own * size).is_multiple_of(16) && size <= 32;
    if is_used { count * size } else { 16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staged_memory_of_two_sets() {
        let kept = [SharedUse::Row { size: 4 }, SharedUse::Column { size: 8 }];
        let rows = Tiling::new(Sweep::Rows, 64).with_columns(4, 4).with_height(16, 1);
        assert_eq!(rows.shared(false, &kept), 64 * 4 + (64 + 8) * 8);
        assert_eq!(Tiling::new(Sweep::Columns, 128).shared(false, &kept), 128 * 8);
        assert_eq!(Tiling::new(Sweep::Rotate, 128).shared(false, &kept), 2 * 128 * 8);
        let result = [SharedUse::Result { size: 12 }];
        let bytes = [32, 128].map(|side| Tiling::new(Sweep::Rotate, side).shared(false, &result));
        assert_eq!(bytes, [0, 4 * 128 * 12]);
        assert_eq!(Tiling::new(Sweep::Classic, 16).shared(false, &kept), 16 * 4 + 16 * 8);
        assert_eq!(Tiling::new(Sweep::Filter, 128).shared(false, &kept), 2 * 128 * 8);
    }

    #[test]
    fn folds_reuse_panel_memory() {
        let fold = Tiling::new(Sweep::Fold, 128);
        let (features, folded) =
            (SharedUse::Features { sides: 2, size: 4 }, SharedUse::Folded { size: 4 });
        let element = SharedUse::Element { size: 4 };
        assert_eq!(
            fold.shared(false, &[features, folded, element]),
            2 * 2 * 4 * (8 * 128 + 2 * 16)
        );
        let fold = Tiling::new(Sweep::Fold, 32);
        assert_eq!(
            fold.shared(false, &[features, SharedUse::Folded { size: 64 }]),
            8 * 4 * 16 * 64
        );
    }
}
