//! The causes of errors of launches over the pairs of two sets.

use std::ops::Range;

use super::call::called;

/// What is wrong with the arguments of a launch over the pairs of two sets.
#[derive(thiserror::Error, Debug)]
pub(crate) enum RectangleCause {
    /// `what` are rows or columns.
    #[error(
        "kernel `{kernel}`: `{argument}` is for {found} {what}, but `{first}` says that there are {expected}{}",
        made_by.map_or_else(String::new, |call| format!(": write {}", called(call, what, *expected)))
    )]
    Counts {
        kernel: &'static str,
        argument: &'static str,
        what: &'static str,
        found: usize,
        first: &'static str,
        expected: usize,
        made_by: Option<&'static str>,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` has {found} values, and {rows} rows of {columns} columns have {expected}: give it `device.matrix(rows, columns)`, or a slice of as many"
    )]
    Length {
        kernel: &'static str,
        argument: &'static str,
        rows: usize,
        columns: usize,
        expected: usize,
        found: usize,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` is a slice of {length} values, which does not tell how many rows and columns there are: give it `device.matrix(rows, columns)`"
    )]
    NoShape { kernel: &'static str, argument: &'static str, length: usize },

    #[error(
        "kernel `{kernel}`: rows {rows:?} are not a range of {count} rows: write `kernel.rows(a..b)` with a <= b <= {count}"
    )]
    Rows { kernel: &'static str, rows: Range<usize>, count: usize },

    #[error(
        "kernel `{kernel}`: `{argument}` has rows {found:?}, but the launch visits rows {visited:?}: give it `device.matrix_rows(rows, columns, {visited:?})`, or launch `kernel.rows({found:?})`"
    )]
    MissingRows {
        kernel: &'static str,
        argument: &'static str,
        found: Range<usize>,
        visited: Range<usize>,
    },

    #[error(
        "kernel `{kernel}`: `{argument}` begins at row {found}, but `{first}` at row {expected}: matrices of one launch begin at the same row: make both for the same rows"
    )]
    FirstRows {
        kernel: &'static str,
        argument: &'static str,
        found: usize,
        first: &'static str,
        expected: usize,
    },

    #[error(
        "kernel `{kernel}`: {rows} rows and {columns} columns are more than one grid takes, or than 32 bits count: launch parts of them, with `kernel.rows(a..b)` or with slices"
    )]
    PastGrid { kernel: &'static str, rows: usize, columns: usize },
}

impl RectangleCause {
    /// The kernel that was launched.
    pub(crate) fn kernel(&self) -> &'static str {
        match self {
            RectangleCause::Counts { kernel, .. }
            | RectangleCause::Length { kernel, .. }
            | RectangleCause::NoShape { kernel, .. }
            | RectangleCause::Rows { kernel, .. }
            | RectangleCause::MissingRows { kernel, .. }
            | RectangleCause::FirstRows { kernel, .. }
            | RectangleCause::PastGrid { kernel, .. } => kernel,
        }
    }

    /// The argument that the error is about.
    pub(crate) fn argument(&self) -> Option<&'static str> {
        match self {
            RectangleCause::Counts { argument, .. }
            | RectangleCause::Length { argument, .. }
            | RectangleCause::NoShape { argument, .. }
            | RectangleCause::MissingRows { argument, .. }
            | RectangleCause::FirstRows { argument, .. } => Some(argument),
            RectangleCause::Rows { .. } | RectangleCause::PastGrid { .. } => None,
        }
    }
}
