//! Whether the pairs are those of one set, a triangle, or of two sets, a rectangle.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::marks::Marks;
use super::{Keys, Signature};
use crate::errors::Errors;
use crate::model::{Form, Parameter, Shape};
use crate::names;

/// Reports parameters for one set beside those for two, and names and keys that two sets cannot have.
pub(super) fn check(keys: &Keys, signature: &Signature, form: Form, errors: &mut Errors) {
    let parameters = &signature.parameters;
    let marks = Marks::of(parameters);
    for each in parameters.iter().filter(|_| parameters.iter().any(Parameter::is_of_rectangle)) {
        let mixed = marks.mixed(each).map(str::to_owned);
        let refused = || names::refused_of_rectangle(&each.name.unraw().to_string());
        if let Some(message) = mixed.or_else(refused) {
            errors.span(each.name.span(), message);
        }
    }
    if form.shape == Shape::Rectangle {
        refuse_keys(&keys.triangle_keys, errors);
    }
}

/// Reports keys that apply to triangles only.
fn refuse_keys(keys: &[Ident], errors: &mut Errors) {
    for key in keys {
        let message = match key.unraw().to_string().as_str() {
            "diagonal" => {
                "the pairs of two sets do not have a diagonal: remove `diagonal`".to_owned()
            }
            name => format!(
                "`{name}` applies to the maps of a triangle, but the pairs of two sets are a rectangle: remove `{name}`"
            ),
        };
        errors.span(key.span(), message);
    }
}
