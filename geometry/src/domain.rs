//! The pairs that a kernel visits: the triangle of all pairs of one set, the rectangle of all pairs of two sets, a range of
//! the rows of either, or the triangles or rectangles of many sets.
//!
//! A domain defines, in elements:
//!
//! - the rows and columns: rows i from [`first`](Domain::first) up to [`end`](Domain::end); in row i of a triangle the columns
//!   j < i, or j <= i with the diagonal, and in a row of a rectangle all columns;
//! - the order of a pair: in a triangle (i, j) and (j, i) are one pair, which is visited with the larger index first;
//! - which pairs of a tile belong to it ([`has`](Domain::has)), and in which tiles all pairs do
//!   ([`interior`](Domain::interior));
//! - where the values of row i start in memory ([`row_start`](Domain::row_start)).
//!
//! These are C++ expressions for kernel sources. They use two constants of the source: `TILE`, the side of a tile, and
//! `ALIGNMENT`, the number of slots in a sector of memory. Other names have an underscore and end in no suffix that a kernel
//! source appends to a user's name, so they cannot collide with such names.

/// The pairs that a kernel visits.
///
/// ```
/// use td_kernel_geometry::Domain;
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
    /// The pairs whose larger index is in a range: the rows `row_begin <= i < row_end` of the triangle, with `row_end <= n`.
    /// Tiles lie as in the whole triangle. A row of tiles that the range covers only partly is launched too, and its pairs are
    /// filtered.
    Rows,
    /// All pairs of one of `rows` elements and one of `columns` other elements.
    Rectangle,
    /// The rows `row_begin <= i < row_end` of the rectangle, with `row_end <= rows`. Tiles lie as in the whole rectangle.
    RectangleRows,
    /// The pairs of elements of the same set, of many sets one after another: i and j count the elements of the pair's set. A
    /// kernel visits them along packed memory, without tiles.
    Sets,
    /// All pairs of an element of the rows of a set and one of the columns of the same set, of many sets one after another: i and
    /// j count within the set. A kernel visits them along the rows of one set after another, without tiles.
    SetRectangles,
}

impl Domain {
    /// Whether the pairs are those of two sets, or of rows and columns of many sets.
    pub const fn is_rectangle(self) -> bool {
        matches!(self, Domain::Rectangle | Domain::RectangleRows | Domain::SetRectangles)
    }

    /// Whether the pairs are those of many sets.
    pub const fn is_of_sets(self) -> bool {
        matches!(self, Domain::Sets | Domain::SetRectangles)
    }

    /// The same pairs, restricted to a range of the rows. Many sets have no such range.
    #[must_use]
    pub const fn of_rows(self) -> Domain {
        match self {
            Domain::Triangle | Domain::Rows => Domain::Rows,
            Domain::Rectangle | Domain::RectangleRows => Domain::RectangleRows,
            Domain::Sets | Domain::SetRectangles => self,
        }
    }

