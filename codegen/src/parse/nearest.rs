//! The requirements of `Nearest`: no other output.

use super::Signature;
use crate::errors::Errors;
use crate::model::Parameter;
use crate::support::{self, Visit};

/// Checks a kernel that searches for nearest neighbours.
pub(super) fn check(signature: &Signature, errors: &mut Errors) {
    let parameters = &signature.parameters;
    let is_nearest = |each: &&Parameter| each.neighbours_of().is_some();
    let Some(first) = parameters.iter().find(is_nearest) else { return };
    let others = parameters.iter().filter(|each| each.name != first.name);
    others.for_each(|each| support::check(each, Visit::Rounds, errors));
}
