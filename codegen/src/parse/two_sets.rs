//! Whether the pairs are those of one set, a triangle, or of two sets, a rectangle.

use syn::ext::IdentExt;

use super::Signature;
use super::marks::Marks;
use crate::errors::Errors;
use crate::model::Parameter;
use crate::names;

/// Reports parameters for one set beside those for two, and names that two sets cannot have.
pub(super) fn check(signature: &Signature, errors: &mut Errors) {
    let parameters = &signature.parameters;
    let marks = Marks::of(parameters);
    for each in parameters.iter().filter(|_| parameters.iter().any(Parameter::is_of_rectangle)) {
        let mixed = marks.mixed(each);
        let refused = || names::refused_of_rectangle(&each.name.unraw().to_string());
        if let Some(message) = mixed.or_else(refused) {
            errors.span(each.name.span(), message);
        }
    }
}
