//! The ways of visiting pairs and of launching, and what a parameter or a key may need of them.

/// The enum of what a parameter or a key may need of a way of visiting or of launching, and for each what the table says of a way that
/// lacks it.
macro_rules! needs {
    ($($(#[$doc:meta])* $name:ident = $reason:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum Need {
            $($(#[$doc])* $name,)*
        }

        impl Need {
            /// What a way does that lacks it, for the table.
            pub(super) const fn reason(self) -> &'static str {
                match self {
                    $(Need::$name => $reason,)*
                }
            }
        }
    };
}

needs! {
    /// A thread or a block has all pairs of its elements, to join their states.
    Joins = "no thread or block has all pairs of an element, to join their states",
    /// Pairs are evaluated in the same order in every run.
    Fixed = "states would be joined in another order in each run",
    /// Every pair is evaluated.
    Every = "pairs are skipped, so their slots would have no value",
    /// No pair is evaluated twice.
    Once = "some pairs are visited several times",
    /// All pairs of one set are visited in one launch.
    Square = "the slots of a square are those of all pairs of one set",
    /// Rounds look for the nearest elements.
    Searches = "there is no search for neighbours",
    /// A column meets all rows.
    AllRows = "what a column has is from all rows",
    /// A block has memory and registers beside those of states.
    Places = "there is no place for slots, counters and other results of elements",
    /// The pairs are visited once for each block of arrays.
    Repeats = "arrays need launches of their own, one for each of their blocks",
    /// The pairs are those within many sets.
    Members = "the pairs are those of one set or two",
    /// There is one memory, to which all pairs write.
    Memory = "each device would write to a copy of its own",
    /// Terms are added in an order that does not depend on a list.
    Order = "an exact sum of floats would follow the order of the list",
    /// What a body has added stays.
    Counts = "what a body adds to a histogram cannot be taken back",
    /// A thread keeps an element for its result.
    Results = "no thread keeps an element for its result",
    /// A thread keeps a column for its result.
    ColumnResults = "all threads have the same column at a time: results of rows alone work",
    /// The pairs are those of one set, a triangle.
    Triangle = "the pairs are those of two sets",
    /// The pairs are those of two sets, a rectangle.
    Rectangle = "the pairs are those of one set",
    /// Neighbouring threads write neighbouring slots.
    Slots = "neighbouring threads would write to slots that are far apart",
    /// Rows of packed slots are written as they are aligned.
    Packed = "rows of packed slots and of a square start at different offsets",
    /// A pair adds once.
    Totals = "each pair is evaluated twice",
    /// Floats are added in the same groups on every GPU.
    Groups = "floats are added in any order, or in groups that depend on the GPU",
    /// Both elements of a pair get something in one evaluation.
    Both = "a pair is evaluated twice, once for each of its elements",
    /// Features are folded or multiplied.
    Features = "features are not folded together for the pairs of an element",
    /// Keys choose the map.
    Maps = "the kernel has a map of its own",
    /// There are pairs (i, i).
    Diagonal = "there are no pairs (i, i)",
    /// Keys choose the sweep and its tiles.
    Sweeps = "the kernel has a sweep of its own",
    /// Keys choose the threads of a block.
    Threads = "the sweep is `fold`, whose tile determines the threads of a block",
    /// Threads share tiles of pairs.
    Tiles = "each pair is added by itself, in blocks of one thread per pair",
    /// Sums of floats are exact.
    Exact = "exact sums are the same in any order, so they need no order of elements",
}

/// The enum of all ways, their list, their headings in the table, and what they lack, the most telling first.
macro_rules! visits {
    ($($(#[$doc:meta])* $name:ident = $heading:literal [$($need:ident),*],)*) => {
        /// A way of visiting pairs: by the elements (`Sets` to `Features`), by a body or a product (`Boxes` to `Quick`), or by an output or
        /// a key (from `Rounds` on); or a way of launching (`List` to `Reports`).
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

            /// What it lacks.
            pub(super) const fn lacks(self) -> &'static [Need] {
                match self {
                    $(Visit::$name => &[$(Need::$need),*],)*
                }
            }
        }
    };
}

visits! {
    Sets = "`Sets`" [Square, Repeats, Maps, Diagonal, Sweeps],
    FeatureSets = "`FeatureSets`" [Joins, Square, Repeats, Searches, Maps, Diagonal, Sweeps],
    OneSet = "one set" [Rectangle],
    TwoSets = "two sets" [Triangle, Maps, Diagonal],
    Features = "`Features`" [Threads],
    List = "given pairs, `keep`" [Joins, Square, Searches, Members],
    /// A pair is evaluated once for each of its elements.
    ByElement = "lists by element (from the second launch on)" [Both, Members, Features, Diagonal, Exact],
    Keep = "`keep`" [Fixed],
    ExactKeep = "`keep` with `deterministic`" [Order, Fixed],
    Ranges = "ranges of rows, `chunks`" [Members, Square, AllRows, Searches],
    Devices = "several devices or processes" [Square, Memory],
    /// One launch of all of them. In chunks, each launch is on one device.
    Divided = "one launch of one set or two on several devices at once" [Square, Every],
    Values = "a `Packed` or `Matrix` on several devices" [],
    Chunks = "`chunks` on several devices" [],
    Processes = "devices that several processes share" [],
    Mixed = "GPUs beside a CPU" [],
    Tuning = "`tune`" [Members],
    Reports = "`report`" [],
    Boxes = "`lower_bound` over boxes" [Joins, Every, Repeats, Members],
    Bounds = "`lower_bound` over features" [Joins, Fixed, Every, Repeats, Members],
    Products = "`#[dot]`" [Members],
    /// Products, of which the body `quick` leaves some pairs to the other bodies.
    Quick = "the body `quick`" [Counts],
    Rounds = "beside `Nearest`" [Once, Joins, Repeats, Searches, Maps],
    /// Blocks that have all pairs of their elements, for states of the elements of one set.
    Elements = "beside `Reduce` of elements" [Searches, Repeats, Places, Maps, Sweeps],
    /// Lanes that have all pairs of an element in its set.
    SetRows = "beside a `Nearest` or `Reduce` in many sets" [Searches, Repeats, Places, Maps, Sweeps],
    /// The same for states of the rows or the columns of two sets.
    Rows = "beside `Reduce` of rows or columns" [Places, Searches, Sweeps],
    /// A state for each row, beside which columns have none.
    RowStates = "beside `Reduce` of rows" [AllRows],
    Arrays = "beside `ArraySums`" [Once, Joins, Searches],
    /// Tiles of a square, of which each pair is stored in both halves.
    Mirror = "the sweep `mirror`" [Results],
    /// Tiles of slots whose threads have no registers for results.
    Tiles = "slots and results in one tile, with `tile` or the sweep `rows`" [Results],
    /// Rows of tiles of a square, both halves of which are evaluated.
    SquareRows = "the sweep `rows` of a `Square`" [Packed, Totals],
    /// Tiles whose threads all have the same column.
    Columns = "the sweep `columns`" [ColumnResults, Slots],
    /// Tiles whose columns rotate among threads.
    Rotate = "the sweep `rotate`" [Slots],
    Threads = "`space = \"thread\"` without `diagonal`" [Square],
    ExactWalk = "`deterministic` with the map `walk` or `auto`" [Groups],
    ExactBoxes = "`deterministic` with a `lower_bound` over boxes" [Tiles],
    ExactBounds = "`deterministic` with `Features` and a `lower_bound`" [Groups],
    ExactStates = "`deterministic` with a `Reduce` of rows or columns" [Groups],
}
