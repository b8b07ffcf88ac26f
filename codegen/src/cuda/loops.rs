//! The values that fill the templates of the CPU sources.

use minijinja::{Value, context};
use td_kernel_geometry::Sweep;

use super::inputs::input_arguments;
use super::layout::SEPARATOR;
use super::{fold, given_pairs, near, plain, states};
use crate::errors::Internal;
use crate::model::{End, Kernel, Members, Outputs, SourceInput};

/// The template's name. It belongs to no sweep.
pub(super) fn template(input: &SourceInput<'_>) -> String {
    match () {
        () if near::is_near(input) => return format!("{}.cpp", near::template(input)),
        () if input.visits_entries() => "entries.cpp",
        () if input.variant.tiling.sweep == Sweep::SetRows => "set_rows.cpp",
        () if input.kernel.form.outputs == Outputs::States => "reduce.cpp",
        () if input.kernel.feature.is_some() => "feature_loops.cpp",
        () if input.kernel.form.members == Members::Many => "sets.cpp",
        () => plain::TEMPLATE,
    }
    .to_owned()
}

/// The columns of a block: several vectors of every type. g++ unrolls loops of up to 16 iterations before it vectorises, and
/// then does not vectorise them.
const COLUMNS: u32 = 32;

/// The bytes of folds that a block's rows have for one column. With 4 bytes per fold these are 4 rows: 16 vector registers of
/// AVX2, and half of those of AVX-512.
const FOLDED: u32 = 16;

/// The maximum number of rows in a block of pairs.
const MAX_ROWS: u32 = 4;

/// The bytes of a panel: it fits a core's L1 cache beside other data.
const PANEL_BYTES: u32 = 32 * 1024;

/// The alignment of rows of features, in bytes.
const WORD: u32 = 16;

/// A block of pairs: its rows, and the features of its columns at a time and per 16 bytes.
pub(super) struct Block {
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) panel: u32,
    pub(super) word: u32,
}

/// The block of a kernel over features.
pub(super) fn block(kernel: &Kernel) -> Block {
    let bytes = kernel.feature_bytes().unwrap_or(WORD);
    let folded: u32 = kernel.folds.iter().map(|fold| fold.size).sum();
    let panels =
        kernel.parameters.iter().filter(|each| each.features().is_some_and(End::has_column));
    let panels = (panels.count().max(1) as u32).next_power_of_two();
    let panel = (PANEL_BYTES / (COLUMNS * bytes) / panels).max(WORD);
    let rows = (FOLDED / folded.max(1)).clamp(1, MAX_ROWS);
    Block { rows, columns: COLUMNS, panel, word: WORD / bytes }
}

/// How a kernel visits its pairs on the CPU.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    Ok(context! { feature_parameters => fold::feature_parameters(input), ..way(input)? })
}

fn way(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let kernel = input.kernel;
    if input.visits_entries() {
        return given_pairs::context(input);
    }
    if near::is_near(input) {
        return near::context(input);
    }
    if kernel.form.outputs == Outputs::States && kernel.form.members == Members::One {
        return states::context(input);
    }
    if kernel.feature.is_none() {
        return Ok(plain::context(input));
    }
    let Block { rows, columns, panel, .. } = block(kernel);
    let (panel_parameters, panel_arguments) = panel_function(input, rows, panel)?;
    Ok(context! {
        rows, columns, panel, panel_parameters, panel_arguments,
        folds => fold::folds(kernel),
        feature_arguments => feature_arguments(input)?,
    })
}

/// The arguments of a call for a feature, in the order of its parameters.
fn feature_arguments(input: &SourceInput<'_>) -> Result<String, Internal> {
    let Some(feature) = &input.kernel.feature else { return Ok(String::new()) };
    let numbers = [("k", "first + k"), ("features", "features")].into_iter();
    let numbers = numbers.filter(|(name, _)| feature.uses(name)).map(|(_, value)| value.to_owned());
    let features = input.kernel.parameters.iter().filter_map(|each| {
        let name = each.plain_name();
        let (row, column) = (format!("{name}_row[r][k]"), format!("{name}_cols[k][c]"));
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

/// The parameters of the function that folds a panel, and the arguments of its call: features of rows and of columns, the other
/// inputs of the `feature` body, numbers, and the folds.
fn panel_function(
    input: &SourceInput<'_>,
    rows: u32,
    panel: u32,
) -> Result<(String, String), Internal> {
    let kernel = input.kernel;
    let Some(feature) = &kernel.feature else { return Ok((String::new(), String::new())) };
    let mut all: Vec<(String, String)> = Vec::new();
    for each in &kernel.parameters {
        let Some(end) = each.features() else { continue };
        let (cuda, name) = (&each.cuda.name, each.plain_name());
        if end.has_row() {
            all.push((format!("const {cuda} *const (&{name}_row)[{rows}]"), format!("{name}_row")));
        }
        if end.has_column() {
            let columns = format!("const {cuda} (&{name}_cols)[{panel}][{COLUMNS}]");
            all.push((columns, format!("{name}_cols")));
        }
    }
    let inputs = kernel.inputs(feature).flat_map(|each| each.kind.parameters(input, each));
    all.extend(inputs.zip(input_arguments(input, feature)?));
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
    Ok((parameters.join(SEPARATOR), arguments.join(SEPARATOR)))
}

/// The argument for a pair's fold in a call of the pair function.
pub(super) fn value(name: &str) -> String {
    format!("{name}_folds[row - start + r][c]")
}
