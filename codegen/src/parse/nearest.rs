//! The requirements of `Nearest`: no other output.

use super::Signature;
use crate::errors::Errors;
use crate::model::{Parameter, Role};
use crate::support::{self, Visit};

/// Checks a kernel that searches for nearest neighbours.
pub(super) fn check(signature: &Signature, errors: &mut Errors) {
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
}
