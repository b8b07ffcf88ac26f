//! What the template of the text for the CPU is filled with.

use minijinja::{Value, context};
use td_kernel_maps::PART_ROWS;

use super::fold::{self, WORD};
use crate::model::{End, Text};

/// The template, which is none of a sweep.
pub(super) const TEMPLATE: &str = "loops.cpp";

/// The columns of a block: some vectors of every type. g++ unrolls loops of 16 trips and less before it looks for vector
/// instructions, and then finds none.
const COLUMNS: u32 = 32;

/// The bytes of folds that a block's rows have for one column. For 4 bytes a fold these are 4 rows: 16 vector registers of
/// AVX2, and half of those of AVX-512.
const FOLDED: u32 = 16;

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
    context! {
        folds => fold::folds(kernel),
        word => WORD / bytes,
        columns => COLUMNS,
        rows => (FOLDED / folded.max(1)).clamp(1, 4),
        chunk => chunk.max(WORD),
        part_rows => PART_ROWS,
        // The last block of rows may reach past the part's end.
        folded_rows => PART_ROWS + FOLDED / 4,
        feature_parameters => fold::feature_parameters(text),
        feature_arguments => fold::feature_arguments(text),
    }
}
