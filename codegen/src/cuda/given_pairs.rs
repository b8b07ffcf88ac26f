//! The values that fill the templates of the sweep `entries`: for a GPU and for the CPU's loops.

use minijinja::{Value, context};
use td_kernel_geometry::Sweep;

use super::inputs::input_arguments;
use super::layout::SEPARATOR;
use super::{Constant, fold};
use crate::errors::Internal;
use crate::model::{End, Kernel, Parameter, Role, SourceInput};

/// The partners of an element that a thread reads at a time, so that it waits for memory once for all of them.
const AHEAD: u32 = 4;

/// The kernel's parameters after the user's: the addresses of the pairs' indices, their stride, and the number of pairs. By
/// element: the start and the ends of each element's partners, the partners, and the number of elements.
pub(super) fn parameters(input: &SourceInput<'_>) -> Vec<String> {
    if !input.visits_entries() {
        return Vec::new();
    }
    let indices = |name: &str| format!("const unsigned int *const __restrict__ {name}");
    if input.variant.tiling.sweep == Sweep::Partners {
        return vec![
            indices("starts"),
            "const uint2 *const __restrict__ ends".to_owned(),
            indices("partners"),
            "const unsigned int elements".to_owned(),
        ];
    }
    vec![
        indices("given_i"),
        indices("given_j"),
        "const unsigned long long step".to_owned(),
        "const unsigned long long entries".to_owned(),
    ]
}

/// The constants of a GPU source.
pub(super) fn constants(input: &SourceInput<'_>) -> Vec<Constant> {
    let side = input.variant.tiling.side.to_string();
    let of_features = input.kernel.feature_bytes().map(|bytes| {
        ("WORD", input.variant.tiling.word(bytes).to_string(), "features in 16 bytes")
    });
    if input.variant.tiling.sweep == Sweep::Partners {
        return vec![
            ("PART_ELEMENTS", side, "elements of a block"),
            ("LANES", "THREADS / PART_ELEMENTS".into(), "threads of an element"),
            ("AHEAD", AHEAD.to_string(), "partners that a thread reads at a time"),
        ];
    }
    let own = [
        ("PART_ENTRIES", side, "entries of a block"),
        ("THREAD_ENTRIES", "PART_ENTRIES / THREADS".into(), "entries of a thread"),
    ];
    own.into_iter().chain(of_features).collect()
}

/// How an entry is evaluated.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let kernel = input.kernel;
    let feature_parameters = match kernel.feature {
        Some(_) => fold::feature_parameters(input),
        None => String::new(),
    };
    // All features of a kernel have the same size.
    let feature_type = kernel.parameters.iter().find(|each| each.features().is_some());
    Ok(context! {
        blocks => 1,
        feature_parameters,
        feature_type => feature_type.map_or("", |each| each.cuda.name.as_str()),
        feature_uses_k => kernel.feature.as_ref().is_some_and(|feature| feature.uses("k")),
        feature_arguments => feature_arguments(input, ["row", "col"])?,
        folds => fold::folds(kernel),
        entry_indices => indices(kernel),
    })
}

/// The indices of an entry that are used.
fn indices(kernel: &Kernel) -> String {
    let i = uses(kernel, "i", End::has_row, Role::Row).then_some("i");
    let j = uses(kernel, "j", End::has_column, Role::Column).then_some("j");
    let index = |name| format!("const unsigned int {name} = given_{name}[step * entry];\n");
    i.into_iter().chain(j).map(index).collect()
}

/// Whether an entry's index is used: by the body, for an element, or for an output.
fn uses(kernel: &Kernel, index: &str, has_end: fn(End) -> bool, of_set: Role) -> bool {
    let is_user = |each: &Parameter| match each.kind.role() {
        Role::Elements => true,
        Role::Features(end) | Role::Result(end) => has_end(end) || each.kind.has_partner(),
        role if role == of_set => true,
        _ => each.kind.about().lists_pairs || each.kind.about().names_pair,
    };
    kernel.body.uses(index) || kernel.parameters.iter().any(is_user)
}

/// The arguments of a call of the feature function, in the order of its parameters, for feature `k` of the pair. The features of
/// its row and of its column are in variables of these suffixes.
pub(super) fn feature_arguments(
    input: &SourceInput<'_>,
    [row, col]: [&str; 2],
) -> Result<String, Internal> {
    let Some(feature) = &input.kernel.feature else { return Ok(String::new()) };
    let numbers = ["k", "features"].into_iter().filter(|name| feature.uses(name));
    let features = input.kernel.parameters.iter().filter_map(|each| {
        let name = each.plain_name();
        // A GPU's thread has a word of features in registers. The sign makes a value of a float in it, not a reference.
        let value = |end: &str| match (input.is_loops, each.cuda.name.as_str()) {
            (true, _) => format!("{name}_{end}[k]"),
            (false, "float") => format!("+{name}_{end}.value[offset]"),
            (false, _) => format!("{name}_{end}.value[offset]"),
        };
        Some(match each.features()? {
            End::Each => format!("{{{}, {}}}", value(row), value(col)),
            End::Row => value(row),
            End::Column => value(col),
        })
    });
    let inputs = input_arguments(input, feature)?;
    let folds = input.kernel.folds.iter().map(|fold| format!("{}_fold", fold.plain_name()));
    let numbers = numbers.map(str::to_owned);
    Ok(numbers.chain(features).chain(inputs).chain(folds).collect::<Vec<_>>().join(SEPARATOR))
}
