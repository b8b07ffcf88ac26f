//! Rust constants, whose values rustc puts into the sources.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::joined::joined;
use crate::model::Constant;
use crate::names;

/// The constants as items of the kernel's type. There, no generated name can shadow a name in the user's expressions.
pub(super) fn definitions(
    kernel: &Ident,
    constants: &[Constant],
    runtime: &TokenStream,
) -> TokenStream {
    let count = constants.len();
    if count == 0 {
        return TokenStream::new();
    }
    let values = constants.iter().enumerate().map(|(at, Constant { number, value, .. })| {
        let (name, number) = (format_ident!("TD_CONSTANT_{at}"), format_ident!("{number}"));
        quote!(const #name: ::core::primitive::#number = #value;)
    });
    let lines = constants.iter().enumerate().map(|(at, constant)| {
        let value = format_ident!("TD_CONSTANT_{at}");
        let (name, number) = (constant.plain_name(), format_ident!("{}", constant.number));
        let constant = quote!(#runtime::__private::Constant::#number(#name, #kernel::#value));
        let constant = match names::is_constant(&name) {
            true => quote!(#runtime::__private::Constant::hidden(#constant)),
            false => constant,
        };
        joined(&quote!(Constant(&#constant)), runtime)
    });
    quote! {
        #(#values)*
        // The lines of C++ that define them.
        const TD_CONSTANTS: [&'static ::core::primitive::str; #count] = [#(#lines),*];
    }
}
