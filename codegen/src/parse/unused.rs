//! Useless parts of a kernel: outputs that no body uses, folds that no feature goes into, and a kernel without outputs.

use proc_macro2::Ident;

use super::{Bodies, Signature};
use crate::errors::Errors;
use crate::model::{Body, Parameter};

/// Functions with a visible effect without an output: they print, or stop the launch.
const EFFECTS: &[&str] = &["asm", "__asm__", "assert", "printf", "__trap"];

/// Reports useless parts of a kernel without other errors.
pub(super) fn check(
    name: &Ident,
    Signature { parameters, folds, .. }: &Signature,
    prelude: Option<&Body>,
    bodies: &Bodies,
    errors: &mut Errors,
) {
    let Bodies { feature, pair, .. } = bodies;
    let feature = feature.as_ref();
    let has_effect = |body: &Body| EFFECTS.iter().any(|effect| body.uses(effect));
    let has_output = parameters.iter().any(|each| each.kind.role().is_output());
    if !has_output && ![prelude, feature, Some(pair)].into_iter().flatten().any(has_effect) {
        let is_rectangle = parameters.iter().any(Parameter::is_of_rectangle);
        let slots = if is_rectangle { "Matrix" } else { "Packed" };
        errors.span(
            name.span(),
            format!(
                "this kernel does not have an output, so it would have no effect: write a parameter like `out: &mut {slots}<f32>`, which has a slot for each pair, or `total: &mut Sum<f32>`"
            ),
        );
    }
    // A macro may paste names together.
    let puts_together = |body: &Body| body.text.contains("##");
    if [prelude, feature, Some(pair)].into_iter().flatten().all(|body| !puts_together(body)) {
        outputs(parameters, bodies, errors);
    }
    let Some(feature) = feature else { return };
    if [Some(feature), prelude].into_iter().flatten().any(puts_together) {
        return;
    }
    for fold in folds.iter() {
        let folded = fold.plain_name();
        if !feature.uses(&folded) {
            let instead = if pair.uses(&folded) {
                "declare it in the body `pair` instead"
            } else {
                "remove it"
            };
            errors.span(
                fold.name.span(),
                format!(
                    "the body `feature` does not use the fold `{folded}`: use it there, or {instead}"
                ),
            );
        }
    }
}

/// Reports outputs that no body uses, which would stay unchanged. For memory, a body may use the length alone.
fn outputs(parameters: &[Parameter], bodies: &Bodies, errors: &mut Errors) {
    let all = [&bodies.pair].into_iter().chain(&bodies.feature).chain(&bodies.quick);
    for parameter in parameters.iter() {
        let name = parameter.plain_name();
        if !parameter.kind.role().is_output() {
            continue;
        }
        let length = format!("{name}_length");
        if all.clone().any(|body| body.uses(&name) || body.uses(&length)) {
            continue;
        }
        let unused = match bodies.feature {
            None => "the body does not use it",
            Some(_) => "the bodies do not use it",
        };
        let written = parameter.kind.about().written;
        errors.span(
            parameter.name.span(),
            format!("`{name}` is an output, but {unused}: write `{name}{written}`, or remove it"),
        );
    }
}
