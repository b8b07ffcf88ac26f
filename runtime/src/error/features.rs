//! The causes of errors of features.

/// What is wrong with the rows of features that are given.
#[derive(thiserror::Error, Debug)]
pub(crate) enum FeaturesCause {
    /// `what` is a value or a row.
    #[error(
        "a width of 0 features is given for {}: write how many features a row has, at least 1",
        counted(*.given, .what)
    )]
    NoWidth { given: usize, what: &'static str },

    #[error(
        "{} no whole number of rows of {}: {} would be {}, and {} would be {}; give a multiple of {width}, or the width that the rows have",
        if *.given == 1 { "1 value is".into() } else { format!("{given} values are") },
        counted(*.width, "feature"),
        given / width * width,
        counted(given / width, "row"),
        (given / width + 1).saturating_mul(*width),
        given / width + 1
    )]
    Length { given: usize, width: usize },

    #[error("row 0 has no features, and tells how many each row has: give each row at least 1")]
    NoFeatures {},

    #[error(
        "row {row} has {}, but row 0 has {expected}: give each row {expected}",
        counted(*.found, "feature")
    )]
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
        "kernel `{kernel}`: `{argument}` has {} for each element, but `{first}` has {expected}: a kernel folds both together, so give them the same width",
        counted(*.found, "feature")
    )]
    Widths {
        kernel: &'static str,
        argument: &'static str,
        found: usize,
        first: &'static str,
        expected: usize,
    },

    #[error(
        "{} of {} of {size} bytes each are more than memory can hold",
        counted(*.rows, "row"),
        counted(*.width, "feature")
    )]
    TooLarge { rows: usize, width: usize, size: usize },
}

/// So many of what `one` is one of.
fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}
