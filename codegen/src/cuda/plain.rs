//! What the template of the text for the CPU is filled with, where elements have no features.

use minijinja::{Value, context};
use td_kernel_maps::PART_ROWS;

use crate::model::{End, Kernel, Parameter, Text};

/// The template.
pub(super) const TEMPLATE: &str = "pairs.cpp";

/// The columns of a block. What is kept of them stays in a core's first cache, and as many terms of an element's result
/// are added up as floats.
const COLUMNS: u32 = 256;

/// The columns of a block where no element's results are kept: longer rows are written faster.
const MANY_COLUMNS: u32 = 1024;

/// How a kernel without features goes through its pairs on the CPU.
pub(super) fn context(text: &Text<'_>) -> Value {
    let kernel = text.kernel;
    let has_results = kernel.parameters.iter().any(|each| each.end().is_some());
    context! {
        columns => if has_results { COLUMNS } else { MANY_COLUMNS },
        part_rows => PART_ROWS,
        reduced => reduced(kernel).join(", "),
    }
}

/// The numbers that a row's pairs are added to, where a compiler has to be told that their order makes no difference:
/// where floats are among them. All have to be named then. A row's least or greatest values cannot be.
fn reduced(kernel: &Kernel) -> Vec<String> {
    let lines: Vec<_> =
        kernel.parameters.iter().map(|each| (each, each.kind.lines(each))).collect();
    let adds_floats = !kernel.options.deterministic && lines.iter().any(|(each, own)| !own.is_empty() && each.kind.adds_floats(each));
    let keeps = |(each, own): &(&Parameter, Vec<String>)| {
        own.is_empty() && each.end().is_some_and(End::has_row)
    };
    match adds_floats && !lines.iter().any(keeps) {
        true => lines.into_iter().flat_map(|(_, own)| own).collect(),
        false => Vec::new(),
    }
}
