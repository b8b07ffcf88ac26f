//! `#[row] x: &[T]` and `#[column] x: &[T]`: the elements of a rectangle's rows or columns. In the body, `x` is the pair's
//! element.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;

use super::each::staged_size;
use super::{EACH, slice};
use crate::model::{Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `#[row] x: &[T]`.
pub(crate) const ROW: &dyn Kind = &OfSet { is_row: true };

/// `#[column] x: &[T]`.
pub(crate) const COLUMN: &dyn Kind = &OfSet { is_row: false };

/// The elements of one of two sets.
struct OfSet {
    is_row: bool,
}

impl Kind for OfSet {
    fn name(&self) -> &'static str {
        if self.is_row { "of_rows" } else { "of_columns" }
    }

    fn spelling(&self) -> &'static str {
        if self.is_row { "#[row] x: &[T]" } else { "#[column] x: &[T]" }
    }

    fn role(&self) -> Role {
        if self.is_row { Role::Row } else { Role::Column }
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        EACH.parameters(input, parameter)
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const {} {}", parameter.cuda.name, parameter.plain_name())]
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<Argument> {
        vec![if self.is_row { Argument::RowElement } else { Argument::ColumnElement }]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        EACH.facts(input, parameter)
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        if !input.stages(parameter) {
            return Vec::new();
        }
        let (runtime, size) = (&input.kernel.options.runtime, staged_size(input, parameter));
        let kept = if self.is_row { quote!(Row) } else { quote!(Column) };
        vec![quote!(#runtime::__private::SharedUse::#kept { size: #size })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        slice::SLICE.taken(parameter, runtime)
    }
}
