//! Parameters and keys that do not go with the form of a kernel.

use td_kernel_geometry::Sweep;

use super::{Keys, Signature};
use crate::errors::Errors;
use crate::model::{Form, Outputs, Parameter};
use crate::support::{self, Visit};

/// Reports parameters and keys that do not go with the form.
pub(super) fn check(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    let visits: Vec<_> = support::visits(form).collect();
    for visit in &visits {
        // Rounds, and rows of sets without states, are for the first search.
        let is_search =
            matches!(visit, Visit::Rounds | Visit::SetRows) && form.outputs == Outputs::Nearest;
        let mut searches =
            signature.parameters.iter().filter(|each| each.neighbours_of().is_some());
        let own = searches.next().filter(|_| is_search);
        let is_other = |each: &&Parameter| own.is_none_or(|own| own.name != each.name);
        let others = signature.parameters.iter().filter(is_other);
        others.for_each(|each| support::check(each, *visit, errors));
    }
    refuse(keys, &visits, errors);
}

/// Reports keys that do not go with one of these ways of visiting.
pub(super) fn refuse(keys: &Keys, visits: &[Visit], errors: &mut Errors) {
    for key in &keys.names {
        let name = key.to_string();
        // What a kernel with features has anyway.
        let is_fold = match name.as_str() {
            "sweep" => keys.asked.sweep.is_none_or(|(_, sweep)| sweep == Sweep::Fold),
            "space" => keys.asked.threads.is_none(),
            _ => false,
        };
        let visits = visits.iter().filter(|visit| !is_fold || **visit != Visit::Features);
        if let Some(message) = visits.filter_map(|visit| support::key(&name, *visit)).next() {
            errors.span(key.span(), message);
        }
    }
}
