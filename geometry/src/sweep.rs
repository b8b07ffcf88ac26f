//! The sweeps: how the threads of a block share its pairs.
//!
//! Each fact about a sweep is here once, for the code generator, which writes the kernel source, and for the runtime, which
//! launches it: the threads of a block, their shared memory, the pairs of a thread.

mod memory;
mod tiling;

use std::fmt;

pub use memory::SharedUse;
pub use tiling::Tiling;

/// How the threads of a block visit its pairs.
///
/// ```
/// use td_kernel_geometry::{SWEEPS, Sweep};
///
/// assert_eq!(Sweep::of("rows"), Some(Sweep::Rows));
/// assert!(SWEEPS.iter().all(|sweep| Sweep::of(sweep.name()) == Some(*sweep)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sweep {
    /// One thread for each pair, in blocks of threads.
    Classic,
    /// Each thread keeps rows of a tile, and all threads visit its columns together.
    Columns,
    /// Each thread keeps rows of a tile. The columns, with their results, rotate among the threads of a warp.
    Rotate,
    /// Threads lie along the rows of a tile. For a square, both halves are computed.
    Rows,
    /// Each pair of a tile is computed once, and its value is stored in both halves of a square.
    Mirror,
    /// For elements with features: each thread keeps the folds of some rows and columns of a tile, and all threads visit the
    /// features together, panel by panel.
    Fold,
    /// For kernels over features with a lower bound: tensor cores multiply the features approximately, and only pairs that may
    /// count are evaluated. For GPUs from sm_80 on; no key selects it.
    Filter,
    /// For products of features: tensor cores multiply split features about as exactly as floats. For GPUs from sm_80 on; no key
    /// selects it.
    Product,
    /// For kernels with a lower bound over boxes: a warp finds the near tiles of a row and evaluates the pairs that may count. No
    /// key selects it.
    Near,
    /// For a launch over the pairs of a list: a thread for each of its entries. No key selects it.
    Entries,
    /// For later launches over such a list: a few threads for each element, which visit its partners. No key selects it.
    Partners,
    /// For pairs within many small sets: each warp visits a run of the pairs of one set after another. No key selects it.
    Sets,
    /// For nearest neighbours and states of elements within many small sets: each thread has an element and visits all elements of
    /// its set. No key selects it.
    SetRows,
    /// For states that a function joins: a block has rows, and its warps share all columns. No key selects it.
    Reduce,
}

/// Every sweep that a key can select, in the order of messages.
pub const SWEEPS: &[Sweep] =
    &[Sweep::Classic, Sweep::Columns, Sweep::Rotate, Sweep::Rows, Sweep::Mirror, Sweep::Fold];

impl Sweep {
    /// The value of the key: `sweep = "rows"`.
    pub const fn name(self) -> &'static str {
        match self {
            Sweep::Classic => "classic",
            Sweep::Columns => "columns",
            Sweep::Rotate => "rotate",
            Sweep::Rows => "rows",
            Sweep::Mirror => "mirror",
            Sweep::Fold => "fold",
            Sweep::Filter => "filter",
            Sweep::Product => "product",
            Sweep::Near => "near",
            Sweep::Entries => "entries",
            Sweep::Partners => "partners",
            Sweep::Sets => "sets",
            Sweep::SetRows => "set_rows",
            Sweep::Reduce => "reduce",
        }
    }

    /// A phrase that fits after its name: what it does.
    pub const fn summary(self) -> &'static str {
        match self {
            Sweep::Classic => "one thread per pair, as in the papers",
            Sweep::Columns => {
                "for kernels that only sum or list: each thread keeps rows of a tile, and all threads loop over its columns"
            }
            Sweep::Rotate => {
                "for results of each element: each thread keeps rows of a tile, and the columns rotate among the threads \
                 of a warp, together with their results"
            }
            Sweep::Rows => {
                "for packed slots, squares and matrices, also beside results of elements: threads are laid out along the rows \
                 of a tile, and store whole sectors of memory; for a square, both halves are computed"
            }
            Sweep::Mirror => {
                "for squares, also beside packed slots: each pair of a tile is computed once, and the tile is stored in both halves"
            }
            Sweep::Fold => {
                "for elements with features: each thread keeps the folds of some pairs of a tile, and all threads loop over \
                 the features, panel by panel"
            }
            Sweep::Filter => {
                "for nearest neighbours, lists and sums with a lower bound: tensor cores compute approximate products of the \
                 features of all pairs of a tile, and only the pairs that may qualify are evaluated"
            }
            Sweep::Product => {
                "for products of features: tensor cores multiply the features of a tile, each split into two 16-bit floats, \
                 about as exactly as 32-bit floats"
            }
            Sweep::Near => {
                "for lists, sums, results of elements and nearest neighbours with a lower bound over boxes: elements are sorted, and \
                 each warp visits the near tiles of a row and evaluates only the pairs that may qualify"
            }
            Sweep::Entries => "for the pairs of a list: each thread has some of its entries",
            Sweep::Partners => {
                "for results of elements over the pairs of a list: a few threads visit the partners of an element"
            }
            Sweep::Sets => {
                "for pairs within many small sets: each warp visits a run of pairs, and neighbouring threads have neighbouring \
                 pairs"
            }
            Sweep::SetRows => {
                "for nearest neighbours and states of elements within many small sets: each thread has an element and visits all elements of its set"
            }
            Sweep::Reduce => {
                "for states that a function joins: each thread has the state of a row, and the warps of a block share the columns"
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

    /// Whether it visits the pairs within many small sets.
    pub const fn is_of_sets(self) -> bool {
        matches!(self, Sweep::Sets | Sweep::SetRows)
    }

    /// Whether it stores values of adjacent pairs together, along the rows of a tile.
    pub const fn stores_vectors(self) -> bool {
        matches!(self, Sweep::Rows | Sweep::Mirror)
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &sweep in SWEEPS {
            assert_eq!(Sweep::of(sweep.name()), Some(sweep));
        }
        assert_eq!(Sweep::of("diagonal"), None);
    }
}
