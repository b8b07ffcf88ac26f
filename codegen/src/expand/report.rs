//! The methods `prepare` and `report`, of a triangle or of a rectangle.

use proc_macro2::TokenStream;
use quote::quote;

/// The parameters of both methods.
pub(super) fn report_parameters(is_rectangle: bool) -> TokenStream {
    match is_rectangle {
        true => quote!(rows: ::core::primitive::usize, columns: ::core::primitive::usize),
        false => quote!(elements: ::core::primitive::usize),
    }
}

/// The methods `prepare` and `report`, of a triangle or of a rectangle.
pub(super) fn report(is_rectangle: bool, runtime: &TokenStream) -> TokenStream {
    let parameters = report_parameters(is_rectangle);
    let [prepare, report] = match is_rectangle {
        true => [
            quote!(prepare_rectangle(&self.kernel, rows, columns)),
            quote!(report_rectangle(&self.kernel, rows, columns)),
        ],
        false => [quote!(prepare(&self.kernel, elements)), quote!(report(&self.kernel, elements))],
    };
    quote! {
        /// Compiles what launches of this size need, so that the first one does not wait for it: `load` compiles one
        /// variant, and they may take another. With `pairs`, it compiles what launches over any list need.
        ///
        /// # Errors
        ///
        /// The size exceeds the map's limit, what is needed does not compile, or the device fails.
        pub fn prepare(&self, #parameters) -> #runtime::Result<()> {
            #runtime::Kernel::#prepare
        }

        /// What a launch of this size uses: its grid and tile, and, on a GPU, registers, shared memory, spills and occupancy.
        ///
        /// # Errors
        ///
        /// The size exceeds the map's limit, a variant does not compile, the device fails, or the kernel visits given pairs.
        pub fn report(&self, #parameters) -> #runtime::Result<#runtime::Report> {
            #runtime::Kernel::#report
        }
    }
}
