//! The ways of visiting pairs and of launching.

/// The enum of all ways, their list and their headings in the table, from one list.
macro_rules! visits {
    ($($(#[$doc:meta])* $name:ident = $heading:literal,)*) => {
        /// A way of visiting pairs, an output or a key that decides it (from `Rounds` on), or a way of launching (`List` to `Tuning`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Visit {
            $($(#[$doc])* $name,)*
        }

        impl Visit {
            /// Every one of them.
            pub(super) const ALL: &[Visit] = &[$(Visit::$name,)*];

            /// What a kernel has that is visited so, or what launches it so, for the table.
            pub(super) const fn heading(self) -> &'static str {
                match self {
                    $(Visit::$name => $heading,)*
                }
            }
        }
    };
}

visits! {
    /// The pairs within many sets.
    Sets = "`Sets`",
    /// The pairs within many sets of elements with features.
    FeatureSets = "`FeatureSets`",
    /// Given pairs, or near pairs that launches keep.
    List = "given pairs, `keep`",
    /// Near pairs that launches keep, with exact sums of floats.
    Kept = "`keep` with `deterministic`",
    /// A range of the rows, of which a chunk has the values.
    Ranges = "ranges of rows, `chunks`",
    /// Several devices, each of which visits some of the pairs.
    Devices = "several devices or processes",
    /// One launch of all of them. In chunks, each launch is on one device.
    Divided = "one launch of one set or two on several devices",
    /// Launches of every variant, to compare their times.
    Tuning = "`tune`",
    /// The pairs that a lower bound over boxes does not exclude.
    Boxes = "`lower_bound` over boxes",
    /// The pairs that a lower bound over features does not exclude.
    Bounds = "`lower_bound` over features",
    /// Pairs whose features tensor cores multiply.
    Products = "`#[dot]`",
    /// The same, of which the body `quick` leaves some to the other bodies.
    Quick = "the body `quick`",
    /// The rounds in which a `Nearest` visits the pairs.
    Rounds = "beside `Nearest`",
    /// Blocks that have all pairs of their elements, for states of the elements of one set.
    Elements = "beside `Reduce` of elements",
    /// The same for states of the rows or the columns of two sets.
    Rows = "beside `Reduce` of rows or columns",
    /// A state for each row, beside which columns have none.
    RowStates = "beside `Reduce` of rows",
    /// A launch for each block of given arrays.
    Arrays = "beside `ArraySums`",
    /// Tiles of a square, of which each pair is stored in both halves.
    Mirror = "the sweep `mirror`",
    /// Tiles of slots whose threads have no registers for results.
    Tiles = "tiles of slots that results do not fit, by `tile` or the sweep `rows`",
    /// Rows of tiles of a square, both halves of which are evaluated.
    SquareRows = "the sweep `rows` of a `Square`",
    /// Tiles whose threads all have the same column.
    Columns = "the sweep `columns`",
    /// Tiles whose columns rotate among threads.
    Rotate = "the sweep `rotate`",
    /// A thread for each pair, without the pairs (i, i).
    Threads = "`space = \"thread\"` without `diagonal`",
    /// As many blocks as fit on the GPU, with exact sums of floats.
    ExactWalk = "`deterministic` with the map `walk` or `auto`",
    /// The pairs that a lower bound over features does not exclude, with exact sums of floats.
    ExactBounds = "`deterministic` with `Features` and a `lower_bound`",
    /// Blocks that have all pairs of their elements, with exact sums of floats.
    ExactStates = "`deterministic` with a `Reduce` of elements",
}
