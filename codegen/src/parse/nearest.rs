//! The requirements of `Nearest`: no other output, and no key of a map.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::model::{End, Parameter, Role};

/// Checks a kernel that searches for nearest neighbours. `keys` are the given keys that apply to triangles only. Returns
/// whether the kernel is one.
pub(super) fn check(parameters: &[Option<Parameter>], keys: &[Ident], errors: &mut Errors) -> bool {
    let is_nearest = |each: &&Parameter| matches!(each.kind.role(), Role::Neighbours(_));
    let known = || parameters.iter().flatten();
    let Some(first) = known().find(is_nearest) else { return false };
    for other in known().filter(|each| each.name != first.name) {
        let message = match other.kind.role() {
            Role::Neighbours(_) => {
                "a kernel can have only one `Nearest`: write a kernel for each `Nearest`"
            }
            Role::Packed
            | Role::Square
            | Role::Matrix
            | Role::Gathered
            | Role::Memory
            | Role::Result(_) => {
                "a kernel with a `Nearest` visits some pairs several times, so other outputs would be wrong: write a separate kernel for this output"
            }
            _ => continue,
        };
        errors.span(other.name.span(), message);
    }
    if first.kind.role() == Role::Neighbours(End::Column) {
        errors.span(first.name.span(), "a `Nearest` of two sets belongs to the rows, because each row meets all columns: write `#[row]` here, and exchange `#[row]` and `#[column]` of the other parameters");
    }
    // Many sets have errors of their own.
    let is_of_sets = known().any(|each| each.kind.has_sets());
    for key in keys.iter().filter(|key| !is_of_sets && key.unraw() != "diagonal") {
        let name = key.unraw();
        errors.span(key.span(), format!("a kernel with a `Nearest` has a map of its own, which visits the pairs in rounds, so that the neighbours of all elements improve evenly: remove `{name}`"));
    }
    true
}
