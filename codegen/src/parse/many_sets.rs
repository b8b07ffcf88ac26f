//! The requirements of `Sets` and `FeatureSets`: which parameters and bodies a kernel over them can have.

use super::{Bodies, Signature};
use crate::errors::Errors;
use crate::kind::SET;
use crate::model::{End, Form, Members, Parameter, Role, Shape};

/// Reports parameters that do not work with many sets. If rows and columns are mixed with `#[each]`, that is already an
/// error.
pub(super) fn check(signature: &Signature, form: Form, errors: &mut Errors) {
    let known = || signature.parameters.iter();
    if form.members == Members::One {
        for each in known().filter(|each| each.kind.is_of_set()) {
            errors.span(each.name.span(), "`#[set]` is for kernels over many sets: write the elements as `&Sets<T>`, or remove `#[set]` and write `Max` or `Min` for all pairs");
        }
        return;
    }
    for each in known() {
        let is_like = |other: &&Parameter| other.kind.has_sets() && other.side() == each.side();
        let first = known().find(is_like);
        let is_second = first.is_some_and(|first| first.name != each.name);
        if each.kind.has_sets() && is_second {
            errors.span(each.name.span(), second(each));
        } else if each.plain_name() == SET {
            errors.span(each.name.span(), "`set` is in scope in every pair body of a kernel over `Sets` (the index of the pair's set): choose another name");
        }
    }
    let has = |of| known().any(|each| each.kind.has_sets() && each.side() == Some(of));
    for each in known().filter(|each| form.shape == Shape::Rectangle && each.kind.has_sets()) {
        let (own, other) = match each.side() {
            Some(End::Row) if !has(End::Column) => ("row", "column"),
            Some(End::Column) if !has(End::Row) => ("column", "row"),
            _ => continue,
        };
        errors.span(each.name.span(), format!("the {own}s belong to many sets, so the {other}s must too: write one of the parameters with `#[{other}]` as `&Sets<T>`, or as `&FeatureSets<T>`"));
    }
}

/// The message for a second `Sets` of the same elements.
fn second(sets: &Parameter) -> &'static str {
    match sets.kind.role() {
        Role::Features(_) => {
            "a kernel has one `Sets` or `FeatureSets` of the same elements, which gives its pairs: write `&Features<T>` here, with the features of all elements, set after set"
        }
        Role::Elements => {
            "a kernel has one `Sets`, which gives its pairs: write `&[T]` here, with the values of all elements, set after set"
        }
        _ => {
            "a kernel has one `Sets` of rows and one of columns, which give its pairs: write `&[T]` here, with the values of all elements, set after set"
        }
    }
}

/// Reports uses of n.
pub(super) fn check_bodies(signature: &Signature, bodies: &Bodies, errors: &mut Errors) {
    let mut sets = signature.parameters.iter().filter(|each| each.kind.has_sets());
    let Some(sets) = sets.next() else { return };
    let counts: &[_] = if sets.is_of_rectangle() { &["rows", "columns"] } else { &["n"] };
    for count in counts.iter().filter(|count| bodies.pair.scan.names.contains(**count)) {
        errors.span(sets.name.span(), format!("`{count}` is not in scope in a kernel over `Sets`, whose sets have different sizes: write a parameter `sizes: &[u32]`, and `sizes[set]`"));
    }
}
