//! `x: &mut Square<T>`: both halves of an n x n matrix.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use td_kernel_geometry::Sweep;

use super::{bind, packed, slots};
use crate::model::{Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `x: &mut Square<T>`.
pub(super) const SQUARE: &dyn Kind = &Square;

struct Square;

impl Kind for Square {
    fn name(&self) -> &'static str {
        "squares"
    }

    fn spelling(&self) -> &'static str {
        "&mut Square<T>"
    }

    fn role(&self) -> Role {
        Role::Square
    }

    fn output(&self) -> Option<&'static str> {
        Some("Square")
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (name, cuda) = (parameter.plain_name(), &parameter.cuda.name);
        // With pairs (i, i), their values fill the diagonal.
        let diagonal =
            (!input.kernel.options.diagonal).then(|| format!("const {cuda} {name}_diagonal"));
        [format!("{cuda} *const __restrict__ {name}_square")].into_iter().chain(diagonal).collect()
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        packed::value_parameter(parameter)
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Value(packed::value(parameter))]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let mut facts = packed::slot_facts(input, parameter, "square");
        facts.push(("has_known_size", Value::from(parameter.size().is_some())));
        facts
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let mut kept = packed::segment(input, parameter);
        if input.variant.tiling.sweep == Sweep::Mirror {
            kept.push(packed::mirrored(input, parameter));
        }
        kept
    }

    /// Without pairs (i, i), the value of the diagonal is passed.
    fn is_passed(&self) -> bool {
        true
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        Taken::Trait { is_mut: true, name: quote!(#runtime::Slots<#runtime::Square<#rust>>) }
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
