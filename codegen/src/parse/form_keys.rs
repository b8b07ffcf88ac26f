//! Keys that choose what the form of a kernel determines.

use syn::ext::IdentExt;
use td_kernel_geometry::Sweep;

use super::Keys;
use crate::errors::Errors;
use crate::model::Form;
use crate::support::{self, Visit};

/// Reports keys that choose what the form determines.
pub(super) fn check(keys: &Keys, form: Form, errors: &mut Errors) {
    let visits: Vec<_> = support::visits(form).collect();
    refuse(keys, &visits, errors);
}

/// Reports keys that do not go with one of these ways of visiting.
pub(super) fn refuse(keys: &Keys, visits: &[Visit], errors: &mut Errors) {
    for key in &keys.names {
        let name = key.unraw().to_string();
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
