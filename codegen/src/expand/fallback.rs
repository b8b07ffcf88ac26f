//! The items of a wrong kernel.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use super::chunks;
use super::declarations;
use super::generic::implementations;
use super::launch::{bounds, count_parameters, launch_parameter, wrong_parameter};
use super::report::report_parameters;
use crate::attributes::Attributes;
use crate::model::{Count, Parameter};

/// The fallback for wrong input: the same items with empty bodies, which only have to type-check. A wrong parameter takes any
/// argument.
pub(crate) fn fallback(
    name: &Ident,
    visibility: &Visibility,
    conditions: &[Attribute],
    runtime: &TokenStream,
    parameters: &[Option<Parameter>],
) -> TokenStream {
    let declarations = declarations(name, visibility, &Attributes::default(), None, runtime);
    let counts = count_parameters(&Count::missing(parameters.iter().map(Option::as_ref)), runtime);
    let bounds = bounds(parameters.iter().flatten(), runtime);
    let is_rectangle = parameters.iter().flatten().any(Parameter::is_of_rectangle);
    let report_parameters = report_parameters(is_rectangle);
    let of = |(at, each): (usize, &Option<Parameter>)| match each {
        Some(each) => launch_parameter(each, runtime),
        None => wrong_parameter(at),
    };
    let launch_parameters: Vec<_> = parameters.iter().enumerate().map(of).collect();
    let generic = implementations(
        &quote!(#(#conditions)*),
        name,
        "",
        runtime,
        parameters.iter().map(Option::as_ref),
    );
    let chunks = chunks::fallback(parameters.iter().map(Option::as_ref), runtime);
    quote! {
        #(#conditions)*
        #declarations

        #(#conditions)*
        #[allow(missing_docs, unused_variables, clippy::too_many_arguments)]
        impl #name {
            pub const SOURCES: &'static [&'static ::core::primitive::str] = &[""];
            pub const OPTIONS: &'static [&'static ::core::primitive::str] = &[];
            pub const SOURCE: &'static ::core::primitive::str = "";
            pub const CPU_SOURCE: &'static ::core::primitive::str = "";
            pub const PAIRS_SOURCE: &'static ::core::primitive::str = "";
            pub fn load(target: &impl ::core::convert::AsRef<#runtime::Target>) -> #runtime::Result<Self> { loop {} }
            pub fn with_stream(&self, stream: &impl #runtime::Stream) -> #runtime::Result<Self> { loop {} }
            pub fn rows(&self, rows: ::core::ops::Range<::core::primitive::usize>) -> Self { loop {} }
            pub fn pairs(&self, pairs: &#runtime::GivenPairs) -> Self { loop {} }
            pub fn keep(&self, skin: impl ::core::convert::Into<::core::primitive::f64>) -> Self { loop {} }
            pub fn kept(&self) -> ::core::option::Option<#runtime::GivenPairs> { loop {} }
            pub fn prepare(&self, #report_parameters) -> #runtime::Result<()> { loop {} }
            pub fn report(&self, #report_parameters) -> #runtime::Result<#runtime::Report> { loop {} }
            pub fn tune(&self, #counts #(#launch_parameters),*) -> #runtime::Result<#runtime::TuneReport> #bounds { loop {} }
            pub fn launch(&self, #counts #(#launch_parameters),*) -> #runtime::Result<()> #bounds { loop {} }
            #chunks
        }

        #generic
    }
}
