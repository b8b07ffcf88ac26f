//! Implements the traits for code that is generic over kernels.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Index, Lifetime};

use super::launch::bounds;
use crate::model::{Count, Parameter};

/// The implementations of `PairKernel` and `LaunchWith`, each under `attributes`. They call the type's own functions, which
/// Rust finds before a trait's. In a fallback, a wrong parameter is `()`.
///
/// The arguments are a parameter of the trait, because an associated type could not name a struct that is more private than the
/// kernel.
///
/// Launches are `#[inline]`, so that a crate has code for these arguments only if it launches with them.
pub(super) fn implementations<'a>(
    attributes: &TokenStream,
    name: &Ident,
    plain_name: &str,
    runtime: &TokenStream,
    parameters: impl Iterator<Item = Option<&'a Parameter>> + Clone,
) -> TokenStream {
    let lifetime = &Lifetime::new("'arguments", Span::mixed_site());
    let type_of = |parameter: Option<&Parameter>| match parameter {
        Some(each) => each.kind.taken(each, runtime).tuple_type(lifetime),
        None => quote!(()),
    };
    let bounds = bounds(parameters.clone().flatten(), runtime);
    let missing_counts = Count::missing(parameters.clone());
    let counts = missing_counts.iter().map(|_| quote!(::core::primitive::usize));
    let is_rectangle = parameters.clone().flatten().any(Parameter::is_of_rectangle);
    // A rectangle is reported as a square.
    let sizes = if is_rectangle { quote!(elements, elements) } else { quote!(elements) };
    let types: Vec<TokenStream> = counts.chain(parameters.map(type_of)).collect();
    let arguments = Ident::new("arguments", Span::mixed_site());
    let fields: Vec<_> = (0..types.len()).map(Index::from).collect();
    quote! {
        #attributes
        impl #runtime::PairKernel for #name {
            const NAME: &'static ::core::primitive::str = #plain_name;
            const SOURCE: &'static ::core::primitive::str = Self::SOURCE;
            const SOURCES: &'static [&'static ::core::primitive::str] = Self::SOURCES;
            const OPTIONS: &'static [&'static ::core::primitive::str] = Self::OPTIONS;

            fn load(target: &impl ::core::convert::AsRef<#runtime::Target>) -> #runtime::Result<Self> {
                Self::load(target)
            }

            fn with_stream(
                &self,
                stream: &impl #runtime::Stream,
            ) -> #runtime::Result<Self> {
                Self::with_stream(self, stream)
            }

            fn rows(&self, rows: ::core::ops::Range<::core::primitive::usize>) -> Self {
                Self::rows(self, rows)
            }

            fn pairs(&self, pairs: &#runtime::GivenPairs) -> Self {
                Self::pairs(self, pairs)
            }

            fn report(&self, elements: ::core::primitive::usize) -> #runtime::Result<#runtime::Report> {
                Self::report(self, #sizes)
            }
        }

        #attributes
        impl<#lifetime> #runtime::LaunchWith<(#(#types,)*)> for #name #bounds {
            #[inline]
            fn launch_with(&self, #arguments: (#(#types,)*)) -> #runtime::Result<()> {
                Self::launch(self, #(#arguments.#fields),*)
            }

            #[inline]
            fn tune_with(&self, #arguments: (#(#types,)*)) -> #runtime::Result<#runtime::TuneReport> {
                Self::tune(self, #(#arguments.#fields),*)
            }
        }
    }
}
