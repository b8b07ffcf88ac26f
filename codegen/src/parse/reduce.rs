//! The requirements of `Reduce`: the function `join`, and outputs that go with states of elements.

use super::{Keys, Signature};
use crate::errors::Errors;
use crate::kind::is_of_elements;
use crate::model::{Body, End, Form, Outputs};
use crate::support::{self, Visit};

/// The name of the function that joins two states.
const JOIN: &str = "join";

/// Reports parameters and keys that do not work with states.
pub(super) fn check(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    let known = || signature.parameters.iter();
    let Some(first) = known().find(|each| each.kind.about().has_states) else { return };
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
    let states = |end| known().filter(move |each| is_of_elements(each) && each.end() == Some(end));
    if states(End::Row).next().is_some() {
        states(End::Column).for_each(|each| support::check(each, Visit::RowStates, errors));
    }
}
