//! The marks of parameters, which say whether the pairs are those of one set or of two.

use crate::model::{End, Parameter, Role, Shape};
use crate::support::{self, Visit};

/// The shape of the pairs. Mixed parameters, which are an error, count as those of one set.
pub(super) fn shape(parameters: &[Parameter]) -> Shape {
    let marks = Marks::of(parameters);
    let is_rectangle = parameters.iter().any(Parameter::is_of_rectangle);
    match is_rectangle && parameters.iter().all(|each| marks.mixed(each).is_none()) {
        true => Shape::Rectangle,
        false => Shape::Triangle,
    }
}

/// Which of the parameters for one set and for two a kernel has.
pub(super) struct Marks {
    /// Whether some have `#[row]` or `#[column]`.
    are_any: bool,
    /// Whether some are elements of one set, or have slots for its pairs.
    are_of_triangle: bool,
    /// Whether the elements are those of one set, and only results have `#[row]` or `#[column]`.
    are_of_each: bool,
}

impl Marks {
    pub(super) fn of(parameters: &[Parameter]) -> Marks {
        let has = |role| parameters.iter().any(|each| each.kind.role() == role);
        let is_input = |each: &&Parameter| !each.kind.role().is_output();
        let inputs: Vec<_> =
            parameters.iter().filter(is_input).filter_map(Parameter::side).collect();
        let has_each = inputs.contains(&End::Each);
        let has_sides = inputs.iter().any(|side| *side != End::Each);
        let is_marked = |each: &Parameter| each.side().is_some_and(|side| side != End::Each);
        Marks {
            are_any: parameters.iter().any(is_marked),
            are_of_triangle: has_each || has(Role::Packed) || has(Role::Square),
            are_of_each: has_each && !has_sides && !has(Role::Matrix),
        }
    }

    /// What is wrong with a parameter beside the others.
    pub(super) fn mixed(&self, parameter: &Parameter) -> Option<String> {
        let text = match parameter.kind.role() {
            Role::Result(End::Row | End::Column) | Role::Neighbours(End::Row | End::Column)
                if self.are_of_each =>
            {
                "`#[row]` and `#[column]` are for the pairs of two sets, but the elements with `#[each]` are one set: write `#[each]` here"
            }
            Role::Matrix if self.are_of_triangle && !self.are_any => {
                return support::refusal(parameter, Visit::OneSet);
            }
            _ if self.are_of_each => return None,
            Role::Elements | Role::Features(End::Each) if self.are_any => {
                "`#[each]` is for the pairs of one set, and `#[row]` and `#[column]` are for the pairs of two: write `#[row]` or `#[column]` here, or `#[each]` everywhere"
            }
            Role::Neighbours(End::Each) => {
                "`#[each]` is for the pairs of one set, and `#[row]`, `#[column]` and `Matrix` are for the pairs of two: write `#[row]` or `#[column]` here"
            }
            Role::Result(End::Each) => {
                "`#[each]` is for the pairs of one set, and `#[row]`, `#[column]` and `Matrix` are for the pairs of two: write `#[row]` or `#[column]` here"
            }
            Role::Packed | Role::Square if self.are_any => {
                return support::refusal(parameter, Visit::TwoSets);
            }
            _ => return None,
        };
        Some(text.to_owned())
    }
}
