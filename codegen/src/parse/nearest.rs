//! The requirements of `Nearest`: no other output, and no key of a map.

use syn::ext::IdentExt;

use super::{Keys, Signature};
use crate::errors::Errors;
use crate::model::{Form, Members, Parameter, Role};
use crate::support::{self, Visit};

/// Checks a kernel that searches for nearest neighbours.
pub(super) fn check(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    let parameters = &signature.parameters;
    let is_nearest = |each: &&Parameter| each.neighbours_of().is_some();
    let Some(first) = parameters.iter().find(is_nearest) else { return };
    for other in parameters.iter().filter(|each| each.name != first.name) {
        let message = match other.kind.role() {
            Role::Neighbours(_) => {
                "a kernel can have only one `Nearest`: write a kernel for each `Nearest`".to_owned()
            }
            _ => match support::refused(other, Visit::Rounds) {
                Some(message) => message,
                None => continue,
            },
        };
        errors.span(other.name.span(), message);
    }
    // Many sets have errors of their own.
    let keys = keys.triangle_keys(form).iter().filter(|_| form.members == Members::One);
    for key in keys.filter(|key| key.unraw() != "diagonal") {
        let name = key.unraw();
        errors.span(key.span(), format!("a kernel with a `Nearest` has a map of its own, which visits the pairs in rounds, so that the neighbours of all elements improve evenly: remove `{name}`"));
    }
}
