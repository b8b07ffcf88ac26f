//! The shape of a result: which pairs have a value, and where it is.

use std::fmt;
use std::ops::Range;

use super::triangle::pairs;
use crate::host::methods::length;
use crate::{Error, ErrorKind, Result};

/// The pairs that a result has values for, row by row: a triangle, with the pairs of one set, with or without the pairs (i, i);
/// or a rectangle, with the pairs of two sets. A square is a rectangle with as many rows as columns. A shape has all rows or a
/// range of them.
///
/// In a triangle, pair (i, j) has slot i (i - 1) / 2 + j without the diagonal, and i (i + 1) / 2 + j with it. In a rectangle it
/// has slot i x columns + j. In a range of rows, slots are counted from its first row.
///
/// ```
/// use td_kernel::{Device, Packed, Shape, Slots};
///
/// let mut slots: Packed<f32> = Device::cpu()?.packed(Shape::triangle(10).of_rows(3..5))?;
/// let shape = Slots::shape(&slots).expect("a `Packed` knows its pairs");
/// assert_eq!((shape.row_count(), shape.rows(), shape.has_diagonal()), (10, 3..5, false));
/// assert_eq!((shape.columns(3), shape.columns(4), shape.len()), (3, 4, 7));
/// assert_eq!((shape.slot(4, 1), shape.slot(1, 4), shape.slot(5, 1)), (Some(4), Some(4), None));
/// assert_eq!(shape.to_string(), "a triangle of 10 elements");
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    row_count: usize,
    /// The first row that has values, and the one after the last.
    first: usize,
    end: usize,
    pub(super) columns: Columns,
}

/// The columns of row i that have values. They start at column 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    /// The columns below the diagonal: i of them.
    Below,
    /// The columns below the diagonal, and the diagonal: i + 1 of them.
    WithDiagonal,
    /// The same number in every row.
    All(usize),
}

impl Columns {
    /// The number of columns in row i.
    pub(super) fn count(self, i: usize) -> usize {
        match self {
            Columns::Below => i,
            Columns::WithDiagonal => i.saturating_add(1),
            Columns::All(columns) => columns,
        }
    }
}

impl Shape {
    /// The pairs i > j of this many elements.
    pub const fn triangle(elements: usize) -> Shape {
        Shape { row_count: elements, first: 0, end: elements, columns: Columns::Below }
    }

    /// The same triangle with the pairs (i, i), for kernels that visit them. A rectangle already has them.
    #[must_use]
    pub const fn with_diagonal(self) -> Shape {
        match self.columns {
            Columns::Below => Shape { columns: Columns::WithDiagonal, ..self },
            _ => self,
        }
    }

    /// Only these rows. They are checked when the shape is used.
    #[must_use]
    pub const fn of_rows(self, rows: Range<usize>) -> Shape {
        Shape { first: rows.start, end: rows.end, ..self }
    }

    /// The pairs of two sets with this many elements.
    pub const fn rectangle(row_count: usize, columns: usize) -> Shape {
        Shape { row_count, first: 0, end: row_count, columns: Columns::All(columns) }
    }

    /// A triangle with or without the pairs (i, i).
    pub(crate) fn triangle_of(elements: usize, diagonal: bool) -> Shape {
        if diagonal { Shape::triangle(elements).with_diagonal() } else { Shape::triangle(elements) }
    }

    /// The same shape with all rows.
    pub(crate) fn whole(self) -> Shape {
        self.of_rows(0..self.row_count)
    }

    /// The same shape, or an error if it does not have its rows or memory cannot hold a `T` for each pair.
    pub(crate) fn checked<T>(self) -> Result<Shape> {
        let (rows, row_count, size, end) = (self.rows(), self.row_count, size_of::<T>(), self.end);
        let is_range = rows.start <= end && end <= row_count;
        // If the end fits into memory, so does every earlier row. Zero-sized values and rows without columns could otherwise
        // exceed the address space, which other crates' arrays do not support.
        let fits = match self.column_count() {
            None => pairs(end, self.has_diagonal()).is_some(),
            Some(columns) => end
                .max(1)
                .checked_mul(columns.max(1))
                .is_some_and(|places| places <= isize::MAX as usize),
        };
        Err(match self.column_count() {
            _ if is_range && fits => return Ok(self),
            None if is_range => Error::too_large(end, size),
            Some(columns) if is_range => Error::new(
                ErrorKind::TooLarge,
                format!(
                    "a matrix of {end} rows and {columns} columns with values of {size} bytes is more than memory can hold"
                ),
            ),
            _ => Error::arguments(format!(
                "rows {rows:?} are not within {self}: write a..b with a <= b <= {row_count}"
            )),
        })
    }

