//! What goes with the text `lower`: nearest neighbours, by one parameter of floats as features for each set.

use proc_macro2::Span;
use td_kernel_maps::{FILTERED, Sweep, Tiling};

use crate::errors::Errors;
use crate::model::{End, Parameter, Role, Variant};
use crate::names;
use crate::scan::{Problem, Scan};

/// The variant whose text asks it of each pair, of one set or of two. It has one tile.
pub(super) const fn variant(are_two: bool) -> Variant {
    let [of_one, of_two] = FILTERED;
    let map = if are_two { of_two } else { of_one };
    Variant { map, linear: false, tiling: Tiling::new(Sweep::Filter, 128) }
}

/// Checks that a kernel can have the text; `span` is that of its name.
pub(super) fn check(span: Span, parameters: &[Option<Parameter>], errors: &mut Errors) {
    // A wrong parameter has its error, and may be what is missing.
    if parameters.iter().any(Option::is_none) {
        return;
    }
    let known = || parameters.iter().flatten();
    let near = known().find(|each| each.neighbours_of().is_some());
    match near {
        None => {
            let mark = if known().any(Parameter::is_of_rectangle) { "row" } else { "each" };
            errors.span(span, format!("the text `lower` is for nearest neighbours: with it, pairs are left out that are not among these; write `#[{mark}] near: &mut Nearest<f32, 10>`, or remove it"));
        }
        Some(near) if near.cuda.name != "float" => errors.span(near.name.span(), "the text `lower` gives a float that is compared with what pairs have pushed: write `Nearest<f32, K>`, or remove the text"),
        Some(_) => {}
    }
    let features: Vec<_> = known().filter(|each| each.features().is_some()).collect();
    for (at, each) in features.iter().enumerate() {
        if features[..at].iter().any(|other| other.features() == each.features()) {
            errors.span(each.name.span(), "with the text `lower`, tensor cores multiply the features of one parameter for each set: write one, or remove the text");
        } else if each.cuda.name != "float" {
            errors.span(each.name.span(), "with the text `lower`, tensor cores multiply features that are floats: write `&Features<f32>`, or remove the text");
        }
    }
    if let [only] = features[..]
        && let Some(other) = only.features().and_then(other_set)
    {
        errors.span(only.name.span(), format!("with the text `lower`, tensor cores multiply the features of both sets: write a parameter like `#[{other}] x: &Features<f32>`, too, or remove the text"));
    }
    let is_input = |each: &&Parameter| {
        matches!(each.kind.role(), Role::Elements | Role::Row | Role::Column | Role::Input)
    };
    for each in known().filter(is_input) {
        let name = each.plain_name();
        if names::OF_LOWER.contains(&name.as_str()) {
            errors.span(each.name.span(), format!("`{name}` is in scope in the text `lower` (`dot`: the product of the features, roughly; `dot_error`: how far it may be off): choose another name"));
        }
    }
}

/// The mark of the other one of two sets.
fn other_set(end: End) -> Option<&'static str> {
    match end {
        End::Each => None,
        End::Row => Some("column"),
        End::Column => Some("row"),
    }
}

/// What is wrong with the text by itself.
pub(super) fn problems(scan: &Scan) -> Vec<Problem> {
    let message = "the text `lower` is an expression, a number that is not greater than what the text `pair` pushes: write it without `;` and `return`, like `norm.i + norm.j - 2.0f * (dot + dot_error)`";
    let line = scan.statement();
    line.map(|line| Problem { line, message: message.into() }).into_iter().collect()
}
