//! `#[each] x: &[T]`: the pair's two elements, staged through shared memory.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use td_kernel_maps::Space;

use super::{bind, slice};
use crate::cuda_type::{self, Origin};
use crate::model::{Argument, Kind, Parameter, Role, SourceInput, Taken};

/// `#[each] x: &[T]`.
pub(crate) const EACH: &dyn Kind = &Each;

struct Each;

impl Kind for Each {
    fn name(&self) -> &'static str {
        "each"
    }

    fn spelling(&self) -> &'static str {
        "#[each] x: &[T]"
    }

    fn role(&self) -> Role {
        Role::Elements
    }

    fn parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!(
            "const {} *const __restrict__ {}_all",
            parameter.cuda.name,
            parameter.plain_name()
        )]
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![format!("const td_each<{}> {}", parameter.cuda.name, parameter.plain_name())]
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<Argument> {
        vec![Argument::Element]
    }

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let is_cudas = parameter.cuda.origin == Origin::Builtin;
        let parts = cuda_type::parts(&parameter.cuda).filter(|_| is_cudas);
        let (number, count) = parts.unwrap_or_default();
        let components: Vec<_> = ["x", "y", "z", "w"].into_iter().take(count).collect();
        vec![
            ("is_kept", Value::from(parameter.is_kept())),
            // The component type of a vector; nothing for other types.
            ("number", Value::from(number)),
            ("components", Value::from(components)),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        // In thread space each thread reads its own two elements.
        if input.kernel.options.space == Space::Thread || !input.stages(parameter) {
            return Vec::new();
        }
        let (runtime, rust) = (&input.kernel.options.runtime, &parameter.rust);
        vec![quote!(#runtime::__private::Kept::Element { size: ::core::mem::size_of::<#rust>() })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        slice::SLICE.taken(parameter, runtime)
    }

    fn argument(
        &self,
        _: &SourceInput<'_>,
        parameter: &Parameter,
        arguments: &Ident,
    ) -> TokenStream {
        bind(parameter, "Each", slice::view, arguments)
    }
}