    /// The name of the element count of the rows, including those outside of a range.
    pub const fn rows(self) -> &'static str {
        if self.is_rectangle() { "rows" } else { "n" }
    }

    /// The name of the element count of the columns.
    pub const fn columns(self) -> &'static str {
        if self.is_rectangle() { "columns" } else { "n" }
    }

    /// The kernel parameters after the element counts, as C++ declarations.
    pub const fn parameters(self) -> &'static [&'static str] {
        match self {
            Domain::Triangle | Domain::Rectangle | Domain::Sets | Domain::SetRectangles => &[],
            Domain::Rows | Domain::RectangleRows => {
                &["const unsigned int row_begin", "const unsigned int row_end"]
            }
        }
    }

    /// Additional parameters of a kernel that writes slots along rows: `first_slot`, the slot in the whole triangle or
    /// rectangle at which the memory begins. It is the slot of some row's first pair.
    pub const fn slot_parameters(self) -> &'static [&'static str] {
        match self {
            Domain::Triangle | Domain::Rectangle | Domain::Sets | Domain::SetRectangles => &[],
            Domain::Rows | Domain::RectangleRows => &["const unsigned long long first_slot"],
        }
    }

    /// The upper bound of the rows: i is less than this.
    pub const fn end(self) -> &'static str {
        match self {
            Domain::Triangle | Domain::Rectangle | Domain::Sets | Domain::SetRectangles => {
                self.rows()
            }
            Domain::Rows | Domain::RectangleRows => "row_end",
        }
    }

    /// The lower bound of the rows, if it is not 0.
    pub const fn first(self) -> Option<&'static str> {
        match self {
            Domain::Triangle | Domain::Rectangle | Domain::Sets | Domain::SetRectangles => None,
            Domain::Rows | Domain::RectangleRows => Some("row_begin"),
        }
    }

    /// The condition that (i, j) is a pair of the domain: the diagonal filter of a triangle. `i` and `j` are names or simple
    /// expressions.
    pub fn has(self, i: &str, j: &str, diagonal: bool) -> String {
        match self.is_rectangle() {
            true => format!("{} && {j} < columns", self.has_row(i)),
            false => format!("{} && {}", self.is_pair(i, j, diagonal), self.has_row(i)),
        }
    }

    /// The condition that (i, j) is the order in which a pair of a triangle is visited: with the larger index first.
    pub fn is_pair(self, i: &str, j: &str, diagonal: bool) -> String {
        let above = if diagonal { ">=" } else { ">" };
        format!("{i} {above} {j}")
    }

    /// The upper bound of the columns of row `i`.
    pub fn columns_end(self, i: &str, diagonal: bool) -> String {
        match self.is_rectangle() {
            true => "columns".to_owned(),
            false if diagonal => format!("{i} + 1"),
            false => i.to_owned(),
        }
    }

    /// The number of columns of row `i` from column `j` on; meaningful only if there are any.
    pub fn columns_from(self, i: &str, j: &str, diagonal: bool) -> String {
        match self.is_rectangle() {
            true => format!("columns - {j}"),
            false if diagonal => format!("{i} - {j} + 1"),
            false => format!("{i} - {j}"),
        }
    }

    /// The condition that the rows of tile (`tile_i`, `tile_j`) continue in the next tile.
    pub fn goes_on(self) -> String {
        match self.is_rectangle() {
            true => "(tile_j + 1) * TILE < columns".to_owned(),
            false => "tile_j < tile_i".to_owned(),
        }
    }

    /// The condition that row `i`, a name or a simple expression, is in the domain.
    pub fn has_row(self, i: &str) -> String {
        let end = self.end();
        match self.first() {
            None => format!("{i} < {end}"),
            Some(first) => format!("{i} >= {first} && {i} < {end}"),
        }
    }

    /// The condition that all pairs of tile (`tile_i`, `tile_j`) belong to the domain.
    pub fn interior(self) -> String {
        let columns = match self.is_rectangle() {
            true => "(tile_j + 1) * TILE <= columns".to_owned(),
            false => self.goes_on(),
        };
        let rows = format!("(tile_i + 1) * TILE <= {}", self.end());
        match self.first() {
            None => format!("{columns} && {rows}"),
            Some(first) => format!("{columns} && tile_i * TILE >= {first} && {rows}"),
        }
    }

    /// Like [`interior`](Domain::interior), when each row of tile (`tile_i`, `tile_j`) is moved left, to start at a multiple of
    /// `ALIGNMENT` slots. Then the first tile of a row crosses the row's start, and the last one does not reach its end. If all
    /// rows of a rectangle start at such multiples, none is moved. Otherwise the last tile of a row is not whole, because a
    /// side is a multiple of `ALIGNMENT`.
    pub fn interior_moved(self) -> String {
        let interior = self.interior();
        match self.is_rectangle() {
            true => format!("{interior} && (tile_j > 0 || columns % ALIGNMENT == 0)"),
            false => format!("tile_j > 0 && {interior}"),
        }
    }

    /// The condition that the mirror image of tile (`tile_i`, `tile_j`) above the diagonal is interior, even if its rows are moved
    /// by less than a tile: the tile beside the diagonal would then cross it, and the last tile the end.
    pub fn interior_above(self) -> String {
        format!("tile_i > tile_j + 1 && (tile_i + 1) * TILE < {}", self.end())
    }

    /// The start of row `i`, a name or a simple expression, in packed memory or in a rectangle's, in 64 bits: pair (i, j) has
    /// the slot j after it.
    pub fn row_start(self, i: &str, diagonal: bool) -> String {
        let start = match self.is_rectangle() {
            true => format!("(unsigned long long){i} * columns"),
            false => {
                let next = if diagonal { "+" } else { "-" };
                format!("(unsigned long long){i} * ({i} {next} 1) / 2")
            }
        };
        match self.first() {
            None => start,
            Some(_) => format!("{start} - first_slot"),
        }
    }
}
