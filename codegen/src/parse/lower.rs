//! What goes with the text `lower`: nearest neighbours of one set, by one parameter of floats as features.

use proc_macro2::Span;
use td_kernel_maps::{FILTERED, Sweep, Tiling};

use crate::errors::Errors;
use crate::model::{End, Parameter, Role, Variant};
use crate::names;
use crate::scan::{Problem, Scan};

/// The variant whose text asks it of each pair. It has one tile.
pub(super) const VARIANT: Variant =
    Variant { map: FILTERED, linear: false, tiling: Tiling::new(Sweep::Filter, 128) };

/// Checks that a kernel can have the text; `span` is that of its name.
pub(super) fn check(span: Span, parameters: &[Option<Parameter>], errors: &mut Errors) {
    // A wrong parameter has its error, and may be what is missing.
    if parameters.iter().any(Option::is_none) {
        return;
    }
    let known = || parameters.iter().flatten();
    let near = known().find(|each| each.neighbours_of().is_some());
    match near {
        None => errors.span(span, "the text `lower` is for nearest neighbours: with it, pairs are left out that are not among these; write `#[each] near: &mut Nearest<f32, 10>`, or remove it"),
        Some(near) if near.neighbours_of() == Some(End::Row) => errors.span(near.name.span(), "the text `lower` is for the nearest neighbours within one set: write `#[each]` for all parameters, or remove it"),
        Some(near) if near.cuda.name != "float" => errors.span(near.name.span(), "the text `lower` gives a float that is compared with what pairs have pushed: write `Nearest<f32, K>`, or remove the text"),
        Some(_) => {}
    }
    let mut features = known().filter(|each| each.features().is_some());
    if let Some(first) = features.next()
        && first.cuda.name != "float"
    {
        errors.span(first.name.span(), "with the text `lower`, tensor cores multiply features that are floats: write `&Features<f32>`, or remove the text");
    }
    if let Some(other) = features.next() {
        errors.span(other.name.span(), "with the text `lower`, tensor cores multiply the features of one parameter: write one, or remove the text");
    }
    let is_input = |each: &&Parameter| matches!(each.kind.role(), Role::Elements | Role::Input);
    for each in known().filter(is_input) {
        let name = each.plain_name();
        if names::OF_LOWER.contains(&name.as_str()) {
            errors.span(each.name.span(), format!("`{name}` is in scope in the text `lower` (`dot`: the product of the features, roughly; `dot_error`: how far it may be off): choose another name"));
        }
    }
}

/// What is wrong with the text by itself.
pub(super) fn problems(scan: &Scan) -> Vec<Problem> {
    let message = "the text `lower` is an expression, a number that is not greater than what the text `pair` pushes: write it without `;` and `return`, like `norm.i + norm.j - 2.0f * (dot + dot_error)`";
    let line = scan.statement();
    line.map(|line| Problem { line, message: message.into() }).into_iter().collect()
}
