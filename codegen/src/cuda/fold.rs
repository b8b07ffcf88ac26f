//! The values that fill the template of the sweep `fold`.

use minijinja::{Value, context};
use td_kernel_geometry::Sweep;

use super::Constant;
use super::inputs::input_arguments;
use super::layout::SEPARATOR;
use crate::errors::Internal;
use crate::kind::{feature_parameter, kept_as, uses_set};
use crate::model::{End, Kernel, Members, Parameter, Role, SourceInput, Variant};

/// How features are read and folded, if elements have features.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let SourceInput { kernel, variant: Variant { tiling, .. }, .. } = *input;
    let Some(bytes) = kernel.feature_bytes() else {
        return Ok(context! { feature_parameters => "", blocks => 1 });
    };
    let folds = folds(kernel);
    let has_lists = kernel.parameters.iter().any(|each| each.kind.about().lists_pairs);
    let has_arrays = kernel.parameters.iter().any(Parameter::is_wide_sum);
    let fold_bytes: u32 = kernel.folds.iter().map(|fold| fold.size).sum();
    let Reading { step, is_whole, ahead, adjacent } = reading(input, bytes);
    Ok(context! {
        folds, step, is_whole, ahead, adjacent,
        word => tiling.word(bytes),
        panel => tiling.panel(bytes),
        // With short bodies, two blocks of the largest tiles fit a multiprocessor's registers, and more blocks of smaller
        // tiles. For bodies that may need more registers, the compiler may use them, as it does for bit counts.
        blocks => match tiling.side {
            _ if tiling.sweep == Sweep::Filter => 2,
            _ if has_lists || has_arrays || !kernel.has_short_bodies() || fold_bytes > 8 => 1,
            _ if kernel.mentions("__popc") => 1,
            64 if bytes == 4 && fold_bytes <= 4 && is_plain(input) => 3,
            _ => 2,
        },
        reads_only_folds => reads_only_folds(kernel),
        feature_parameters => feature_parameters(input),
        register_arguments => register_arguments(input)?,
    })
}

/// How a thread reads the features that it folds.
struct Reading {
    /// The features between two checks of the panel's end: their terms are unrolled.
    step: u32,
    /// Whether features are whole words, so that their offsets are constant. Features of 8 bytes leave no registers for this,
    /// nor for an unrolled remainder.
    is_whole: bool,
    /// How many features ahead of its fold a feature is read.
    ahead: u32,
    /// How many neighbouring rows or columns are read at once.
    adjacent: u32,
}

fn reading(input: &SourceInput<'_>, bytes: u32) -> Reading {
    let tiling = &input.variant.tiling;
    let fold_bytes: u32 = input.kernel.folds.iter().map(|fold| fold.size).sum();
    let step = tiling.panel(bytes).min(match is_plain(input) {
        false => 2,
        true if fold_bytes > 8 || bytes == 8 => 4,
        true => 8,
    });
    let is_whole = bytes < 8 && step.is_multiple_of(tiling.word(bytes));
    let rows = tiling.rows_of_thread();
    Reading {
        step,
        is_whole,
        ahead: if is_whole && rows == 2 { 3 } else { 1 },
        adjacent: rows.min(4),
    }
}

/// The additional constants of a source that folds or filters.
pub(super) fn constants(input: &SourceInput<'_>) -> Vec<Constant> {
    let (kernel, tiling) = (input.kernel, &input.variant.tiling);
    let Some(bytes) = kernel.feature_bytes() else { return Vec::new() };
    let word = ("WORD", tiling.word(bytes).to_string(), "features in 16 bytes");
    if tiling.sweep == Sweep::Filter {
        let part = tiling.part(bytes).to_string();
        return vec![
            word,
            ("BATCH", "32".into(), "queued pairs of an element that a warp evaluates together"),
            ("PIECE", "8".into(), "16-byte words of each element at a time"),
            ("HALVES", "8".into(), "16-bit features in 16 bytes"),
            ("PART_FEATURES", part, "features of an element at a time"),
            (
                "PART_WORDS",
                "TILE * PART_FEATURES / HALVES".into(),
                "16-byte words of a part of a tile",
            ),
            ("LIST_CAPACITY", tiling.found().to_string(), "pairs that a block can list"),
        ];
    }
    let Reading { step, ahead, adjacent, .. } = reading(input, bytes);
    let [words, padding] = [tiling.words(), tiling.shift(bytes)].map(|count| count.to_string());
    vec![
        ("SIDE", "16".into(), "threads on each side of the tile"),
        ("THREAD_ROWS", "TILE / SIDE".into(), "rows of a thread, and as many columns"),
        ("GROUP", adjacent.to_string(), "adjacent rows or columns that a thread reads at once"),
        ("GROUPS", "THREAD_ROWS / GROUP".into(), "groups of adjacent columns of a thread"),
        ("WARP_COLUMNS", "8 * GROUP".into(), "adjacent columns of a warp"),
        word,
        ("WORDS", words, "16-byte words of each element in a panel"),
        ("PANEL_FEATURES", "WORDS * WORD".into(), "features in shared memory at a time"),
        ("PADDING", padding, "padding values after the features of a word, against bank conflicts"),
        (
            "BUFFER",
            "PANEL_FEATURES * TILE + WORDS * PADDING".into(),
            "values of a panel of all rows, or of all columns",
        ),
        ("STEP", step.to_string(), "features of an unrolled iteration"),
        ("AHEAD", ahead.to_string(), "features that are read before they are folded"),
        ("STAGED_ROWS", tiling.lines().to_string(), "rows of pairs that a warp stages at a time"),
        ("STAGED_PAIRS", "8 * THREAD_ROWS".into(), "pairs of a staged row"),
    ]
}

