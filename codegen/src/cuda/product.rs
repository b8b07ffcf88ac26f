//! The values that fill the template of the sweep `product`, and the products of features in other sweeps.

use minijinja::{Value, context};

use super::{Constant, filter, fold};
use crate::errors::Internal;
use crate::model::{Dot, SourceInput};

/// The argument for a product, or its error bound, in a call of the pair function. `fold` is the argument for a fold.
pub(super) fn value(dot: &Dot, name: &str, fold: impl Fn(&str) -> String, tensor: bool) -> String {
    match (tensor, dot.is_error(name)) {
        (true, false) => "product".to_owned(),
        (true, true) => "error".to_owned(),
        (false, false) => fold(name),
        (false, true) => format!("td_product_error({}, features)", fold(name)),
    }
}

/// The `feature` body that folds a product of two features, and the magnitudes of its terms for an error bound.
pub(crate) fn folded(factors: &[String], name: &str, error: Option<&String>) -> String {
    let mut text = format!("    {name} = fmaf({}, {name});\n", factors.join(", "));
    if let Some(error) = error {
        let magnitudes: Vec<_> = factors.iter().map(|each| format!("fabsf({each})")).collect();
        text += &format!("    {error} = fmaf({}, {error});\n", magnitudes.join(", "));
    }
    text
}

/// How tensor cores multiply the features.
pub(super) fn context(input: &SourceInput<'_>) -> Result<Value, Internal> {
    let kernel = input.kernel;
    let mut features = kernel.parameters.iter().filter(|each| each.features().is_some());
    let feature_type = features.next().map_or("", |each| each.cuda.name.as_str());
    let number = kernel.dot.as_ref().map_or("", |dot| dot.number.as_str());
    let is_integer = number == "int";
    let multiply = match feature_type {
        "td_f16" => "td_multiply_halves<false>".to_owned(),
        "td_bf16" => "td_multiply_halves<true>".to_owned(),
        _ if is_integer => format!("td_multiply_part<td_multiply_bytes<{feature_type}>>"),
        _ => "td_multiply_split".to_owned(),
    };
    let pair = match input.quick() {
        Some(_) => {
            context! { feature_parameters => fold::feature_parameters(input), ..filter::pair_context(input)? }
        }
        None => context! { feature_parameters => "" },
    };
    let operands = filter::operands(input);
    Ok(
        context! { blocks => 1, feature_type, multiply, number, is_integer, operands, is_split => feature_type == "float", ..pair },
    )
}

/// The constants of a source whose products are from tensor cores.
pub(super) fn constants(input: &SourceInput<'_>) -> Vec<Constant> {
    let tiling = &input.variant.tiling;
    let [rows, floats] = tiling.staged();
    let bytes = input.kernel.feature_bytes().unwrap_or(4);
    let warps = tiling.multiplying_warps();
    vec![
        ("WARPS", warps.to_string(), "warps that multiply; one more fills shared memory"),
        ("WARP_ROWS", "TILE / WARPS".into(), "rows of a tile for each warp"),
        ("SEGMENTS", "TILE / 32".into(), "columns of a tile for each thread"),
        ("STAGED_ROWS", rows.to_string(), "rows of products that a warp stages at a time"),
        (
            "STAGED_PAIRS",
            floats.to_string(),
            "products of such a row, with padding against bank conflicts",
        ),
        ("WORD", (16 / bytes).to_string(), "features in 16 bytes"),
        ("HALVES", "8".into(), "16-bit floats in 16 bytes"),
        ("PART_FEATURES", tiling.part(bytes).to_string(), "features of an element at a time"),
        (
            "PART_WORDS",
            match bytes {
                4 => "2 * TILE * PART_FEATURES / HALVES".into(),
                1 => "TILE * PART_FEATURES / WORD".into(),
                _ => "TILE * PART_FEATURES / HALVES".into(),
            },
            "16-byte words of a part of a tile",
        ),
        (
            "STAGES",
            tiling.stages(90).to_string(),
            "parts of rows and of columns in shared memory on sm_90",
        ),
    ]
}
