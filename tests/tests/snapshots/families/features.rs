//! Elements with features: folds, filters and products.

use super::*;

pub(super) const DIFFERENCE: &str = "float d = p.i - p.j; sum += d * d;";

pub(super) fn folds(shown: &mut Snapshots) {
    let distance = "#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>";
    let distance = &fold(distance, DIFFERENCE, "out = sqrtf(sum);", "");
    shown.new_lines("fold", &source("", distance));
    shown.compare("folds");
}

/// The last variant, which has a filter if the item has a lower bound.
fn filter(item: &str) -> String {
    sources("", item).pop().unwrap().text
}

/// Kernels with a lower bound: neighbours and a list.
pub(super) fn filters(shown: &mut Snapshots) {
    let norms = "norm.i + norm.j - 2.0f * dot_upper";
    let near = "#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], #[each] near: &mut Nearest<f32, 10>";
    shown.new_lines("filter", &filter(&fold(near, DIFFERENCE, "near.push(sum);", norms)));
    let close = "#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], limit: f32, near: &mut Pairs";
    let close =
        fold(close, DIFFERENCE, "if (sum <= limit) near.push();", &format!("{norms} - limit"));
    shown.new_lines("filter for a list", &filter(&close));
    shown.compare("filters");
}

/// Products of features by tensor cores. The last variant is the one that multiplies.
pub(super) fn products(shown: &mut Snapshots) {
    let one = |parameters: &str, body: &str| {
        let features = "#[each] p: &Features<f32>, #[dot] dot: f32";
        sources("", &demo(&format!("{features}, {parameters}"), body)).pop().unwrap().text
    };
    let close = "#[each] norm: &[f32], out: &mut Packed<f32>, error: &mut Packed<f32>";
    let body = " out = norm.i + norm.j - 2.0f * dot; error = dot_error; ";
    shown.new_lines("product", &one(close, body));
    let nearest = "#[each] norm: &[f32], #[each] near: &mut Nearest<f32, 10>";
    let body = " near.push(norm.i + norm.j - 2.0f * dot); ";
    shown.new_lines("product to nearest neighbours", &one(nearest, body));
    let quick = |parameters: &str, quick: &str, pair: &str| {
        let features = "#[each] p: &Features<f32>, #[dot] dot: f32, #[fold] square: f32";
        let feature = " float d = p.i - p.j; square += d * d; ";
        let bodies = format!(
            "let quick = r#\"{quick}\"#; let feature = r#\"{feature}\"#; let pair = r#\"{pair}\"#;"
        );
        let item = format!("unsafe fn demo({features}, {parameters}) {{ {bodies} }}");
        sources("", &item).pop().unwrap().text
    };
    let near = quick(
        "limit: f32, #[each] norm: &[f32], #[each] degree: &mut Sums<u32>, near: &mut Pairs<f32>, count: &mut Sum<u64>",
        " float s = fmaf(-2.0f, dot, norm.i + norm.j); if (fabsf(s - limit) <= 2 * dot_error) exact(); if (s <= limit) { near.push(s); count += 1; degree.i += 1; } ",
        " if (square <= limit) { near.push(square); count += 1; degree.i += 1; } ",
    );
    shown.new_lines("product with a second look", &near);
    shown.compare("products");
}
