//! Constants of Rust's, whose values rustc puts into the texts.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::joined::joined;
use crate::cuda;
use crate::model::{Constant, Kernel};

/// The constants, as items of the kernel's type: there no name is in the way of what the user's expressions mean.
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
        joined(&quote!(Constant(&#constant)), runtime)
    });
    quote! {
        #(#values)*
        // The lines of C++ that define them.
        const TD_CONSTANTS: [&'static ::core::primitive::str; #count] = [#(#lines),*];
    }
}

/// A text in pieces, between which the lines of constants stand.
pub(super) fn pieces(text: &str, kernel: &Kernel) -> Vec<TokenStream> {
    let name = &kernel.name;
    let (mut pieces, mut rest) = (Vec::new(), text);
    // They come in their order, before all that the user has written.
    for (at, constant) in kernel.constants.iter().enumerate() {
        let line = cuda::constant_line(&constant.plain_name());
        if let Some((before, after)) = rest.split_once(&line) {
            if !before.is_empty() {
                pieces.push(quote!(#before));
            }
            pieces.push(quote!(#name::TD_CONSTANTS[#at]));
            rest = after;
        }
    }
    pieces.push(quote!(#rest));
    pieces
}
