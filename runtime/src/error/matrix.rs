//! The causes of errors of matrices.

use std::ops::Range;

/// What is wrong with a matrix that is asked for or given.
#[derive(thiserror::Error, Debug)]
pub(crate) enum MatrixCause {
    #[error(
        "rows {rows:?} are not a range of the rows of {elements} elements: write a..b with a <= b <= {elements}"
    )]
    PackedRange { rows: Range<usize>, elements: usize },

    #[error(
        "rows {rows:?} are not a range of the {row_count} rows of a matrix: write a..b with a <= b <= {row_count}"
    )]
    RowRange { rows: Range<usize>, row_count: usize },

    #[error(
        "a matrix of {rows} rows and {columns} columns of {size} bytes each is more than memory can hold"
    )]
    TooLarge { rows: usize, columns: usize, size: usize },

    #[error(
        "{found} values are given for {rows} rows of {columns} columns, which have {expected}: give as many"
    )]
    RectangleLength { found: usize, rows: usize, columns: usize, expected: usize },

    #[error("{length} values are not a condensed matrix: n elements have n (n - 1) / 2 pairs")]
    NotATriangle { length: usize },

    #[error(
        "{found} values are given for rows {rows:?} of a packed matrix of {elements} elements, which have {expected}: give as many"
    )]
    MatrixLength { found: usize, elements: usize, rows: Range<usize>, expected: usize },

    #[error(
        "a matrix of only rows {rows:?} of {elements} elements has no {form}: make one of all rows, as `device.packed({elements})` has them"
    )]
    SomeRows { rows: Range<usize>, elements: usize, form: &'static str },

    #[error(
        "pair {at} of a list is ({}, {}), which is outside of {elements} elements: give the number of elements that the kernel ran over",
        pair[0],
        pair[1]
    )]
    PairOutside { at: usize, pair: [u32; 2], elements: usize },

    #[error(
        "pair {at} of a list is ({}, {}), which is outside of {rows} rows and {columns} columns: give those that the kernel ran over (of neighbours in another set by `to_csr_of_two`)",
        pair[0],
        pair[1]
    )]
    PairOutsideRectangle { at: usize, pair: [u32; 2], rows: usize, columns: usize },

    #[error(
        "a list of pairs is given {i} first indices, {j} second indices and {values} values: give as many of each"
    )]
    ListLengths { i: usize, j: usize, values: usize },

    #[error(
        "{indices} indices and {values} values are given for elements that have {expected} neighbours in all: give as many of each"
    )]
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    NeighbourLengths { indices: usize, values: usize, expected: usize },

    #[error(
        "element {element} is given {count} neighbours, where each has at most {most}: give the nearest ones"
    )]
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    TooManyNeighbours { element: usize, count: u32, most: usize },

    #[error(
        "the neighbours of element {element} are out of order: give the nearest first, by values that are numbers, and indices below 4294967295"
    )]
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    NeighbourOrder { element: usize },

    #[error(
        "an array of {rows} rows and {columns} columns is not a square matrix: give one of as many rows as columns"
    )]
    #[cfg_attr(not(feature = "ndarray"), allow(dead_code))]
    NotSquare { rows: usize, columns: usize },

    #[error(
        "the array has {found} columns, and its rows are asked for as elements of {expected}: give one of {expected} columns"
    )]
    #[cfg_attr(not(feature = "ndarray"), allow(dead_code))]
    Columns { found: usize, expected: usize },
}
