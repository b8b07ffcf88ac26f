//! The requirements of the body `lower_bound`: nearest neighbours, or lists and sums, and one parameter of float features for each
//! set.

use proc_macro2::Span;

use super::Signature;
use crate::errors::Errors;
use crate::model::{End, Parameter, Role};
use crate::names;
use crate::scan::{Problem, Scan};
use crate::support::{self, Visit};

/// Checks that a kernel can have the body `lower_bound`, also beside the key `deterministic`.
pub(super) fn check(deterministic: Option<Span>, signature: &Signature, errors: &mut Errors) {
    // A wrong parameter already has an error, and may be the missing one.
    if !signature.is_complete() {
        return;
    }
    let known = || signature.parameters.iter();
    let near = known().find(|each| each.neighbours_of().is_some());
    known().for_each(|each| support::check(each, Visit::Bounds, errors));
    if let Some(near) = near
        && near.cuda.name != "float"
    {
        errors.span(near.name.span(), "the body `lower_bound` is a float that is compared with the pushed values: write `Nearest<f32, K>`, or remove `lower_bound`");
    }
    if near.is_none()
        && let (Some(key), Some(message)) =
            (deterministic, support::first(&signature.parameters, Visit::ExactBounds))
    {
        errors.span(key, message);
    }
    let features: Vec<_> = known().filter(|each| each.features().is_some()).collect();
    for (at, each) in features.iter().enumerate() {
        if features[..at].iter().any(|other| other.features() == each.features()) {
            errors.span(each.name.span(), "with the body `lower_bound`, tensor cores multiply only one parameter of features for each set: write one, or remove `lower_bound`");
        } else if each.cuda.name != "float" {
            errors.span(each.name.span(), "with the body `lower_bound`, tensor cores multiply the features, which must be floats: write `&Features<f32>`, or remove `lower_bound`");
        }
    }
    if let [only] = features[..]
        && let Some(other) = only.features().and_then(other_set)
    {
        errors.span(only.name.span(), format!("with the body `lower_bound`, tensor cores multiply the features of both sets: add a parameter like `#[{other}] x: &Features<f32>`, or remove `lower_bound`"));
    }
    let is_input = |each: &&Parameter| {
        matches!(each.kind.role(), Role::Elements | Role::Row | Role::Column | Role::Input)
    };
    for each in known().filter(is_input) {
        let name = each.plain_name();
        if names::OF_LOWER.contains(&name.as_str()) {
            errors.span(each.name.span(), format!("`{name}` is in scope in the body `lower_bound` (the product of the features is at most `dot_upper` and at least `dot_lower`): choose another name"));
        }
    }
}

/// The attribute of the other one of two sets.
fn other_set(end: End) -> Option<&'static str> {
    match end {
        End::Each => None,
        End::Row => Some("column"),
        End::Column => Some("row"),
    }
}

/// Problems of the body by itself.
pub(super) fn problems(scan: &Scan, parameters: &[Parameter]) -> Vec<Problem> {
    // An empty one already has an error.
    let Some(begin) = scan.first_line() else { return Vec::new() };
    let is_nearest = parameters.iter().any(|each| each.neighbours_of().is_some());
    let (what, example) = match is_nearest {
        true => {
            ("at most the value that the body `pair` pushes", "norm.i + norm.j - 2.0f * dot_upper")
        }
        false => (
            "above 0 only if the pair does not change an output",
            "norm.i + norm.j - 2.0f * dot_upper - limit",
        ),
    };
    let is = format!("the body `lower_bound` must be a number that is {what}");
    let has_bound = names::OF_LOWER.iter().any(|name| scan.names.contains(*name));
    let without_bound = || {
        format!(
            "{is}: write an expression with `dot_upper` or `dot_lower`, which bound the product of the features, like `{example}`"
        )
    };
    let is_unbound = scan.has_all_names() && !has_bound;
    let problem = not_a_number(scan, &is, example);
    let problem = problem.or_else(|| is_unbound.then(|| (begin, without_bound())));
    problem.map(|(line, message)| Problem { line, message }).into_iter().collect()
}

/// What keeps a lower bound from being a number: the line, and a message from what it must be and an example.
pub(super) fn not_a_number(scan: &Scan, is: &str, example: &str) -> Option<(usize, String)> {
    if let Some(line) = scan.statement() {
        let message =
            format!("{is}: write an expression, without `;` and `return`, like `{example}`");
        return Some((line, message));
    }
    let line = scan.comparison()?;
    Some((line, format!("{is}, but this is a comparison: write a difference, like `{example}`")))
}
