//! What a kernel visits: the triangle of all pairs, or a range of its rows.
//!
//! A domain says, in elements,
//!
//! - which rows and columns there are: rows i from [`first`](Domain::first) up to [`end`](Domain::end), and in row i
//!   the columns j < i, or j <= i with the diagonal;
//! - that (i, j) and (j, i) are one pair, which is visited with the larger index first;
//! - which pairs of a tile belong to it ([`has`](Domain::has)), and of which tiles all do
//!   ([`interior`](Domain::interior));
//! - where the values of row i are in memory ([`row_start`](Domain::row_start)).
//!
//! These are C++ expressions, for the texts of kernels. Their names have an underscore and end in no suffix that a
//! kernel's text appends to a user's name, so they cannot collide with such names.

/// What a kernel visits.
///
/// ```
/// use td_kernel_maps::Domain;
///
/// assert_eq!(Domain::Triangle.has("i", "j", false), "i > j && i < n");
/// assert_eq!(Domain::Rows.has_row("i"), "i >= row_begin && i < row_end");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Domain {
    /// All pairs of n elements.
    #[default]
    Triangle,
    /// The pairs whose larger index is in a range: the rows `row_begin <= i < row_end` of the triangle, with `row_end
    /// <= n`. Tiles lie as they do in the whole triangle. A row of tiles that the range covers only partly is launched
    /// too, and the filter of the pairs cuts it.
    Rows,
}

impl Domain {
    /// The kernel parameters that come after `n`, as C++ declares them.
    pub const fn parameters(self) -> &'static [&'static str] {
        match self {
            Domain::Triangle => &[],
            Domain::Rows => &["const unsigned int row_begin", "const unsigned int row_end"],
        }
    }

    /// The parameters that come after these in a kernel that writes packed slots: `first_slot`, the slot of the whole
    /// triangle that the memory begins with. It is the slot of some row's first pair.
    pub const fn slot_parameters(self) -> &'static [&'static str] {
        match self {
            Domain::Triangle => &[],
            Domain::Rows => &["const unsigned long long first_slot"],
        }
    }

    /// Every row i is below this.
    pub const fn end(self) -> &'static str {
        match self {
            Domain::Triangle => "n",
            Domain::Rows => "row_end",
        }
    }

    /// No row i is below this, where it is not 0.
    pub const fn first(self) -> Option<&'static str> {
        match self {
            Domain::Triangle => None,
            Domain::Rows => Some("row_begin"),
        }
    }

    /// The condition that (i, j) is a pair of the domain, for two names or simple expressions: the diagonal filter.
    pub fn has(self, i: &str, j: &str, diagonal: bool) -> String {
        format!("{} && {}", self.is_pair(i, j, diagonal), self.has_row(i))
    }

    /// The condition that (i, j) is the order in which a pair is visited: with the larger index first.
    pub fn is_pair(self, i: &str, j: &str, diagonal: bool) -> String {
        let above = if diagonal { ">=" } else { ">" };
        format!("{i} {above} {j}")
    }

    /// The columns of row `i` are below this.
    pub fn columns_end(self, i: &str, diagonal: bool) -> String {
        if diagonal { format!("{i} + 1") } else { i.to_owned() }
    }

    /// How many of the columns of row `i` are from column `j` on; meaningful only where there are any.
    pub fn columns_from(self, i: &str, j: &str, diagonal: bool) -> String {
        if diagonal { format!("{i} - {j} + 1") } else { format!("{i} - {j}") }
    }

    /// The condition that the rows of tile (`row`, `col`) continue in the next tile.
    pub const fn goes_on(self) -> &'static str {
        "col < row"
    }

    /// The condition that row `i`, a name or a simple expression, is one of the domain.
    pub fn has_row(self, i: &str) -> String {
        let end = self.end();
        match self.first() {
            None => format!("{i} < {end}"),
            Some(first) => format!("{i} >= {first} && {i} < {end}"),
        }
    }

    /// The condition that all `side` x `side` pairs of tile (`row`, `col`) belong to the domain.
    pub fn interior(self, side: u32) -> String {
        let end = self.end();
        let inside = format!("(row + 1) * {side} <= {end}");
        match self.first() {
            None => format!("{} && {inside}", self.goes_on()),
            Some(first) => format!("{} && row * {side} >= {first} && {inside}", self.goes_on()),
        }
    }

    /// The condition that the mirror image of tile (`row`, `col`) above the diagonal is interior, even if its rows are
    /// moved by less than a tile: the tile beside the diagonal would reach across it, and the last tile past the end.
    pub fn interior_above(self, side: u32) -> String {
        format!("row > col + 1 && (row + 1) * {side} < {}", self.end())
    }

    /// Where row `i`, a name or a simple expression, starts in packed memory, in 64 bits: pair (i, j) has the slot j
    /// after it.
    pub fn row_start(self, i: &str, diagonal: bool) -> String {
        let next = if diagonal { "+" } else { "-" };
        let start = format!("(unsigned long long){i} * ({i} {next} 1) / 2");
        match self {
            Domain::Triangle => start,
            Domain::Rows => format!("{start} - first_slot"),
        }
    }
}
