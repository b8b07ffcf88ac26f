//! `x: &mut Packed<T>`: one slot for each pair, in packed rows.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use td_kernel_geometry::Sweep;

use super::{bind, slots};
use crate::cuda_type;
use crate::model::{Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `x: &mut Packed<T>`.
pub(super) const PACKED: &dyn Kind = &Packed;

struct Packed;

impl Kind for Packed {
    fn name(&self) -> &'static str {
        "packed"
    }

    fn spelling(&self) -> &'static str {
        "&mut Packed<T>"
    }

    fn role(&self) -> Role {
        Role::Packed
    }

    fn output(&self) -> Option<&'static str> {
        Some("Packed")
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!(
            "{} *const __restrict__ {}_packed",
            parameter.cuda.name,
            parameter.plain_name()
        )]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        value_parameter(parameter)
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        vec![Argument::Value(value(parameter))]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        slot_facts(input, parameter, "packed")
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        match input.variant.tiling.sweep {
            Sweep::Mirror => vec![mirrored(input, parameter)],
            _ => segment(input, parameter),
        }
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        Taken::Trait { is_mut: true, name: quote!(#runtime::Slots<#runtime::Packed<#rust>>) }
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

/// The pair function's parameter for a slot: the variable for its value.
pub(super) fn value_parameter(parameter: &Parameter) -> Vec<String> {
    vec![format!("{} &{}", parameter.cuda.name, parameter.plain_name())]
}

/// The variable for a pair's value. A parameter that is itself called `value` keeps that name.
pub(super) fn value(parameter: &Parameter) -> String {
    match parameter.plain_name().as_str() {
        "value" => "value".to_owned(),
        name => format!("{name}_value"),
    }
}

/// The facts about a slot: its memory, and the vector type with which a thread stores neighbouring values from registers.
/// Values that do not form a vector go through a segment of shared memory.
pub(super) fn slot_facts(
    input: &SourceInput<'_>,
    parameter: &Parameter,
    kind: &str,
) -> Vec<(&'static str, Value)> {
    let vector = vector(input, parameter);
    let memory = format!("{}_{kind}", parameter.plain_name());
    let value = value(parameter);
    vec![
        ("memory", Value::from(memory)),
        ("vector", Value::from(vector)),
        ("value", Value::from(value)),
    ]
}

/// The C++ vector type with which a thread stores neighbouring values.
fn vector(input: &SourceInput<'_>, parameter: &Parameter) -> Option<&'static str> {
    let neighbours = input.variant.tiling.neighbours;
    parameter.size().and_then(|bytes| cuda_type::stored_at_once(bytes * neighbours))
}

/// The mirrored tile of a slot.
pub(super) fn mirrored(input: &SourceInput<'_>, parameter: &Parameter) -> TokenStream {
    let (runtime, rust) = (&input.kernel.options.runtime, &parameter.rust);
    quote!(#runtime::__private::SharedUse::Mirror { size: ::core::mem::size_of::<#rust>() })
}

/// The segment of a slot whose neighbouring values do not form a vector, in a sweep that stores vectors.
pub(super) fn segment(input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
    if !input.variant.tiling.sweep.stores_vectors() || vector(input, parameter).is_some() {
        return Vec::new();
    }
    let (runtime, rust) = (&input.kernel.options.runtime, &parameter.rust);
    vec![quote!(#runtime::__private::SharedUse::Segment { size: ::core::mem::size_of::<#rust>() })]
}
