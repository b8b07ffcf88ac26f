//! The method `report`, of a triangle or of a rectangle.

use proc_macro2::TokenStream;
use quote::quote;

/// The parameters of `report`.
pub(super) fn report_parameters(is_rectangle: bool) -> TokenStream {
    match is_rectangle {
        true => quote!(rows: ::core::primitive::usize, columns: ::core::primitive::usize),
        false => quote!(elements: ::core::primitive::usize),
    }
}

/// The method `report`, of a triangle or of a rectangle.
pub(super) fn report(
    is_rectangle: bool,
    visibility: &TokenStream,
    runtime: &TokenStream,
) -> TokenStream {
    let parameters = report_parameters(is_rectangle);
    let (documentation, call) = match is_rectangle {
        true => (
            quote! {
                /// What a launch for so many rows and columns takes: its grid and tile, and, on a GPU, registers,
                /// shared memory, spills and occupancy.
            },
            quote!(report_rectangle(&self.kernel, rows, columns)),
        ),
        false => (
            quote! {
                /// What a launch for so many elements takes: its grid and tile, and, on a GPU, registers,
                /// shared memory, spills and occupancy.
            },
            quote!(report(&self.kernel, elements)),
        ),
    };
    quote! {
        #documentation
        ///
        /// # Errors
        ///
        /// The map does not go so far, a variant does not compile, or the device fails.
        #visibility fn report(&self, #parameters) -> #runtime::Result<#runtime::Report> {
            #runtime::Kernel::#call
        }
    }
}
