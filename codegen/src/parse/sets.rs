//! Whether the pairs are those of one set, a triangle, or of two sets, a rectangle.

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::model::{End, Parameter, Role};
use crate::names;

/// Whether the parameters are those of two sets. Mixing parameters for one set and for two is an error; it is then the only
/// error about sets.
pub(super) fn has_two_sets(parameters: &mut [Option<Parameter>], errors: &mut Errors) -> bool {
    let known = || parameters.iter().flatten();
    if !known().any(Parameter::is_of_rectangle) {
        return false;
    }
    let has = |role| known().any(|each| each.kind.role() == role);
    let marks = [
        Role::Row,
        Role::Column,
        Role::Features(End::Row),
        Role::Features(End::Column),
        Role::Result(End::Row),
        Role::Result(End::Column),
        Role::Neighbours(End::Row),
        Role::Neighbours(End::Column),
    ];
    let is_marked = marks.into_iter().any(has);
    let mut is_mixed = false;
    let has_each = has(Role::Elements) || has(Role::Features(End::Each));
    let is_triangle = has_each || has(Role::Packed) || has(Role::Square);
    // If only results have `#[row]` or `#[column]`, the elements decide.
    let of_sides = [
        Role::Row,
        Role::Column,
        Role::Matrix,
        Role::Features(End::Row),
        Role::Features(End::Column),
    ];
    let is_of_each = has_each && !of_sides.into_iter().any(has);
    for (at, parameter) in parameters.iter_mut().enumerate() {
        let Some(parameter) = parameter else { continue };
        let name = &parameter.name;
        let message = match parameter.kind.role() {
            Role::Result(End::Row | End::Column) | Role::Neighbours(End::Row | End::Column)
                if is_of_each =>
            {
                "`#[row]` and `#[column]` are for the pairs of two sets, but the elements with `#[each]` are one set: write `#[each]` here"
            }
            Role::Elements
            | Role::Features(End::Each)
            | Role::Packed
            | Role::Square
            | Role::Result(_)
            | Role::Neighbours(_)
                if is_of_each =>
            {
                continue;
            }
            Role::Elements | Role::Features(End::Each) if is_marked => {
                "`#[each]` is for the pairs of one set, and `#[row]` and `#[column]` are for the pairs of two: write `#[row]` or `#[column]` here, or `#[each]` everywhere"
            }
            Role::Neighbours(End::Each) => {
                "`#[each]` is for the pairs of one set, and `#[row]`, `#[column]` and `Matrix` are for the pairs of two: write `#[row]` here"
            }
            Role::Result(End::Each) => {
                "`#[each]` is for the pairs of one set, and `#[row]`, `#[column]` and `Matrix` are for the pairs of two: write `#[row]` or `#[column]` here"
            }
            Role::Packed | Role::Square if is_marked => {
                "`Packed` and `Square` are for the pairs of one set, and `#[row]` and `#[column]` are for the pairs of two: write `&mut Matrix<T>`"
            }
            Role::Matrix if is_triangle && !is_marked => {
                "`Matrix` is for the pairs of two sets, with `#[row]` and `#[column]`: write `&mut Packed<T>` or `&mut Square<T>` for the pairs of one"
            }
            _ => {
                if let Some(message) = names::refused_of_rectangle(&name.unraw().to_string()) {
                    errors.span(name.span(), message);
                    // A launch may already have a parameter of that name.
                    parameter.name = format_ident!("wrong_{at}", span = name.span());
                }
                continue;
            }
        };
        errors.span(name.span(), message);
        is_mixed = true;
    }
    !is_mixed
}

/// Reports keys that apply to triangles only.
pub(super) fn refuse_keys(keys: &[Ident], errors: &mut Errors) {
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
