//! The methods `prepare` and `report`, of a triangle or of a rectangle.

use proc_macro2::TokenStream;
use quote::quote;

/// The parameters of both.
pub(super) fn report_parameters(is_rectangle: bool) -> TokenStream {
    match is_rectangle {
        true => quote!(rows: ::core::primitive::usize, columns: ::core::primitive::usize),
        false => quote!(elements: ::core::primitive::usize),
    }
}

/// The methods `prepare` and `report`, of a triangle or of a rectangle.
pub(super) fn report(
    is_rectangle: bool,
    visibility: &TokenStream,
    runtime: &TokenStream,
) -> TokenStream {
    let parameters = report_parameters(is_rectangle);
    let (size, call) = match is_rectangle {
        true => ("rows and columns", quote!(report_rectangle(&self.kernel, rows, columns))),
        false => ("elements", quote!(report(&self.kernel, elements))),
    };
    let prepares = format!(
        " Compiles what launches for so many {size} need, so that the first one has nothing to wait for: `load` compiles one variant, and they may take another."
    );
    let reports = format!(
        " What a launch for so many {size} takes: its grid and tile, and, on a GPU, registers, shared memory, spills and occupancy."
    );
    quote! {
        #[doc = #prepares]
        ///
        /// # Errors
        ///
        /// Those of `report`.
        #visibility fn prepare(&self, #parameters) -> #runtime::Result<()> {
            #runtime::Kernel::#call.map(::core::mem::drop)
        }

        #[doc = #reports]
        ///
        /// # Errors
        ///
        /// The map does not go so far, a variant does not compile, or the device fails.
        #visibility fn report(&self, #parameters) -> #runtime::Result<#runtime::Report> {
            #runtime::Kernel::#call
        }
    }
}
