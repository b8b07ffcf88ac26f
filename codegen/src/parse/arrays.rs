//! The requirements of arrays whose width a launch gives: a kernel is launched once for each block of their numbers.

use crate::errors::Errors;
use crate::model::Parameter;
use crate::support::{self, Visit};

/// Checks that `Arrays` and `ArraySums` are beside each other, without other outputs.
pub(super) fn check(parameters: &[Parameter], errors: &mut Errors) {
    let known = || parameters.iter();
    let sums = known().find(|each| each.kind.about().is_of_given_arrays);
    let arrays = known().find(|each| each.is_given_array() && !each.kind.role().is_output());
    if sums.is_none() && arrays.is_none() {
        return;
    }
    known().for_each(|each| support::check(each, Visit::Arrays, errors));
    match (sums, arrays) {
        (Some(sums), None) => errors.span(sums.name.span(), "`ArraySums` adds up arrays whose width a launch gives: add a parameter like `#[each] v: &Arrays<f32>`, or write `Sums<[f32; 16]>`"),
        (None, Some(arrays)) if !known().any(|each| each.kind.role().is_output()) => errors.span(arrays.name.span(), "`Arrays` are for `ArraySums`, which add them up: add a parameter like `#[each] out: &mut ArraySums<f32>`"),
        _ => {}
    }
}
