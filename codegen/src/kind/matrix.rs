//! `x: &mut Matrix<T>`: one slot for each pair of a rectangle, by rows.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{bind, packed, slots};
use crate::model::{Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `x: &mut Matrix<T>`.
pub(super) const MATRIX: &dyn Kind = &Matrix;

struct Matrix;

impl Kind for Matrix {
    fn name(&self) -> &'static str {
        "matrices"
    }

    fn spelling(&self) -> &'static str {
        "&mut Matrix<T>"
    }

    fn role(&self) -> Role {
        Role::Matrix
    }

    fn output(&self) -> Option<&'static str> {
        Some("Matrix")
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (name, cuda) = (parameter.plain_name(), &parameter.cuda.name);
        vec![format!("{cuda} *const __restrict__ {name}_matrix")]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        packed::value_parameter(parameter)
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Value(packed::value(parameter))]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        packed::slot_facts(input, parameter, "matrix")
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        packed::segment(input, parameter)
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        Taken::Trait { is_mut: true, name: quote!(#runtime::Slots<#runtime::Matrix<#rust>>) }
    }

    fn argument(
        &self,
        _: &SourceInput<'_>,
        parameter: &Parameter,
        arguments: &Ident,
    ) -> TokenStream {
        bind(parameter, "All", slots, arguments)
    }
}
