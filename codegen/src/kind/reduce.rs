//! `#[each] x: &mut Reduce<State>`, or `#[row]` for a rectangle: the user's own reduction for each element. A function `join` of
//! the prelude joins two states.
//!
//! Structs cannot be joined atomically, so a thread has all pairs of its element, or a fixed part of them.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::TypePath;

use crate::cuda_type::Origin;
use crate::element::{Element, argument_among};
use crate::errors::Errors;
use crate::model::{About, End, Kind, Parameter, Role, SourceInput};

/// The states of elements.
struct Reduce {
    end: End,
}

/// The kinds of such states, one for each kind of elements.
pub(super) const REDUCTIONS: [&dyn Kind; 3] =
    [&Reduce { end: End::Each }, &Reduce { end: End::Row }, &Reduce { end: End::Column }];

/// The name of the output.
pub(super) const NAME: &str = "Reduce";

/// The type in which a thread joins states.
pub(super) fn part(parameter: &Parameter) -> String {
    format!("td_joined<{}>", parameter.cuda.name)
}

/// The pair function's parameter for the parts of both elements of a pair, or of one.
pub(super) fn pair_parameter(end: End, part: &str, parameter: &Parameter) -> String {
    let name = parameter.plain_name();
    match end {
        End::Each => format!("const td_ends<{part} &> {name}"),
        _ => format!("{part} &{name}"),
    }
}

/// The state, from the path in the signature.
pub(super) fn state(path: &TypePath, errors: &mut Errors) -> Option<Element> {
    let message = "the state of a `Reduce` must be a struct with #[repr(C)] and #[derive(DeviceType)], for which the prelude defines `join`: write a struct, with this as a member";
    argument_among(NAME, path, |cuda| cuda.origin == Origin::User, |_| message.to_owned(), errors)
}

impl Kind for Reduce {
    fn about(&self) -> About {
        let names = ["states_of_each", "states_of_rows", "states_of_columns"];
        let (name, role) = (self.end.choose(names), Role::Result(self.end));
        About {
            written: self.end.choose([".i.join(…)", ".join(…)", ".join(…)"]),
            is_listed: self.end == End::Each,
            has_states: true,
            is_passed: true,
            ..About::output(name, "#[each] x: &mut Reduce<T>", role, NAME)
        }
    }

    fn element(&self, path: &TypePath, errors: &mut Errors) -> Option<Element> {
        state(path, errors)
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (state, name) = (&parameter.cuda.name, parameter.plain_name());
        vec![format!("{state} *const {name}_states"), format!("const {state} {name}_start")]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![pair_parameter(self.end, &part(parameter), parameter)]
    }

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        vec![("part", Value::from(part(parameter))), ("width", Value::from(0))]
    }

    fn kept(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let rust = &parameter.rust;
        vec![quote!(Result { size: ::core::mem::size_of::<#rust>() })]
    }
}
