//! `#[column] x: &[T]`: the elements of a rectangle's columns. In the body `x` is the one of the pair.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{EACH, row, slice, take};
use crate::model::{Argument, Kind, Parameter, Role, Taken, Text};

/// `#[column] x: &[T]`.
pub(crate) const COLUMN: &dyn Kind = &Column;

struct Column;

impl Kind for Column {
    fn name(&self) -> &'static str {
        "of_columns"
    }

    fn spelling(&self) -> &'static str {
        "#[column] x: &[T]"
    }

    fn role(&self) -> Role {
        Role::Column
    }

    fn parameters(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<String> {
        EACH.parameters(text, parameter)
    }

    fn pair_parameters(&self, _: &Text<'_>, parameter: &Parameter) -> Vec<String> {
        row::element_parameter(parameter)
    }

    fn pair_arguments(&self, _: &Text<'_>, _: &Parameter) -> Vec<Argument> {
        vec![Argument::ColumnElement]
    }

    fn facts(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        EACH.facts(text, parameter)
    }

    fn kept(&self, text: &Text<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let (runtime, rust) = (&text.kernel.options.runtime, &parameter.rust);
        vec![quote!(#runtime::__private::Kept::Column { size: ::core::mem::size_of::<#rust>() })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        slice::SLICE.taken(parameter, runtime)
    }

    fn argument(&self, _: &Text<'_>, parameter: &Parameter, arguments: &Ident) -> TokenStream {
        take(parameter, "column", arguments)
    }
}
