//! The values that fill the templates of the sweep `reduce`, on a GPU and on the CPU.

use minijinja::{Value, context};

use super::{Constant, given_pairs};
use crate::errors::Internal;
use crate::model::{Kernel, SourceInput};

/// How the sweep `reduce` folds features, on a GPU and on the CPU.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    Ok(context! {
        feature_arguments => given_pairs::feature_arguments(input, ["own", "other"])?,
        exchanged_arguments => given_pairs::feature_arguments(input, ["other", "own"])?,
        ..given_pairs::context(input)?
    })
}

/// The bytes of folds that a thread of the sweep `reduce` keeps.
const FOLDED: u32 = 32;

/// The additional constants of that sweep's GPU source.
pub(super) fn constants(input: &SourceInput<'_>) -> Vec<Constant> {
    let Some(bytes) = input.kernel.feature_bytes() else { return Vec::new() };
    let word = input.variant.tiling.word(bytes).to_string();
    vec![("WORD", word, "features in 16 bytes"), folded_columns(input.kernel)]
}

/// The columns whose features the sweep `reduce` folds together.
pub(super) fn folded_columns(kernel: &Kernel) -> Constant {
    let bytes: u32 = kernel.folds.iter().map(|fold| fold.size).sum();
    let columns = (FOLDED / bytes.max(4)).max(1);
    ("FOLDED_COLUMNS", columns.to_string(), "columns whose features are folded together")
}
