//! `#[row] x: &[T]`: the elements of a rectangle's rows. In the body `x` is the one of the pair.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{EACH, slice, take};
use crate::model::{Argument, Kind, Parameter, Role, Taken, Text};

/// `#[row] x: &[T]`.
pub(crate) const ROW: &dyn Kind = &Row;

struct Row;

impl Kind for Row {
    fn name(&self) -> &'static str {
        "of_rows"
    }

    fn spelling(&self) -> &'static str {
        "#[row] x: &[T]"
    }

    fn role(&self) -> Role {
        Role::Row
    }

    fn parameters(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<String> {
        EACH.parameters(text, parameter)
    }

    fn pair_parameters(&self, _: &Text<'_>, parameter: &Parameter) -> Vec<String> {
        element_parameter(parameter)
    }

    fn pair_arguments(&self, _: &Text<'_>, _: &Parameter) -> Vec<Argument> {
        vec![Argument::RowElement]
    }

    fn facts(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        EACH.facts(text, parameter)
    }

    fn kept(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let (runtime, rust) = (&text.kernel.options.runtime, &parameter.rust);
        vec![quote!(#runtime::__private::Kept::Row { size: ::core::mem::size_of::<#rust>() })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        slice::SLICE.taken(parameter, runtime)
    }

    fn argument(&self, _: &Text<'_>, parameter: &Parameter, arguments: &Ident) -> TokenStream {
        take(parameter, "row", arguments)
    }
}

/// What the pair function gets for an element of one of two sets: the element itself.
pub(super) fn element_parameter(parameter: &Parameter) -> Vec<String> {
    vec![format!("const {} {}", parameter.cuda.name, parameter.plain_name())]
}