    /// Checks that this is a triangle.
    pub(crate) fn expect_triangle(&self) -> Result<()> {
        let Some(_) = self.column_count() else { return Ok(()) };
        Err(Error::arguments(format!(
            "a `Packed` holds the pairs of one set, but the shape is {self}: pass the number of elements or `Shape::triangle(n)`; a rectangle is the shape of a `Matrix`"
        )))
    }

    /// Checks that this is a rectangle.
    pub(crate) fn expect_rectangle(&self) -> Result<()> {
        match self.column_count() {
            Some(_) => Ok(()),
            None => Err(Error::arguments(format!(
                "a `Matrix` holds the pairs of two sets, but the shape is {self}: pass `(rows, columns)` or `Shape::rectangle(rows, columns)`; a triangle is the shape of a `Packed`"
            ))),
        }
    }

    /// Checks the number of values given for the pairs.
    pub(crate) fn expect_values(&self, found: usize) -> Result<()> {
        let expected = self.len();
        if found == expected {
            return Ok(());
        }
        let rows =
            if self.is_whole() { String::new() } else { format!("rows {:?} of ", self.rows()) };
        Err(Error::arguments(format!("expected {expected} values for {rows}{self}, got {found}")))
    }

    /// The number of all rows, including rows without values here. A triangle has one for each element.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// The rows that have values: `0..row_count`, or a range of it. In a triangle a pair is in the row of its larger index.
    pub fn rows(&self) -> Range<usize> {
        self.first..self.end
    }

    /// The number of columns that have a value in row i. They start at column 0.
    pub fn columns(&self, i: usize) -> usize {
        self.columns.count(i)
    }

    /// The number of columns of a rectangle; `None` for a triangle, whose rows differ in length.
    pub fn column_count(&self) -> Option<usize> {
        match self.columns {
            Columns::All(columns) => Some(columns),
            Columns::Below | Columns::WithDiagonal => None,
        }
    }

    /// Whether this is a triangle with the pairs (i, i).
    pub fn has_diagonal(&self) -> bool {
        self.columns == Columns::WithDiagonal
    }

    /// Whether all rows have values.
    pub(crate) fn is_whole(&self) -> bool {
        (self.first, self.end) == (0, self.row_count)
    }

    length!(self, "values", self.values(&self.rows()));

    /// The number of values before a row, which may be the end; at most `usize::MAX`.
    pub fn start(&self, row: usize) -> usize {
        match self.columns {
            Columns::All(columns) => row.saturating_mul(columns),
            Columns::Below => pairs(row, false).unwrap_or(usize::MAX),
            Columns::WithDiagonal => pairs(row, true).unwrap_or(usize::MAX),
        }
    }

    /// The number of values in these rows.
    pub fn values(&self, rows: &Range<usize>) -> usize {
        self.start(rows.end).saturating_sub(self.start(rows.start))
    }

    /// The slots of row i, which must be in `rows`.
    pub(crate) fn row(&self, i: usize) -> Range<usize> {
        let start = self.start(i) - self.start(self.first);
        start..start.saturating_add(self.columns(i))
    }

    /// The slot of the pair (i, j), if it has one. In a triangle, (i, j) and (j, i) share a slot.
    pub fn slot(&self, i: usize, j: usize) -> Option<usize> {
        let is_above_diagonal = i < j && self.column_count().is_none();
        let (i, j) = if is_above_diagonal { (j, i) } else { (i, j) };
        let is_there = self.rows().contains(&i) && j < self.columns(i);
        // `start` saturates: memory has fewer slots.
        let start = Some(self.start(i)).filter(|start| is_there && *start < usize::MAX)?;
        (start - self.start(self.first)).checked_add(j)
    }
}

/// The pairs i > j of this many elements.
impl From<usize> for Shape {
    fn from(elements: usize) -> Shape {
        Shape::triangle(elements)
    }
}

/// A rectangle with this many rows and columns.
impl From<(usize, usize)> for Shape {
    fn from((rows, columns): (usize, usize)) -> Shape {
        Shape::rectangle(rows, columns)
    }
}

/// Describes all rows, without the range.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.row_count;
        match self.columns {
            Columns::Below => write!(f, "a triangle of {rows} elements"),
            Columns::WithDiagonal => write!(f, "a triangle of {rows} elements with its diagonal"),
            Columns::All(columns) => write!(f, "a rectangle of {rows} x {columns} elements"),
        }
    }
}
