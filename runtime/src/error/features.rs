//! The causes of errors of features.

/// What is wrong with the rows of features that are given.
#[derive(thiserror::Error, Debug)]
pub(crate) enum FeaturesCause {
    /// `what` are values or rows.
    #[error(
        "a width of 0 features is given for {given} {what}: write how many features a row has, at least 1"
    )]
    NoWidth { given: usize, what: &'static str },

    #[error(
        "{given} values are no whole number of rows of {width} features: {} rows have {}, and one more has {}; give a multiple of {width}, or the width that the rows have",
        given / width,
        given / width * width,
        (given / width + 1).saturating_mul(*width)
    )]
    Length { given: usize, width: usize },

    #[error("row {row} has {found} features, but row 0 has {expected}: give each row {expected}")]
    Row { row: usize, found: usize, expected: usize },

    #[error(
        "no rows are given, and the first one tells how many features an element has: where there may be none, write `device.features(&values, width)`, with the values of all rows one after another"
    )]
    NoRows {},

    #[error("{rows} rows of features are more than kernels count, which is 4294967295: give fewer")]
    TooMany { rows: usize },

    #[error(
        "rows of {width} features are wider than kernels go along, which is 2147483647: give narrower ones"
    )]
    TooWide { width: usize },

    #[error(
        "kernel `{kernel}`: `{argument}` has {found} features for each element, but `{first}` has {expected}: a kernel folds both together, so give them the same width"
    )]
    Widths {
        kernel: &'static str,
        argument: &'static str,
        found: usize,
        first: &'static str,
        expected: usize,
    },

    #[error("{rows} rows of {width} features of {size} bytes each are more than memory can hold")]
    TooLarge { rows: usize, width: usize, size: usize },
}
