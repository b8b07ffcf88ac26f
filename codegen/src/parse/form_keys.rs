//! Keys that choose what the form of a kernel determines.

use syn::ext::IdentExt;

use super::Keys;
use crate::errors::Errors;
use crate::model::{Form, Members, Outputs, Shape};

/// Reports keys that choose what the form determines.
pub(super) fn check(keys: &Keys, form: Form, errors: &mut Errors) {
    let (of, why, has_sweep) = match (form.members, form.outputs, form.shape) {
        (Members::Many, ..) => ("over `Sets`", "which visits the pairs of all sets", true),
        (_, Outputs::States, _) => {
            ("with a `Reduce` of elements", "in which a block has all pairs of its elements", true)
        }
        (_, Outputs::Nearest, _) => (
            "with a `Nearest`",
            "which visits the pairs in rounds, so that the neighbours of all elements improve evenly",
            false,
        ),
        (_, _, Shape::Rectangle) => ("over two sets", "because its pairs are a rectangle", false),
        _ => return,
    };
    for key in &keys.triangle_keys {
        let name = key.unraw().to_string();
        let message = match (name.as_str(), form.shape, form.members) {
            ("diagonal", Shape::Rectangle, _) => {
                "the pairs of two sets do not have a diagonal: remove `diagonal`".to_owned()
            }
            ("diagonal", _, Members::Many) => {
                "a kernel over `Sets` visits the pairs i > j of each set: remove `diagonal`"
                    .to_owned()
            }
            ("diagonal", ..) => continue,
            _ => format!("a kernel {of} has a map of its own, {why}: remove `{name}`"),
        };
        errors.span(key.span(), message);
    }
    for span in keys.asked.tiling().filter(|_| has_sweep) {
        errors.span(span, format!("a kernel {of} has a sweep of its own: remove this key"));
    }
}
