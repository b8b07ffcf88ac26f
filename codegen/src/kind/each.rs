//! `#[each] x: &[T]`: the pair's two elements, staged through shared memory.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use td_kernel_geometry::{Space, Sweep};

use super::slice;
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

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let is_cudas = parameter.cuda.origin == Origin::Builtin;
        let parts = cuda_type::parts(&parameter.cuda).filter(|_| is_cudas);
        let count = parts.as_ref().map_or(0, |(_, count)| *count);
        let components: Vec<_> = ["x", "y", "z", "w"].into_iter().take(count).collect();
        vec![
            ("staged", Value::from(staged(input, parameter).0)),
            ("is_kept", Value::from(parameter.is_kept())),
            // The component type of a vector; nothing for other types.
            ("number", Value::from(parts.map(|(number, _)| number))),
            ("components", Value::from(components)),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        // In thread space each thread reads its own two elements.
        if input.kernel.options.space == Space::Thread || !input.stages(parameter) {
            return Vec::new();
        }
        let (runtime, size) = (&input.kernel.options.runtime, staged_size(input, parameter));
        vec![quote!(#runtime::__private::SharedUse::Element { size: #size })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        slice::SLICE.taken(parameter, runtime)
    }
}

/// The type in which elements of columns are staged, and the padding in bytes after each. Threads of the sweep `rotate` read
/// neighbouring arrays at the same time. Without padding, these are in different banks only if their size is an odd multiple of 16
/// bytes, or of what is read at once.
fn staged(input: &SourceInput<'_>, parameter: &Parameter) -> (String, usize) {
    let cuda = &parameter.cuda.name;
    let is_even = parameter.size().is_some_and(|bytes| bytes.is_multiple_of(32));
    match parameter.is_wide() && is_even && input.variant.tiling.sweep == Sweep::Rotate {
        true => (format!("td_padded<{cuda}>"), 16),
        false => (cuda.clone(), 0),
    }
}

/// The Rust expression of the bytes of a staged element.
pub(super) fn staged_size(input: &SourceInput<'_>, parameter: &Parameter) -> TokenStream {
    let rust = &parameter.rust;
    let (_, padding) = staged(input, parameter);
    match (parameter.size(), padding) {
        // A block of the arrays has at most these bytes; `rust` is the type of their numbers.
        (Some(bytes), padding) if parameter.is_given_array() => {
            let bytes = bytes as usize + padding;
            quote!(#bytes)
        }
        (_, 0) => quote!(::core::mem::size_of::<#rust>()),
        (_, padding) => quote!(::core::mem::size_of::<#rust>() + #padding),
    }
}
