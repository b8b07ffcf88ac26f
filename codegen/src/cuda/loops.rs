//! What the template of the text for the CPU is filled with.

use minijinja::{Value, context};
use td_kernel_maps::PART_ROWS;

use super::context::SEPARATOR;
use super::fold::{self, WORD};
use crate::model::{Argument, End, Text};

/// The template, which is none of a sweep.
pub(super) const TEMPLATE: &str = "loops.cpp";

/// The columns of a block: some vectors of every type. g++ unrolls loops of 16 trips and less before it looks for vector
/// instructions, and then finds none.
const COLUMNS: u32 = 32;

/// The bytes of folds that a block's rows have for one column. For 4 bytes a fold these are 4 rows: 16 vector registers of
/// AVX2, and half of those of AVX-512.
const FOLDED: u32 = 16;

/// The most rows of a block.
const MOST_ROWS: u32 = 4;

/// The bytes of a panel: what a core's first cache holds beside other things.
const PANEL: u32 = 32 * 1024;

/// How a kernel over features goes through its pairs on the CPU.
pub(super) fn context(text: &Text<'_>) -> Value {
    let kernel = text.kernel;
    let bytes = kernel.feature_bytes().unwrap_or(WORD);
    let folded: u32 = kernel.folds.iter().map(|fold| fold.size()).sum();
    let panels =
        kernel.parameters.iter().filter(|each| each.features().is_some_and(End::has_column));
    // A multiple of a word, in whole features.
    let chunk = PANEL / (COLUMNS * bytes) / (panels.count().max(1) as u32).next_power_of_two();
    let chunk = chunk.max(WORD);
    let rows = (FOLDED / folded.max(1)).clamp(1, MOST_ROWS);
    let (chunk_parameters, chunk_arguments) = chunk_function(text, rows, chunk);
    context! {
        rows, chunk, chunk_parameters, chunk_arguments,
        folds => fold::folds(kernel),
        word => WORD / bytes,
        columns => COLUMNS,
        part_rows => PART_ROWS,
        // The last block of rows may reach past the part's end.
        folded_rows => PART_ROWS + MOST_ROWS,
        feature_parameters => fold::feature_parameters(text),
        feature_arguments => fold::feature_arguments(text),
    }
}

/// The parameters of the function that goes along a chunk, and the arguments of its call: features of rows and of columns,
/// what else the text for a feature uses, numbers, and the folds.
fn chunk_function(text: &Text<'_>, rows: u32, chunk: u32) -> (String, String) {
    let kernel = text.kernel;
    let Some(feature) = &kernel.feature else { return (String::new(), String::new()) };
    let mut all: Vec<(String, String)> = Vec::new();
    for each in &kernel.parameters {
        let Some(end) = each.features() else { continue };
        let (cuda, name) = (&each.cuda.name, each.plain_name());
        if end.has_row() {
            all.push((format!("const {cuda} *const (&{name}_row)[{rows}]"), format!("{name}_row")));
        }
        if end.has_column() {
            let panel = format!("const {cuda} (&{name}_cols)[{chunk}][{COLUMNS}]");
            all.push((panel, format!("{name}_cols")));
        }
    }
    for each in kernel.inputs(feature) {
        let arguments =
            each.kind.pair_arguments(text, each).into_iter().filter_map(|what| match what {
                Argument::Text(text) => Some(text),
                _ => None,
            });
        all.extend(each.kind.parameters(text, each).into_iter().zip(arguments));
    }
    let numbers =
        [("features", feature.uses("features")), ("first", feature.uses("k")), ("count", true)];
    let numbers = numbers.into_iter().filter(|(_, is_used)| *is_used);
    all.extend(numbers.map(|(name, _)| (format!("const unsigned int {name}"), name.to_owned())));
    for fold in &kernel.folds {
        let (cuda, name) = (&fold.cuda.name, fold.plain_name());
        let folds = format!("{cuda} (*const {name}_folds)[{COLUMNS}]");
        all.push((folds, format!("{name}_folds + (row - start)")));
    }
    let (parameters, arguments): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    (parameters.join(SEPARATOR), arguments.join(SEPARATOR))
}
