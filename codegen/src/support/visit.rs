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
    Sets = "`Sets`",
    FeatureSets = "`FeatureSets`",
    List = "given pairs, `keep`",
    /// Given pairs from the second launch on, for which a pair is evaluated once for each of its elements.
    ByElement = "lists by element",
    Kept = "`keep` with `deterministic`",
    Ranges = "ranges of rows, `chunks`",
    Devices = "several devices or processes",
    /// One launch of all of them. In chunks, each launch is on one device.
    Divided = "one launch of one set or two on several devices",
    Tuning = "`tune`",
    Boxes = "`lower_bound` over boxes",
    Bounds = "`lower_bound` over features",
    Products = "`#[dot]`",
    /// The same, of which the body `quick` leaves some to the other bodies.
    Quick = "the body `quick`",
    Rounds = "beside `Nearest`",
    /// Blocks that have all pairs of their elements, for states of the elements of one set.
    Elements = "beside `Reduce` of elements",
    /// The same for states of the rows or the columns of two sets.
    Rows = "beside `Reduce` of rows or columns",
    /// A state for each row, beside which columns have none.
    RowStates = "beside `Reduce` of rows",
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
    Threads = "`space = \"thread\"` without `diagonal`",
    ExactWalk = "`deterministic` with the map `walk` or `auto`",
    ExactBounds = "`deterministic` with `Features` and a `lower_bound`",
    ExactStates = "`deterministic` with a `Reduce` of elements",
}
