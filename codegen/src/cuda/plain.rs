//! The values that fill the template of the CPU source for elements without features.

use minijinja::{Value, context};

use crate::model::{End, Kernel, Parameter, Role, SourceInput};

/// The template's name.
pub(super) const TEMPLATE: &str = "loops.cpp";

/// The CPU loops' parameters in place of a map's: the rows of a part.
pub(super) const OF_PARTS: &[&str] = &["const unsigned int height"];

/// The columns of a block if elements have results: this many terms of a result are added up as floats.
const COLUMNS: u32 = 256;

/// The columns of a block if elements have nearest neighbours. The row's bound is updated between blocks only, so every pair of
/// the first block passes.
const COLUMNS_OF_NEIGHBOURS: u32 = 128;

/// The maximum number of columns of a block otherwise: long rows are written fastest.
const MOST_COLUMNS: u32 = 4096;

/// The maximum bytes stored for a block's columns, except at the minimum number of columns: they stay in a core's L2 cache.
const KEPT: u32 = 128 * 1024;

/// The bytes stored per column, beside its value, for a pair that may be listed or added to a sum.
const MARK: u32 = 8;

/// How a kernel without features visits its pairs on the CPU.
pub(super) fn context(input: &SourceInput<'_>) -> Value {
    let kernel = input.kernel;
    // Exact results are added by integer atomics, without a lock.
    let take_turns = |has_end: fn(End) -> bool| {
        let is_such =
            |each: &Parameter| each.end().is_some_and(has_end) && !each.kind.is_exact(kernel, each);
        kernel.parameters.iter().any(is_such)
    };
    context! {
        rows_take_turns => take_turns(End::has_row),
        columns_take_turns => take_turns(End::has_column),
        columns => columns(kernel),
        are_mutual => kernel.parameters.iter().any(|each| each.neighbours_of() == Some(End::Each)),
        reduced => {
            let floats = kernel.parameters.iter().flat_map(|each| each.kind.lines(each));
            floats.collect::<Vec<_>>().join(", ")
        },
    }
}

/// The columns of a block.
pub(super) fn columns(kernel: &Kernel) -> u32 {
    if kernel.is_nearest() {
        return COLUMNS_OF_NEIGHBOURS;
    }
    if kernel.parameters.iter().any(|each| each.end().is_some()) {
        return COLUMNS;
    }
    // Only rustc knows the size of a struct, which is not counted here.
    let size = |each: &Parameter| each.size().unwrap_or(0);
    let kept = kernel.parameters.iter().map(|each| match each.kind.role() {
        Role::Elements | Role::Column => size(each),
        Role::Gathered => MARK + size(each),
        _ => 0,
    });
    let most = KEPT / kept.sum::<u32>().max(1);
    (COLUMNS..=MOST_COLUMNS)
        .rev()
        .find(|columns| columns.is_power_of_two() && *columns <= most)
        .unwrap_or(COLUMNS)
}