/// Whether the pair body reads only its folds. Then no subexpression is common to several pairs, and the compiler fuses the
/// same products everywhere. In `x.i * x.i + x.j * x.j`, where pairs share a column, it would round one square and fuse the
/// other, so a pair's bits would depend on its place in the kernel.
fn reads_only_folds(kernel: &Kernel) -> bool {
    let body = &kernel.body;
    let mut elements =
        kernel.with_role(Role::Elements).filter(|each| each.neighbours_of().is_none());
    let mut numbers = ["i", "j", "n", "rows", "columns", "features"].iter();
    let names_set = kernel.form.members == Members::Many && uses_set(kernel);
    !elements.any(|each| body.uses(&each.plain_name()))
        && !numbers.any(|name| body.uses(name))
        && !names_set
        && kernel.inputs(body).next().is_none()
}

/// The folds: their names, types, and their start values if not zero.
pub(super) fn folds(kernel: &Kernel) -> Vec<Value> {
    let facts = kernel.folds.iter().map(|fold| {
        let start = fold.start_value();
        // How a variable, and an array of them, begins.
        let is_zero = start.is_empty();
        let begin = if is_zero { "{}".to_owned() } else { format!(" = {start}") };
        let zeros = if is_zero { " = {}" } else { "" };
        context! { name => fold.plain_name(), type => fold.cuda.name.as_str(), start, begin, zeros }
    });
    facts.collect()
}

/// The most tokens of a plain `feature` body: a product of two differences, added to a fold.
const PLAIN: usize = 24;

/// The functions that take one instruction and no registers of their own.
const PLAIN_FUNCTIONS: &[&str] = &[
    "__dp4a", "__popcll", "abs", "fabs", "fabsf", "fma", "fmaf", "fmax", "fmaxf", "fmin", "fminf",
    "max", "min",
];

/// Whether the `feature` body is a few instructions with few registers, so that it can be unrolled for many features: it uses
/// features and folds, but no numbers, scalars or slices, and only the functions of `PLAIN_FUNCTIONS`. Unrolled, a body with a
/// logarithm would fill the instruction cache and take seconds to compile.
fn is_plain(input: &SourceInput<'_>) -> bool {
    let Some(feature) = &input.kernel.feature else { return false };
    let is_short = feature.scan.length.is_some_and(|length| length <= PLAIN);
    let is_whole = feature.scan.is_plain(PLAIN_FUNCTIONS);
    is_short
        && is_whole
        && input.kernel.has_short_bodies()
        && input.kernel.inputs(feature).next().is_none()
}

/// The feature function's parameters: `k` and `features`, if used, the features, the inputs that it uses, and the folds.
pub(super) fn feature_parameters(input: &SourceInput<'_>) -> String {
    let Some(feature) = &input.kernel.feature else { return String::new() };
    let numbers = ["k", "features"].into_iter().filter(|name| feature.uses(name));
    let numbers = numbers.map(|name| format!("const unsigned int {name}"));
    let features = input
        .kernel
        .parameters
        .iter()
        .filter_map(|each| Some(feature_parameter(each.features()?, each)));
    let inputs =
        input.kernel.inputs(feature).flat_map(|each| each.kind.pair_parameters(input, each));
    let folds =
        input.kernel.folds.iter().map(|fold| format!("{} &{}", fold.cuda.name, fold.plain_name()));
    numbers.chain(features).chain(inputs).chain(folds).collect::<Vec<_>>().join(SEPARATOR)
}

/// The arguments of a call of the feature function, in the same order. Two marks differ between calls: `@k` for the feature,
/// `@s` for its set of registers.
fn register_arguments(input: &SourceInput<'_>) -> Result<String, Internal> {
    let Some(feature) = &input.kernel.feature else { return Ok(String::new()) };
    let numbers = [("k", "@k"), ("features", "features")].into_iter();
    let numbers = numbers.filter(|(name, _)| feature.uses(name)).map(|(_, value)| value.to_owned());
    let features = input.kernel.parameters.iter().filter_map(|each| {
        let name = each.plain_name();
        let value = |value: String| match kept_as(each) {
            kept if kept == each.cuda.name => value,
            _ => format!("td_bit_cast<{}>({value})", each.cuda.name),
        };
        let (row, column) =
            (value(format!("{name}_row[@s][r]")), value(format!("{name}_col[@s][c]")));
        Some(match each.features()? {
            End::Each => format!("{{{row}, {column}}}"),
            End::Row => row,
            End::Column => column,
        })
    });
    let inputs = input_arguments(input, feature)?;
    let folds = input.kernel.folds.iter().map(|fold| format!("{}_fold[r][c]", fold.plain_name()));
    Ok(numbers.chain(features).chain(inputs).chain(folds).collect::<Vec<_>>().join(SEPARATOR))
}

/// The argument for a pair's fold in a call of the pair function.
pub(super) fn value(name: &str) -> String {
    format!("shared.folded.{name}_fold[warp][line][index]")
}
