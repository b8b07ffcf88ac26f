//! The requirements of `Nearest`: no other output.

use super::Signature;
use crate::errors::Errors;
use crate::model::{End, Parameter, Role};
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
    if first.kind.role() == Role::Neighbours(End::Column) {
        errors.span(first.name.span(), "a `Nearest` of two sets belongs to the rows, because each row meets all columns: write `#[row]` here, and exchange `#[row]` and `#[column]` of the other parameters");
    }
}
