//! The requirements of `Reduce`: the function `join`, and for states of elements no other kind of output, and no key of a map or a
//! sweep.

use syn::ext::IdentExt;

use super::{Keys, Signature};
use crate::errors::Errors;
use crate::kind::{EXTREMES, LISTS, REDUCTION_OF_ALL, SUM, is_of_elements, is_reduction};
use crate::model::{Body, End, Form, Outputs, Parameter, Role};

/// The name of the function that joins two states.
const JOIN: &str = "join";

/// Reports parameters and keys that do not work with states.
pub(super) fn check(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    let known = || signature.parameters.iter();
    let Some(first) = known().find(|each| is_reduction(each)) else { return };
    let has_join = |prelude: &Body| {
        let mut definitions = prelude.scan.definitions.iter();
        prelude.includes() || definitions.any(|each| each.name == JOIN && !each.is_macro)
    };
    if !keys.prelude().is_some_and(has_join) {
        let state = &first.cuda.name;
        errors.span(first.name.span(), format!("a `Reduce` joins two states with a function `join`, which the prelude does not define: write `prelude = r#\"{state} join({state} a, {state} b) {{ … }}\"#` in `#[td_kernel(…)]`"));
    }
    if form.outputs != Outputs::States {
        return;
    }
    let has_two_sets = known().any(Parameter::is_of_rectangle);
    for each in known() {
        if let Some(message) = refused(each, has_two_sets) {
            errors.span(each.name.span(), message);
        }
    }
    for key in keys.triangle_keys(form).iter().filter(|key| key.unraw() != "diagonal") {
        let name = key.unraw();
        errors.span(key.span(), format!("a kernel with a `Reduce` has a map of its own, in which a block has all pairs of its elements: remove `{name}`"));
    }
    for span in keys.asked.supported(form).tiling() {
        errors.span(
            span,
            "a kernel with a `Reduce` has a sweep of its own, with one tile: remove this key",
        );
    }
    if let Some(span) = keys.asked.deterministic {
        errors.span(span, "`deterministic` applies to sums and histograms of floats; a `Reduce` joins states in the same order in every run: remove it");
    }
}

/// Why this parameter does not work beside states of elements, and what to write instead.
fn refused(parameter: &Parameter, has_two_sets: bool) -> Option<&'static str> {
    let is_beside_rows = || {
        let is_one = EXTREMES.contains(&parameter.kind) || LISTS.contains(&parameter.kind);
        is_one || parameter.kind == SUM || parameter.kind == REDUCTION_OF_ALL
    };
    Some(match parameter.kind.role() {
        Role::Result(End::Column) if is_of_elements(parameter) => {
            "a `Reduce` of two sets belongs to the rows, because each row meets all columns: write `#[row]` here, and exchange `#[row]` and `#[column]` of the other parameters"
        }
        // A `Nearest` has an error of its own.
        Role::Neighbours(_) => return None,
        _ if is_of_elements(parameter) => return None,
        // Each pair of two sets is evaluated once.
        Role::Gathered if has_two_sets && is_beside_rows() => return None,
        role if role.is_output() && has_two_sets => {
            "beside a `Reduce` of rows, a kernel can have `Sum`, `Max`, `Min`, `Pairs` and a `Reduce` of all pairs: write a separate kernel for this output"
        }
        role if role.is_output() => {
            "a kernel with a `Reduce` may evaluate a pair twice, once for each of its elements, so other outputs would be wrong: write a separate kernel for this output"
        }
        _ => return None,
    })
}
