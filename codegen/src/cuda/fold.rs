//! What the template of the sweep that folds is filled with.

use minijinja::{Value, context};

use super::context::SEPARATOR;
use crate::kind::feature_parameter;
use crate::model::{Argument, End, Kernel, Text, Variant};

/// How features are read and folded, where elements have some.
pub(super) fn context(text: &Text<'_>) -> Value {
    let Text { kernel, variant: Variant { tiling, .. }, .. } = *text;
    let Some(bytes) = kernel.feature_bytes() else {
        return context! { feature_parameters => "", blocks => 1 };
    };
    let folds = folds(kernel);
    let is_one = kernel.folds.iter().all(|fold| fold.size() <= 4);
    // As many features as a thread reads at once of an element: up to four, of 16 bytes or less.
    let few = (WORD / bytes).min(4);
    context! {
        folds, few,
        word => WORD / bytes,
        chunk => tiling.chunk(bytes),
        words => tiling.chunk(bytes) * bytes / WORD,
        pitch => tiling.pitch(bytes) / few,
        lines => tiling.lines(),
        line => tiling.line(),
        // Two blocks of the largest tiles fit a multiprocessor's registers, more of smaller ones. Long bodies may need
        // more registers.
        blocks => match tiling.side {
            _ if !kernel.has_short_bodies() => 1,
            64 if is_one && kernel.folds.len() <= 1 => 4,
            _ => 2,
        },
        // How many pairs of a row a thread has at a time: those whose values it stores together. Results of columns
        // stay with their threads, which then have the same columns of every row.
        group => text.group(),
        feature_parameters => feature_parameters(text),
        feature_arguments => feature_arguments(text),
    }
}

/// The folds: their names, types, and what they start with where that is not zero.
pub(super) fn folds(kernel: &Kernel) -> Vec<Value> {
    let facts = kernel.folds.iter().map(|fold| {
        let start = fold.start.clone().unwrap_or_default();
        context! { name => fold.plain_name(), type => fold.cuda.name.as_str(), start }
    });
    facts.collect()
}

/// The bytes of a word, in which features are copied to shared memory. Rows of features start at multiples of it.
pub(super) const WORD: u32 = 16;

/// `k` and `features`, as far as the text for a feature uses them, the features, what else it uses, and the folds.
pub(super) fn feature_parameters(text: &Text<'_>) -> String {
    let Some(feature) = &text.kernel.feature else { return String::new() };
    let numbers = ["k", "features"].into_iter().filter(|name| feature.uses(name));
    let numbers = numbers.map(|name| format!("const unsigned int {name}"));
    let features = text
        .kernel
        .parameters
        .iter()
        .filter_map(|each| Some(feature_parameter(each.features()?, each)));
    let inputs = text.kernel.inputs(feature).flat_map(|each| each.kind.pair_parameters(text, each));
    let folds =
        text.kernel.folds.iter().map(|fold| format!("{} &{}", fold.cuda.name, fold.plain_name()));
    numbers.chain(features).chain(inputs).chain(folds).collect::<Vec<_>>().join(SEPARATOR)
}

/// The arguments of a call for a feature, in the same order, with marks for what differs from call to call: `@r` and
/// `@R` around the name of the features of rows, `@c` and `@C` around that of the features of columns, `@k` for the
/// feature, and `@f` after the name of a fold.
pub(super) fn feature_arguments(text: &Text<'_>) -> Vec<Value> {
    let Some(feature) = &text.kernel.feature else { return Vec::new() };
    let numbers = [("k", "@k"), ("features", "features")].into_iter();
    let numbers = numbers.filter(|(name, _)| feature.uses(name)).map(|(_, value)| value.to_owned());
    let features = text.kernel.parameters.iter().filter_map(|each| {
        let name = each.plain_name();
        let (row, column) = (format!("@r{name}@R"), format!("@c{name}@C"));
        Some(match each.features()? {
            End::Each => format!("{{{row}, {column}}}"),
            End::Row => row,
            End::Column => column,
        })
    });
    let inputs = text.kernel.inputs(feature).flat_map(|each| each.kind.pair_arguments(text, each));
    let inputs = inputs.filter_map(|argument| match argument {
        Argument::Text(text) => Some(text),
        _ => None,
    });
    let folds = text.kernel.folds.iter().map(|fold| format!("{}@f", fold.plain_name()));
    numbers.chain(features).chain(inputs).chain(folds).map(Value::from).collect()
}

/// What a pair's fold is in the call of the pair function: one of the thread's group, or the only one.
pub(super) fn value(text: &Text<'_>, name: &str) -> String {
    match text.group() {
        _ if text.is_loops => format!("{name}_folds[row - start + r][c]"),
        1 => format!("shared.folded.{name}[line][place]"),
        _ => format!("{name}_few.value[k]"),
    }
}
