//! Useless parts of a kernel: outputs that no body uses, folds that no feature goes into, and a kernel without outputs.

use proc_macro2::Ident;

use crate::errors::Errors;
use crate::model::{Body, Fold, Parameter};

/// Functions with a visible effect without an output: they print, or stop the launch.
const EFFECTS: &[&str] = &["asm", "__asm__", "assert", "printf", "__trap"];

/// The user's C++.
pub(super) struct UserCode<'a> {
    pub(super) prelude: Option<&'a Body>,
    pub(super) feature: Option<&'a Body>,
    pub(super) quick: Option<&'a Body>,
    pub(super) pair: &'a Body,
}

/// Reports useless parts of a kernel without other errors.
pub(super) fn check(
    name: &Ident,
    parameters: &[Option<Parameter>],
    folds: &[Option<Fold>],
    code: &UserCode<'_>,
    errors: &mut Errors,
) {
    let UserCode { prelude, feature, pair, .. } = *code;
    let has_effect = |body: &Body| EFFECTS.iter().any(|effect| body.uses(effect));
    let has_output = parameters.iter().flatten().any(|each| each.kind.role().is_output());
    if !has_output && ![prelude, feature, Some(pair)].into_iter().flatten().any(has_effect) {
        let is_rectangle = parameters.iter().flatten().any(Parameter::is_of_rectangle);
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
        outputs(parameters, code, errors);
    }
    let Some(feature) = feature else { return };
    if [Some(feature), prelude].into_iter().flatten().any(puts_together) {
        return;
    }
    for fold in folds.iter().flatten() {
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
fn outputs(parameters: &[Option<Parameter>], code: &UserCode<'_>, errors: &mut Errors) {
    let bodies = || [code.feature, code.quick, Some(code.pair)].into_iter().flatten();
    for parameter in parameters.iter().flatten() {
        let name = parameter.plain_name();
        if !parameter.kind.role().is_output() {
            continue;
        }
        let length = format!("{name}_length");
        if bodies().any(|body| body.uses(&name) || body.uses(&length)) {
            continue;
        }
        let unused = match code.feature {
            None => "the body does not use it",
            Some(_) => "the bodies do not use it",
        };
        let written = parameter.kind.written();
        errors.span(
            parameter.name.span(),
            format!("`{name}` is an output, but {unused}: write `{name}{written}`, or remove it"),
        );
    }
}
