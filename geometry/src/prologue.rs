//! The source with which a map opens a kernel, and its options.

use crate::{Domain, Root, Space};

/// The options of a prologue.
///
/// ```
/// use td_kernel_geometry::{Domain, Form, Space};
///
/// let form = Form::new(Domain::Triangle, Space::Block);
/// assert_eq!(form.rows(), "(n + TILE - 1) / TILE");
/// assert_eq!(form.with_diagonal(true).first(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Form {
    /// The pairs that the kernel visits.
    pub domain: Domain,
    /// The root inside the map.
    pub root: Root,
    /// What the units are.
    pub space: Space,
    /// Whether the grid is one-dimensional, if a map has two grids.
    pub linear: bool,
    /// Whether the pairs (i, i) are visited.
    pub diagonal: bool,
}

impl Form {
    /// With an exact root and without the diagonal.
    pub fn new(domain: Domain, space: Space) -> Form {
        Form { domain, root: Root::Exact, space, linear: false, diagonal: false }
    }

    /// This form for another domain.
    #[must_use]
    pub fn with_domain(self, domain: Domain) -> Form {
        Form { domain, ..self }
    }

    /// This form with another root.
    #[must_use]
    pub fn with_root(self, root: Root) -> Form {
        Form { root, ..self }
    }

    /// This form with or without the one-dimensional grid.
    #[must_use]
    pub fn with_linear(self, linear: bool) -> Form {
        Form { linear, ..self }
    }

    /// This form with or without the pairs (i, i).
    #[must_use]
    pub fn with_diagonal(self, diagonal: bool) -> Form {
        Form { diagonal, ..self }
    }

    /// The expression for the rows of the triangle or the rectangle, in units: the end of the domain.
    pub fn rows(&self) -> String {
        match (self.space, self.diagonal) {
            (Space::Block, _) => format!("({} + TILE - 1) / TILE", self.domain.end()),
            (Space::Thread, true) => "n".to_owned(),
            (Space::Thread, false) => "n - 1".to_owned(),
        }
    }

    /// The expression for the columns of a rectangle, in units.
    pub(crate) fn columns(&self) -> String {
        format!("({} + TILE - 1) / TILE", self.domain.columns())
    }

    /// The expression for the domain's first row, in units; `None` if it is 0, and in thread space, which only has whole
    /// triangles.
    pub fn first(&self) -> Option<String> {
        match self.space {
            Space::Block => self.domain.first().map(|first| format!("{first} / TILE")),
            Space::Thread => None,
        }
    }

    /// The names of a unit's row and column. A tile's do not end in `_row` or `_col`, because a kernel appends these to its
    /// parameters' names.
    pub(crate) fn unit(&self) -> [&'static str; 2] {
        match self.space {
            Space::Block => ["tile_i", "tile_j"],
            Space::Thread => ["row", "col"],
        }
    }

    /// For a range of rows, in a map that counts blocks along the rows: the declaration of `tile_begin`, the first row of
    /// tiles, and the expression for the number of blocks before it.
    pub(crate) fn skipped(&self, cast: &str) -> Option<[String; 2]> {
        let first = self.first()?;
        let begin = format!("    const unsigned int tile_begin = {first};\n");
        Some([begin, format!("{cast}tile_begin * (tile_begin + 1) / 2")])
    }

    /// The expression for a thread's index, in thread space, along a one-dimensional grid.
    pub(crate) fn thread(&self) -> String {
        let index = self.root.index();
        format!("({index})blockIdx.x * (TILE * TILE) + threadIdx.y * TILE + threadIdx.x")
    }
}

/// The source with which a map opens a kernel.
///
/// In block space it defines `tile_i` and `tile_j`, the row and the column of tiles; in thread space `row` and `col` of the pair
/// in a triangle with its diagonal. It uses the constant `TILE`: the elements per side of the tile that a block covers.
/// In block space it returns from surplus blocks, all of a block's threads together. In thread space surplus threads get a row
/// past the last one instead, because later barriers may need them.
///
/// ```
/// use td_kernel_geometry::{Bb, Domain, Form, Map, Space};
///
/// let prologue = Bb.prologue(&Form::new(Domain::Triangle, Space::Block));
/// assert!(prologue.open.contains("const unsigned int tile_i = blockIdx.y;"));
/// assert!(prologue.helpers.is_empty() && prologue.walk.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prologue {
    /// Device functions that the statements call. Each is complete.
    pub helpers: Vec<&'static str>,
    /// The statements. They read only `TILE`, the element counts, and the parameters of the domain and of the map.
    pub open: String,
    /// For a map that walks: the loop that `open` begins.
    pub walk: Option<Walking>,
}

/// The loop of a map that walks.
///
/// ```
/// use td_kernel_geometry::{Domain, Form, Map, Space, Walk};
///
/// let walk = Walk.prologue(&Form::new(Domain::Triangle, Space::Block)).walk;
/// assert!(walk.is_some_and(|walk| walk.close.ends_with("}\n")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Walking {
    /// The end of the loop.
    pub close: &'static str,
    /// The C++ condition that `tile_i` differs from the previous tile's. A block that walks along a row already has the row's
    /// elements.
    pub is_new_row: &'static str,
}

impl Prologue {
    /// A prologue without a loop.
    pub(crate) fn straight(helpers: Vec<&'static str>, open: String) -> Prologue {
        Prologue { helpers, open, walk: None }
    }
}
