//! The warnings that the runtime reports when it loads a kernel.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Kernel;
use crate::warnings::{self, Warning};

/// The runtime's form of each warning.
pub(super) fn warnings(kernel: &Kernel) -> impl Iterator<Item = TokenStream> {
    let runtime = &kernel.options.runtime;
    warnings::of(kernel).into_iter().map(move |Warning { place, forms, floats }| {
        let forms = forms.iter().map(|[to, from]| quote!((#to, #from)));
        let floats = floats.iter().map(|(of, field)| quote!((#of, #field)));
        quote!(#runtime::__private::Warning {
            place: #place,
            forms: &[#(#forms),*],
            floats: &[#(#floats),*],
        })
    })
}
