//! What goes with the text `lower`: nearest neighbours, or lists and sums, by one parameter of floats as features for each set.

use proc_macro2::Span;
use td_kernel_maps::{FILTERED, Map, RUNS, Sweep, Tiling};

use crate::errors::Errors;
use crate::model::{End, Parameter, Role, Variant};
use crate::names;
use crate::scan::{Problem, Scan};

/// The variant whose text asks it of each pair, of one set or of two. It has one tile.
pub(super) fn variant(are_two: bool, parameters: &[Option<Parameter>]) -> Variant {
    let [of_one, of_two] = FILTERED;
    let is_nearest = parameters.iter().flatten().any(|each| each.neighbours_of().is_some());
    let map: &dyn Map = match (is_nearest, are_two) {
        (false, _) => RUNS,
        (true, false) => of_one,
        (true, true) => of_two,
    };
    Variant { map, linear: false, tiling: Tiling::new(Sweep::Filter, 128) }
}

/// Checks that a kernel can have the text, beside the key `deterministic`, if that is there.
pub(super) fn check(
    deterministic: Option<Span>,
    parameters: &[Option<Parameter>],
    errors: &mut Errors,
) {
    // A wrong parameter has its error, and may be what is missing.
    if parameters.iter().any(Option::is_none) {
        return;
    }
    let known = || parameters.iter().flatten();
    let near = known().find(|each| each.neighbours_of().is_some());
    // What has a value for each pair.
    let slots =
        known().find(|each| matches!(each.kind.role(), Role::Packed | Role::Square | Role::Matrix));
    match near {
        Some(near) if near.cuda.name != "float" => errors.span(near.name.span(), "the text `lower` gives a float that is compared with what pairs have pushed: write `Nearest<f32, K>`, or remove the text"),
        Some(_) => {}
        None => {
            if let Some(slots) = slots {
                errors.span(slots.name.span(), format!("with the text `lower`, pairs are left out, and `{}` has a value for each pair: write `close: &mut Pairs<f32>`, which lists those that are left, or remove the text", slots.plain_name()));
            }
            if let Some(key) = deterministic {
                errors.span(key, "with the text `lower`, the pairs that are left are evaluated in any order: remove `deterministic`, or the text");
            }
        }
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
    let message = "the text `lower` is an expression, a number that is not greater than what the text `pair` pushes to a `Nearest`, and beside other outputs one that is above 0 only where the pair changes nothing: write it without `;` and `return`, like `norm.i + norm.j - 2.0f * (dot + dot_error)`";
    let line = scan.statement();
    line.map(|line| Problem { line, message: message.into() }).into_iter().collect()
}
